"""How many more labels would decide."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from judgekit.calibration.baselines import labels_to_tell
from judgekit.calibration.ceiling import MIN_HUMANS, ceiling, human_raters
from judgekit.calibration.decide import class_counts, label_counts
from judgekit.calibration.rows import tally
from judgekit.calibration.world import World
from judgekit.judging.judgment import INCOMPLETE
from judgekit.rubric.scale import number_text
from judgekit.stats.estimate import MIN_CLUSTERS

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

    from judgekit.calibration.evidence import Evidence
    from judgekit.calibration.policy import Policy
    from judgekit.calibration.rows import Row, ScaleSpec

POWER = 0.80
MARGIN = 0.03
"""Simulations have noise of their own; aim above the promise by more than that."""
SEARCH, CONFIRM = 400, 2000
"""Simulations for each number tried, and for the number given."""
CEILING = 20_000


class LabelsNeeded(NamedTuple):
    """How many more labelled items decide with 80% chance, or why no number would."""

    items: int | None
    why: str | None = None


def labels_needed(
    rows: Sequence[Row],
    spec: ScaleSpec,
    evidence: Evidence,
    policy: Policy,
    *,
    look: int,
    rng: np.random.Generator,
) -> LabelsNeeded:
    """Simulate more labels, drawn as the observed table, until a verdict falls in 80% of runs.

    The next measurement is a look of its own, so its harder bar is the one simulated.
    """
    why = _hopeless(rows, spec, evidence, policy, look)
    if why is not None:
        return LabelsNeeded(None, why)
    world = World(rows, spec, evidence, policy, look + 1)
    enough = POWER + MARGIN
    low, high = 0, 8
    while world.chance(high, rng, SEARCH) < enough:
        low, high = high, high * 2
        if high > CEILING:
            return LabelsNeeded(None, f"more than {CEILING:,} would: {world.obstacle(rng)}")
    while high - low > max(1, high // 40):
        middle = (low + high) // 2
        decides = world.chance(middle, rng, SEARCH) >= enough
        low, high = (low, middle) if decides else (middle, high)
    while world.chance(high, rng, CONFIRM) < enough and high < CEILING:
        high += max(1, high // 40)
    return _with_length(high, evidence, policy)


def _with_length(more: int, evidence: Evidence, policy: Policy) -> LabelsNeeded:
    """Return the number that also tells the judge apart from length alone."""
    if not policy.beat_length or evidence.baselines is None:
        return LabelsNeeded(more)
    needed = max(more, labels_to_tell(evidence.baselines) or 0)
    if needed > CEILING:
        return LabelsNeeded(None, f"more than {CEILING:,} would: length agrees about as well")
    return LabelsNeeded(needed)


def _hopeless(
    rows: Sequence[Row], spec: ScaleSpec, evidence: Evidence, policy: Policy, look: int
) -> str | None:
    """Return why more labels of the same kind would not decide, where that is plain."""
    empty = [name for name, n in class_counts(evidence, spec).items() if n == 0]
    if evidence.gate_agreement.undefined == "single_category" and not empty:
        values = map(number_text, spec.values)
        empty = [v for v, n in zip(values, label_counts(evidence), strict=True) if n == 0]
    counts = tally(rows)
    asked = counts.judged + sum(n for c, n in counts.unjudged.items() if c not in INCOMPLETE)
    obstacles = {
        f"no label at all for {', '.join(empty)}: label such items first": bool(empty),
        "the looks at this label set are spent: fresh labels are needed": (
            look + 1 > policy.max_looks
        ),
        _people(evidence, policy) or "": _people(evidence, policy) is not None,
        "nothing was measured yet": counts.paired == 0,
        _units(evidence): evidence.gate_agreement.undefined == "too_few_clusters",
        "too many replies are unusable; more labels do not mend that": (
            counts.judged < policy.min_judged * asked
        ),
    }
    return next((told for told, holds in obstacles.items() if holds), None)


def _units(evidence: Evidence) -> str:
    """Return what is wanting where too few items, or cases, are labelled for an interval."""
    found = evidence.gate_agreement
    units = "items" if found.clusters == found.n else "cases"
    there = "of too few" if found.clusters is None else f"of {found.clusters}"
    least = f"{MIN_CLUSTERS} are needed"
    more = "more items" if units == "items" else "items of other cases"
    return f"the labels are {there} {units}, and {least}: label {more}"


def _people(evidence: Evidence, policy: Policy) -> str | None:
    """Return what stands in the way on the side of the raters."""
    if policy.route == "human-level":
        if human_raters(evidence.humans) < MIN_HUMANS:
            return "the human-level route needs three raters who share items"
    elif ceiling(evidence.humans, policy.bar) == "humans_disagree":
        return "people agree too little on this criterion: sharpen the rubric first"
    return None
