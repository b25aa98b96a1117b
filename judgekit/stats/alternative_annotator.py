"""The alternative annotator test: could the judge take the place of one of the humans?

Each human in turn is left out, and the judge and that human are both held against the rest:

1. Items with two human labels or more and an answer of the judge take part.
2. For human j and item i, R is everybody else who labelled i. The score of an answer x is the share
   of R that gave x (``accuracy``, for unordered levels), or minus the root mean square distance of
   its level value to those of R (``neg_rmse``, for ordered ones).
3. W^f = 1 where the judge scores at least as high as j, W^h = 1 where j scores at least as high as
   the judge; a tie counts for both. d = W^h - W^f.
4. epsilon is what the judge is allowed to be worse by, for being cheaper: 0.2 against experts, 0.15
   against skilled annotators, 0.1 against crowd workers. H0: mean d >= epsilon; one-sided t-test.
5. Benjamini-Yekutieli over the humans, because their tests share labels.

The *winning rate* is the share of tested humans whose H0 is rejected, and the judge passes with 0.5
or more. The *average advantage probability* is the mean over tested humans of the mean of W^f: ties
count as wins in it, so that two who always tie reach 1; it ranks judges, and says nothing alone. A
careless pool of humans is easy to replace: read the agreement of the humans beside it.

Reference: Calderon, Reichart and Dror (2025), ACL, pp. 16051-16081, and the authors' notebook.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from judgekit.stats.arrays import FloatArray, IntArray, compact
from judgekit.stats.estimate import Estimate, Undefined
from judgekit.stats.multiplicity import benjamini_yekutieli
from judgekit.stats.proportions import wilson_bounds
from judgekit.stats.quantiles import critical, student_tail
from judgekit.stats.ratings import MISSING, Ratings

Scoring = Literal["accuracy", "neg_rmse"]
Annotators = Literal["expert", "skilled", "crowd"]
EPSILON: dict[Annotators, float] = {"expert": 0.2, "skilled": 0.15, "crowd": 0.1}
"""What the judge may be worse by, by who the humans are."""
MIN_UNITS = 30
"""Values of d a human needs for the t-test."""
_NAME = "alternative_annotator"
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Versus:
    """The judge against one human.

    Attributes:
        rater: The human's column.
        n: Values of d: items (or cases) that this human and somebody else labelled.
        advantage: Mean of W^f, how often the judge is as near to the others as this human or
            nearer; None without items.
        p: One-sided p-value of H0, that the judge is worse by epsilon or more; None when skipped.
        adjusted: The same after Benjamini-Yekutieli; None when skipped.
        rejected: Whether H0 is rejected: the judge may stand in for this human.
        constant: Whether d never varied, and no test was needed: p is then 1 where d is epsilon or
            more, else 0 (2^-n for the n < 30 of Wilcoxon's test).
    """

    rater: int
    n: int
    advantage: float | None
    p: float | None = None
    adjusted: float | None = None
    rejected: bool = False
    constant: bool = False


@dataclass(frozen=True, slots=True)
class AlternativeAnnotator:
    """The outcome of the test.

    Attributes:
        winning_rate: Share of the tested humans the judge may stand in for, in [0, 1].
        advantage: Average advantage probability over the tested humans, with its interval.
        passes: Whether the winning rate is 0.5 or more.
        versus: The judge against each human that was tested.
        skipped: Humans with too few items.
        epsilon: What the judge was allowed to be worse by.
        q: The false discovery rate of the adjustment.
        method: Scoring, unit and test, for example ``alternative_annotator/accuracy/cases/t``.
    """

    winning_rate: float
    advantage: Estimate
    passes: bool
    versus: tuple[Versus, ...]
    skipped: tuple[Versus, ...]
    epsilon: float
    q: float
    method: str


def alternative_annotator(
    humans: Ratings,
    judge: npt.ArrayLike,
    *,
    epsilon: float,
    values: npt.ArrayLike | None = None,
    q: float = 0.05,
    small: Literal["skip", "wilcoxon"] = "skip",
    confidence: float = 0.95,
) -> AlternativeAnnotator | Undefined:
    """Hold the judge against each human in turn.

    Each item is one value of d. But items of one case are alike, which a t-test does not know: with
    clusters that repeat, the mean of d over a case is one value, and there must be 30 cases. The
    interval of the advantage is Wilson's at the effective number of answers that the sums over
    items (cases) show. Sampling weights play no part: the test is about these items.

    Args:
        humans: The humans' levels; their clusters are the cases.
        judge: (n,) codes of the judge. -1 leaves an item out; a code past the levels is an answer
            that is no level (unreadable, abstained), and loses to every human.
        epsilon: What the judge may be worse by; see :data:`EPSILON`.
        values: (k,) level values: scores then go by distance (``neg_rmse``), else by ``accuracy``.
        q: False discovery rate.
        small: Humans with fewer than 30 values are skipped, or tested by Wilcoxon's signed-rank
            test as the paper allows.
        confidence: Of the interval of the advantage.

    Returns:
        The outcome; ``Undefined("too_few_raters")`` when no item has two human labels and an answer
        of the judge, ``Undefined("too_few_items")`` when no human has enough items.

    Raises:
        ValueError: Shapes that do not fit, a code below -1, or ``epsilon`` or ``q`` out of range.
    """
    if not (0 <= epsilon <= 1 and 0 < q < 1):
        raise ValueError(f"epsilon {epsilon} and q {q} must lie between 0 and 1")
    data = _eligible(humans, judge, values)
    if not data.judge.size:
        return Undefined("too_few_raters", 0, _NAME)
    seen = [_versus(data, j, epsilon, small) for j in range(humans.raters)]
    tested = [found for found in seen if found.p is not None]
    if not tested:
        return Undefined("too_few_items", data.judge.size, _NAME)
    adjusted = benjamini_yekutieli([f.p for f in tested if f.p is not None]).tolist()
    decided = tuple(
        replace(found, adjusted=p, rejected=p <= q)
        for found, p in zip(tested, adjusted, strict=True)
    )
    rate = sum(found.rejected for found in decided) / len(decided)
    return AlternativeAnnotator(
        winning_rate=rate,
        advantage=_advantage(data, [found.rater for found in decided], confidence),
        passes=rate >= 0.5,
        versus=decided,
        skipped=tuple(found for found in seen if found.p is None),
        epsilon=epsilon,
        q=q,
        method=_method(data, decided),
    )


class _Data(NamedTuple):
    """The items that take part: those with two human labels and an answer of the judge."""

    humans: IntArray
    judge: IntArray
    k: int
    values: FloatArray | None
    case: IntArray
    by_case: bool


def _eligible(humans: Ratings, judge: npt.ArrayLike, values: npt.ArrayLike | None) -> _Data:
    answers = np.asarray(judge)
    if answers.shape != (len(humans),) or (answers.size and answers.dtype.kind not in "iu"):
        raise ValueError(f"the judge needs one integer code for each of the {len(humans)} items")
    if answers.min(initial=0) < MISSING:
        raise ValueError(f"the judge holds the code {answers.min()}; -1 leaves an item out")
    v = None if values is None else np.asarray(values, dtype=np.float64)
    if v is not None and (v.shape != (humans.k,) or not np.isfinite(v).all()):
        raise ValueError(f"values must be one finite number for each of the {humans.k} levels")
    keep = (humans.sizes() >= 2) & (answers != MISSING)
    case = np.arange(len(humans)) if humans.clusters is None else humans.clusters
    case = compact(case[keep])
    by_case = case.size > 0 and int(case.max()) + 1 < case.size
    return _Data(humans.values[keep], answers[keep].astype(np.int64), humans.k, v, case, by_case)


def _versus(data: _Data, j: int, epsilon: float, small: Literal["skip", "wilcoxon"]) -> Versus:
    """Hold the judge against one human."""
    mine, ahead = _ahead(data, j)
    if not mine.any():
        return Versus(j, 0, None)
    judge_wins, human_wins = ahead >= 0, ahead <= 0
    d = human_wins.astype(np.float64) - judge_wins
    if data.by_case:
        case = compact(data.case[mine])
        d = np.bincount(case, weights=d) / np.bincount(case)
    found = Versus(j, d.size, float(judge_wins.mean()))
    if d.size < MIN_UNITS and small == "skip":
        return found
    if np.ptp(d) < _ROUNDING:
        below = d.mean() < epsilon - _ROUNDING
        # Fewer than 30 equal signs prove no more than that: the chance of them is 2^-n.
        certain = 0.0 if d.size >= MIN_UNITS else 0.5**d.size
        return replace(found, p=certain if below else 1.0, constant=True)
    return replace(found, p=_t_test(d, epsilon) if d.size >= MIN_UNITS else _wilcoxon(d, epsilon))


def _ahead(data: _Data, j: int) -> tuple[npt.NDArray[np.bool_], IntArray]:
    """Return which items human j labelled, and on each who is nearer to the others.

    1 is the judge, -1 the human, 0 a tie.
    """
    mine = data.humans[:, j] != MISSING
    others = np.delete(data.humans[mine], j, axis=1)
    there, own, judge = others != MISSING, data.humans[mine, j], data.judge[mine]
    level = judge < data.k
    if data.values is None:
        gain = (there & (others == judge[:, None])).sum(1) - (others == own[:, None]).sum(1)
        return mine, np.where(level, np.sign(gain), -1).astype(np.int64)
    v, answer = data.values, np.minimum(judge, data.k - 1)
    far = (np.where(there, (v[others] - v[answer][:, None]) ** 2, 0.0)).sum(1)
    near = (np.where(there, (v[others] - v[own][:, None]) ** 2, 0.0)).sum(1)
    # Sums of squares stand in the order of their root means; equal ones may differ by rounding.
    tie = np.abs(far - near) <= _ROUNDING * np.maximum(far, near)
    return mine, np.where(level, np.where(tie, 0, np.sign(near - far)), -1).astype(np.int64)


def _t_test(d: FloatArray, epsilon: float) -> float:
    """One-sided t-test of mean d >= epsilon: small when d is clearly below it."""
    t = (float(d.mean()) - epsilon) / (float(d.std(ddof=1)) / math.sqrt(d.size))
    tail = student_tail(abs(t), d.size - 1)
    return tail if t < 0 else 1 - tail


def _wilcoxon(d: FloatArray, epsilon: float) -> float:
    """Signed-rank test of the same; d has many ties, so by its normal approximation."""
    from scipy.stats import wilcoxon

    return float(wilcoxon(d - epsilon, alternative="less", method="approx").pvalue)


def _advantage(data: _Data, raters: list[int], confidence: float) -> Estimate:
    """Mean over the humans of the mean of W^f, with Wilson's interval.

    The influence of an answer on it is (W^f - mean of that human) / n of that human, so sums over
    items (cases) give its variance, and that the number of independent answers it is worth.
    """
    G, means, influence, answers = int(data.case.max()) + 1, [], np.zeros(data.case.max() + 1), 0
    for j in raters:
        mine, ahead = _ahead(data, j)
        wins = (ahead >= 0).astype(np.float64)
        means.append(float(wins.mean()))
        pull = (wins - wins.mean()) / (wins.size * len(raters))
        influence += np.bincount(data.case[mine], weights=pull, minlength=G)
        answers += wins.size
    share = float(np.mean(means))
    variance = G / max(G - 1, 1) * float((influence**2).sum())
    spread = share * (1 - share)
    n_eff = min(answers, spread / variance) if spread > 0 and variance > _ROUNDING**2 else G
    low, high = wilson_bounds(share, n_eff, critical(confidence, max(G - 1, 1)))
    return Estimate(
        share,
        low,
        high,
        data.judge.size,
        "average_advantage/wilson",
        confidence,
        pairs=answers,
        clusters=G if data.by_case else None,
        design_effect=max(1.0, answers / n_eff),
    )


def _method(data: _Data, tested: Sequence[Versus]) -> str:
    """Name scoring, unit and test: ``neg_rmse/items/t``."""
    tests = [
        name
        for name, used in (
            ("t", any(found.n >= MIN_UNITS for found in tested)),
            ("wilcoxon", any(found.n < MIN_UNITS for found in tested)),
        )
        if used
    ]
    scoring: Scoring = "accuracy" if data.values is None else "neg_rmse"
    return f"{_NAME}/{scoring}/{'cases' if data.by_case else 'items'}/{'+'.join(tests)}"
