"""MLflow: judges as scorers of an evaluation in a store of its own."""

from __future__ import annotations

import json
import os
from typing import Any, ClassVar

import mlflow
import pytest
from parity import Parity
from seen import Seen, present
from world import Row, World, item, items


@pytest.fixture(autouse=True, scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Keep all runs, of child processes too, in one store: it takes its time to set up."""
    place = tmp_path_factory.mktemp("store") / "mlflow.db"
    os.environ["MLFLOW_TRACKING_URI"] = f"sqlite:///{place}"


def data(row: Row) -> Row:
    """Return an item as a row of a data set."""
    outputs = {name: text for name, text in row.items() if name.startswith("output_")}
    found: Row = {"inputs": row, "outputs": outputs or row["output"]}
    if "reference" in row:
        found["expectations"] = {"reference": row["reference"]}
    return found


def evaluated(judge: Any, asked: list[Row]) -> Any:
    """Return the result of an evaluation."""
    return mlflow.genai.evaluate(data=[data(row) for row in asked], scorers=[judge])


class TestMLflow(Parity):
    """An evaluation with a judge as scorer."""

    runner = "mlflow"
    keeps = "label"
    stated: ClassVar[Row] = {"population": "same"}
    reddens = aggregates = True

    @staticmethod
    def run(judge: Any, asked: list[Row]) -> Seen:
        """Run an evaluation."""
        result = evaluated(judge, asked)
        kept = result.result_df.to_json(orient="records")
        rows = {row["request"]["id"]: row for row in json.loads(kept)}
        values = [present({judge.name: rows[r["id"]].get(f"{judge.name}/value")}) for r in asked]
        figures = {name.split("/")[-1]: value for name, value in result.metrics.items()}
        return Seen(values, kept, result.passed, figures)

    def test_passing(self, world: World) -> None:
        """A run passes where every row is judged and passes."""
        judge = self.make(world.root, "tone")

        assert evaluated(judge, [item(1, "polite"), item(2, "friendly")]).passed
        assert not evaluated(judge, [item(1, "polite"), item(2, "cold")]).passed
        assert not evaluated(judge, [item(1, "polite"), item(2, "unheard_of")]).passed

    def test_feedback(self, world: World) -> None:
        """What is kept of a row names the certificate as its source, or the refusal's code."""
        rows, _ = world.score("tone", items(1))
        told = {"tone": f"judgekit/{rows[0]['certificate']}", "plain": "judgekit/not-certified"}
        for name, source in told.items():
            result = evaluated(self.make(world.root, name), items(1))
            trace = mlflow.get_trace(result.result_df["trace_id"].iloc[0])
            (feedback,) = trace.search_assessments(name)
            assert feedback.source.source_id == source
            assert (feedback.error is None) is (name == "tone")
        assert feedback.error.error_code == "NO_CERTIFICATE"

    def test_one_scorer_twice(self, world: World) -> None:
        """A scorer that is used again gives the figures of the second evaluation only."""
        judge = self.make(world.root, "tone")
        self.run(judge, items()[:3])

        assert self.run(judge, items()[28:]).figures == pytest.approx(world.figures(items()[28:]))
