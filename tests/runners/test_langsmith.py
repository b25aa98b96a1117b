"""LangSmith: judges as evaluators of an experiment that is not uploaded, and its summary."""

from __future__ import annotations

import asyncio
import json
import uuid
from functools import partial
from typing import Any

import pytest
from langsmith import Client, aevaluate, evaluate
from langsmith.schemas import Example
from openevals.simulators import run_multiturn_simulation_async
from parity import Parity
from seen import Seen, present
from world import Row, World, item, items

from judgekit.adapters.langsmith import corrected


def answered(inputs: Row) -> Row:
    """Return what stands beside the question, in the place of an application."""
    return {name: text for name, text in inputs.items() if name.startswith("output")}


def example(row: Row) -> Example:
    """Return an item as an example of a data set."""
    reference = {"reference": row["reference"]} if "reference" in row else None
    return Example(id=uuid.uuid4(), inputs=row, outputs=reference, dataset_id=uuid.uuid4())


def settings(judge: Any, asked: list[Row]) -> Row:
    """Return how an experiment is run that stays here."""
    return {
        "data": [example(row) for row in asked],
        "evaluators": [judge],
        "summary_evaluators": [corrected(judge, "same")],
        "upload_results": False,
        "client": Client(
            api_url="http://127.0.0.1:9", api_key="-", tracing_sampling_rate=0, info={}
        ),
    }


def seen_in(rows: list[Any], results: Any, asked: list[Row]) -> Seen:
    """Return what an experiment shows; it knows no failing."""
    by_name = {row["example"].inputs["id"]: row["evaluation_results"]["results"] for row in rows}
    values = [{one.key: one.score for one in by_name[row["id"]]} for row in asked]
    kept = json.dumps([[one.model_dump(mode="json") for one in of] for of in by_name.values()])
    summary = {one.key: one.score for one in results._summary_results["results"]}
    figures = present({name.removeprefix("tone_"): value for name, value in summary.items()})
    return Seen([present(of) for of in values], kept, None, figures)


class TestLangSmith(Parity):
    """An experiment with a judge as evaluator."""

    runner = "langsmith"
    keeps = "number"
    first = aggregates = True

    @staticmethod
    def run(judge: Any, asked: list[Row]) -> Seen:
        """Run an experiment."""

        async def target(inputs: Row) -> Row:
            return answered(inputs)

        async def experiment() -> tuple[list[Any], Any]:
            results = await aevaluate(target, **settings(judge, asked))
            return [row async for row in results], results

        return seen_in(*asyncio.run(experiment()), asked)

    def test_without_a_loop(self, world: World) -> None:
        """The blocking ``evaluate`` takes the same evaluator."""
        results = evaluate(answered, **settings(self.make(world.root, "tone"), items(3)))
        seen = seen_in([*results], results, items(3))

        assert seen.values == self.expected(world, items(3))

    def test_summary_of_its_own(self, world: World) -> None:
        """A summary finds the figure for another judge object, and says why there is none."""
        how = settings(self.make(world.root, "tone"), items())
        how["summary_evaluators"] = [corrected(self.make(world.root, "tone"), "same")]
        results = evaluate(answered, **how)
        whole = seen_in([*results], results, items())
        few = [item(1, "friendly"), item(2, "unheard_of"), item(3, "cold")]
        results = evaluate(answered, **settings(self.make(world.root, "tone"), few))
        (told,) = results._summary_results["results"]

        assert whole.figures == pytest.approx(world.figures(items()))
        assert told.score is None
        assert "2 of 3 items judged" in told.comment

    def test_openevals(self, world: World) -> None:
        """A simulated conversation is judged as a whole; what it does not hand over is told."""
        said, judge = items(1)[0], self.make(world.root, "tone")

        def assistant(message: Row, **_: Any) -> Row:
            return {"role": "assistant", "content": said["output"], "id": "a"}

        simulated = asyncio.run(
            run_multiturn_simulation_async(
                app=assistant,
                user=[{"role": "user", "content": said["input"], "id": "u"}],
                trajectory_evaluators=[partial(judge, inputs=said["input"]), judge],
                max_turns=1,
            )
        )
        whole, bare = simulated["evaluator_results"]
        talk = [{k: one[k] for k in ("role", "content")} for one in simulated["trajectory"]]

        assert [{whole["key"]: whole["score"]}] == self.expected(world, [{**said, "output": talk}])
        assert bare["score"] is None
        assert "needs input" in bare["comment"]

    def test_one_evaluator_twice(self, world: World) -> None:
        """An evaluator that is used again gives the figures of the second experiment only."""
        judge = self.make(world.root, "tone")
        self.run(judge, items()[:3])

        assert self.run(judge, items()[28:]).figures == pytest.approx(world.figures(items()[28:]))
