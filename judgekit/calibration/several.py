"""Several criteria at once: each on its own, and what is left when the best one was picked.

Each criterion stands alone, with its own gate and certificate; there is no average over criteria.
That all of them pass needs no correction. Picking the one that looks best does: with many criteria
one of them clears the bar by luck. Holm's method says which still do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from judgekit.calibration.pairs import agreement_weights, for_the_gate
from judgekit.stats.estimate import Undefined
from judgekit.stats.multiplicity import holm
from judgekit.stats.one_sided import p_above

if TYPE_CHECKING:
    from collections.abc import Sequence

    from judgekit.calibration.result import CriterionCalibration

ALPHA = 0.025
"""One-sided, as the low end of the two-sided 95% interval."""


class Above(NamedTuple):
    """How surely a criterion's agreement lies above the bar.

    Attributes:
        criterion: Its name.
        p: One-sided p-value; None where agreement is undefined or the bar is not positive.
        adjusted: The same after Holm's correction over all criteria.
    """

    criterion: str
    p: float | None
    adjusted: float | None

    @property
    def holds(self) -> bool:
        """Return whether it clears the bar after the correction."""
        return self.adjusted is not None and self.adjusted <= ALPHA


def above_the_bar(criteria: Sequence[CriterionCalibration], bar: float) -> tuple[Above, ...]:
    """Return the one-sided p-value of each criterion, and the same corrected for picking."""
    if not 0 < bar < 1:
        return tuple(Above(c.criterion.name, None, None) for c in criteria)
    found: dict[str, float] = {}
    for one in criteria:
        pairs = for_the_gate(one.rows, one.spec)
        p = p_above(pairs, agreement_weights(one.spec, pairs.extra), bar)
        if not isinstance(p, Undefined):
            found[one.criterion.name] = p
    adjusted = dict(zip(found, map(float, holm(list(found.values()))), strict=True))
    names = [c.criterion.name for c in criteria]
    return tuple(Above(name, found.get(name), adjusted.get(name)) for name in names)
