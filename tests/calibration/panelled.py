"""Judges of several models, replicates and orders, with what each of their votes said."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from judgekit.calibration.panels import PanelReport, panel_report
from judgekit.calibration.rows import Row
from judgekit.judging.judge import Asking, Judge, Member, panel_model
from judgekit.judging.judgment import Judgment, Unjudged
from judgekit.judging.votes import combine
from tests.calibration.make import rubric

Said = int | str | None
"""A level, None for "not applicable", or a cause."""


def panel_judge(members: int = 1, kind: str = "binary", **more: Any) -> Judge:
    """A judge of so many models on a scale of this kind."""
    named = tuple(Member(model=f"lab/{letter}") for letter in "abcdefgh"[:members])
    if members > 1:
        more |= {"panel": named, "model": panel_model(named)}
    return Judge(**{"name": "tone", "rubric": rubric(kind), "model": "lab/a", **more})


def outcome(of: Judge, item: str, said: Sequence[Said]) -> Judgment | Unjudged:
    """What an item comes to whose askings, in order, came to this; levels in item order."""
    criterion = of.rubric.criteria[0]
    votes = [_vote(item, one, place) for one, place in zip(said, of.places(criterion), strict=True)]
    return combine(votes, of, criterion)


def _vote(item: str, said: Said, at: Asking) -> Judgment | Unjudged:
    where: dict[str, Any] = {"replicate": at.replicate, "member": at.member, "order": at.order}
    if isinstance(said, str):
        return Unjudged(item, "tone", said, **where)  # type: ignore[arg-type]
    return Judgment(item, "tone", said, **where)


def report(
    of: Judge,
    said: Mapping[str, Sequence[Said]],
    labels: Mapping[str, int],
    **more: Mapping[str, Any],
) -> PanelReport | None:
    """What the votes show; ``more`` are further fields of the rows, by item."""
    outcomes = {item: outcome(of, item, votes) for item, votes in said.items()}
    rows = [
        Row(item, rater="ann", human=level, **{k: v[item] for k, v in more.items() if item in v})
        for item, level in labels.items()
    ]
    rng = np.random.default_rng(5)
    return panel_report(rows, outcomes, of, of.rubric.criteria[0], rng=rng)


def together(
    members: int, items: int, *, rho: float = 0.42, rate: float = 0.3, seed: int = 1
) -> tuple[dict[str, list[Said]], dict[str, int]]:
    """Votes and labels on two levels of members whose errors correlate by ``rho``."""
    rng, spread = np.random.default_rng(seed), 1 / rho - 1
    chance = rng.beta(rate * spread, (1 - rate) * spread, items)
    wrong = rng.random((items, members)) < chance[:, None]
    human = rng.integers(0, 2, items)
    said: dict[str, list[Said]] = {
        f"i{i}": [int(level) for level in np.where(wrong[i], 1 - human[i], human[i])]
        for i in range(items)
    }
    return said, {f"i{i}": int(level) for i, level in enumerate(human)}
