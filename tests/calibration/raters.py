"""Evidence rows of several raters and a judge, for the tests of what people agree on."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from judgekit.calibration.rows import Row


def several(
    humans: Mapping[str, Sequence[int | None]],
    judge: Sequence[Any],
    *,
    cases: Sequence[str] | None = None,
    weights: Sequence[float] | None = None,
) -> tuple[Row, ...]:
    """Rows of items that several raters labelled.

    Args:
        humans: Level of each item by rater; None where the rater did not label it.
        judge: Level of each item; "na", or a cause.
        cases: Case of each item.
        weights: Sampling weight of each item.
    """
    rows = []
    for i, said in enumerate(judge):
        what: dict[str, Any] = {"cause": said} if isinstance(said, str) else {"judge": said}
        if said == "na":
            what = {"judge_na": True}
        if cases is not None:
            what["case"] = cases[i]
        if weights is not None:
            what["weight"] = weights[i]
        rows += [
            Row(f"i{i:04}", rater=rater, human=levels[i], **what)
            for rater, levels in humans.items()
            if levels[i] is not None
        ]
    return tuple(rows)


def crowd(
    seed: int, n: int, knows: Mapping[str, float], *, judge: float = 0.8, k: int = 2
) -> tuple[dict[str, list[int | None]], list[int]]:
    """Levels of raters who know the truth as often as said and else guess, and of such a judge."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, k, n)

    def told(share: float) -> list[int]:
        guess = rng.integers(0, k, n)
        return np.where(rng.random(n) < share, truth, guess).tolist()

    humans: dict[str, list[int | None]] = {name: [*told(share)] for name, share in knows.items()}
    return humans, told(judge)
