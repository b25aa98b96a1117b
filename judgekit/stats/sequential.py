"""Watching kappa while labels come in: a test that may be stopped at any time.

An interval that is looked at again and again is wrong more often than it says: 28 looks let a judge
at the bar pass 16% of the time instead of 5%. The process here may be looked at after every label.

kappa > kappa0 is the same as p_o - kappa0 - (1 - kappa0) p_e > 0. Chance agreement p_e is unknown,
but pairs of *different* items estimate it without bias, whatever the margins. From each batch of b
fresh pairs (h_1, j_1) .. (h_b, j_b) comes one score

    Z = mean of w(h_i, j_i) - kappa0 - (1 - kappa0) * mean over i != l of w(h_i, j_l),

which lies in [-1, 1 - kappa0] and has a mean of 0 or below exactly when kappa <= kappa0. Someone
who stakes the share lambda on each score being positive then owns E = product of (1 + lambda Z),
which is not expected to grow while kappa <= kappa0: a nonnegative supermartingale, and so is its
average over a grid of lambdas. By Ville's inequality it ever reaches 1 / alpha with chance alpha at
most, however often one looks and whatever the margins are.

The other way round, bets of lambda in (0, 1 / (1 - kappa0)) on -Z are evidence that kappa lies
*below* kappa0: reason to stop labelling.

What it asks: pairs that are independent and in random order, so one output of a case, one rater,
and no sampling weights. Batches of two are best; larger ones keep Z nearer to 0 but not its worst
case, which limits the bets. What it costs: when looks are few and planned,
:mod:`judgekit.stats.group_sequential` decides sooner.

References: Waudby-Smith and Ramdas (2024), JRSS B 86:1, doi:10.1093/jrsssb/qkad009 (betting);
Ville (1939). The score, a U-statistic that needs no margins, is this project's own.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from judgekit.stats.arrays import FloatArray, IntArray, square
from judgekit.stats.clusters import cluster_codes
from judgekit.stats.table import Pairs

Side = Literal["above", "below"]

GRID: tuple[float, ...] = tuple(0.02 + 0.04 * i for i in range(25))
"""Shares to bet, 0.02 to 0.98, when nothing else is asked; averaged, so none need be the best."""


@dataclass(frozen=True, slots=True, eq=False)
class EProcess:
    """Evidence about kappa, batch by batch.

    Attributes:
        scores: (T,) the score Z of each full batch, in [-1, 1 - bar].
        log_path: (T,) natural logarithm of E after each batch.
        bar: The kappa that is tested, kappa0.
        side: ``above``: E is evidence that kappa > bar; ``below``: that kappa < bar.
        alpha: Chance of ever crossing 1 / alpha when there is nothing to find.
        batch: Pairs in a batch.
    """

    scores: FloatArray
    log_path: FloatArray
    bar: float
    side: Side
    alpha: float
    batch: int

    @property
    def path(self) -> FloatArray:
        """Return E after each batch, (T,); very strong evidence is infinite, see ``log_path``."""
        with np.errstate(over="ignore"):
            values: FloatArray = np.exp(self.log_path)
        return values

    @property
    def final(self) -> float:
        """Return E after the last full batch; 1, no evidence, before there is any."""
        return float(self.path[-1]) if self.log_path.size else 1.0

    @property
    def crossed(self) -> int | None:
        """Return after how many pairs E first reached 1 / alpha, or None when it did not.

        Having crossed once is enough: the test is decided then, wherever E goes later.
        """
        found = np.flatnonzero(self.log_path >= -math.log(self.alpha))
        return int(found[0] + 1) * self.batch if found.size else None


def e_process(
    pairs: Pairs,
    weights: npt.ArrayLike,
    *,
    bar: float,
    side: Side = "above",
    alpha: float = 0.05,
    batch: int = 2,
    grid: Sequence[float] | None = None,
) -> EProcess:
    """Return the anytime-valid evidence that kappa lies above (or below) ``bar``.

    ``pairs`` stand in the order they were labelled in, which must be random. ``weights`` are their
    (k, k) agreement weights, within [0, 1], extra judge columns included. ``bar`` lies in [-1, 1).
    ``grid`` holds the shares to bet, in (0, 1) for ``above`` and in (0, 1 / (1 - bar)) for
    ``below``; :data:`GRID` (for ``below``: over 1 - bar) when not given. Pairs that do not fill a
    batch wait for more.

    Degenerate data are no harm: without a full batch E is 1, and when everybody uses one level all
    scores are 0 and E stays 1.

    Raises:
        ValueError: Pairs that share a case or an item, or carry sampling weights: the process is
            then not valid. Weights that do not fit, or a number out of range.
    """
    if cluster_codes(pairs) is not None:
        raise ValueError("pairs that share a case or an item are not independent: keep one of each")
    if pairs.weight is not None:
        raise ValueError("the e-process knows no sampling weights")
    if not 0 < alpha < 1:
        raise ValueError(f"alpha lies between 0 and 1, not {alpha}")
    scores = pair_scores(pairs.human, pairs.judge, weights, bar=bar, batch=batch)
    path = log_evidence(scores, signed_bets(bar, side, grid))
    return EProcess(scores, path, bar, side, alpha, batch)


def pair_scores(
    human: npt.ArrayLike,
    judge: npt.ArrayLike,
    weights: npt.ArrayLike,
    *,
    bar: float,
    batch: int = 2,
) -> FloatArray:
    """Score Z of each full batch: codes (..., n) give scores (..., n // batch).

    The mean over i != l is the mean over all pairs of a batch's humans and judges without those of
    one and the same item.

    Raises:
        ValueError: Codes that do not fit the weights, weights outside [0, 1], ``bar`` outside
            [-1, 1), or a batch of fewer than two.
    """
    w = square("weights", weights)
    if w.min() < 0 or w.max() > 1:
        raise ValueError("agreement weights lie between 0 and 1")
    if not -1 <= bar < 1:
        raise ValueError(f"a bar for kappa lies in [-1, 1), not {bar}")
    if batch < 2:
        raise ValueError(f"a batch holds two pairs or more, not {batch}")
    h, j = np.asarray(human, dtype=np.int64), np.asarray(judge, dtype=np.int64)
    if h.shape != j.shape:
        raise ValueError(f"human has shape {h.shape}, judge has {j.shape}")
    full = h.shape[-1] // batch
    h, j = (a[..., : full * batch].reshape(*a.shape[:-1], full, batch) for a in (h, j))
    if h.size and (min(h.min(), j.min()) < 0 or max(h.max(), j.max()) >= w.shape[0]):
        raise ValueError(f"a code lies outside the {w.shape[0]} categories of the weights")
    same = w[h, j].sum(axis=-1)
    every = w[h[..., :, None], j[..., None, :]].sum(axis=(-2, -1))
    across = (every - same) / (batch * (batch - 1))
    scores: FloatArray = same / batch - bar - (1 - bar) * across
    return scores


def log_evidence(scores: FloatArray, bets: FloatArray) -> FloatArray:
    """Logarithm of E after each score: (..., T) scores and (L,) signed bets give (..., T).

    E is the mean over bets of the running product of 1 + bet * Z; negative bets are bets on -Z. It
    is summed in logarithms, so that long runs neither vanish nor overflow.
    """
    total = np.full(scores.shape, -np.inf)
    for bet in bets:
        np.logaddexp(total, np.cumsum(np.log1p(bet * scores), axis=-1), out=total)
    found: FloatArray = total - math.log(bets.size)
    return found


def first_crossing(scores: FloatArray, bets: FloatArray, alpha: float) -> IntArray:
    """Batches after which E first reaches 1 / alpha: (B, T) scores give (B,), 0 for never.

    The same as reading :func:`log_evidence`, and much faster over many runs: a run is followed
    only until it crosses, so plain products cannot overflow.
    """
    found = np.zeros(len(scores), dtype=np.int64)
    running = np.arange(len(scores))
    owned = np.ones((len(scores), bets.size))
    for t in range(scores.shape[1]):
        owned *= 1 + scores[running, t, None] * bets
        over = owned.mean(axis=1) >= 1 / alpha
        if over.any():
            found[running[over]] = t + 1
            running, owned = running[~over], owned[~over]
    return found


def signed_bets(
    bar: float, side: Side = "above", grid: Sequence[float] | None = None
) -> FloatArray:
    """Return bets for :func:`log_evidence`: positive on kappa above the bar, negative on below.

    Raises:
        ValueError: A bet that could lose more than is owned, or none at all.
    """
    limit = 1.0 if side == "above" else 1 / (1 - bar)
    shares = limit * np.array(GRID) if grid is None else np.asarray(grid, dtype=np.float64)
    if shares.ndim != 1 or not shares.size or not ((shares > 0) & (shares < limit)).all():
        raise ValueError(f"bets lie between 0 and {limit:.4g}, and there is one at least")
    bets: FloatArray = shares if side == "above" else -shares
    return bets
