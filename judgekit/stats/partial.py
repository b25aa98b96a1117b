"""Does the judge like length? Correlation with the length of the text, given the human's level.

People often give long answers better levels, so a judge that follows people follows length too.
The question is what is left: the correlation of the judge with log length after the part of either
that the human's level explains (on a straight line) is taken out. 0 means no length bias; it lies
in [-1, 1].

The human's level is itself a noisy sign of quality, which leaves too much to length: confirm a bias
by padding the same answers and judging them again.

For three variables, with r the plain correlations,
(r_xy - r_xz r_yz) / sqrt((1 - r_xz^2)(1 - r_yz^2)); computed from the residuals, which is the same.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from judgekit.stats.arrays import FloatArray
from judgekit.stats.correlation import mid_ranks
from judgekit.stats.estimate import Estimate, Undefined
from judgekit.stats.fisher import PRODUCT_MOMENT, RANKS, Spread, fisher, pull_of_correlation
from judgekit.stats.moments import level_values
from judgekit.stats.table import Pairs

# A residual variance below this share of the variance is rounding.
_EXPLAINED = 1e-12


def partial_pearson(x: npt.ArrayLike, y: npt.ArrayLike, given: npt.ArrayLike) -> float | Undefined:
    """Correlation of x and y given a third variable, all (n,) numbers; in [-1, 1].

    ``Undefined("empty")`` without numbers; ``Undefined("zero_variance")`` when one of the three is
    constant, or the third explains x or y completely.

    Raises:
        ValueError: Lengths that differ, or a number that is not finite.
    """
    return _point(_numbers(x, y, given), None, "partial_pearson")


def partial_spearman(x: npt.ArrayLike, y: npt.ArrayLike, given: npt.ArrayLike) -> float | Undefined:
    """As :func:`partial_pearson`, of mid-ranks: any rising curve will do, outliers matter less."""
    return _point([_ranks(a, None) for a in _numbers(x, y, given)], None, "partial_spearman")


def length_bias(
    pairs: Pairs,
    values: npt.ArrayLike,
    lengths: npt.ArrayLike,
    *,
    ranks: bool = False,
    confidence: float = 0.95,
) -> Estimate | Undefined:
    """Partial correlation of judge and log length, given the human, with its interval.

    ``values`` are the numeric values of the levels, ``lengths`` (n,) the length of the judged text
    of each pair, in any unit; a length of 0 counts as 1. ``ranks`` asks for Spearman's. Pairs
    without a level from the judge are left out.

    The interval is Fisher's with standard error 1 / sqrt(n - 4) (with ranks wider, by Bonett and
    Wright's factor sqrt(1 + r^2 / 2)); clusters and weights act through the design effect.

    Undefined: ``empty``; ``zero_variance`` when judge, human or length is constant, or the human
    explains one of the others completely, as a judge without errors; ``too_few_items``;
    ``too_few_clusters``.

    Raises:
        ValueError: ``values`` or ``lengths`` do not fit, or a length is negative.
    """
    v, size = level_values(np.asarray(values), pairs.levels), np.asarray(lengths, dtype=np.float64)
    if size.shape != (len(pairs),) or not np.isfinite(size).all() or (size < 0).any():
        raise ValueError("lengths must be one number for each pair, none of them negative")
    usable = pairs.usable()
    logs = np.log(np.maximum(size[pairs.judge < pairs.levels], 1.0))
    sides = [v[usable.judge], logs, v[usable.human]]
    if ranks:
        sides = [_ranks(a, usable.weight) for a in sides]
    name = "partial_spearman" if ranks else "partial_pearson"
    r = _point(sides, usable.weight, name)
    if isinstance(r, Undefined):
        return Undefined(r.reason, usable.n_items, f"{name}/fisher", len(usable))
    x, y = (_residuals(a, sides[2], usable.weight) for a in sides[:2])
    plain = RANKS if ranks else PRODUCT_MOMENT
    pull = pull_of_correlation(x, y, usable.weight)
    spread = Spread(plain.variance, plain.lost + 1)
    return fisher(r, pull, usable, spread, name=name, confidence=confidence)


def _point(sides: list[FloatArray], weight: FloatArray | None, name: str) -> float | Undefined:
    x, y, given = sides
    if not x.size:
        return Undefined("empty", 0, name)
    if np.ptp(given) == 0:
        return Undefined("zero_variance", x.size, name)
    a, b = _residuals(x, given, weight), _residuals(y, given, weight)
    if not (a.any() and b.any()):
        return Undefined("zero_variance", x.size, name)
    together = float(np.average(a * b, weights=weight))
    scale = np.sqrt(np.average(a**2, weights=weight) * np.average(b**2, weights=weight))
    return float(np.clip(together / scale, -1.0, 1.0))


def _residuals(x: FloatArray, given: FloatArray, weight: FloatArray | None) -> FloatArray:
    """What a straight line of ``given`` does not explain of x; 0 when that is rounding only."""
    centred = x - np.average(x, weights=weight)
    control = given - np.average(given, weights=weight)
    slope = np.average(centred * control, weights=weight) / np.average(control**2, weights=weight)
    left: FloatArray = centred - slope * control
    if (left**2).sum() <= _EXPLAINED * max((centred**2).sum(), _EXPLAINED * (x**2).sum()):
        return np.zeros_like(left)
    return left


def _ranks(x: FloatArray, weight: FloatArray | None) -> FloatArray:
    _, place = np.unique(x, return_inverse=True)
    counts = np.bincount(place, weights=weight).astype(np.float64)
    ranks: FloatArray = mid_ranks(counts)[place]
    return ranks


def _numbers(*sides: npt.ArrayLike) -> list[FloatArray]:
    arrays = [np.asarray(a, dtype=np.float64) for a in sides]
    if len({a.shape for a in arrays}) > 1 or arrays[0].ndim != 1:
        raise ValueError("x, y and given must be one-dimensional and of one length")
    if not all(np.isfinite(a).all() for a in arrays):
        raise ValueError("x, y and given must be finite")
    return arrays
