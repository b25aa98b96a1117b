"""Phoenix evals: judges as evaluators of a data frame."""

from __future__ import annotations

import asyncio
import math
from typing import Any

import pandas as pd
from parity import Parity
from phoenix.evals import async_evaluate_dataframe, evaluate_dataframe
from phoenix.evals.utils import to_annotation_dataframe
from seen import Seen, present
from world import Row, World, items


def scores_in(frame: pd.DataFrame) -> list[Row]:
    """Return the scores of each row, by evaluator."""
    columns = [name for name in frame.columns if name.endswith("_score")]
    return [
        present({k.removesuffix("_score"): (v or {}).get("score") for k, v in row.items()})
        for row in frame[columns].to_dict("records")
    ]


class TestPhoenix(Parity):
    """A data frame with a judge as evaluator."""

    runner = "phoenix"
    keeps = "number"
    first = True

    @staticmethod
    def run(judge: Any, asked: list[Row]) -> Seen:
        """Evaluate a data frame."""
        told = {"hide_tqdm_bar": True, "max_retries": 0}
        frame = evaluate_dataframe(pd.DataFrame(asked), [judge], **told)
        return Seen(scores_in(frame), frame.to_json(orient="records"))

    def test_in_a_loop(self, world: World) -> None:
        """The twin that does not block gives the same."""
        judge, asked = self.make(world.root, "tone"), items(4)
        waiting = async_evaluate_dataframe(pd.DataFrame(asked), [judge], hide_tqdm_bar=True)

        assert scores_in(asyncio.run(waiting)) == self.expected(world, asked)

    def test_kept_as_csv(self, world: World) -> None:
        """What pandas writes of a mapping is found again."""
        frame = evaluate_dataframe(pd.DataFrame(items()), [self.make(world.root, "tone")])
        whole, cells = frame.to_json(orient="records"), frame.to_csv(index=False)

        assert '"corrected": {' in world.corrected(cells)
        assert world.corrected(cells) == world.corrected(whole)

    def test_annotations(self, world: World) -> None:
        """As an annotation of a trace a refusal has a label, and no score."""
        judge = self.make(world.root, "plain", on_refused="unscored")
        frame = pd.DataFrame(items(2)).rename(columns={"id": "span_id"}).set_index("span_id")
        kept = to_annotation_dataframe(evaluate_dataframe(frame, [judge], hide_tqdm_bar=True))

        assert [*kept["label"]] == ["refused", "refused"]
        assert all(score is None or math.isnan(score) for score in kept["score"])
