import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from judgekit.stats import (
    Estimate,
    Undefined,
    bounds,
    critical,
    identity,
    kappa,
    linear,
    path_score,
    quadratic,
    with_disagreeing,
)
from judgekit.stats.arrays import FloatArray
from tests.stats.strategies import tables, unhurried, weighted_tables

Weighted = tuple[FloatArray, FloatArray]


def estimate(table: object, weights: FloatArray, **more: float) -> Estimate:
    """The interval, where there must be one."""
    found = path_score(table, weights, **more)  # type: ignore[arg-type]
    assert isinstance(found, Estimate)
    return found


@pytest.mark.parametrize(
    ("table", "low"),
    [
        pytest.param([[10, 0], [0, 10]], 0.6777496838943613, id="20-balanced"),
        pytest.param([[18, 0], [0, 2]], 0.34822773266834434, id="20-skewed"),
        pytest.param([[4, 0], [0, 4]], 0.35118487023223954, id="8-balanced"),
    ],
)
def test_no_disagreement_is_no_proof(table: list[list[int]], low: float) -> None:
    """Perfect agreement leaves room below; other intervals would say [1, 1]."""
    found = estimate(table, identity(2))

    assert found.low == pytest.approx(low, abs=1e-8)
    assert (found.value, found.high) == (1, 1)


def test_low_of_perfect_agreement_by_hand() -> None:
    """Twenty agreements on two balanced levels have a closed form."""
    # On the path P_t: margins 1/2, kappa 1 - t, and for balanced tables n SE^2 = 1 - kappa^2.
    # kappa - kappa(P_t) = t = z sqrt((2t - t^2) / n)  =>  t = 2 z^2 / (n + z^2)
    z2 = critical(0.95) ** 2

    assert estimate([[10, 0], [0, 10]], identity(2)).low == pytest.approx(1 - 2 * z2 / (20 + z2))


@pytest.mark.parametrize(
    ("table", "weights", "confidence", "low", "high"),
    [
        # Cohen (1960), Fleiss, Cohen and Everitt (1969), Altman (1991): unequal margins.
        pytest.param(
            [[88, 14, 18], [10, 40, 10], [2, 6, 12]],
            identity(3),
            0.95,
            0.38711527282088026,
            0.5875053088599446,
            id="cohen-1960",
        ),
        pytest.param(
            [[106, 10, 4], [22, 28, 10], [2, 12, 6]],
            identity(3),
            0.90,
            0.33686022202623134,
            0.5156219871069675,
            id="fleiss-1969",
        ),
        pytest.param(
            [[21, 12, 0, 0], [4, 17, 1, 0], [3, 9, 15, 2], [0, 0, 0, 1]],
            identity(4),
            0.95,
            0.3251814263943458,
            0.6076697670630422,
            id="altman-1991",
        ),
        # A negative kappa: the path down has no crossing, so low is kappa - z SE(r c').
        pytest.param(
            [[118, 5], [2, 0]],
            identity(2),
            0.95,
            -0.18093518758051164,
            0.44171113717549626,
            id="negative",
        ),
    ],
)
def test_known_intervals(
    table: list[list[int]], weights: FloatArray, confidence: float, low: float, high: float
) -> None:
    """Published tables with intervals computed elsewhere."""
    found = estimate(table, weights, confidence=confidence)

    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-8)
    assert found.confidence == confidence


def test_what_the_estimate_says_of_itself() -> None:
    """Method, size and design effect are on the label."""
    found = path_score([[8, 2], [1, 9]], identity(2), design_effect=2.0, df=11, method="qwk")

    assert isinstance(found, Estimate)
    assert replace(found, value=0, low=0, high=0) == Estimate(
        0, 0, 0, 20, "qwk/path_score", 0.95, design_effect=2.0
    )


@pytest.mark.parametrize(
    ("table", "reason"),
    [([[0, 0], [0, 0]], "empty"), ([[9, 0], [0, 0]], "single_category"), ([[0, 1], [0, 0]], None)],
)
def test_undefined(table: list[list[int]], reason: str | None) -> None:
    """Where there is no kappa there is no interval; in a stack it is nan."""
    found = path_score(table, identity(2), method="m")
    low, high = bounds(np.array([table, [[3, 1], [1, 3]]]), identity(2), z=1.96)

    assert isinstance(found, Undefined)
    assert (found.reason, found.method) == (reason or "single_category", "m/path_score")
    assert np.isnan(low).tolist() == np.isnan(high).tolist() == [True, False]


@given(weighted_tables(), st.floats(0.5, 0.999))
@unhurried
def test_the_value_lies_inside(drawn: Weighted, confidence: float) -> None:
    """-1 <= low <= value <= high <= 1."""
    found = estimate(*drawn, confidence=confidence)

    assert -1 <= found.low <= found.value <= found.high <= 1


@given(weighted_tables())
@unhurried
def test_doubt_remains_above_chance(drawn: Weighted) -> None:
    """A kappa above 0 always has a low end strictly below it, however perfect the table."""
    found = estimate(*drawn)
    assume(found.value > 1e-6)

    assert found.low < found.value


@given(weighted_tables())
@unhurried
def test_raters_may_swap(drawn: Weighted) -> None:
    """The interval is the same from both sides."""
    table, w = drawn
    here, there = estimate(table, w), estimate(table.T, w)

    assert (here.low, here.high) == pytest.approx((there.low, there.high), abs=1e-6)


@given(weighted_tables(), st.floats(0.5, 0.95), st.floats(0.001, 0.049))
@unhurried
def test_more_confidence_is_wider(drawn: Weighted, confidence: float, more: float) -> None:
    """Intervals of one table are nested."""
    inner, outer = (
        estimate(*drawn, confidence=confidence),
        estimate(*drawn, confidence=confidence + more),
    )

    assert outer.low <= inner.low + 1e-9
    assert outer.high >= inner.high - 1e-9


@given(weighted_tables(), st.floats(1, 8), st.integers(9, 60))
@unhurried
def test_clusters_only_widen(drawn: Weighted, effect: float, df: int) -> None:
    """A design effect and Student's t never narrow the interval."""
    plain, wide = estimate(*drawn), estimate(*drawn, design_effect=effect, df=df)

    assert wide.low <= plain.low + 1e-9
    assert wide.high >= plain.high - 1e-9


@given(weighted_tables(), st.integers(2, 6))
@unhurried
def test_a_design_effect_is_a_smaller_table(drawn: Weighted, effect: int) -> None:
    """T times m with design effect m is T."""
    table, w = drawn
    once, repeated = estimate(table, w), estimate(table * effect, w, design_effect=effect)

    assert (once.low, once.high) == pytest.approx((repeated.low, repeated.high), abs=1e-6)


@given(tables(max_k=2))
@unhurried
def test_two_levels_have_one_interval(table: FloatArray) -> None:
    """With two levels the weights do not matter."""
    found = [estimate(table, w) for w in (identity(2), linear([0, 1]), quadratic([0, 1]))]

    assert found[0] == found[1] == found[2]


@given(tables(max_k=4))
@unhurried
def test_an_unused_unordered_level_changes_nothing(table: FloatArray) -> None:
    """A nominal level nobody used leaves the interval alone."""
    k = table.shape[0]
    wider = np.zeros((k + 1, k + 1))
    wider[:k, :k] = table
    here, there = estimate(table, identity(k)), estimate(wider, identity(k + 1))

    assert (here.low, here.high) == pytest.approx((there.low, there.high), abs=1e-6)


@given(st.lists(tables(min_k=3, max_k=3), min_size=1, max_size=5), st.data())
@unhurried
def test_a_stack_is_its_tables(stack: list[FloatArray], data: st.DataObject) -> None:
    """Many tables at once, each with its own z and n, give what each gives alone."""
    w, size = quadratic([1, 2, 5]), len(stack)
    zs = np.array(data.draw(st.lists(st.floats(0.5, 4), min_size=size, max_size=size)))
    sizes = np.array(data.draw(st.lists(st.floats(2, 500), min_size=size, max_size=size)))

    low, high = bounds(np.stack(stack), w, z=zs, n_eff=sizes)

    for row, table in enumerate(stack):
        alone = bounds(table[None], w, z=float(zs[row]), n_eff=float(sizes[row]))
        np.testing.assert_allclose((low[row], high[row]), (alone[0][0], alone[1][0]), atol=1e-6)


@given(tables(min_k=2, max_k=3), st.integers(1, 9))
@unhurried
def test_unusable_answers_lower_the_bound(table: FloatArray, n: int) -> None:
    """Taking right answers away from a judge lowers kappa, and a low end that means something.

    Below 0.2 it may creep up: a handful of pairs says nothing either way.
    """
    k = table.shape[0]
    level = int(np.argmax(np.diag(table)))
    assume(table[level, level] > n and float(kappa(table, identity(k))) > 0)  # type: ignore[arg-type]
    wider = np.zeros((k + 1, k + 1))
    wider[:k, :k] = table
    before = estimate(wider, with_disagreeing(identity(k), 1))
    wider[level, level] -= n
    wider[level, k] += n
    after = estimate(wider, with_disagreeing(identity(k), 1))

    assert after.value <= before.value + 1e-12
    assert after.low <= max(before.low + 1e-9, 0.2)


def test_the_low_end_needs_no_diagonal_in_the_extra_column() -> None:
    """Whether two unusable answers would agree matters to the high end only."""
    table, w = np.array([[20.0, 3, 2], [4, 18, 1], [0, 0, 0]]), with_disagreeing(identity(2), 1)
    never = w.copy()
    never[2, 2] = 0

    assert estimate(table, w).low == pytest.approx(estimate(table, never).low, abs=1e-12)
    assert estimate(table, w).high > estimate(table, never).high


def test_many_pairs_give_the_wald_interval() -> None:
    """With a million pairs the interval is value ± z SE."""
    # balanced: SE = sqrt((1 - kappa^2) / n), kappa = .6
    table, n = np.array([[400_000, 100_000], [100_000, 400_000]]), 1_000_000
    half = critical(0.95) * math.sqrt((1 - 0.36) / n)
    found = estimate(table, identity(2))

    assert (found.low, found.high) == pytest.approx((0.6 - half, 0.6 + half), abs=1e-5)


def test_one_sided_bounds_are_two_sided_ends() -> None:
    """The one-sided 95% bound is the low end at two-sided 90%."""
    low, _ = bounds(np.array([[[20, 3], [4, 18]]]), identity(2), z=1.6448536269514722)

    assert estimate([[20, 3], [4, 18]], identity(2), confidence=0.9).low == pytest.approx(low[0])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"confidence": 95}, "confidence"),
        ({"design_effect": 0.0}, "design effect"),
        ({"design_effect": float("nan")}, "design effect"),
        ({"df": 0}, "t quantile"),
    ],
)
def test_numbers_out_of_range(arguments: dict[str, float], message: str) -> None:
    """A design effect of 0 is refused, like a confidence of 95."""
    with pytest.raises(ValueError, match=message):
        path_score([[8, 2], [1, 9]], identity(2), **arguments)  # type: ignore[arg-type]


def test_a_stack_has_three_dimensions() -> None:
    """One bare table is no stack, and weights must fit."""
    with pytest.raises(ValueError, match="tables are"):
        bounds(np.eye(2), identity(2), z=1.96)
    with pytest.raises(ValueError, match="tables are"):
        bounds(np.ones((4, 3, 3)), identity(2), z=1.96)
