"""What a significance test found."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class HypothesisTest:
    """A test statistic and how surprising it is.

    Attributes:
        statistic: The test statistic.
        p: Two-sided p-value: the probability, if the hypothesis is true, of a statistic at least as
            far from it. A large one is no proof of the hypothesis.
        n: How many things it rests on.
        method: Which test, for example ``mcnemar/exact``.
        df: Degrees of freedom of the chi-squared distribution, or None for an exact test.
    """

    statistic: float
    p: float
    n: int
    method: str
    df: int | None = None


def chi_squared(statistic: float, df: int, *, n: int, method: str) -> HypothesisTest:
    """Return the test whose statistic is chi-squared with ``df`` degrees of freedom."""
    from scipy.special import chdtrc

    return HypothesisTest(statistic, float(chdtrc(df, statistic)), n, method, df)
