"""Strata: a sample drawn a stated number at a time from each part of a population.

The mean of a stratified sample, with N_h of the N things of the population and n_h of the sample in
stratum h, is the mean of the strata weighted by N_h / N, so each thing of the sample weighs
N_h / n_h. Only the spread *within* strata makes it uncertain:

    SE^2 = sum over h of (N_h / N)^2 s_h^2(u) / n_h

with s_h^2 the variance (denominator n_h - 1) of the influence values u in the stratum. Where things
come in clusters, sums over clusters take the place of u and the number of clusters that of n_h.

The weights carry N_h / N: with z = v u for weights v of mean 1, SE^2 = V / n^2 with V = sum over h
of n_h / (n_h - 1) * sum of (z - mean of z in h)^2. That is what :func:`within` computes. The only
unit of a stratum shows no spread; its z^2 counts whole, as that of a sample of its own.

Strata count only beside weights, which tell that they were sampled on purpose. A column of topics
of a random sample takes no spread away: how many things of each topic came was chance too.

Figures about part of a sample (recall: the things with one human level) are figures of the whole
sample in which everything else has z = 0. The zeros need not be there, but n_h counts them:
:class:`Strata` keeps how many units each stratum had when it was drawn.

Reference: Cochran (1977), Sampling Techniques, 3rd ed., chapters 5 and 5A.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from judgekit.stats.arrays import FloatArray, IntArray, compact


@dataclass(frozen=True, slots=True, eq=False)
class Strata:
    """The strata of G units.

    Attributes:
        of_unit: (G,) codes of the stratum of each unit, in ``0 .. H - 1``.
        unseen: (H,) how many more units were drawn in each stratum and are not among the G; or
            (B, H), where a stack of samples differs in that.
    """

    of_unit: IntArray
    unseen: IntArray | FloatArray

    @classmethod
    def of(cls, strata: IntArray, drawn: IntArray, units: IntArray) -> Strata:
        """Return the strata of the units ``0 .. G - 1``.

        ``strata`` (n,) and ``units`` (n,) are the codes of each pair; a unit lies in one stratum.
        ``drawn`` (H,) is the number of units drawn in each stratum.
        """
        of_unit = np.zeros(int(units.max(initial=-1)) + 1, dtype=np.int64)
        of_unit[units] = strata
        return cls(of_unit, drawn - np.bincount(of_unit, minlength=drawn.size))

    @property
    def count(self) -> int:
        """How many strata have a unit."""
        return int(np.unique(self.of_unit).size)


def within(sums: FloatArray, times: FloatArray, strata: Strata | None) -> FloatArray:
    """Sum of squares of a stack of samples, within strata: (B, G) weighted sums give (B,).

    ``times`` (B, G) or (1, G) says how often each unit stands in each sample. Without strata the
    units are one stratum whose mean is known to be 0.
    """
    if strata is None:
        G = times.sum(axis=1)
        whole: FloatArray = G / np.maximum(G - 1, 1) * (times * sums**2).sum(axis=1)
        return whole
    member = (strata.of_unit[:, None] == np.arange(strata.unseen.shape[-1])).astype(np.float64)
    n = times @ member + strata.unseen
    square, total = (times * sums**2) @ member, (times * sums) @ member
    lonely = n <= 1
    spread = square - np.where(lonely, 0.0, total**2 / np.maximum(n, 1))
    found: FloatArray = (np.where(lonely, 1.0, n / np.maximum(n - 1, 1)) * spread).sum(axis=1)
    return found


def merged(strata: IntArray, units: IntArray) -> IntArray:
    """Return (n,) strata codes in which strata that share a unit are one, renumbered.

    A unit that lies in two strata was not drawn within one of them. ``units`` are (n,) codes from
    0 on, none of them left out.
    """
    codes = compact(strata)
    label = np.arange(int(codes.max(initial=-1)) + 1)
    while True:
        first = np.full(int(units.max(initial=-1)) + 1, label.size, dtype=np.int64)
        np.minimum.at(first, units, label[codes])
        lowest = label.copy()
        np.minimum.at(lowest, codes, first[units])
        if (lowest == label).all():
            return compact(label[codes])
        label = lowest


def drawn(strata: IntArray, units: IntArray) -> IntArray:
    """Return how many units lie in each stratum; each unit lies in one."""
    of_unit = np.zeros(int(units.max(initial=-1)) + 1, dtype=np.int64)
    of_unit[units] = strata
    return np.bincount(of_unit, minlength=int(strata.max(initial=-1)) + 1).astype(np.int64)
