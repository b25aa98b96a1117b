"""How many more labels would decide."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from judgekit.calibration.decide import class_counts, label_counts
from judgekit.calibration.rows import tally
from judgekit.calibration.world import World
from judgekit.judging.judgment import INCOMPLETE
from judgekit.rubric.scale import number_text

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
    return LabelsNeeded(high)


def _hopeless(
    rows: Sequence[Row], spec: ScaleSpec, evidence: Evidence, policy: Policy, look: int
) -> str | None:
    """Return why more labels of the same kind would not decide, where that is plain."""
    empty = [name for name, n in class_counts(evidence, spec).items() if n == 0]
    if evidence.gate_agreement.undefined == "single_category" and not empty:
        values = map(number_text, spec.values)
        empty = [v for v, n in zip(values, label_counts(evidence), strict=True) if n == 0]
    if empty:
        return f"no label at all for {', '.join(empty)}: label such items first"
    if look + 1 > policy.max_looks:
        return "the looks at this label set are spent: fresh labels are needed"
    counts = tally(rows)
    if counts.paired == 0:
        return "nothing was measured yet"
    if evidence.gate_agreement.undefined == "too_few_clusters":
        return "the items are of fewer than 10 cases: label items of other cases"
    asked = counts.judged + sum(n for c, n in counts.unjudged.items() if c not in INCOMPLETE)
    if counts.judged / asked < policy.min_judged:
        return "too many replies are unusable; more labels do not mend that"
    return None
