import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgekit.stats import Estimate, Undefined, critical, newcombe_paired, wilson
from tests.stats.strategies import unhurried

CELLS = st.lists(st.integers(0, 40), min_size=4, max_size=4).filter(any)


def estimate(found: Estimate | Undefined) -> Estimate:
    """The estimate, where there must be one."""
    assert isinstance(found, Estimate)
    return found


def test_wilson_by_hand() -> None:
    """Three of twenty, z^2 = 3.841459."""
    # centre (.15 + 3.841459/40) / (1 + 3.841459/20) = .2460365 / 1.1920729 = .2063938
    # half   1.959964 * sqrt(.15 * .85 / 20 + 3.841459 / 1600) / 1.1920729 = .1540251
    found = estimate(wilson(3, 20))

    assert (found.low, found.high) == pytest.approx((0.0523687, 0.3604189), abs=1e-7)
    assert (found.value, found.n, found.method) == (0.15, 20, "wilson")


def test_wilson_ends_are_exact() -> None:
    """0 of n starts at 0, n of n ends at 1; neither collapses."""
    # 0 of n: high = z^2 / (n + z^2)
    z2 = critical(0.95) ** 2
    none, full = estimate(wilson(0, 20)), estimate(wilson(20, 20))

    assert (none.low, none.high) == (0, pytest.approx(z2 / (20 + z2)))
    assert (full.low, full.high) == (pytest.approx(20 / (20 + z2)), 1)


def test_wilson_solves_its_equation() -> None:
    """At both ends the true proportion is z standard errors, of its own, away."""
    found, z = estimate(wilson(7, 30, confidence=0.9)), critical(0.9)
    for p in (found.low, found.high):
        assert abs(7 / 30 - p) == pytest.approx(z * math.sqrt(p * (1 - p) / 30))


@given(st.integers(0, 200), st.integers(1, 200), st.floats(1, 10))
@unhurried
def test_wilson_holds_its_value(successes: int, n: int, effect: float) -> None:
    """0 <= low <= p <= high <= 1, wider for a smaller effective n, mirrored for failures."""
    successes = min(successes, n)
    plain = estimate(wilson(successes, n))
    wide = estimate(wilson(successes, n, n_eff=n / effect, df=30))
    mirror = estimate(wilson(n - successes, n))

    assert 0 <= wide.low <= plain.low <= plain.value <= plain.high <= wide.high <= 1
    assert (1 - mirror.high, 1 - mirror.low) == pytest.approx((plain.low, plain.high), abs=1e-12)


def test_wilson_of_nothing_is_undefined() -> None:
    """0 of 0 is no proportion."""
    assert wilson(0, 0, method="m") == Undefined("empty", 0, "m")


@pytest.mark.parametrize(
    ("successes", "n", "n_eff"), [(-1, 5, None), (6, 5, None), (float("nan"), 5, None), (1, 5, 0)]
)
def test_wilson_refuses_impossible_counts(successes: float, n: float, n_eff: float | None) -> None:
    """More successes than tries, or an effective number of nothing."""
    with pytest.raises(ValueError, match=r"successes|n_eff"):
        wilson(successes, n, n_eff=n_eff)


def test_newcombe_of_the_paper() -> None:
    """Newcombe (1998): 36 both, 12 only the first, 2 only the second; method 10."""
    found = estimate(newcombe_paired([[36, 12], [2, 0]]))

    # p1 = 48/50, p2 = 38/50
    assert found.value == pytest.approx(0.2)
    assert (found.low, found.high) == pytest.approx((0.0569, 0.3404), abs=5e-5)
    assert (found.n, found.method) == (50, "newcombe")


def test_newcombe_by_hand_without_correlation() -> None:
    """A positive association smaller than n/2 is corrected to phi = 0: the ends add in squares."""
    # T = 6 4; 4 6: ad - bc = 20, n/2 = 10 -> (20 - 10)/100 = .1, so not 0: phi = .1
    # T = 5 5; 4 6: ad - bc = 10, n/2 = 10 -> phi = 0
    found = estimate(newcombe_paired([[5, 5], [4, 6]]))
    first, second = estimate(wilson(10, 20)), estimate(wilson(9, 20))
    below = math.hypot(first.value - first.low, second.high - second.value)

    assert found.low == pytest.approx(0.05 - below)


@given(CELLS)
@unhurried
def test_newcombe_mirrors(cells: list[int]) -> None:
    """Swapping the two, or passing and failing, turns the difference round."""
    a, b, c, d = cells
    found = estimate(newcombe_paired([[a, b], [c, d]]))
    for table in ([[a, c], [b, d]], [[d, c], [b, a]]):
        other = estimate(newcombe_paired(table))

        assert (other.low, other.high) == pytest.approx((-found.high, -found.low), abs=1e-9)


@given(CELLS, st.floats(1, 10))
@unhurried
def test_newcombe_holds_its_value(cells: list[int], effect: float) -> None:
    """-1 <= low <= value <= high <= 1, and a smaller effective n is wider."""
    a, b, c, d = cells
    n = a + b + c + d
    plain = estimate(newcombe_paired([[a, b], [c, d]]))
    wide = estimate(newcombe_paired([[a, b], [c, d]], n_eff=n / effect))

    assert -1 <= plain.low <= plain.value <= plain.high <= 1
    assert wide.low <= plain.low + 1e-9
    assert wide.high >= plain.high - 1e-9


def test_newcombe_does_not_collapse() -> None:
    """No disagreement in thirty pairs: the difference is 0, give or take."""
    found = estimate(newcombe_paired([[15, 0], [0, 15]]))

    assert found.value == 0
    assert found.low < -0.01
    assert found.high > 0.01


def test_newcombe_of_nothing_is_undefined() -> None:
    """No pairs, no difference; and only a 2 x 2 table has one."""
    assert newcombe_paired([[0, 0], [0, 0]]) == Undefined("empty", 0, "newcombe")
    with pytest.raises(ValueError, match="2 x 2"):
        newcombe_paired([[1, 2, 3]] * 3)
    with pytest.raises(ValueError, match="2 x 2"):
        newcombe_paired([[1, -2], [3, 4]])
