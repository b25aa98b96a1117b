import numpy as np
import pytest

from judgekit.stats import Estimate, Pairs, Undefined, critical
from judgekit.stats.means import bounded_mean
from judgekit.stats.proportions import wilson_bounds


def units(n: int, **more: object) -> Pairs:
    """Nothing in particular, n times."""
    return Pairs(np.zeros(n, int), np.zeros(n, int), 1, **more)  # type: ignore[arg-type]


def mean_of(numbers: list[float], least: float = 0.0, largest: float = 4.0) -> Estimate:
    """The mean with its interval, where there must be one."""
    array = np.array(numbers)
    found = bounded_mean(array, units(array.size), least=least, largest=largest, method="m")
    assert isinstance(found, Estimate)
    return found


def test_by_hand() -> None:
    """0 1 1 2 of at most 4: p = 1/4, s^2 = 1/24, worth 4 * 3/16 * 24 = 18 shares."""
    found = mean_of([0, 1, 1, 2])
    low, high = wilson_bounds(0.25, 18, critical(0.95, 3))

    assert (found.value, found.low, found.high) == pytest.approx((1, 4 * low, 4 * high))


def test_units_do_not_matter() -> None:
    """Another zero and another unit move the interval along."""
    plain, moved = mean_of([0, 1, 3, 2]), mean_of([-10, 0, 20, 10], -10, 30)

    assert (moved.value, moved.low, moved.high) == pytest.approx(
        (10 * plain.value - 10, 10 * plain.low - 10, 10 * plain.high - 10)
    )


def test_turned_round_it_is_turned_round() -> None:
    """What is left to the largest value has the mirrored interval."""
    here, there = mean_of([0, 1, 1, 4]), mean_of([4, 3, 3, 0])

    assert (there.low, there.high) == pytest.approx((4 - here.high, 4 - here.low))


def test_no_spread_is_no_certainty() -> None:
    """Twenty times 1: Wilson's limit of 0 of 20 may have been 0, or 4."""
    found, unseen = mean_of([1] * 20), wilson_bounds(0, 20, critical(0.95))[1]

    assert (found.low, found.high) == pytest.approx((1 - unseen, 1 + 3 * unseen))


@pytest.mark.parametrize("numbers", [[0.0, 5.0], [-1.0, 0.0], [0.0, float("nan")]])
def test_numbers_keep_to_their_range(numbers: list[float]) -> None:
    """A number that is not possible is an error."""
    with pytest.raises(ValueError, match="outside"):
        mean_of(numbers)


def test_too_little() -> None:
    """Nothing, one number, nine clusters."""
    for n, reason in ((0, "empty"), (1, "zero_variance")):
        found = bounded_mean(np.zeros(n), units(n), least=0, largest=1, method="m")
        assert found == Undefined(reason, n, "m", n)  # type: ignore[arg-type]
    nine = units(18, clusters=np.arange(18) // 2)
    found = bounded_mean(np.arange(18) / 18, nine, least=0, largest=1, method="m")
    assert isinstance(found, Undefined)
    assert found.reason == "too_few_clusters"


def test_weights_move_the_mean() -> None:
    """A number of weight 3 among three of weight 1."""
    pairs = units(4, weight=np.array([3.0, 1, 1, 1]))
    found = bounded_mean(np.array([4.0, 0, 0, 0]), pairs, least=0, largest=4, method="m")
    assert isinstance(found, Estimate)

    assert found.value == pytest.approx(2)
    assert found.design_effect > 1


@pytest.mark.parametrize("shares", [[0.95, 0.05, 0, 0, 0], [0.8, 0.15, 0.05, 0, 0]])
def test_the_truth_is_held(shares: list[float]) -> None:
    """Small errors of a good judge: about 95% of the intervals hold their mean."""
    rng, truth, held = np.random.default_rng(4), float(np.dot(shares, range(5))), 0
    for numbers in rng.choice(5, size=(400, 60), p=shares).astype(float):
        found = mean_of(list(numbers))
        held += found.low <= truth <= found.high

    # 0.93 is 0.95 less two Monte Carlo errors
    assert held / 400 >= 0.93
