"""How high could kappa have been, given how often each side uses each level?

Two raters with different margins cannot agree on everything. The largest observed agreement their
margins r and c allow decides the largest kappa; a low one says that human and judge use the levels
at different rates, whatever they think of single items.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from judgekit.stats.arrays import FloatArray, square
from judgekit.stats.estimate import Undefined
from judgekit.stats.kappa import checked, why_undefined


def kappa_max(table: npt.ArrayLike, weights: npt.ArrayLike | None = None) -> float | Undefined:
    """Largest kappa that the margins of the (k, k) table allow, (p_max - p_e) / (1 - p_e).

    Without ``weights`` (agreement is all or nothing) p_max is the sum of min(r_i, c_i) (Cohen
    1960). With weights it is the best of all tables with these margins, a transport problem. For
    linear and quadratic weights on a scale in rising or falling order it is solved by matching the
    margins from one end to the other; other weights go to a linear program.

    It lies between kappa and 1, and is 1 when the margins are equal. Undefined where kappa is.

    Raises:
        ValueError: Shapes that do not fit, or a negative count.
    """
    size = square("table", table).shape[0]
    T, w = checked(table, np.eye(size) if weights is None else weights)
    if (why := why_undefined(T, w)) is not None:
        return Undefined(why.reason, why.n, "kappa_max")
    r, c = T.sum(axis=1) / T.sum(), T.sum(axis=0) / T.sum()
    if np.array_equal(w, np.eye(len(w))):
        best = float(np.minimum(r, c).sum())
    elif _favours_order(w):
        best = float((_matched(r, c) * w).sum())
    else:
        best = _transported(r, c, w)
    chance = float(r @ w @ c)
    return (best - chance) / (1 - chance)


def _favours_order(w: FloatArray) -> bool:
    """Whether uncrossing two pairs never loses agreement (the Monge condition)."""
    gain = w[:-1, :-1] + w[1:, 1:] - w[:-1, 1:] - w[1:, :-1]
    return bool((gain >= -1e-12).all())


def _matched(r: FloatArray, c: FloatArray) -> FloatArray:
    """Shares of the table that pairs lowest with lowest, up to the highest with the highest."""
    above, beside = r.cumsum()[:, None], c.cumsum()[None, :]
    overlap = np.minimum(above, beside) - np.maximum(above - r[:, None], beside - c[None, :])
    matched: FloatArray = np.maximum(overlap, 0.0)
    return matched


def _transported(r: FloatArray, c: FloatArray, w: FloatArray) -> float:
    """Largest weighted agreement of all tables with margins r and c."""
    from scipy.optimize import linprog

    k = len(r)
    rows, columns = np.kron(np.eye(k), np.ones(k)), np.kron(np.ones(k), np.eye(k))
    # One of the 2 k equations follows from the others; rounding must not make it contradict them.
    found = linprog(
        -w.ravel(), A_eq=np.vstack([rows, columns[:-1]]), b_eq=np.concatenate([r, c[:-1]])
    )
    return float(-found.fun)
