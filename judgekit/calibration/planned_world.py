"""A labelled set that does not exist yet, and draws of what it would hold."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from judgekit.calibration.pairs import agreement_weights
from judgekit.stats.kappa import kappa_and_variance
from judgekit.stats.planned_tables import (
    best_match,
    correlation_for,
    cut_normal,
    margins,
    mixed_table,
    ordered_table,
)

if TYPE_CHECKING:
    from judgekit.calibration.rows import ScaleSpec
    from judgekit.stats.arrays import FloatArray, IntArray


@dataclass(frozen=True)
class Design:
    """What is planned: a judge that is expected to be this good, and how its labels come.

    Human and judge are tied as in :mod:`judgekit.stats.planned_tables`: ordinal levels through
    noise, others by knowing or guessing. Several raters see the same truth, each with noise of
    their own. Outputs of one case are alike: each repeats what was said of its case with
    probability sqrt(icc), so that two of them are the same with probability icc.

    Attributes:
        spec: The scale.
        kappa: Agreement the judge is expected to have with one human rater.
        human: Share of each level among the humans' labels, in scale order.
        judge: The same of the judge; None when it is expected to use levels as the humans do.
        raters: Human raters, each of whom labels every item.
        human_agreement: Kappa between two human raters, or None when it is not known.
        per_case: Outputs of one case; 1 when every item is a case of its own.
        icc: Intra-class correlation of outputs of one case, 0 to 1.
    """

    spec: ScaleSpec
    kappa: float
    human: tuple[float, ...]
    judge: tuple[float, ...] | None = None
    raters: int = 1
    human_agreement: float | None = None
    per_case: int = 1
    icc: float = 0.0

    @cached_property
    def weights(self) -> FloatArray:
        """Return the agreement weights of the scale, (k, k)."""
        return agreement_weights(self.spec)

    @cached_property
    def table(self) -> FloatArray:
        """Return the planned shares of human and judge levels, (k, k).

        Raises:
            ValueError: these shares do not allow that kappa.
        """
        return self.table_at(self.kappa)

    def table_at(self, kappa: float) -> FloatArray:
        """Return the planned table of a judge with these shares and another kappa.

        Raises:
            ValueError: as :attr:`table`.
        """
        if self.spec.kind == "ordinal":
            return ordered_table(kappa, self.weights, self.human, self.judge)
        return mixed_table(kappa, self.human, self.judge)

    @property
    def plain(self) -> bool:
        """Return whether each label is an independent pair: one rater, one output of a case."""
        return self.raters == 1 and self.per_case == 1

    @property
    def agreement_of_humans(self) -> float:
        """Return the human-human kappa; unless stated, humans agree as they do with the judge."""
        return self.kappa if self.human_agreement is None else self.human_agreement

    @property
    def ceiling(self) -> float | None:
        """Return the kappa of a judge that sees the truth itself, or None if it is not known.

        It meets the noise of one rater only, where two raters meet it twice: the square root of
        the human-human agreement, where both use the levels alike.
        """
        if self.human_agreement is None:
            return None
        agreed = max(self.human_agreement, 0.0)
        if self.spec.kind != "ordinal":
            best = best_match(self.human, self.judge)
            return math.sqrt(agreed) * self._kappa(best)
        between = max(correlation_for(agreed, self.weights, self.human), 0.0)
        return self._kappa(cut_normal(math.sqrt(between), self.human, self.judge))

    def _kappa(self, table: FloatArray) -> float:
        return float(kappa_and_variance(table, self.weights)[0])


def draw(
    design: Design, runs: int, items: int, rng: np.random.Generator
) -> tuple[IntArray, IntArray]:
    """Return ``runs`` labelled sets: human codes (runs, items, raters), judge codes (runs, items).

    Items of one case stand together.
    """
    human, judge = _outputs(design, (runs, items), rng)
    if design.per_case == 1:
        return human, judge
    case = np.arange(items) // design.per_case
    told, judged = _outputs(design, (runs, int(case[-1]) + 1), rng)
    alike = rng.random((runs, items)) < math.sqrt(design.icc)
    human = np.where(alike[..., None], told[:, case], human)
    return human, np.where(alike, judged[:, case], judge)


def _outputs(
    design: Design, shape: tuple[int, int], rng: np.random.Generator
) -> tuple[IntArray, IntArray]:
    """Return independent outputs: human codes (*shape, raters) and judge codes (*shape)."""
    if design.raters == 1:
        k = len(design.human)
        cells = _levels(design.table.ravel(), rng.random(shape))
        return (cells // k)[..., None], cells % k
    if design.spec.kind == "ordinal":
        return _through_noise(design, shape, rng)
    return _known_or_guessed(design, shape, rng)


def _known_or_guessed(
    design: Design, shape: tuple[int, int], rng: np.random.Generator
) -> tuple[IntArray, IntArray]:
    """Each rater knows the truth with probability sqrt(human agreement), else guesses."""
    r, c = margins(design.human, design.judge)
    knows = math.sqrt(design.agreement_of_humans)
    truth = _levels(r, rng.random(shape))
    each = (*shape, design.raters)
    human = np.where(rng.random(each) < knows, truth[..., None], _levels(r, rng.random(each)))
    # The judge given the truth: then the noise of a rater leaves the planned kappa between them.
    given = mixed_table(design.kappa / knows, r, c)
    below = np.cumsum(given / given.sum(axis=1, keepdims=True), axis=1)[:, :-1]
    judge = (rng.random(shape)[..., None] >= below[truth]).sum(axis=-1)
    return human, judge


def _through_noise(
    design: Design, shape: tuple[int, int], rng: np.random.Generator
) -> tuple[IntArray, IntArray]:
    """All see one normal quality through normal noise, and cut what they see into levels."""
    r, c = margins(design.human, design.judge)
    between = correlation_for(design.agreement_of_humans, design.weights, r)
    across = correlation_for(design.kappa, design.weights, r, c)
    clear, judges = math.sqrt(between), across / math.sqrt(between)
    quality = rng.standard_normal(shape)
    noise = rng.standard_normal((*shape, design.raters))
    seen = clear * quality[..., None] + math.sqrt(1 - between) * noise
    read = judges * quality + math.sqrt(max(1 - judges**2, 0.0)) * rng.standard_normal(shape)
    return np.searchsorted(_cuts(r), seen), np.searchsorted(_cuts(c), read)


def _levels(shares: FloatArray, u: FloatArray) -> IntArray:
    """Return the level whose stretch of [0, 1) holds each u."""
    edges = np.cumsum(shares)[:-1] / shares.sum()
    return np.searchsorted(edges, u, side="right")


def _cuts(shares: FloatArray) -> FloatArray:
    normal = NormalDist()
    below = np.clip(np.cumsum(shares)[:-1], 1e-15, 1 - 1e-15)
    return np.array([normal.inv_cdf(float(p)) for p in below])
