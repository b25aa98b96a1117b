"""Does what the judge says contradict that two samples are of one population?

Whether labelled and scored items come from one population is for the user to say. But the judge
spoke of both, and drawn at random from one population they would get the same levels up to chance.
Agreement proves nothing; a contradiction is worth a remark.
"""

from __future__ import annotations

from statistics import NormalDist

import numpy as np

from judgekit.stats.samples import Sample, cases_of, inflation


def same_population_p(labelled: Sample, judged: Sample) -> float | None:
    """Probability of judge levels at least as far apart by chance, in [0, 1]; small contradicts.

    The share of each level in the two samples is compared by
    z = (difference) / sqrt(p (1 - p) (1 / n + 1 / N)), p pooled, with effective numbers for weights
    and the design effect for cases; the answer is the smallest two-sided p times the number of
    levels (Bonferroni). None when a sample is empty. It needs no labels.

    Raises:
        ValueError: The samples have different scales.
    """
    if labelled.k != judged.k:
        raise ValueError("the samples have different scales")
    if not len(labelled) or not len(judged):
        return None
    n, N = labelled.n_eff, judged.n_eff
    first, second = labelled.judged(), judged.judged()
    pooled = (n * first + N * second) / (n + N)
    used = (pooled > 0) & (pooled < 1)
    if not used.any():
        return 1.0
    each = np.eye(labelled.k)
    a = labelled.shares[:, None] * (each[labelled.judge] - first)
    b = judged.shares[:, None] * (each[judged.judge] - second)
    cases = cases_of(labelled, judged)
    effect = inflation(a, b, cases, cases.mean_size) * labelled.inflation
    variance = pooled * (1 - pooled) * (1 / n + 1 / N) * effect
    z = np.abs(first - second)[used] / np.sqrt(variance[used])
    return min(1.0, int(used.sum()) * 2 * NormalDist().cdf(-float(z.max())))
