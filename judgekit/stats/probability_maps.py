"""Maps that make probabilities honest, and the rule that they are judged on items they never saw.

- *Temperature*: p becomes sigma(logit(p) / T). One number: it cures exaggeration (T > 1) and
  timidity (T < 1), and keeps the order (Guo et al. 2017, ICML).
- *Isotonic*: the rising step curve nearest to the outcomes (Zadrozny and Elkan 2002, KDD), by
  scikit-learn. It bends to any rising shape, and to noise: 200 forecasts are the least.

A map fitted and judged on the same items looks better than it is. :func:`out_of_fold` fits it on
the other folds, and puts all items of a case into one fold.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from judgekit.stats.arrays import FloatArray, IntArray, codes, compact
from judgekit.stats.estimate import Undefined
from judgekit.stats.probability import CLIP, Forecasts

MIN_ISOTONIC = 200
"""Fewer forecasts than this are too few for an isotonic map: use temperature."""
# T lies between 1 / LIMIT and LIMIT; outcomes that p separates perfectly would ask for 0.
_LIMIT = 100.0


@dataclass(frozen=True, slots=True)
class Temperature:
    """The map p -> sigma(logit(p) / T)."""

    temperature: float

    def __call__(self, p: npt.ArrayLike) -> FloatArray:
        """Return the mapped probabilities, (n,) to (n,), clipped to [1e-6, 1 - 1e-6]."""
        return _clip(_sigmoid(_logit(p) / self.temperature))


@dataclass(frozen=True, slots=True, eq=False)
class Isotonic:
    """A rising curve through the points (x, y), level beyond the ends."""

    x: FloatArray
    y: FloatArray

    def __call__(self, p: npt.ArrayLike) -> FloatArray:
        """Return the mapped probabilities, (n,) to (n,), clipped to [1e-6, 1 - 1e-6]."""
        return _clip(np.interp(np.asarray(p, dtype=np.float64), self.x, self.y))


ProbabilityMap = Temperature | Isotonic


def fit_temperature(forecasts: Forecasts) -> Temperature | Undefined:
    """The T with the least log loss, between 0.01 and 100.

    The loss is convex in 1 / T, so its slope has at most one root. Probabilities are clipped to
    [1e-6, 1 - 1e-6] first.

    Undefined: ``empty``; ``no_positive`` or ``no_negative`` when one outcome never happened;
    ``zero_variance`` when all probabilities are 1/2.
    """
    if (why := _one_sided(forecasts, "temperature")) is not None:
        return why
    from scipy.optimize import brentq

    logit, weight = _logit(forecasts.p), _weight(forecasts)
    if not np.abs(logit).max() > 1e-12:
        return Undefined("zero_variance", len(forecasts), "temperature")

    def slope(inverse: float) -> float:
        return float((weight * logit * (_sigmoid(inverse * logit) - forecasts.y)).sum())

    for end, hotter in ((1 / _LIMIT, slope(1 / _LIMIT) >= 0), (_LIMIT, slope(_LIMIT) <= 0)):
        if hotter:
            return Temperature(1 / end)
    return Temperature(1 / float(brentq(slope, 1 / _LIMIT, _LIMIT, xtol=1e-12)))


def fit_isotonic(forecasts: Forecasts) -> Isotonic | Undefined:
    """The rising curve with the least squared distance to the outcomes.

    Undefined: ``empty``; ``too_few_items`` below 200 forecasts; ``no_positive`` or ``no_negative``
    when one outcome never happened.
    """
    if (why := _one_sided(forecasts, "isotonic")) is not None:
        return why
    if len(forecasts) < MIN_ISOTONIC:
        return Undefined("too_few_items", len(forecasts), "isotonic")
    from sklearn.isotonic import IsotonicRegression

    fitted = IsotonicRegression(y_min=0.0, y_max=1.0, out_of_bounds="clip").fit(
        forecasts.p, forecasts.y, sample_weight=_weight(forecasts)
    )
    return Isotonic(fitted.X_thresholds_, fitted.y_thresholds_)


def out_of_fold(
    forecasts: Forecasts,
    fit: Callable[[Forecasts], ProbabilityMap | Undefined],
    *,
    groups: npt.ArrayLike | None = None,
    folds: int = 5,
) -> FloatArray | Undefined:
    """Mapped probabilities (n,), each by a map that was fitted without its fold.

    ``groups`` (n,) are codes that must stay together; without them the forecasts' clusters, else
    each forecast is a group of its own. Group g goes to fold g modulo ``folds``, counted in rising
    order of the codes: no dice.

    Undefined: ``empty``; ``too_few_clusters`` with fewer groups than folds; as ``fit``.

    Raises:
        ValueError: Fewer than two folds, or groups of another length.
    """
    if folds < 2:
        raise ValueError(f"there are at least two folds, not {folds}")
    n = len(forecasts)
    if n == 0:
        return Undefined("empty", 0, "out_of_fold")
    group = _groups(forecasts, groups)
    if group.max() + 1 < folds:
        return Undefined("too_few_clusters", n, "out_of_fold")
    fold, mapped = group % folds, np.empty(n)
    for number in range(folds):
        inside = fold == number
        found = fit(_subset(forecasts, ~inside))
        if isinstance(found, Undefined):
            return found
        mapped[inside] = found(forecasts.p[inside])
    return mapped


def _one_sided(forecasts: Forecasts, name: str) -> Undefined | None:
    n = len(forecasts)
    if n == 0:
        return Undefined("empty", 0, name)
    if not forecasts.y.any():
        return Undefined("no_positive", n, name)
    return Undefined("no_negative", n, name) if forecasts.y.all() else None


def _groups(forecasts: Forecasts, groups: npt.ArrayLike | None) -> IntArray:
    n, given = len(forecasts), forecasts.clusters if groups is None else groups
    found = np.arange(n, dtype=np.int64) if given is None else codes("groups", given)
    if found.size != n:
        raise ValueError(f"groups has {found.size} codes, there are {n} forecasts")
    return compact(found)


def _subset(forecasts: Forecasts, keep: npt.NDArray[np.bool_]) -> Forecasts:
    weight = None if forecasts.weight is None else forecasts.weight[keep]
    return Forecasts(forecasts.p[keep], forecasts.y[keep], weight=weight)


def _weight(forecasts: Forecasts) -> FloatArray:
    return np.ones(len(forecasts)) if forecasts.weight is None else forecasts.weight


def _clip(p: FloatArray) -> FloatArray:
    clipped: FloatArray = np.clip(p, CLIP, 1 - CLIP)
    return clipped


def _logit(p: npt.ArrayLike) -> FloatArray:
    clipped = _clip(np.asarray(p, dtype=np.float64))
    logit: FloatArray = np.log(clipped) - np.log1p(-clipped)
    return logit


def _sigmoid(x: FloatArray) -> FloatArray:
    half: FloatArray = (1 + np.tanh(x / 2)) / 2
    return half
