"""A pass rate with the judge's known errors taken out: the Rogan-Gladen estimator.

A judge passes a share p of some items. On labelled items it passes a share TPR of what humans pass
(sensitivity) and fails a share TNR of what they fail (specificity). Where these two hold for the
scored items as well, the humans' pass rate theta of them satisfies
p = theta TPR + (1 - theta)(1 - TNR), so

    theta = (p + TNR - 1) / J,    J = TPR + TNR - 1 (Youden's J).

The scored items may have quite another pass rate than the labelled ones: that is what the method is
for. What must be the same is how the judge treats an item of a given human level. Items of the
same population are better served by :mod:`judgekit.stats.powered_levels`, whose intervals are
narrower throughout.

*Interval.* Lang and Reiczigel's: z-inflated p~ = (N p + z^2/2) / (N + z^2) of N~ = N + z^2, and
rates q~ = (x + 1) / (m + 2) of m~ = m + 2 for TPR (of n1 human passes) and TNR (of n0 human fails);
theta~ from these, shifted by

    delta = 2 z^2 [theta~ q1 (1 - q1) / m1 - (1 - theta~) q0 (1 - q0) / m0],

plus and minus z times the delta-method error

    SE = sqrt[p (1 - p) / N + (1 - theta)^2 q0 (1 - q0) / m0 + theta^2 q1 (1 - q1) / m1] / J,

all four terms with the inflated numbers, cut off at 0 and 1. A bootstrap of the labels alone takes
p as known and comes out too narrow.

*Too weak a judge.* Division by a J near 0 gives any number at all. There is none when J is below
:data:`LEAST_J`, or when J might well be negative: P(J <= 0) above :data:`MOST_DOUBT`, for rates of
mean q~ and variance q~ (1 - q~) / m~ (uniform prior, normal approximation).

Tables here are (2, 2): rows are the human's fail and pass, columns the judge's.

References: Rogan and Gladen (1978), American Journal of Epidemiology 107:71; Lang and Reiczigel
(2014), Preventive Veterinary Medicine 113:13; Lee et al. (2025), arXiv:2511.21140.
"""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from judgekit.stats.arrays import square
from judgekit.stats.clusters import Clustering, clustering
from judgekit.stats.estimate import Estimate, Undefined
from judgekit.stats.quantiles import critical
from judgekit.stats.samples import Sample
from judgekit.stats.table import Pairs, pass_mask

LEAST_J = 0.2
MOST_DOUBT = 0.025
_METHOD = "pass_rate/rogan_gladen"


class Rates(NamedTuple):
    """The three rates behind a correction, each with how many items it rests on.

    Attributes:
        passed: Share of the scored items that the judge passes.
        judged: How many scored items; effective numbers may be fractions.
        tpr: Share of human passes that the judge passes.
        positives: How many human passes.
        tnr: Share of human fails that the judge fails.
        negatives: How many human fails.
    """

    passed: float
    judged: float
    tpr: float
    positives: float
    tnr: float
    negatives: float

    @property
    def youden(self) -> float:
        """Return TPR + TNR - 1, in [-1, 1]."""
        return self.tpr + self.tnr - 1

    @property
    def theta(self) -> float:
        """Return the corrected rate, not cut off at 0 and 1; J must not be 0."""
        return (self.passed + self.tnr - 1) / self.youden

    @property
    def variance(self) -> float:
        """Return the delta-method variance of :attr:`theta`."""
        theta = self.theta
        parts = (
            self.passed * (1 - self.passed) / self.judged,
            (1 - theta) ** 2 * self.tnr * (1 - self.tnr) / self.negatives,
            theta**2 * self.tpr * (1 - self.tpr) / self.positives,
        )
        return sum(parts) / self.youden**2

    def inflated(self, z: float) -> Rates:
        """Return Lang and Reiczigel's rates, drawn away from 0 and 1, and their numbers."""
        return Rates(
            (self.judged * self.passed + z * z / 2) / (self.judged + z * z),
            self.judged + z * z,
            (self.positives * self.tpr + 1) / (self.positives + 2),
            self.positives + 2,
            (self.negatives * self.tnr + 1) / (self.negatives + 2),
            self.negatives + 2,
        )


def rates_of(table: npt.ArrayLike, passed: float, judged: float) -> Rates | Undefined:
    """Return the rates of a (2, 2) table of labels and ``passed`` of ``judged`` scored items.

    ``Undefined``: ``empty`` without scored items, ``no_positive`` or ``no_negative`` when humans
    passed, or failed, nothing.

    Raises:
        ValueError: Not a 2 x 2 table of counts, or ``passed`` outside 0 .. ``judged``.
    """
    T = square("table", table)
    if T.shape != (2, 2) or (T < 0).any():
        raise ValueError("Rogan-Gladen needs a 2 x 2 table of counts")
    if not 0 <= passed <= judged:
        raise ValueError(f"{passed} passed of {judged}")
    negatives, positives = (float(n) for n in T.sum(axis=1))
    n = round(positives + negatives)
    if judged == 0:
        return Undefined("empty", n, _METHOD)
    if positives == 0 or negatives == 0:
        return Undefined("no_negative" if positives else "no_positive", n, _METHOD)
    tnr, tpr = float(T[0, 0]) / negatives, float(T[1, 1]) / positives
    return Rates(passed / judged, judged, tpr, positives, tnr, negatives)


def youden(table: npt.ArrayLike) -> float | Undefined:
    """Youden's J = TPR + TNR - 1 of a (2, 2) table, in [-1, 1]; 0 is a judge that guesses.

    ``Undefined("no_positive")`` or ``("no_negative")`` when humans passed, or failed, nothing.

    Raises:
        ValueError: Not a 2 x 2 table of counts.
    """
    found = rates_of(table, 0, 1)
    return found if isinstance(found, Undefined) else found.youden


def rogan_gladen(
    table: npt.ArrayLike, passed: float, judged: float, *, clip: bool = True
) -> float | Undefined:
    """Corrected pass rate (p + TNR - 1) / J, in [0, 1] unless ``clip`` is false.

    ``table`` is (2, 2), rows human and columns judge, fail before pass; the judge passes ``passed``
    of ``judged`` scored items. ``Undefined("ill_conditioned")`` when J is exactly 0, else as
    :func:`rates_of`. For the interval, and for a judge that is merely weak, see
    :func:`lang_reiczigel`.

    Raises:
        ValueError: As :func:`rates_of`.
    """
    found = rates_of(table, passed, judged)
    if isinstance(found, Undefined):
        return found
    if found.youden == 0:
        return Undefined("ill_conditioned", round(found.positives + found.negatives), _METHOD)
    return min(1.0, max(0.0, found.theta)) if clip else found.theta


def rogan_gladen_error(table: npt.ArrayLike, passed: float, judged: float) -> float | Undefined:
    """Delta-method standard error of the corrected rate, at the observed rates.

    It is 0, and says nothing, when all three rates are 0 or 1. Undefined and errors as
    :func:`rogan_gladen`.
    """
    found = rates_of(table, passed, judged)
    if isinstance(found, Undefined):
        return found
    if found.youden == 0:
        return Undefined("ill_conditioned", round(found.positives + found.negatives), _METHOD)
    return math.sqrt(found.variance)


def lang_reiczigel(
    table: npt.ArrayLike, passed: float, judged: float, *, confidence: float = 0.95
) -> Estimate | Undefined:
    """Corrected pass rate in [0, 1] with Lang and Reiczigel's interval.

    ``n`` counts labels and scored items. ``Undefined("ill_conditioned")`` for a judge that is too
    weak (see the head of this module), else as :func:`rates_of`.

    Raises:
        ValueError: As :func:`rates_of`, or ``confidence`` out of range.
    """
    found = rates_of(table, passed, judged)
    if isinstance(found, Undefined):
        return found
    n = round(found.positives + found.negatives + found.judged)
    return _estimate(found, n, critical(confidence), confidence)


def lang_reiczigel_point(
    table: npt.ArrayLike, passed: float, judged: float, *, confidence: float = 0.95
) -> float | Undefined:
    """The rate theta~ of the inflated numbers that Lang and Reiczigel's interval is built on.

    In [0, 1]. Undefined and errors as :func:`rogan_gladen`.
    """
    found = rates_of(table, passed, judged)
    if isinstance(found, Undefined):
        return found
    inflated = found.inflated(critical(confidence))
    if inflated.youden == 0:
        return Undefined("ill_conditioned", round(found.positives + found.negatives), _METHOD)
    return min(1.0, max(0.0, inflated.theta))


def weak(rates: Rates) -> bool:
    """Whether the judge is too close to guessing for its errors to be taken out."""
    q = rates.inflated(1.0)
    error = math.sqrt(q.tpr * (1 - q.tpr) / q.positives + q.tnr * (1 - q.tnr) / q.negatives)
    doubt = NormalDist().cdf(-q.youden / error)
    return rates.youden < LEAST_J or doubt > MOST_DOUBT


def corrected_rate(
    labelled: Sample, judged: Sample, passes: npt.ArrayLike, *, confidence: float = 0.95
) -> Estimate | Undefined:
    """Corrected pass rate of the items in ``judged``, weights and cases of both samples honoured.

    Each of the three rates is a weighted share with its own design effect, and enters
    :func:`lang_reiczigel` with n / design effect items. Where items share cases the normal quantile
    gives way to Student's t with (fewest cases - 1) degrees of freedom, and with fewer than ten
    cases there is no interval (``too_few_clusters``). Cases in both samples count as different
    ones. Else undefined as :func:`lang_reiczigel`.

    Raises:
        ValueError: ``passes`` does not fit the scale, or the labelled sample has no labels.
    """
    mask = pass_mask(passes, labelled.k)
    labels, scored = labelled.collapsed(mask), judged.collapsed(mask)
    n = len(labels) + len(scored)
    known = rates_of(labels.table(), float(scored.judged()[1]), 1.0 if len(scored) else 0.0)
    if isinstance(known, Undefined) or labels.human is None:
        return known if isinstance(known, Undefined) else Undefined("empty", n, _METHOD)
    parts = [
        _clustered(scored, np.ones(len(scored)), 1, known.passed),
        _clustered(labels, labels.human[:, 1], 1, known.tpr),
        _clustered(labels, labels.human[:, 0], 0, known.tnr),
    ]
    if any(found.too_few for found, _ in parts):
        return Undefined("too_few_clusters", n, _METHOD)
    size, positives, negatives = (n / found.design_effect for found, n in parts)
    rates = Rates(known.passed, size, known.tpr, positives, known.tnr, negatives)
    df = min((found.df for found, _ in parts if found.df is not None), default=None)
    return _estimate(rates, n, critical(confidence, df), confidence)


def _clustered(
    sample: Sample, member: npt.NDArray[np.float64], level: int, share: float
) -> tuple[Clustering, float]:
    """Return the clustering of the share of members with this judge level, and how many they are.

    An item on which raters differ is a part of a member: it counts with that weight.
    """
    chosen = member > 0
    hits = (sample.judge[chosen] == level).astype(np.float64)
    weight = member[chosen] if sample.weight is None else member[chosen] * sample.weight[chosen]
    clusters = None if sample.clusters is None else sample.clusters[chosen]
    uneven = weight if weight.size and np.ptp(weight) > 0 else None
    nothing = np.zeros(hits.size, dtype=np.int64)
    found = clustering(hits - share, Pairs(nothing, nothing, 1, clusters=clusters, weight=uneven))
    effect = max(1.0, found.design_effect) * sample.inflation
    return found._replace(design_effect=effect), float(hits.size)


def _estimate(rates: Rates, n: int, z: float, confidence: float) -> Estimate | Undefined:
    if weak(rates):
        return Undefined("ill_conditioned", n, _METHOD)
    q = rates.inflated(z)
    theta = q.theta
    shift = theta * q.tpr * (1 - q.tpr) / q.positives
    shift -= (1 - theta) * q.tnr * (1 - q.tnr) / q.negatives
    centre, half = theta + 2 * z * z * shift, z * math.sqrt(q.variance)
    low, high = (min(1.0, max(0.0, end)) for end in (centre - half, centre + half))
    value = min(1.0, max(0.0, rates.theta))
    return Estimate(value, min(low, value), max(high, value), n, _METHOD, confidence)
