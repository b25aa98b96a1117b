"""The human ceiling in the gate: no judge can be held to a bar that people do not reach.

Two routes (design 4.2, rule 7):

- ``fixed``: agreement is held against the bar. If even the high end of the agreement of the humans
  among themselves is under it, the fault is the rubric's, not the judge's: the verdict is
  inconclusive. An interval that straddles the bar proves nothing, and that is said.
- ``human-level``, for subjective criteria: three humans or more, and a judge that is not clearly
  inferior to one more of them: the low end of the gap (judge and humans less humans among
  themselves) lies above minus the margin. The floor of the route takes the place of the bar.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from judgekit.calibration.humans import MIN_SHARED
from judgekit.stats.quantiles import critical

if TYPE_CHECKING:
    import numpy.typing as npt

    from judgekit.calibration.humans import HumanEvidence
    from judgekit.calibration.policy import Policy
    from judgekit.calibration.record import EstimateRecord

Ceiling = Literal["reached", "ceiling_unknown", "humans_disagree"]
MIN_HUMANS = 3
"""Humans the human-level route needs: with two, one careless one is half of the ceiling."""
HUMAN_LEVEL = "human-level"
"""The stamp of a certificate that was won on that route."""


class Held(NamedTuple):
    """What a requirement about the humans came to; the fields are those of a check."""

    name: Literal["human_agreement", "human_raters", "human_gap"]
    required: float
    observed: float | str | None
    passed: bool
    reason: Literal["humans_disagree", "below_human_ceiling", "agreement_undefined"]
    ruled_out: bool = False


def ceiling(humans: HumanEvidence | None, bar: float) -> Ceiling | None:
    """Return whether people reach a bar among themselves; None with one rater.

    ``reached`` when the low end does, ``humans_disagree`` when not even the high end does.
    """
    if humans is None:
        return None
    found = humans.human_agreement
    if found.low is None or found.high is None:
        return "ceiling_unknown"
    if found.high < bar:
        return "humans_disagree"
    return "reached" if found.low >= bar else "ceiling_unknown"


def ceiling_checks(
    humans: HumanEvidence | None, policy: Policy, gap_low: float | None
) -> list[Held]:
    """Return what the policy's route asks about the humans.

    Args:
        humans: What the raters show; None with one rater.
        policy: The route and its numbers.
        gap_low: Low end of the gap at the confidence of the look; None where it is undefined.
    """
    if policy.route == "human-level":
        return [_raters(humans), _gap(humans, policy, gap_low)]
    if humans is None or humans.human_agreement.high is None:
        return []
    agree = ceiling(humans, policy.min_agreement) != "humans_disagree"
    high = humans.human_agreement.high
    return [Held("human_agreement", policy.min_agreement, high, agree, "humans_disagree")]


def human_raters(humans: HumanEvidence | None) -> int:
    """Return how many humans share enough items with others to count as raters of the ceiling."""
    people = () if humans is None else humans.people
    return sum(person.shared >= MIN_SHARED for person in people)


def _raters(humans: HumanEvidence | None) -> Held:
    n = human_raters(humans)
    return Held("human_raters", MIN_HUMANS, n, n >= MIN_HUMANS, "below_human_ceiling")


def _gap(humans: HumanEvidence | None, policy: Policy, low: float | None) -> Held:
    asked = -policy.human_margin
    gap = None if humans is None else humans.gap
    if gap is None or gap.high is None or low is None:
        why = "too_few_raters" if gap is None else gap.undefined
        return Held("human_gap", asked, why, passed=False, reason="agreement_undefined")
    inferior = gap.high < asked
    return Held("human_gap", asked, low, low > asked, "below_human_ceiling", inferior)


def gap_after(
    gap: EstimateRecord,
    more: int,
    margin: float,
    *,
    rng: np.random.Generator,
    runs: int,
) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """Simulate the gap after ``more`` further items; tell which runs pass, and which are ruled out.

    The further items show a gap drawn around the one observed, with the error of that many items;
    all items together show the weighted mean, and reach as far as their number makes of the present
    interval. ``gap`` must be at the confidence it will be held against. An undefined gap never
    passes.
    """
    none = np.zeros(runs, dtype=np.bool_)
    if gap.value is None or gap.low is None or gap.high is None:
        return none, none
    n, units = gap.n, gap.clusters or gap.n
    error = (gap.high - gap.low) / 2 / critical(gap.confidence, max(units - 1, 1))
    noise = rng.standard_normal(runs) * error * np.sqrt(n / max(more, 1))
    value = (n * gap.value + more * (gap.value + noise)) / (n + more)
    shrink = np.sqrt(n / (n + more))
    passed = value - shrink * (gap.value - gap.low) > -margin
    return passed, value + shrink * (gap.high - gap.value) < -margin
