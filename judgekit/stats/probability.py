"""Judges that answer with a probability: how good are the numbers?

Forecasts p of an event (say: the human passes the item) meet outcomes y, 0 or 1. Two scores are
proper: the honest probability has the best one on average, so neither can be gamed by
exaggerating. Both mix calibration with discrimination; :mod:`judgekit.stats.reliability` looks at
calibration alone.

References: Brier (1950), Monthly Weather Review 78:1; Good (1952), JRSS B 14:107; Gneiting and
Raftery (2007), JASA 102:359.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from judgekit.stats.arrays import FloatArray, IntArray, pair_weights, scale_codes
from judgekit.stats.estimate import Estimate, Undefined
from judgekit.stats.means import bounded_mean
from judgekit.stats.table import Pairs

CLIP = 1e-6
"""Probabilities nearer to 0 or 1 than this are taken as this near where a logarithm is asked."""


@dataclass(frozen=True, slots=True, eq=False)
class Forecasts:
    """Probabilities and what happened.

    Attributes:
        p: (n,) probabilities of the event, in [0, 1].
        y: (n,) outcomes: 1 when it happened, else 0.
        clusters: (n,) codes of the group (case) of each forecast, or None when there are none.
        weight: (n,) positive sampling weights, or None when every forecast counts the same.

    Raises:
        ValueError: Lengths that differ, a probability outside [0, 1], an outcome that is not 0 or
            1.
    """

    p: FloatArray
    y: IntArray
    clusters: IntArray | None = None
    weight: FloatArray | None = None

    def __post_init__(self) -> None:
        p, y = np.asarray(self.p, dtype=np.float64), scale_codes("y", self.y, 2)
        if p.shape != y.shape:
            raise ValueError(f"there are {p.size} probabilities and {y.size} outcomes")
        if not ((p >= 0) & (p <= 1)).all():
            raise ValueError("a probability lies in [0, 1]")
        object.__setattr__(self, "p", p)
        object.__setattr__(self, "y", y)
        object.__setattr__(self, "weight", pair_weights(self.weight, p.size))
        object.__setattr__(self, "clusters", self.pairs.clusters)

    def __len__(self) -> int:
        return int(self.p.size)

    @property
    def pairs(self) -> Pairs:
        """Return the outcomes with their clusters and weights, as statistics count them."""
        return Pairs(self.y, self.y, 2, clusters=self.clusters, weight=self.weight)


def brier(forecasts: Forecasts, *, confidence: float = 0.95) -> Estimate | Undefined:
    """Mean squared distance of probability and outcome, (p - y)^2; 0 is perfect, 1 the worst.

    Always saying 1/2 has 0.25, and always saying the base rate b has b (1 - b). The interval is
    that of a mean between 0 and 1 (:mod:`judgekit.stats.means`), with clusters where they repeat.

    Undefined: ``empty``; ``zero_variance`` for a single forecast; ``too_few_clusters``.

    Raises:
        ValueError: ``confidence`` out of range.
    """
    return bounded_mean(
        (forecasts.p - forecasts.y) ** 2,
        forecasts.pairs,
        least=0.0,
        largest=1.0,
        method="brier/wilson",
        confidence=confidence,
    )


def log_loss(
    forecasts: Forecasts, *, clip: float = CLIP, confidence: float = 0.95
) -> Estimate | Undefined:
    """Mean surprise in nats, -log of the probability given to what happened; 0 is perfect.

    Probabilities are clipped to [clip, 1 - clip], since one certain mistake would cost infinitely
    much; so no forecast costs more than -log(clip), 13.8 by default. Always saying 1/2 has 0.693.
    The interval is that of a mean within these limits (:mod:`judgekit.stats.means`).

    Undefined as :func:`brier`.

    Raises:
        ValueError: ``clip`` outside (0, 0.5), or ``confidence`` out of range.
    """
    if not 0 < clip < 0.5:
        raise ValueError(f"clip must lie between 0 and 0.5, not {clip}")
    p = np.clip(forecasts.p, clip, 1 - clip)
    return bounded_mean(
        -np.log(np.where(forecasts.y == 1, p, 1 - p)),
        forecasts.pairs,
        least=-math.log1p(-clip),
        largest=-math.log(clip),
        method="log_loss/wilson",
        confidence=confidence,
    )
