"""DeepEval: judges as metrics of test cases, and what it saves of a run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from deepeval import assert_test, evaluate
from deepeval.evaluate import DisplayConfig, ErrorConfig
from deepeval.test_case import LLMTestCase
from parity import Parity
from seen import Seen, present
from world import Row, World, item, items

from judgekit.errors import GateRefusal, JudgingError


def case(row: Row) -> LLMTestCase:
    """Return an item as a test case."""
    pair = {name: text for name, text in row.items() if name.startswith("output_")}
    return LLMTestCase(
        name=row["id"],
        input=row["input"],
        actual_output=row.get("output", ""),
        expected_output=row.get("reference"),
        metadata=pair or None,
    )


def evaluated(judge: Any, asked: list[Row], *, ignore_errors: bool) -> Any:
    """Return the result of an evaluation, whose file is in ``results``."""
    shown = {"show_indicator": False, "print_results": False, "results_folder": "results"}
    return evaluate(
        test_cases=[case(row) for row in asked],
        metrics=[judge],
        error_config=ErrorConfig(ignore_errors=ignore_errors),
        display_config=DisplayConfig(**shown),
    )


class TestDeepEval(Parity):
    """Test cases with a judge as metric, and the file of the run."""

    runner = "deepeval"
    keeps = "number"
    messages = False
    reddens = True

    @staticmethod
    def run(judge: Any, asked: list[Row]) -> Seen:
        """Run an evaluation, and read its file."""
        result = evaluated(judge, asked, ignore_errors=True)
        file = max(Path("results").rglob("*.json"), key=lambda path: path.stat().st_mtime_ns)
        kept = file.read_text(encoding="utf-8")
        saved = {one["name"]: one["metricsData"] for one in json.loads(kept)["testCases"]}
        values = [{one["name"]: one.get("score") for one in saved[row["id"]]} for row in asked]
        green = all(one.success for one in result.test_results)
        return Seen([present(of) for of in values], kept, green)

    def test_success(self, world: World) -> None:
        """A test case succeeds where the rubric says that the level passes."""
        asked = [
            item(i, level) for i, level in enumerate(["friendly", "cold", "polite", "rude"], 1)
        ]
        result = evaluated(self.make(world.root, "tone"), asked, ignore_errors=True)

        assert {one.name: one.success for one in result.test_results} == {
            "answer-001": True,
            "answer-002": False,
            "answer-003": True,
            "answer-004": False,
        }

    def test_stops_at_errors(self, world: World) -> None:
        """Without further words an evaluation stops at the refusal."""
        with pytest.raises(GateRefusal, match="no_certificate"):
            evaluated(self.make(world.root, "plain"), items(2), ignore_errors=False)

    @pytest.mark.parametrize("run_async", [True, False])
    def test_assert_test(self, world: World, *, run_async: bool) -> None:
        """As an assertion it fails where there is no value, and is never skipped."""
        tone = self.make(world.root, "tone")
        assert_test(case(item(1, "polite")), [tone], run_async=run_async)
        with pytest.raises(AssertionError):
            assert_test(case(item(1, "cold")), [tone], run_async=run_async)
        with pytest.raises(JudgingError):
            assert_test(case(item(1, "unheard_of")), [tone], run_async=run_async)
        with pytest.raises(GateRefusal):
            assert_test(
                case(item(1, "polite")), [self.make(world.root, "plain")], run_async=run_async
            )
