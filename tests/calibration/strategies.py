"""Hypothesis strategies of the calibration tests: scales, and evidence of every kind."""

from typing import Any

from hypothesis import settings
from hypothesis import strategies as st

from judgekit.calibration.align import HumanLevel, Subject, align
from judgekit.calibration.rows import Row, ScaleSpec
from judgekit.judging.judgment import CAUSES, Judgment, Unjudged
from tests.calibration.make import spec

# A busy machine is no failure.
unhurried = settings(deadline=None, max_examples=50)

SPECS: list[ScaleSpec] = [
    spec("binary"),
    spec("nominal"),
    spec("nominal", passing=["red"]),
    spec("pairwise"),
    spec("ordinal"),
    spec("ordinal", passes_at=3),
    spec("ordinal", passes_at=5, weights="linear"),
    spec("ordinal", weights="unweighted"),
]
IDS = st.sampled_from(["a", "b", "c", "d", "ü 1", "e/f", "", "7", "07"])


@st.composite
def calibrations(draw: st.DrawFn, max_items: int = 40) -> tuple[ScaleSpec, tuple[Row, ...]]:
    """A scale and the rows of an arbitrary run: raters, cases, gaps, all causes, weights."""
    scale = draw(st.sampled_from(SPECS))
    levels = st.integers(0, len(scale.values) - 1)
    items = [f"i{n}" for n in range(draw(st.integers(0, max_items)))]
    cases = draw(st.booleans())
    weighted = draw(st.booleans())
    raters = draw(st.sampled_from([["ann"], ["ann", "bob"], ["ann", "bob", "cy"]]))
    labels, outcomes = {}, {}
    human = st.one_of(levels, levels, levels, st.none())
    for item in items:
        weight = draw(st.sampled_from([0.5, 1.0, 3.0])) if weighted else None
        labels[item] = [
            HumanLevel(rater, draw(human), weight)
            for rater in raters
            if draw(st.integers(0, 9)) or len(raters) == 1
        ]
        outcomes[item] = draw(outcome(levels))
    subjects = [Subject(i, f"c{n // 3}" if cases else None, "t") for n, i in enumerate(items)]
    kept = {item: found for item, found in outcomes.items() if found is not None}
    return scale, tuple(align(subjects, labels, kept, {}))


@st.composite
def outcome(draw: st.DrawFn, levels: st.SearchStrategy[int]) -> Judgment | Unjudged | None:
    """What a judge said of an item: mostly a level, sometimes any other end it can come to."""
    kind = draw(st.integers(0, 9))
    item: dict[str, Any] = {"item": "", "criterion": "tone"}
    if kind == 0:
        return draw(st.sampled_from([None, *(Unjudged(cause=c, **item) for c in CAUSES)]))
    return Judgment(level=None if kind == 1 else draw(levels), **item)
