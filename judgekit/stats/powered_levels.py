"""Rates, shares and mean levels that many judgments and a few labels give together.

PPI++ (:mod:`judgekit.stats.prediction_powered`) with an interval that keeps its promise for rare
levels and for judges without a seen error, where a standard error of the sample does not:

    theta = lambda * mean of f over all judged + mean of (Y - lambda f) over the labelled.

Y says whether the human's level has a property (it passes, it lies above a cut), f whether the
judge's has. The labelled items must be drawn at random from the same population as the others, or
carry the weights that make up for how they were drawn.

*The interval of a rate* is Wilson's for theta with the effective number of labels

    n_eff = p (1 - p) / [(Var Y - 2 lambda Cov(Y, f) + lambda^2 Var f) / n + lambda^2 Var f / N],

with lambda at its best value, which makes it n / (1 - rho^2 N / (n + N)): labels are worth the more
the better the judge correlates with them. The moments are taken with half an error added in each
direction, one (0, 1) and one (1, 0) pair of weight 1/2. So twenty agreements of twenty do not make
the judge's word as good as a label. Wilson's interval takes its spread from the rate it tests; the
plain PPI++ interval takes it from the labels, and at a true rate of 0.95 with 50 to 200 labels it
misses the truth in 7% to 12% of samples instead of 5%. ``benchmarks/correction.py`` has both.

*A mean level* is the lowest value plus the gaps between levels times the rates above each cut. The
ends of the rates' intervals are combined with the correlation of the rates (the method of variance
estimates recovery). Student's t for the mean misses the truth in up to 22% of samples when nearly
all items have the best level; this does not.

*Shares of several levels* use one lambda for all, so that they add up to 1.

Weights, strata and cases widen or narrow n_eff by what they do to the variance of the estimate.

References: Angelopoulos, Duchi and Zrnic (2023), arXiv:2311.01453 (PPI++); Wilson (1927), JASA
22:209; Zou and Donner (2008), Statistics in Medicine 27:1693 (variance estimates recovery).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from judgekit.stats.arrays import FloatArray
from judgekit.stats.estimate import Estimate, Undefined
from judgekit.stats.powered_rates import Rates, powered_rates
from judgekit.stats.samples import Sample
from judgekit.stats.table import pass_mask

GAIN = 1.1
"""A judge that makes n labels worth less than this times n adds nothing."""


class Powered(NamedTuple):
    """A corrected figure, and what the labels alone would have given.

    Attributes:
        corrected: The figure of labels and judgments together.
        labels_only: The figure of the labels alone, with the same kind of interval.
        n: Labelled items.
        effective: How many labels alone would be as precise: n times the ratio of variances.
    """

    corrected: Estimate | Undefined
    labels_only: Estimate | Undefined
    n: int
    effective: float | None

    @property
    def adds_nothing(self) -> bool:
        """Whether the judge's word makes the labels hardly worth more than they are."""
        return self.effective is not None and self.effective <= GAIN * self.n

    @property
    def reported(self) -> Estimate | Undefined:
        """Return the figure to report: the labels' own where the judge adds nothing."""
        return self.labels_only if self.adds_nothing else self.corrected


def powered_rate(
    labelled: Sample, judged: Sample, passes: npt.ArrayLike, *, confidence: float = 0.95
) -> Powered:
    """Share of items that pass, in [0, 1].

    Args:
        labelled: The labelled items.
        judged: The items only the judge spoke of; none of them among the labelled.
        passes: (k,) whether each level passes.
        confidence: Two-sided coverage of the interval.

    ``Undefined``: ``empty`` without labels; ``too_few_clusters`` when items share cases and a
    sample has fewer than ten.

    Raises:
        ValueError: ``passes`` does not fit the scale, or the labelled sample has no labels.
    """
    mask = pass_mask(passes, labelled.k)
    found = _both(labelled, judged, mask.astype(np.float64)[:, None], confidence)
    return found.powered(_Sum("pass_rate", np.ones(1)))


def powered_mean(
    labelled: Sample, judged: Sample, values: Sequence[float], *, confidence: float = 0.95
) -> Powered:
    """Mean of the level values, between the lowest and the highest.

    ``values`` are the (k,) numbers of the levels, no two alike; the rest as :func:`powered_rate`.

    Raises:
        ValueError: ``values`` does not fit the scale, or the labelled sample has no labels.
    """
    v = np.asarray(values, dtype=np.float64)
    if v.shape != (labelled.k,) or not np.isfinite(v).all() or np.unique(v).size < v.size:
        raise ValueError(f"values must be {labelled.k} different finite numbers")
    steps = np.sort(v)
    above = (v[:, None] > steps[None, :-1]).astype(np.float64)
    found = _both(labelled, judged, above, confidence)
    return found.powered(_Sum("mean_level", np.diff(steps), float(steps[0])))


def powered_shares(
    labelled: Sample, judged: Sample, *, confidence: float = 0.95
) -> tuple[Powered, ...]:
    """Share of each level, in scale order; the values add up to 1 unless one was cut off at 0.

    Each interval is at ``confidence`` on its own. The rest as :func:`powered_rate`.

    Raises:
        ValueError: The labelled sample has no labels.
    """
    each = np.eye(labelled.k)
    found = _both(labelled, judged, each, confidence, together=True)
    return tuple(found.powered(_Sum("share", one)) for one in each)


class _Sum(NamedTuple):
    """A figure that is ``base`` plus the sum of ``gaps`` times rates."""

    name: str
    gaps: FloatArray
    base: float = 0.0

    def spread(self, rates: Rates) -> float:
        """Return the variance of the figure."""
        scaled = self.gaps * np.sqrt(rates.variance)
        return float(scaled @ rates.correlation @ scaled)

    def estimate(self, rates: Rates, n: int, method: str, confidence: float) -> Estimate:
        """Return the figure with the ends of its rates combined."""
        value = self.base + float(self.gaps @ rates.value)
        below, above = (
            math.sqrt(max(0.0, float(reach @ rates.correlation @ reach)))
            for reach in (
                self.gaps * (rates.value - rates.low),
                self.gaps * (rates.high - rates.value),
            )
        )
        return Estimate(
            value,
            max(self.base, value - below),
            min(self.base + float(self.gaps.sum()), value + above),
            n,
            method,
            confidence,
            clusters=rates.clusters,
            design_effect=float(rates.effect @ self.gaps / self.gaps.sum()),
        )


class _Both(NamedTuple):
    """The rates of labels and judgments together, and of the labels alone."""

    corrected: Rates | Undefined
    alone: Rates | Undefined
    labelled: int
    judged: int
    confidence: float

    def powered(self, figure: _Sum) -> Powered:
        """Return a figure made of the rates, both ways."""
        n, total = self.labelled, self.labelled + self.judged
        together = self._one(self.corrected, figure, total, f"{figure.name}/ppi_plus")
        alone = self._one(self.alone, figure, n, f"{figure.name}/labels_only")
        if isinstance(self.corrected, Undefined) or isinstance(self.alone, Undefined):
            return Powered(together, alone, n, None)
        gain = figure.spread(self.alone) / figure.spread(self.corrected)
        return Powered(together, alone, n, n * gain)

    def _one(
        self, rates: Rates | Undefined, figure: _Sum, n: int, method: str
    ) -> Estimate | Undefined:
        if isinstance(rates, Undefined):
            return Undefined(rates.reason, n, method)
        return figure.estimate(rates, n, method, self.confidence)


def _both(
    labelled: Sample,
    judged: Sample,
    basis: FloatArray,
    confidence: float,
    *,
    together: bool = False,
) -> _Both:
    nothing = Sample(np.zeros(0, dtype=np.int64), judged.k)
    corrected, alone = (
        powered_rates(labelled, other, basis, confidence=confidence, together=together)
        for other in (judged, nothing)
    )
    return _Both(corrected, alone, len(labelled), len(judged), confidence)
