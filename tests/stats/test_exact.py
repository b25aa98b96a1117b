import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgekit.stats import Estimate, Undefined, identity, kappa, path_score, wilson
from judgekit.stats.arrays import FloatArray
from judgekit.stats.exact import (
    clopper_pearson,
    jeffreys,
    kappa_fixed_margins,
    newcombe_independent,
    rule_of_three,
    zero_events,
)
from tests.stats.strategies import tables, unhurried

COUNTS = st.integers(1, 60).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


def estimate(found: Estimate | Undefined) -> Estimate:
    """The estimate, where there must be one."""
    assert isinstance(found, Estimate)
    return found


def binomial_tail(x: int, n: int, p: float) -> float:
    """Probability of x or more of n."""
    return sum(math.comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(x, n + 1))


def test_clopper_pearson_by_its_definition() -> None:
    """At low, as many as seen has probability 2.5%; at high, as few as seen."""
    found = estimate(clopper_pearson(3, 20))

    assert binomial_tail(3, 20, found.low) == pytest.approx(0.025, abs=1e-12)
    assert 1 - binomial_tail(4, 20, found.high) == pytest.approx(0.025, abs=1e-12)
    assert (found.value, found.n, found.method) == (0.15, 20, "clopper_pearson")


def test_clopper_pearson_of_none_and_all() -> None:
    """The closed forms: (a/2)^(1/n)."""
    end = 0.025 ** (1 / 20)
    none, full = estimate(clopper_pearson(0, 20)), estimate(clopper_pearson(20, 20))

    assert (none.low, none.high) == (0, pytest.approx(1 - end))
    assert (full.low, full.high) == (pytest.approx(end), 1)


def test_jeffreys_mends_its_ends() -> None:
    """The posterior of 0 of 20 does not reach 0; the interval does."""
    none, full = estimate(jeffreys(0, 20)), estimate(jeffreys(20, 20))

    assert (none.low, full.high) == (0, 1)
    assert none.high == pytest.approx(1 - full.low) == pytest.approx(0.11663898, abs=1e-8)


@given(COUNTS, st.floats(0.5, 0.999))
@unhurried
def test_shares_hold_their_value(case: tuple[int, int], confidence: float) -> None:
    """In order, mirrored for failures, and the exact one is widest."""
    x, n = case
    exact = estimate(clopper_pearson(x, n, confidence=confidence))
    even = estimate(jeffreys(x, n, confidence=confidence))
    for found, function in ((exact, clopper_pearson), (even, jeffreys)):
        mirror = estimate(function(n - x, n, confidence=confidence))

        assert 0 <= found.low <= found.value <= found.high <= 1
        assert (1 - mirror.high, 1 - mirror.low) == pytest.approx((found.low, found.high), abs=1e-9)
    assert exact.low <= even.low + 1e-12
    assert exact.high >= even.high - 1e-12


@pytest.mark.parametrize("n", [1, 2, 20, 300, 10_000])
def test_zero_events_by_its_definition(n: int) -> None:
    """At the bound, no event in n tries has probability 5%."""
    bound = zero_events(n)
    assert isinstance(bound, float)

    assert (1 - bound) ** n == pytest.approx(0.05)
    assert zero_events(n, confidence=0.975) == pytest.approx(
        estimate(clopper_pearson(0, n)).high, abs=1e-12
    )
    thumb = rule_of_three(n)
    assert isinstance(thumb, float)
    assert bound <= thumb == min(1, 3 / n)


def test_newcombe_of_the_paper() -> None:
    """Newcombe (1998): 56/70 - 48/80 is .2, from .0524 to .3339."""
    found = estimate(newcombe_independent((56, 70), (48, 80)))

    assert found.value == pytest.approx(0.2)
    assert (found.low, found.high) == pytest.approx((0.0524, 0.3339), abs=5e-5)
    assert (found.n, found.method) == (150, "newcombe_independent")


def test_newcombe_by_hand() -> None:
    """The ends add in squares."""
    first, second = estimate(wilson(7, 10)), estimate(wilson(2, 12))
    found = estimate(newcombe_independent((7, 10), (2, 12)))

    below = math.hypot(first.value - first.low, second.high - second.value)
    above = math.hypot(first.high - first.value, second.value - second.low)
    value = 0.7 - 1 / 6
    assert (found.low, found.high) == pytest.approx((value - below, value + above))


@given(COUNTS, COUNTS, st.floats(1, 5))
@unhurried
def test_newcombe_mirrors(one: tuple[int, int], two: tuple[int, int], effect: float) -> None:
    """Swapping the samples turns the interval round; clusters widen it; it stays in [-1, 1]."""
    found = estimate(newcombe_independent(one, two))
    other = estimate(newcombe_independent(two, one))
    sizes = (one[1] / effect, two[1] / effect)
    wide = estimate(newcombe_independent(one, two, n_eff=sizes, df=20))

    assert (-other.high, -other.low) == pytest.approx((found.low, found.high), abs=1e-12)
    assert -1 - 1e-12 <= found.low <= found.value <= found.high <= 1 + 1e-12
    assert wide.low <= found.low
    assert wide.high >= found.high


@pytest.mark.parametrize(
    ("table", "low"),
    [
        ([[10, 0], [0, 10]], 0.6631330580338291),
        ([[18, 0], [0, 2]], 0.06425849453841431),
    ],
)
def test_fixed_margins_are_no_point(table: list[list[int]], low: float) -> None:
    """Perfect agreement: (L - p_e) / (1 - p_e) with L = .025^(1/20)."""
    found = estimate(kappa_fixed_margins(table))
    n, trace = 20, 0.025 ** (1 / 20)
    chance = sum((row + column) ** 2 for row, column in zip(*table, strict=True)) / n**2

    assert found.low == pytest.approx((trace - chance) / (1 - chance)) == pytest.approx(low)
    assert (found.value, found.high) == (1, 1)


@given(tables())
@unhurried
def test_fixed_margins_hold_their_value(table: FloatArray) -> None:
    """Around kappa; with ample data much like the path-score interval."""
    found = estimate(kappa_fixed_margins(table))

    assert found.low <= found.value <= found.high
    assert found.value == pytest.approx(kappa(table, identity(len(table))))


def test_fixed_margins_are_near_the_path_score() -> None:
    """For balanced margins the two differ little."""
    table = [[80, 20], [20, 80]]
    found, expected = estimate(kappa_fixed_margins(table)), estimate(path_score(table, identity(2)))

    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=0.015)


def test_nothing_is_undefined() -> None:
    """0 of 0 is no proportion, and one level has no kappa."""
    assert clopper_pearson(0, 0, method="m") == Undefined("empty", 0, "m")
    assert jeffreys(0, 0) == Undefined("empty", 0, "jeffreys")
    assert zero_events(0) == Undefined("empty", 0, "zero_events")
    assert rule_of_three(0) == Undefined("empty", 0, "rule_of_three")
    assert newcombe_independent((0, 0), (3, 5)) == Undefined("empty", 5, "newcombe_independent")
    assert newcombe_independent((3, 5), (0, 0)) == Undefined("empty", 5, "newcombe_independent")
    single = Undefined("single_category", 9, "cohen_kappa/fixed_margins")
    assert kappa_fixed_margins([[9, 0], [0, 0]]) == single


@pytest.mark.parametrize("counts", [(-1, 5), (6, 5), (1.5, 5), (1, 2.5), (float("nan"), 5)])
def test_impossible_counts(counts: tuple[float, float]) -> None:
    """Exact intervals count whole things."""
    for function in (clopper_pearson, jeffreys):
        with pytest.raises(ValueError, match=r"successes|whole"):
            function(*counts)
    with pytest.raises(ValueError, match="whole"):
        zero_events(2.5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="confidence"):
        clopper_pearson(1, 5, confidence=95)
    with pytest.raises(ValueError, match="confidence"):
        zero_events(5, confidence=1.0)
    with pytest.raises(ValueError, match="whole"):
        kappa_fixed_margins([[1.5, 1], [1, 2]])
