"""Braintrust and autoevals: judges as scorers of an evaluation that sends nothing."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from braintrust import Eval
from braintrust.logger import _internal_with_memory_background_logger as kept_in_memory
from braintrust.test_helpers import init_test_logger
from parity import Parity
from seen import Seen, present
from world import Row, World, item, items


def answered(row: Row) -> Any:
    """Return what stands beside the question, in the place of an application."""
    pair = {name: text for name, text in row.items() if name.startswith("output_")}
    return pair or row["output"]


def evaluated(judge: Any, asked: list[Row]) -> Any:
    """Return the result of an evaluation."""
    data = [{"input": row, "expected": row.get("reference")} for row in asked]
    return Eval("replies", data=data, task=answered, scores=[judge], no_send_logs=True)


class TestBraintrust(Parity):
    """An evaluation with a judge as scorer, and the spans that would be sent."""

    runner = "braintrust"
    keeps = "share"
    first = True

    @staticmethod
    def run(judge: Any, asked: list[Row]) -> Seen:
        """Run an evaluation."""
        with kept_in_memory() as spans:
            init_test_logger("replies")
            result = evaluated(judge, asked)
            kept = json.dumps(spans.pop(), default=str, ensure_ascii=False)
        by_name = {one.input["id"]: present(one.scores) for one in result.results}
        return Seen([by_name[row["id"]] for row in asked], kept)

    def test_summary(self, world: World) -> None:
        """Braintrust's own mean leaves out what has no value, and is not there without any."""
        one = evaluated(self.make(world.root, "tone"), [item(1, "friendly"), item(2, "unheard_of")])
        none = evaluated(self.make(world.root, "plain", on_refused="unscored"), items(2))

        assert one.summary.scores["tone"].score == 1.0
        assert none.summary.scores == {}

    def test_autoevals(self, world: World) -> None:
        """Called as any scorer of autoevals, blocking and not."""
        row, judge = items(1)[0], self.make(world.root, "tone")
        found = [
            judge(output=row["output"], input=row["input"]),
            judge.eval(output=row["output"], input=row["input"]),
            asyncio.run(judge.eval_async(output=row["output"], input=row["input"])),
        ]

        assert {one.name for one in found} == {"tone"}
        assert [one.score for one in found] == [pytest.approx(2 / 3)] * 3
        assert found[0].metadata["judgekit_value"] == 3
