"""Statistics of stacks of tables, written plainly for tests of intervals."""

from functools import partial

import numpy as np

from judgekit.stats import identity
from judgekit.stats.arrays import FloatArray
from judgekit.stats.kappa import kappa_of
from judgekit.stats.resampling import Statistic


def kappa_twin(weights: FloatArray) -> Statistic:
    """Kappa with these weights."""
    return partial(kappa_of, weights=weights)


def raw(tables: FloatArray) -> FloatArray:
    """Share of pairs on the diagonal."""
    shares: FloatArray = np.trace(tables, axis1=1, axis2=2) / tables.sum(axis=(1, 2))
    return shares


def bennett(tables: FloatArray) -> FloatArray:
    """Bennett's S."""
    k = tables.shape[1]
    return (raw(tables) - 1 / k) / (1 - 1 / k)


def scott(tables: FloatArray) -> FloatArray:
    """Scott's pi."""
    P = tables / tables.sum(axis=(1, 2), keepdims=True)
    chance = (((P.sum(axis=1) + P.sum(axis=2)) / 2) ** 2).sum(axis=1)
    gap = np.where(1 - chance < 1e-12, np.nan, 1 - chance)
    found: FloatArray = (raw(tables) - chance) / gap
    return found


def gwet(tables: FloatArray) -> FloatArray:
    """Gwet's AC1."""
    k, P = tables.shape[1], tables / tables.sum(axis=(1, 2), keepdims=True)
    pi = (P.sum(axis=1) + P.sum(axis=2)) / 2
    chance = (pi * (1 - pi)).sum(axis=1) / (k - 1)
    found: FloatArray = (raw(tables) - chance) / (1 - chance)
    return found


def absolute_error(tables: FloatArray) -> FloatArray:
    """Mean absolute difference of the codes."""
    v = np.arange(tables.shape[1])
    found: FloatArray = np.einsum("bij,ij->b", tables, np.abs(v[:, None] - v)) / tables.sum((1, 2))
    return found


def _moments(tables: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Covariance, the two variances and the difference of the means of the codes."""
    v, P = np.arange(tables.shape[1]), tables / tables.sum(axis=(1, 2), keepdims=True)
    r, c = P.sum(axis=2), P.sum(axis=1)
    human, judge = r @ v, c @ v
    covariance = np.einsum("bij,i,j->b", P, v, v) - human * judge
    return covariance, r @ v**2 - human**2, c @ v**2 - judge**2, human - judge


def pearson(tables: FloatArray) -> FloatArray:
    """Pearson's correlation of the codes."""
    covariance, first, second, _ = _moments(tables)
    scale = np.sqrt(np.maximum(first * second, 0))
    return covariance / np.where(scale < 1e-9, np.nan, scale)


def concordance(tables: FloatArray) -> FloatArray:
    """Lin's concordance correlation of the codes."""
    covariance, first, second, shift = _moments(tables)
    scale = first + second + shift**2
    return 2 * covariance / np.where(scale < 1e-9, np.nan, scale)


def matthews(tables: FloatArray) -> FloatArray:
    """Matthews' correlation of several classes (Gorodkin)."""
    P = tables / tables.sum(axis=(1, 2), keepdims=True)
    r, c = P.sum(axis=2), P.sum(axis=1)
    scale = np.sqrt(np.maximum((1 - (r * r).sum(axis=1)) * (1 - (c * c).sum(axis=1)), 0))
    found: FloatArray = (raw(P) - (r * c).sum(axis=1)) / np.where(scale < 1e-9, np.nan, scale)
    return found


def plain_kappa(k: int) -> Statistic:
    """Unweighted kappa of k levels."""
    return kappa_twin(identity(k))


# Best, and equal to 1, at perfect agreement.
AGREEMENTS = (bennett, scott, gwet, pearson, concordance, matthews)
