"""pydantic-evals: judges as evaluators of a dataset, and the corrected figure in its report."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from parity import Parity
from pydantic_core import to_json
from pydantic_evals import Case, Dataset
from seen import Seen
from world import Row, World, item, items

from judgekit.adapters.pydantic_evals import Corrected, Judge


def dataset(asked: list[Row], judge: Judge) -> Dataset:
    """Return the items as cases, with a judge of each and of all."""
    cases = [
        Case(name=row["id"], inputs=row, expected_output=row.get("reference")) for row in asked
    ]
    together = [Corrected(judge, "same")]
    return Dataset(name="replies", cases=cases, evaluators=[judge], report_evaluators=together)


def answered(row: Row) -> Any:
    """Return what stands beside the question, in the place of an application."""
    pair = {name: text for name, text in row.items() if name.startswith("output_")}
    return pair or row["output"]


def seen_in(report: Any) -> Seen:
    """Return what a report shows: a run fails in CI that has failures of evaluators."""
    kept = to_json(report).decode()
    found = json.loads(kept)
    values = {
        case["name"]: {
            name: result["value"] for name, result in {**case["scores"], **case["labels"]}.items()
        }
        for case in found["cases"]
    }
    failed = any(case["evaluator_failures"] for case in found["cases"])
    figures = {one["title"].removeprefix("tone_"): one["value"] for one in found["analyses"]}
    return Seen([*values.values()], kept, not failed, figures)


class TestPydanticEvals(Parity):
    """A dataset whose evaluator is a judge, and its report as JSON."""

    runner = "pydantic-evals"
    aggregates = reddens = True

    @staticmethod
    def run(judge: Any, asked: list[Row]) -> Seen:
        """Evaluate a dataset, and read its report."""
        report = dataset(asked, judge).evaluate_sync(answered, progress=False)
        by_name = {case.name: case for case in report.cases}
        report.cases = [by_name[row["id"]] for row in asked]
        return seen_in(report)

    def test_failures(self, world: World) -> None:
        """The failure of a case carries the code, and is in no average."""
        judge = self.make(world.root, "plain")
        report = dataset(items(2), judge).evaluate_sync(answered, progress=False)
        failures = [failure for case in report.cases for failure in case.evaluator_failures]

        assert {failure.error_type for failure in failures} == {"GateRefusal"}
        assert len(failures) == 2
        assert report.averages().scores == {}

    def test_version(self, world: World) -> None:
        """The version of the evaluator is the certificate."""
        report = dataset(items(1), self.make(world.root, "tone")).evaluate_sync(
            answered, progress=False
        )
        rows, _ = world.score("tone", items(1))

        assert report.cases[0].scores["tone"].evaluator_version == rows[0]["certificate"]

    def test_one_evaluator_twice(self, world: World) -> None:
        """An evaluator that is used again gives the figures of the second run only."""
        judge = self.make(world.root, "tone")
        self.run(judge, items()[:3])

        assert self.run(judge, items()[28:]).figures == pytest.approx(world.figures(items()[28:]))

    def test_kept_as_yaml(self, world: World) -> None:
        """A dataset with a judge is saved and loaded by the judge's name."""
        path = Path("replies.yaml")
        types: dict[str, Any] = {
            "custom_evaluator_types": [Judge],
            "custom_report_evaluator_types": [Corrected],
        }
        whole = dataset(items(), self.make(world.root, "tone"))
        whole.to_file(path, **types)
        report = (
            Dataset[Any, Any, Any].from_file(path, **types).evaluate_sync(answered, progress=False)
        )

        assert seen_in(report).values == self.expected(world, items())
        assert seen_in(report).figures == pytest.approx(world.figures(items()))

    def test_no_figure(self, world: World) -> None:
        """Where there is none, the report says why."""
        asked = [item(1, "friendly"), item(2, "unheard_of"), item(3, "cold")]
        report = dataset(asked, self.make(world.root, "tone")).evaluate_sync(
            answered, progress=False
        )
        (failure,) = report.report_evaluator_failures

        assert "2 of 3 items judged" in failure.error_message
