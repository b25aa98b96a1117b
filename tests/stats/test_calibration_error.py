import sys

import numpy as np
import pytest

from judgekit.stats import Undefined, critical
from judgekit.stats.calibration_error import CalibrationError, calibration_error
from judgekit.stats.probability import Forecasts
from judgekit.stats.proportions import wilson_bounds
from judgekit.stats.reliability import ece


def drawn(n: int, seed: int, power: float = 1.0, **more: np.ndarray) -> Forecasts:
    """Outcomes with the probability p ** power; a power of 1 is perfect calibration."""
    rng = np.random.default_rng(seed)
    p = rng.random(n)
    return Forecasts(p, (rng.random(n) < p**power).astype(int), **more)


def measured(forecasts: Forecasts, seed: int = 0, draws: int = 300) -> CalibrationError:
    """The error, where there must be one."""
    found = calibration_error(forecasts, np.random.default_rng(seed), draws=draws)
    assert isinstance(found, CalibrationError)
    return found


def test_the_parts_fit_together() -> None:
    """The error is that of the bins, the excess is what the floor leaves."""
    forecasts = drawn(150, 1)
    found = measured(forecasts)

    assert found.ece.value == ece(forecasts)
    assert found.excess == pytest.approx(found.ece.value - found.floor)
    assert found.edges == pytest.approx(np.linspace(0, 1, 11))
    assert found.ece.low <= found.ece.value <= found.ece.high
    assert found.floor < found.floor_high


def test_the_floor_is_the_mean_error_of_perfect_forecasts() -> None:
    """In one bin: the mean absolute deviation of a mean of coins, sqrt(2 / pi) / (2 sqrt(n))."""
    forecasts = Forecasts(np.full(400, 0.5), np.arange(400) % 2)
    found = calibration_error(forecasts, np.random.default_rng(1), bins=1, draws=4000)
    assert isinstance(found, CalibrationError)

    assert found.floor == pytest.approx(np.sqrt(2 / np.pi) / 40, rel=0.05)
    assert found.floor_high == pytest.approx(2.2414 / 40, rel=0.07)  # 97.5% of abs(normal)


def test_honest_forecasts_lie_on_the_floor() -> None:
    """Over many samples the mean error is the mean floor, and 0 is held."""
    found = [measured(drawn(100, seed)) for seed in range(60)]

    assert np.mean([f.excess for f in found]) == pytest.approx(0, abs=0.01)
    assert np.mean([f.ece.low == 0 for f in found]) >= 0.95


def test_dishonest_forecasts_are_found() -> None:
    """The cube of p is 0.25 off on average: above the floor, and the truth is held."""
    p = np.linspace(0, 1, 100_001)
    truth = float(np.abs(np.bincount(np.minimum((p * 10).astype(int), 9), p - p**3)).sum()) / p.size
    found = [measured(drawn(300, seed, power=3)) for seed in range(40)]

    assert all(f.ece.value > f.floor_high for f in found)
    assert np.mean([f.ece.low <= truth <= f.ece.high for f in found]) >= 0.9
    assert all(f.ece.low > 0 for f in found)


def test_the_same_dice_give_the_same_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other dice give others; drawing in blocks changes nothing."""
    forecasts = drawn(80, 2)
    found = measured(forecasts, 7)

    assert measured(forecasts, 7) == found
    assert measured(forecasts, 8) != found
    module = sys.modules["judgekit.stats.calibration_error"]  # the name is also the function's
    monkeypatch.setattr(module, "_BLOCK", 1000)
    again = measured(forecasts, 7)
    assert (again.floor, again.ece.high) == pytest.approx((found.floor, found.ece.high))


def test_clusters_widen_the_interval() -> None:
    """Four copies in a cluster: the reach is that of the quarter."""
    plain = drawn(100, 3)
    four = Forecasts(plain.p.repeat(4), plain.y.repeat(4), clusters=np.arange(100).repeat(4))
    wide, narrow = measured(four, draws=2000), measured(plain, draws=2000)

    assert wide.ece.high == pytest.approx(narrow.ece.high, abs=0.01)
    assert wide.ece.clusters == 100
    nine = drawn(18, 4, clusters=np.arange(18) // 2)
    few = calibration_error(nine, np.random.default_rng(1))
    assert few == Undefined("too_few_clusters", 18, "ece/resampled")


def test_weights_count_as_copies() -> None:
    """The floor of weighted forecasts is not that of copies, but the error is."""
    plain = drawn(60, 5)
    twice = np.where(np.arange(60) < 20, 2.0, 1.0)
    order = np.arange(60).repeat(twice.astype(int))
    weighted = measured(Forecasts(plain.p, plain.y, weight=twice))
    copied = measured(Forecasts(plain.p[order], plain.y[order]))

    assert weighted.ece.value == pytest.approx(copied.ece.value)
    assert weighted.floor > copied.floor


def test_no_spread_is_no_certainty() -> None:
    """Twenty certainties that came true: as far as Wilson's limit of 0 of 20."""
    y = np.arange(20) % 2
    found = measured(Forecasts(y.astype(float), y))

    assert (found.ece.value, found.floor) == (0, 0)
    assert found.ece.high == pytest.approx(wilson_bounds(0, 20, critical(0.95))[1])


def test_undefined() -> None:
    """Nothing, and one forecast."""
    rng = np.random.default_rng(1)
    none = Forecasts(np.zeros(0), np.zeros(0, int))

    assert calibration_error(none, rng) == Undefined("empty", 0, "ece/resampled")
    assert calibration_error(drawn(1, 1), rng) == Undefined("zero_variance", 1, "ece/resampled")
    with pytest.raises(ValueError, match="at least one draw"):
        calibration_error(drawn(5, 1), rng, draws=0)


def test_many_forecasts_leave_little_to_chance() -> None:
    """The floor goes down with the root of the number."""
    found = measured(drawn(100_000, 6), draws=3)

    assert found.ece.value < 0.01
    assert found.floor < 0.01
