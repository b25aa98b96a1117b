"""Samples of three raters, and of a judge beside them: agreement, the human ceiling, two judges.

Populations: :mod:`benchmarks.mixtures`. Raters agree with a kappa of 0.6 or 0.9 with one another.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from typing import NamedTuple

import numpy as np

from benchmarks.mixtures import ITEMS, Items, alike, beside
from benchmarks.populations import FOURS, kappa_of
from benchmarks.simulated import CASES, Effort, Figures, Interval, Line, dice, lines
from judgekit.stats.alpha import krippendorff_alpha_estimate
from judgekit.stats.alternative_annotator import alternative_annotator
from judgekit.stats.arrays import FloatArray, IntArray
from judgekit.stats.chance import bennett_s_of, gwet_ac1_of, gwet_ac2_of, scott_pi_of
from judgekit.stats.correlation import mid_ranks
from judgekit.stats.differences import Metric
from judgekit.stats.estimate import Estimate, Undefined
from judgekit.stats.icc import icc
from judgekit.stats.kappa_difference import kappa_difference
from judgekit.stats.leave_one_out import without_each
from judgekit.stats.quantiles import critical
from judgekit.stats.rater_means import _mean as mean_of_kappas
from judgekit.stats.rater_means import kappa_gap, mean_kappa
from judgekit.stats.rater_pairs import RaterPairs, rater_pairs
from judgekit.stats.rater_sums import KINDS, Coefficient, disagreement, parts
from judgekit.stats.raters import raters_estimate
from judgekit.stats.ratings import Ratings
from judgekit.stats.table import Pairs
from judgekit.stats.weights import identity

WORSE = 0.1
"""How much lower the judge's kappa with a human is than that of two humans."""
LARGE = 200_000
"""Items of the sample that stands for a truth that is not worked out."""


def several(effort: Effort) -> Iterator[Line]:
    """Agreement of three raters."""
    for items, kappa, n in product(ITEMS, (0.6, 0.9), effort.sizes):
        drawn = _three(items, kappa, n, effort.some)
        yield from lines(f"{items}, {kappa}", n, drawn, agreement_of_three(items, kappa))


def several_clustered(effort: Effort) -> Iterator[Line]:
    """Some of the same with four items of each case."""
    sizes = tuple(n for n in effort.sizes if n > 40)
    for items, n in product(ITEMS, sizes):
        drawn = _three(items, 0.6, n, effort.some, FOURS.of(n))
        yield from lines(f"{items}, 0.6, {CASES}", n, drawn, _some(items, 0.6))


def ceiling(effort: Effort) -> Iterator[Line]:
    """A judge whose kappa with three humans is 0.1 below theirs; and how often it is as near."""
    for items, kappa, n in product(ITEMS, (0.6, 0.9), effort.sizes):
        drawn = with_judge(items, kappa, n, effort.few)
        yield from lines(f"{items}, {kappa}", n, drawn, beside_humans(items, kappa))


def two_judges(effort: Effort) -> Iterator[Line]:
    """Kappa 0.8 of one judge less the kappa 0.7 of another, with the same human."""
    for items, clustered, n in product(ITEMS, (False, True), effort.sizes):
        if clustered and n < 40:
            continue
        codes = FOURS.of(n) if clustered else None
        human = alike(items, 0.8)
        loadings = (human, human, beside(items, human, 0.7))
        rng = dice("two judges", items, n, clustered)
        drawn = items.draw(loadings, (effort.some, n), rng, codes)
        w, k = items.weights, items.levels
        first, second = (kappa_of(items.table(human, b), w) for b in loadings[1:])
        figures: Figures[IntArray] = {
            "difference of two judges' kappas": (
                first - second,
                partial(_difference, k=k, weights=w, cases=codes),
            )
        }
        name = f"{items}, {CASES}" if clustered else str(items)
        yield from lines(name, n, ((sample, 1) for sample in drawn), figures)


def agreement_of_three(items: Items, kappa: float) -> Figures[Ratings]:
    """Every coefficient of several raters; unweighted on two levels, weighted where it may be."""
    loading, k, w = alike(items, kappa), items.levels, items.weights
    table = items.table(loading, loading)
    metric: Metric = "nominal" if k == 2 else "ordinal"
    plain = _coefficient("fleiss_kappa", identity(k))
    figures: dict[str, tuple[float, Callable[[Ratings], Interval]]] = {
        "Fleiss": (float(scott_pi_of(table)), plain),
        "Fleiss, value ± t SE instead": (float(scott_pi_of(table)), _plain_fleiss),
        "Conger": (kappa_of(table, w), _coefficient("conger_kappa", w)),
        "Brennan and Prediger": (
            float(bennett_s_of(table)),
            _coefficient("brennan_prediger", None),
        ),
        "AC1": (float(gwet_ac1_of(table)), _coefficient("gwet_ac1", None)),
        f"alpha, {metric}": (_alpha(table, metric), _alpha_estimate(metric)),
        "ICC(2,1)": (_alpha(table, "interval"), lambda r: icc(r.values.astype(float), "2,1")),
    }
    if k > 2:
        figures["AC2"] = (float(gwet_ac2_of(table, w)), _coefficient("gwet_ac2", w))
        figures["alpha, interval"] = (_alpha(table, "interval"), _alpha_estimate("interval"))
    return figures


class Judged(NamedTuple):
    """Three humans and a judge, and the kappas of every two of them."""

    humans: Ratings
    judge: IntArray
    found: RaterPairs


def beside_humans(items: Items, kappa: float) -> Figures[Judged]:
    """The gap of the judge to the humans, and its average advantage probability."""
    human, w = alike(items, kappa), items.weights
    judge = beside(items, human, kappa - WORSE)
    among = kappa_of(items.table(human, human), w)
    gap = kappa_of(items.table(human, judge), w) - among
    values = np.arange(items.levels) if items.levels > 2 else None
    many = items.draw((human,) * 3 + (judge,), (1, LARGE), dice("advantage", items, kappa))[0]
    truth = _advantage(Ratings(many[:, :3], items.levels), many[:, 3], values)
    nearer = float("nan") if isinstance(truth, Undefined) else truth.value
    return {
        "mean kappa of three humans": (among, lambda s: mean_kappa(s.found, _sides(s.found)[1])),
        "human ceiling gap": (gap, lambda s: kappa_gap(s.found, *_sides(s.found))),
        "human ceiling gap, plain jackknife instead": (gap, lambda s: _plain_gap(s.found)),
        "average advantage": (nearer, lambda s: _advantage(s.humans, s.judge, values)),
    }


def _some(items: Items, kappa: float) -> Figures[Ratings]:
    chosen = ("Fleiss", "AC1", "alpha, nominal", "alpha, ordinal")
    figures = agreement_of_three(items, kappa)
    return {name: figures[name] for name in chosen if name in figures}


def _three(
    items: Items, kappa: float, n: int, repeats: int, cases: IntArray | None = None
) -> Iterator[tuple[Ratings, int]]:
    rng = dice("three", items, kappa, n, cases is None)
    for values in items.draw((alike(items, kappa),) * 3, (repeats, n), rng, cases):
        yield Ratings(values, items.levels, clusters=cases), 1


def with_judge(items: Items, kappa: float, n: int, repeats: int) -> Iterator[tuple[Judged, int]]:
    """Samples of n items that three humans and the judge rated."""
    human = alike(items, kappa)
    loadings = (human, human, human, beside(items, human, kappa - WORSE))
    for values in items.draw(loadings, (repeats, n), dice("judged", items, kappa, n)):
        everybody = rater_pairs(Ratings(values, items.levels), items.weights)
        yield Judged(Ratings(values[:, :3], items.levels), values[:, 3], everybody), 1


def _coefficient(name: Coefficient, weights: FloatArray | None) -> Callable[[Ratings], Interval]:
    return lambda ratings: raters_estimate(ratings, name, weights)


def _alpha_estimate(metric: Metric) -> Callable[[Ratings], Interval]:
    return lambda ratings: krippendorff_alpha_estimate(ratings, metric)


def _alpha(table: FloatArray, metric: Metric) -> float:
    """Krippendorff's alpha of infinitely many items, by the table of two raters."""
    p, k = table.sum(axis=0), len(table)
    level = mid_ranks(p) if metric == "ordinal" else np.arange(k, dtype=np.float64)
    far = 1.0 - np.eye(k) if metric == "nominal" else (level[:, None] - level) ** 2
    return 1 - float((table * far).sum() / (p @ far @ p))


def _plain_fleiss(ratings: Ratings) -> Interval:
    """Fleiss' kappa with the usual jackknife interval, value ± t SE."""
    kind, w, n = KINDS["fleiss_kappa"], identity(ratings.k), len(ratings)
    rows = parts(ratings, w, by_rater=False)
    value = float(disagreement(kind, rows.sum(axis=0)[None], w).value[0])
    left = without_each(rows, lambda sums: disagreement(kind, sums, w)).value
    if math.isnan(value) or np.isnan(left).any():
        return Undefined("single_category")
    half = critical(0.95, n - 1) * math.sqrt((n - 1) * float(left.var()))
    return Estimate(value, value - half, value + half, n, "t")


def _plain_gap(found: RaterPairs) -> Interval:
    """Return the gap with the usual jackknife interval, value ± t SE."""
    first, second = (mean_of_kappas(found, side) for side in _sides(found))
    if isinstance(first, Undefined) or isinstance(second, Undefined):
        return Undefined("single_category")
    left, value = first.replicates - second.replicates, first.value - second.value
    n = left.size
    half = critical(0.95, n - 1) * math.sqrt((n - 1) * float(left.var()))
    return Estimate(value, value - half, value + half, n, "t")


def _sides(found: RaterPairs) -> tuple[np.ndarray, np.ndarray]:
    judge = found.with_rater(3)
    return judge, ~judge


def _advantage(humans: Ratings, judge: IntArray, values: np.ndarray | None) -> Interval:
    found = alternative_annotator(humans, judge, epsilon=0.1, values=values)
    return found if isinstance(found, Undefined) else found.advantage


def _difference(
    sample: IntArray, *, k: int, weights: FloatArray, cases: IntArray | None
) -> Interval:
    human, first, second = sample.T
    return kappa_difference(Pairs(human, first, k, clusters=cases), second, weights)
