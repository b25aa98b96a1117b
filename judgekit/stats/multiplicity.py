"""Several tests at once: adjusted p-values.

With m tests and their p-values in rising order p_1 <= ... <= p_m, a test is rejected at level a
when its *adjusted* p-value is at most a. The adjusted values keep the order of the plain ones.

- Holm: max over j <= i of (m - j + 1) p_j. Any false rejection among all m has probability at most
  a, whatever depends on what. For claims declared beforehand.
- Benjamini-Hochberg: min over j >= i of m p_j / j. The expected share of false ones among the
  rejections is at most a, for independent tests. For looking around.
- Benjamini-Yekutieli: the same times 1 + 1/2 + ... + 1/m. For any dependence.

References: Holm (1979), Scandinavian Journal of Statistics 6:65; Benjamini and Hochberg (1995), J R
Stat Soc B 57:289; Benjamini and Yekutieli (2001), Annals of Statistics 29:1165.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from judgekit.stats.arrays import FloatArray


def holm(p: npt.ArrayLike) -> FloatArray:
    """Holm's adjusted p-values, in the order given: (m,) to (m,), each in [0, 1].

    No tests give no values.

    Raises:
        ValueError: Not one-dimensional, or a value outside [0, 1].
    """
    values, order = _sorted(p)
    steps = np.arange(values.size, 0, -1)
    return _restored(np.maximum.accumulate(steps * values[order]), order)


def benjamini_hochberg(p: npt.ArrayLike) -> FloatArray:
    """Benjamini and Hochberg's adjusted p-values, in the order given: (m,) to (m,), in [0, 1].

    No tests give no values.

    Raises:
        ValueError: Not one-dimensional, or a value outside [0, 1].
    """
    return _step_up(p, 1.0)


def benjamini_yekutieli(p: npt.ArrayLike) -> FloatArray:
    """Benjamini and Yekutieli's adjusted p-values, in the order given: (m,) to (m,), in [0, 1].

    No tests give no values.

    Raises:
        ValueError: Not one-dimensional, or a value outside [0, 1].
    """
    m = np.size(p)
    return _step_up(p, float((1 / np.arange(1, m + 1)).sum()))


def _step_up(p: npt.ArrayLike, factor: float) -> FloatArray:
    values, order = _sorted(p)
    m = values.size
    steps = factor * m / np.arange(1, m + 1)
    return _restored(np.minimum.accumulate((steps * values[order])[::-1])[::-1], order)


def _sorted(p: npt.ArrayLike) -> tuple[FloatArray, npt.NDArray[np.intp]]:
    """Return the p-values, and where each stands in rising order."""
    values = np.asarray(p, dtype=np.float64)
    if values.ndim != 1:
        raise ValueError(f"p-values must be one-dimensional, not of shape {values.shape}")
    if not ((values >= 0) & (values <= 1)).all():
        raise ValueError("p-values must lie in [0, 1]")
    return values, np.argsort(values, kind="stable")


def _restored(adjusted: FloatArray, order: npt.NDArray[np.intp]) -> FloatArray:
    found = np.empty_like(adjusted)
    found[order] = np.minimum(adjusted, 1.0)
    return found
