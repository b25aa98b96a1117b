"""The human ceiling: when people fall short of the bar, and the route that asks for their level."""

import numpy as np
import pytest

from judgekit.calibration.ceiling import (
    Held,
    ceiling,
    ceiling_checks,
    gap_after,
    human_raters,
)
from judgekit.calibration.humans import HumanEvidence, human_evidence
from judgekit.calibration.policy import Policy
from judgekit.calibration.record import EstimateRecord
from tests.calibration.make import spec
from tests.calibration.raters import crowd, several


def figure(value: float | None, low: float | None, high: float | None) -> EstimateRecord:
    """A figure of 100 items."""
    return EstimateRecord(
        metric="x",
        value=value,
        low=low,
        high=high,
        confidence=0.95,
        n=100,
        pairs=300,
        method="m",
        undefined="too_few_items" if value is None else None,
    )


def people(
    among: tuple[float, float] | None = (0.5, 0.7),
    gap: tuple[float, float] | None = (-0.05, 0.05),
    raters: int = 3,
) -> HumanEvidence:
    """Raters whose agreement and whose gap to the judge have these ends."""
    humans, judge = crowd(1, 60, {f"r{i}": 0.9 for i in range(raters)})
    made = human_evidence(several(humans, judge), spec("binary"))
    assert made is not None

    def record(ends: tuple[float, float] | None) -> EstimateRecord:
        return figure(None, None, None) if ends is None else figure(sum(ends) / 2, *ends)

    return made.model_copy(update={"human_agreement": record(among), "gap": record(gap)})


@pytest.mark.parametrize(
    ("among", "said"),
    [
        ((0.62, 0.80), "reached"),
        ((0.60, 0.80), "reached"),
        ((0.59, 0.80), "ceiling_unknown"),
        ((0.40, 0.60), "ceiling_unknown"),
        ((0.40, 0.59), "humans_disagree"),
        (None, "ceiling_unknown"),
    ],
)
def test_where_the_interval_lies(among: tuple[float, float] | None, said: str) -> None:
    """Only a high end under the bar says that people disagree; straddling proves nothing."""
    assert ceiling(people(among), 0.60) == said


def test_one_rater_has_no_ceiling() -> None:
    """Nothing is known, nothing is checked on the fixed route."""
    assert ceiling(None, 0.60) is None
    assert ceiling_checks(None, Policy(), None) == []
    assert human_raters(None) == 0


@pytest.mark.parametrize(("high", "passed"), [(0.7, True), (0.6, True), (0.599, False)])
def test_fixed_route(high: float, passed: bool) -> None:  # noqa: FBT001
    """The high end of the humans' own agreement is held against the bar; it rules no judge out."""
    (held,) = ceiling_checks(people((0.4, high)), Policy(), -0.5)

    assert held == Held("human_agreement", 0.60, high, passed, "humans_disagree")
    assert not held.ruled_out


def test_an_undefined_ceiling_is_no_check() -> None:
    """Too few shared items: nothing is held against anything."""
    assert ceiling_checks(people(None), Policy(), None) == []


HUMAN_LEVEL = Policy(route="human-level")


@pytest.mark.parametrize(
    ("low", "high", "passed", "ruled_out"),
    [
        (-0.09, 0.05, True, False),
        (-0.10, 0.05, False, False),
        (-0.30, -0.05, False, False),
        (-0.30, -0.11, False, True),
        (-0.02, 0.20, True, False),
    ],
)
def test_human_level(low: float, high: float, passed: bool, ruled_out: bool) -> None:  # noqa: FBT001
    """Not inferior: the low end lies above minus the margin. The high end under it rules out."""
    raters, gap = ceiling_checks(people(gap=(low, high)), HUMAN_LEVEL, low)

    assert raters == Held("human_raters", 3, 3, passed=True, reason="below_human_ceiling")
    assert gap == Held("human_gap", -0.10, low, passed, "below_human_ceiling", ruled_out)


def test_the_bound_of_the_look_is_held() -> None:
    """A later look brings a lower low end than the printed one."""
    _, gap = ceiling_checks(people(gap=(-0.09, 0.05)), HUMAN_LEVEL, -0.12)

    assert (gap.observed, gap.passed) == (-0.12, False)


def test_human_level_does_not_ask_people_for_the_bar() -> None:
    """The route exists because people agree too little."""
    names = [h.name for h in ceiling_checks(people((0.2, 0.4)), HUMAN_LEVEL, -0.05)]

    assert names == ["human_raters", "human_gap"]


def test_human_level_needs_three() -> None:
    """Two raters are too few; one has no ceiling at all."""
    two, _ = ceiling_checks(people(raters=2), HUMAN_LEVEL, -0.05)
    none, gap = ceiling_checks(None, HUMAN_LEVEL, None)

    assert (two.observed, two.passed, two.reason) == (2, False, "below_human_ceiling")
    assert (none.observed, none.passed) == (0, False)
    assert (gap.observed, gap.passed, gap.reason) == (
        "too_few_raters",
        False,
        "agreement_undefined",
    )


def test_an_undefined_gap_fails() -> None:
    """No number is no pass, and rules nothing out."""
    _, gap = ceiling_checks(people(gap=None), HUMAN_LEVEL, None)

    assert gap == Held(
        "human_gap", -0.10, "too_few_items", passed=False, reason="agreement_undefined"
    )


def test_a_rater_of_nine_items_does_not_count() -> None:
    """A third rater who looked at a handful is no third rater."""
    humans, judge = crowd(2, 60, {"ann": 0.9, "bob": 0.9, "cy": 0.9})
    nine = {**humans, "cy": [*humans["cy"][:9], *[None] * 51]}
    ten = {**humans, "cy": [*humans["cy"][:10], *[None] * 50]}

    assert human_raters(human_evidence(several(nine, judge), spec("binary"))) == 2
    assert human_raters(human_evidence(several(ten, judge), spec("binary"))) == 3


def test_more_items_narrow_the_gap() -> None:
    """Nothing more is the present outcome; very many more show the gap itself."""
    rng = np.random.default_rng(1)

    def share(gap: EstimateRecord, more: int) -> tuple[float, float]:
        passed, out = gap_after(gap, more, 0.10, rng=rng, runs=500)
        return float(passed.mean()), float(out.mean())

    assert share(figure(0.0, -0.09, 0.09), 0) == (1, 0)
    assert share(figure(0.0, -0.2, 0.2), 0) == (0, 0)
    assert share(figure(0.0, -0.2, 0.2), 10_000) == (1, 0)
    assert share(figure(-0.2, -0.4, 0.0), 10_000) == (0, 1)
    assert share(figure(None, None, None), 10) == (0, 0)
    some, none = share(figure(0.0, -0.2, 0.2), 300)
    assert 0.2 < some < 0.8
    assert none < 0.05


def test_more_items_keep_their_promise() -> None:
    """What is simulated from the figures is what further items of the same kind really show."""
    knows = {"a": 0.85, "b": 0.85, "c": 0.85}
    humans, judge = crowd(3, 100, knows, judge=0.85)
    now = human_evidence(several(humans, judge), spec("binary"))
    assert now is not None
    told, really = [], []
    for seed in range(25):
        start, said = crowd(seed, 60, knows, judge=0.85)
        first = human_evidence(several(start, said), spec("binary"))
        assert first is not None
        dice = np.random.default_rng(seed)
        told.append(gap_after(first.gap, 120, 0.10, rng=dice, runs=100)[0].mean())
        more, also = crowd(seed + 1000, 120, knows, judge=0.85)
        both = {name: levels + more[name] for name, levels in start.items()}
        then = human_evidence(several(both, said + also), spec("binary"))
        assert then is not None
        really.append((then.gap.low or -1.0) > -0.10)

    assert np.mean(told) == pytest.approx(np.mean(really), abs=0.25)
