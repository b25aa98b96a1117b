import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgekit.stats import (
    Estimate,
    Pairs,
    Undefined,
    critical,
    mean_signed_error,
    newcombe_paired,
    rate_shift,
)
from judgekit.stats.clusters import design_effects
from tests.stats.strategies import pairs_of, unhurried

PASSES = [False, False, True]
VALUES = [1.0, 2.0, 3.0]


def estimate(found: Estimate | Undefined) -> Estimate:
    """The estimate, where there must be one."""
    assert isinstance(found, Estimate)
    return found


def test_a_kinder_judge_shifts_upwards() -> None:
    """The judge passes 11 of 20, the human 8: the table of passes goes to Newcombe."""
    # both pass 7, only the judge 4, only the human 1, neither 8
    pairs = pairs_of(np.array([[8.0, 4], [1, 7]]))
    found = estimate(rate_shift(pairs, [False, True]))
    expected = estimate(newcombe_paired([[7, 4], [1, 8]]))

    assert found.value == pytest.approx(3 / 20)
    assert (found.low, found.high) == (expected.low, expected.high)
    assert (found.n, found.pairs, found.method) == (20, 20, "pass_rate_shift/newcombe")


def test_only_the_pass_mark_counts() -> None:
    """Confusing two failing levels is no shift."""
    pairs = pairs_of(np.array([[0.0, 20, 0], [0, 0, 0], [0, 0, 20]]))

    assert estimate(rate_shift(pairs, PASSES)).value == 0


def test_unusable_answers_are_no_shift() -> None:
    """An unreadable answer is neither kind nor harsh: it is left out, and n says so."""
    table = np.array([[8.0, 4, 3], [1, 7, 2], [0, 0, 0]])
    pairs = pairs_of(table, extra=1)
    plain = pairs_of(table[:2, :2])

    assert rate_shift(pairs, [False, True]) == rate_shift(plain, [False, True])
    assert mean_signed_error(pairs, [0, 1]) == mean_signed_error(plain, [0, 1])


def test_clusters_widen_the_shift() -> None:
    """Four copies of each pair in a cluster are worth one, less the few degrees of freedom."""
    plain = pairs_of(np.array([[8.0, 4], [1, 7]]))
    four = Pairs(plain.human.repeat(4), plain.judge.repeat(4), 2, items=np.arange(20).repeat(4))
    found = estimate(rate_shift(four, [False, True]))

    # each cluster's sum is 4 d: design effect 4 * G/(G-1)
    assert (found.n, found.pairs, found.clusters) == (20, 80, 20)
    assert found.design_effect == pytest.approx(4 * 20 / 19)
    assert found.low < estimate(rate_shift(plain, [False, True])).low


def test_mean_signed_error_by_hand() -> None:
    """Differences 1, 1, 0, 0, -1 on the values: mean 1/5, sd by hand, t with 4 df."""
    human, judge = np.array([0, 1, 1, 2, 2]), np.array([1, 2, 1, 2, 1])
    found = estimate(mean_signed_error(Pairs(human, judge, 3), VALUES))

    # squared deviations .64 + .64 + .04 + .04 + 1.44 = 2.8; SE = sqrt(2.8 / 4 / 5)
    half = critical(0.95, 4) * (2.8 / 20) ** 0.5
    assert found.value == pytest.approx(0.2)
    assert (found.low, found.high) == pytest.approx((0.2 - half, 0.2 + half))
    assert found.method == "mean_signed_error/t"


def test_mean_signed_error_goes_by_values() -> None:
    """On levels 1, 2, 5 a step from 2 to 5 is worth 3."""
    pairs = pairs_of(np.array([[4.0, 0, 0], [0, 4, 4], [0, 0, 4]]))

    assert estimate(mean_signed_error(pairs, [1, 2, 5])).value == pytest.approx(12 / 16)


def test_mean_signed_error_clusters() -> None:
    """The standard error of n / design effect differences, t with G - 1 degrees of freedom."""
    rng = np.random.default_rng(2)
    human, judge, clusters = rng.integers(0, 3, 60), rng.integers(0, 3, 60), np.arange(60) // 5
    found = estimate(mean_signed_error(Pairs(human, judge, 3, clusters=clusters), VALUES))
    e = (judge - human) - (judge - human).mean()
    effect = design_effects(e[None], clusters)[0]

    half = critical(0.95, 11) * (effect * (e**2).sum() / 60**2) ** 0.5
    assert effect > 1
    assert (found.high - found.low) / 2 == pytest.approx(half)
    assert (found.n, found.pairs, found.clusters) == (60, 60, 12)


def test_a_perfect_judge_has_an_interval() -> None:
    """No spread seen is not no doubt: as if Wilson's limit of 0 of n had gone to the extremes."""
    codes = np.arange(30) % 3
    found = estimate(mean_signed_error(Pairs(codes, codes, 3), VALUES))
    unseen = critical(0.95) ** 2 / (30 + critical(0.95) ** 2)

    assert (found.value, found.low, found.high) == (
        0,
        pytest.approx(-2 * unseen),
        pytest.approx(2 * unseen),
    )


def test_a_constant_error_has_an_interval() -> None:
    """A judge always one level up: from there the extremes are 3 below and 1 above."""
    human = np.arange(40) % 2
    found = estimate(mean_signed_error(Pairs(human, human + 1, 3), VALUES))
    unseen = critical(0.95) ** 2 / (40 + critical(0.95) ** 2)

    assert (found.value, found.low, found.high) == (
        1,
        pytest.approx(1 - 3 * unseen),
        pytest.approx(1 + unseen),
    )


def test_undefined() -> None:
    """Nothing, one pair, nine clusters."""
    none = Pairs(np.zeros(0, int), np.zeros(0, int), 3)
    one = Pairs(np.array([0]), np.array([1]), 3)
    nine = Pairs(np.arange(18) % 3, np.arange(18) % 2, 3, clusters=np.arange(18) // 2)

    assert rate_shift(none, PASSES) == Undefined("empty", 0, "pass_rate_shift/newcombe", 0)
    assert mean_signed_error(none, VALUES) == Undefined("empty", 0, "mean_signed_error/t", 0)
    assert mean_signed_error(one, VALUES) == Undefined("zero_variance", 1, "mean_signed_error/t", 1)
    for found in (rate_shift(nine, PASSES), mean_signed_error(nine, VALUES)):
        assert isinstance(found, Undefined)
        assert (found.reason, found.n, found.pairs) == ("too_few_clusters", 18, 18)


@pytest.mark.parametrize("values", [[1, 2], [1, 2, float("nan")], [[1, 2, 3]]])
def test_values_speak_of_each_level(values: list[float]) -> None:
    """One finite value for each level."""
    with pytest.raises(ValueError, match="values must"):
        mean_signed_error(Pairs(np.array([0]), np.array([1]), 3), values)


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=2, max_size=60))
@unhurried
def test_swapping_the_raters_turns_the_shift(rows: list[tuple[int, int]]) -> None:
    """What the judge is to the human, the human is to the judge."""
    human, judge = np.array([h for h, _ in rows]), np.array([j for _, j in rows])
    for measure in (
        lambda pairs: rate_shift(pairs, PASSES),
        lambda pairs: mean_signed_error(pairs, VALUES),
    ):
        here = estimate(measure(Pairs(human, judge, 3)))
        there = estimate(measure(Pairs(judge, human, 3)))

        assert here.low <= here.value <= here.high
        assert (-there.high, -there.value, -there.low) == pytest.approx(
            (here.low, here.value, here.high), abs=1e-9
        )


def test_sampling_weights_move_the_mean() -> None:
    """One pair of weight 3 and error 1 among three of error 0: 3 of 6."""
    human, judge = np.array([0, 0, 1, 2]), np.array([1, 0, 1, 2])
    pairs = Pairs(human, judge, 3, weight=np.array([3.0, 1, 1, 1]))

    assert estimate(mean_signed_error(pairs, VALUES)).value == pytest.approx(0.5)
    assert estimate(rate_shift(pairs, [False, True, True])).value == pytest.approx(0.5)
