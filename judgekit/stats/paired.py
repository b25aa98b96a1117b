"""Do two ratings of the same things differ systematically? Tests on a square table.

A table T has the first rating in its rows, the second in its columns, on one scale. Only the
cells off the diagonal tell the two apart. With b = T[0, 1] and c = T[1, 0] for two levels:

- McNemar: are b and c equal? Exact: twice the binomial tail of min(b, c) in b + c at 1/2.
- Stuart-Maxwell and Bhapkar: are the two margins equal? With d_i = row sum - column sum of level i
  and V its covariance when they are, the statistic is d' V^-1 d.
- Bowker: is the whole table symmetric? The sum of (T_ij - T_ji)^2 / (T_ij + T_ji).

For two levels the last three ask McNemar's question. Clustered things (several outputs of a case)
make all of these p-values too small: they count each pair as one independent look.

References: McNemar (1947), Psychometrika 12:153; Edwards (1948), Psychometrika 13:185; Fagerland,
Lydersen and Laake (2013), BMC Medical Research Methodology 13:91 (mid-p); Stuart (1955),
Biometrika 42:412; Maxwell (1970), British Journal of Psychiatry 116:651; Bhapkar (1966), JASA
61:228; Bowker (1948), JASA 43:572.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
import numpy.typing as npt

from judgekit.stats.arrays import FloatArray, square
from judgekit.stats.estimate import Undefined
from judgekit.stats.significance import HypothesisTest, chi_squared

Variant = Literal["exact", "midp", "chi2", "edwards"]


def mcnemar(table: npt.ArrayLike, variant: Variant = "exact") -> HypothesisTest | Undefined:
    """Test whether two ratings on two levels disagree equally often in both directions.

    ``exact`` is conditional on b + c and never too bold; its p is at most 1. ``midp`` takes half of
    the probability of the outcome seen out of each tail: bolder, and close to its level. ``chi2``
    is (b - c)^2 / (b + c) with one degree of freedom, ``edwards`` its continuity-corrected form
    (|b - c| - 1)^2 / (b + c), cut off at 0. The statistic of the first two is min(b, c).

    ``Undefined("empty")`` without pairs; ``Undefined("zero_variance")`` when b + c is 0, since then
    nothing was seen that could lean either way.

    Raises:
        ValueError: Not a 2 x 2 table of whole counts, or an unknown variant.
    """
    T, method = _checked(table), f"mcnemar/{variant}"
    if T.shape != (2, 2):
        raise ValueError("McNemar's test needs a 2 x 2 table")
    if variant not in ("exact", "midp", "chi2", "edwards"):
        raise ValueError(f"no variant of McNemar's test is called {variant!r}")
    b, c, n = float(T[0, 1]), float(T[1, 0]), round(float(T.sum()))
    if b + c == 0:
        return _nothing_seen(n, method)
    if variant in ("exact", "midp"):
        return HypothesisTest(min(b, c), _binomial_p(b, c, variant), n, method)
    gap = abs(b - c) - (1 if variant == "edwards" else 0)
    return chi_squared(max(gap, 0.0) ** 2 / (b + c), 1, n=n, method=method)


def stuart_maxwell(table: npt.ArrayLike) -> HypothesisTest | Undefined:
    """Test whether both ratings use the levels equally often (marginal homogeneity).

    d' V^-1 d with V_ii = row sum + column sum - 2 T_ii and V_ij = -(T_ij + T_ji), chi-squared with
    as many degrees of freedom as V has rank: one less than the levels that take part in a
    disagreement, when disagreements connect them all. Levels nobody used, and levels on which both
    always agree, take no part.

    ``Undefined("empty")`` without pairs; ``Undefined("zero_variance")`` without a disagreement.

    Raises:
        ValueError: Not a square table of counts.
    """
    return _marginal(_checked(table), "stuart_maxwell")


def bhapkar(table: npt.ArrayLike) -> HypothesisTest | Undefined:
    """Test marginal homogeneity with the variance not tied to the hypothesis: S / (1 - S / n).

    S is the Stuart-Maxwell statistic, and this one is always a little larger. The degrees of
    freedom are the same. Also ``Undefined("zero_variance")`` when every pair disagrees in one and
    the same direction, which leaves no variance (S = n).

    Raises:
        ValueError: Not a square table of counts.
    """
    T, method = _checked(table), "bhapkar"
    found = _marginal(T, method)
    if isinstance(found, Undefined):
        return found
    rest = 1 - found.statistic / float(T.sum())
    if rest < 1e-12:
        return Undefined("zero_variance", found.n, method)
    return chi_squared(found.statistic / rest, found.df or 0, n=found.n, method=method)


def bowker(table: npt.ArrayLike) -> HypothesisTest | Undefined:
    """Test whether the table is symmetric: each confusion as frequent as its reverse.

    The sum of (T_ij - T_ji)^2 / (T_ij + T_ji) over the pairs of levels that occur, chi-squared with
    as many degrees of freedom as there are such pairs. (Counting empty pairs too, as some programs
    do, makes p too large; dividing by their 0 makes it nan.)

    ``Undefined("empty")`` without pairs; ``Undefined("zero_variance")`` without a disagreement.

    Raises:
        ValueError: Not a square table of counts.
    """
    T = _checked(table)
    upper = np.triu_indices(T.shape[0], 1)
    there, back = T[upper], T.T[upper]
    used = there + back > 0
    n, df = round(float(T.sum())), int(used.sum())
    if df == 0:
        return _nothing_seen(n, "bowker")
    terms = (there - back)[used] ** 2 / (there + back)[used]
    return chi_squared(float(terms.sum()), df, n=n, method="bowker")


def _marginal(T: FloatArray, method: str) -> HypothesisTest | Undefined:
    """The Stuart-Maxwell test under a name."""
    n = round(float(T.sum()))
    apart = T + T.T
    np.fill_diagonal(apart, 0.0)
    V = np.diag(apart.sum(axis=1)) - apart
    df = int(np.linalg.matrix_rank(V, hermitian=True))
    if df == 0:
        return _nothing_seen(n, method)
    d = T.sum(axis=1) - T.sum(axis=0)
    statistic = float(d @ np.linalg.pinv(V, hermitian=True) @ d)
    return chi_squared(max(statistic, 0.0), df, n=n, method=method)


def _binomial_p(b: float, c: float, variant: str) -> float:
    """Two-sided p of a fair coin that fell on its sides b and c times."""
    from scipy.stats import binom

    if b != int(b) or c != int(c):
        raise ValueError("an exact test needs whole counts")
    fewer, total = min(b, c), b + c
    exact = min(1.0, 2 * float(binom.cdf(fewer, total, 0.5)))
    if variant == "exact":
        return exact
    # In the middle both tails share the one outcome, so it counts once.
    return exact - float(binom.pmf(fewer, total, 0.5)) * (0.5 if b == c else 1.0)


def _nothing_seen(n: int, method: str) -> Undefined:
    return Undefined("zero_variance" if n else "empty", n, method)


def _checked(table: npt.ArrayLike) -> FloatArray:
    T = square("table", table)
    if (T < 0).any():
        raise ValueError("the table holds a negative count")
    return T
