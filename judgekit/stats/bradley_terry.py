"""Strengths of candidates from comparisons in pairs: the model of Bradley and Terry.

logit P(i beats j) = b_i - b_j. Only differences matter, so one candidate is the reference with
b = 0. The likelihood has a largest value just when no group of candidates won all its comparisons
against the rest: when, following wins from candidate to candidate, everybody can reach everybody.
Otherwise some strengths run off to infinity, and the answer is ``not_separable``.

A tie may be counted as half a win for each. That keeps the order of strengths; errors are then a
little too large, since a tie varies less than a coin.

References: Bradley and Terry (1952), Biometrika 39:324; Ford (1957), American Mathematical Monthly
64:28 (when it exists); Agresti (2013), Categorical Data Analysis, 11.6.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from judgekit.stats.arrays import FloatArray, compact, scale_codes, square
from judgekit.stats.estimate import MIN_CLUSTERS, Estimate, Undefined
from judgekit.stats.quantiles import critical

_STEPS = 200
_CLOSE = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class BradleyTerry:
    """Fitted strengths.

    Attributes:
        strengths: (m,) b, with 0 for the reference.
        covariance: (m, m) of the strengths; its row and column of the reference are 0.
        n: Number of comparisons.
        clusters: Number of clusters the covariance was made robust against, or None.
    """

    strengths: FloatArray
    covariance: FloatArray
    n: int
    clusters: int | None = None

    def difference(self, i: int, j: int, *, confidence: float = 0.95) -> Estimate:
        """Strength of i over j, b_i - b_j, a log odds, with Wald's interval."""
        value = float(self.strengths[i] - self.strengths[j])
        V = self.covariance
        error = math.sqrt(max(0.0, float(V[i, i] + V[j, j] - 2 * V[i, j])))
        df = None if self.clusters is None else self.clusters - 1
        half = critical(confidence, df) * error
        return Estimate(
            value,
            value - half,
            value + half,
            self.n,
            "bradley_terry/wald",
            confidence,
            clusters=self.clusters,
        )

    def win_probability(self, i: int, j: int, *, confidence: float = 0.95) -> Estimate:
        """Probability that i beats j, in [0, 1]; the interval is that of the log odds."""
        odds = self.difference(i, j, confidence=confidence)
        value, low, high = (_sigmoid(x) for x in (odds.value, odds.low, odds.high))
        return Estimate(value, low, high, self.n, odds.method, confidence, clusters=self.clusters)


def bradley_terry(wins: npt.ArrayLike, *, reference: int = 0) -> BradleyTerry | Undefined:
    """Strengths from a table of wins: ``wins[i, j]`` counts how often i beat j, shape (m, m).

    The diagonal is ignored. Newton's method, from equal strengths, until the step is below 1e-12;
    the covariance is the inverse of the information. It takes comparisons as independent; see
    :func:`bradley_terry_clustered` for several comparisons of one prompt.

    Undefined: ``empty`` without comparisons; ``not_separable`` when not everybody can be reached
    from everybody by wins.

    Raises:
        ValueError: Not a square table of counts of two candidates or more, or no such reference.
    """
    W = square("wins", wins).copy()
    m = W.shape[0]
    if m < 2 or not 0 <= reference < m or (W < 0).any():
        raise ValueError("wins are counts among two candidates or more, the reference one of them")
    np.fill_diagonal(W, 0.0)
    n = round(float(W.sum()))
    if not W.any():
        return Undefined("empty", 0, "bradley_terry")
    if not _connected(W > 0):
        return Undefined("not_separable", n, "bradley_terry")
    b, information = _fit(W, reference)
    return BradleyTerry(b, _inverse(information, reference), n)


def bradley_terry_clustered(
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    score: npt.ArrayLike,
    clusters: npt.ArrayLike,
    m: int,
    *,
    reference: int = 0,
) -> BradleyTerry | Undefined:
    """Strengths from single comparisons, with errors that allow for clusters.

    ``first`` and ``second`` (n,) are codes of the candidates, ``score`` (n,) is what the first won:
    1, 0, or 1/2 for a tie. ``clusters`` (n,) are codes of the group of each comparison, such as its
    prompt. The covariance is the sandwich I^-1 M I^-1 with M = G / (G - 1) times the sum over
    clusters of s s', where s is the slope of the cluster's log likelihood; intervals use Student's
    t with G - 1 degrees of freedom.

    Undefined as :func:`bradley_terry`; ``too_few_clusters`` below ten.

    Raises:
        ValueError: Lengths that differ, a code off the list, a score outside [0, 1], a candidate
            against itself, or no such reference.
    """
    i, j = scale_codes("first", first, m), scale_codes("second", second, m)
    won, group = np.asarray(score, dtype=np.float64), scale_codes("clusters", clusters, 2**62)
    if not i.shape == j.shape == won.shape == group.shape or (i == j).any():
        raise ValueError("each comparison has two candidates, a score and a cluster")
    if not ((won >= 0) & (won <= 1)).all():
        raise ValueError("a score lies in [0, 1]")
    W = np.zeros((m, m))
    np.add.at(W, (i, j), won)
    np.add.at(W, (j, i), 1 - won)
    found = bradley_terry(W, reference=reference)
    if isinstance(found, Undefined):
        return found
    group = compact(group)
    G = int(group.max()) + 1
    if G < MIN_CLUSTERS:
        return Undefined("too_few_clusters", found.n, "bradley_terry", clusters=G)
    b = found.strengths
    residual = won - _sigmoid_of(b[i] - b[j])
    slopes = np.zeros((G, m))
    np.add.at(slopes, (group, i), residual)
    np.add.at(slopes, (group, j), -residual)
    V = found.covariance
    return BradleyTerry(b, G / (G - 1) * V @ (slopes.T @ slopes) @ V, found.n, G)


def _fit(W: FloatArray, reference: int) -> tuple[FloatArray, FloatArray]:
    """Strengths and information (m, m) at the largest likelihood."""
    met, b = W + W.T, np.zeros(len(W))
    free = np.arange(len(W)) != reference
    for _ in range(_STEPS):
        P, information = _model(met, b)
        slope = (W - met * P).sum(axis=1)
        step = np.zeros_like(b)
        step[free] = np.linalg.solve(information[np.ix_(free, free)], slope[free])
        # A full step may overshoot far from the top; no strength moves more than 2 at a time.
        b = b + step * min(1.0, 2.0 / max(float(np.abs(step).max()), _CLOSE))
        if np.abs(step).max() < _CLOSE:
            break
    return b, _model(met, b)[1]


def _model(met: FloatArray, b: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Probabilities of a win and the information, both (m, m)."""
    P = _sigmoid_of(b[:, None] - b[None, :])
    spread = met * P * (1 - P)
    return P, np.diag(spread.sum(axis=1)) - spread


def _inverse(information: FloatArray, reference: int) -> FloatArray:
    free = np.arange(len(information)) != reference
    covariance = np.zeros_like(information)
    covariance[np.ix_(free, free)] = np.linalg.inv(information[np.ix_(free, free)])
    return covariance


def _connected(beats: npt.NDArray[np.bool_]) -> bool:
    """Whether everybody reaches everybody along the wins."""
    reached = beats | np.eye(len(beats), dtype=np.bool_)
    for _ in range(len(beats).bit_length()):
        reached = (reached.astype(np.float64) @ reached.astype(np.float64)) > 0
    return bool(reached.all())


def _sigmoid_of(x: FloatArray) -> FloatArray:
    half: FloatArray = (1 + np.tanh(x / 2)) / 2
    return half


def _sigmoid(x: float) -> float:
    return (1 + math.tanh(x / 2)) / 2
