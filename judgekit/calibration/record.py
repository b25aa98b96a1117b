"""An estimate, or the reason why there is none, in the form a certificate keeps it."""

from __future__ import annotations

from judgekit.rubric.frozen import Frozen
from judgekit.stats.estimate import Estimate, Undefined


class EstimateRecord(Frozen):
    """An estimate as it stands in JSON; ``value``, ``low``, ``high`` are null when undefined.

    Of one that is undefined, ``clusters`` says of how few it would have been, where that is why.
    """

    metric: str
    value: float | None
    low: float | None
    high: float | None
    confidence: float
    n: int
    pairs: int
    method: str
    undefined: str | None = None
    clusters: int | None = None
    design_effect: float = 1.0

    @classmethod
    def of(cls, metric: str, found: Estimate | Undefined) -> EstimateRecord:
        """Return the record of a measured estimate, or of the reason why there is none."""
        pairs = found.n if found.pairs is None else found.pairs
        if isinstance(found, Undefined):
            return cls(
                metric=metric,
                value=None,
                low=None,
                high=None,
                confidence=0.95,
                n=found.n,
                pairs=pairs,
                method=found.method,
                undefined=found.reason,
                clusters=found.clusters,
            )
        return cls(
            metric=metric,
            value=found.value,
            low=found.low,
            high=found.high,
            confidence=found.confidence,
            n=found.n,
            pairs=pairs,
            method=found.method,
            clusters=found.clusters,
            design_effect=found.design_effect,
        )
