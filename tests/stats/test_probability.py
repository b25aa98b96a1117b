import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgekit.stats import Estimate, Undefined
from judgekit.stats.means import bounded_mean
from judgekit.stats.probability import CLIP, Forecasts, brier, log_loss
from tests.stats.strategies import unhurried


def estimate(found: Estimate | Undefined) -> Estimate:
    """The estimate, where there must be one."""
    assert isinstance(found, Estimate)
    return found


def some(n: int, seed: int = 1, **more: np.ndarray) -> Forecasts:
    """Calibrated forecasts."""
    rng = np.random.default_rng(seed)
    p = rng.random(n)
    return Forecasts(p, (rng.random(n) < p).astype(int), **more)


def test_by_hand() -> None:
    """0.8 and it happened, 0.4 and it did not."""
    forecasts = Forecasts(np.array([0.8, 0.4]), np.array([1, 0]))

    assert estimate(brier(forecasts)).value == pytest.approx((0.04 + 0.16) / 2)
    assert estimate(log_loss(forecasts)).value == pytest.approx(-math.log(0.8 * 0.6) / 2)


def test_saying_half_says_nothing() -> None:
    """A quarter, and log 2."""
    forecasts = Forecasts(np.full(40, 0.5), np.arange(40) % 2)

    assert estimate(brier(forecasts)).value == pytest.approx(0.25)
    assert estimate(log_loss(forecasts)).value == pytest.approx(math.log(2))


def test_a_certain_mistake_has_a_price() -> None:
    """It costs -log(clip), not infinity."""
    forecasts = Forecasts(np.array([0.0, 1.0]), np.array([1, 1]))

    expected = (-math.log(CLIP) - math.log1p(-CLIP)) / 2
    assert estimate(log_loss(forecasts)).value == pytest.approx(expected)
    assert estimate(log_loss(forecasts, clip=0.01)).value == pytest.approx(
        -math.log(0.01 * 0.99) / 2
    )
    assert estimate(brier(forecasts)).value == 0.5


def test_intervals_are_those_of_means() -> None:
    """Of the scores of the single forecasts, with their clusters."""
    forecasts = some(60, clusters=np.arange(60) // 3)
    scores = (forecasts.p - forecasts.y) ** 2
    expected = bounded_mean(scores, forecasts.pairs, least=0, largest=1, method="brier/wilson")

    assert brier(forecasts) == expected
    assert estimate(expected).clusters == 20


def test_perfect_forecasts_have_an_interval() -> None:
    """Twenty certainties that came true prove little."""
    y = np.arange(20) % 2
    found = estimate(brier(Forecasts(y.astype(float), y)))

    assert (found.value, found.low) == (0, 0)
    assert found.high > 0.1
    assert estimate(log_loss(Forecasts(y.astype(float), y))).high > 1


def test_undefined() -> None:
    """Nothing, one, nine clusters."""
    none = Forecasts(np.zeros(0), np.zeros(0, int))
    one = Forecasts(np.array([0.3]), np.array([0]))
    nine = some(18, clusters=np.arange(18) // 2)

    for score, method in ((brier, "brier/wilson"), (log_loss, "log_loss/wilson")):
        assert score(none) == Undefined("empty", 0, method, 0)
        assert score(one) == Undefined("zero_variance", 1, method, 1)
        found = score(nine)
        assert isinstance(found, Undefined)
        assert found.reason == "too_few_clusters"


@pytest.mark.parametrize(
    ("p", "y", "message"),
    [
        ([0.5], [0, 1], "1 probabilities and 2 outcomes"),
        ([0.5, 1.1], [0, 1], "probability lies"),
        ([0.5, math.nan], [0, 1], "probability lies"),
        ([0.5, 0.1], [0, 2], "the scale has 2"),
    ],
)
def test_misuse_is_an_error(p: list[float], y: list[int], message: str) -> None:
    """What is no forecast is refused."""
    with pytest.raises(ValueError, match=message):
        Forecasts(np.array(p), np.array(y))
    with pytest.raises(ValueError, match="weight"):
        Forecasts(np.array([0.5]), np.array([1]), weight=np.array([-1.0]))
    with pytest.raises(ValueError, match="clip"):
        log_loss(some(5), clip=0.5)


@given(st.integers(0, 2**32 - 1), st.floats(0.05, 0.95))
@unhurried
def test_both_scores_are_proper(seed: int, lie: float) -> None:
    """Over outcomes drawn with 0.3, no other constant has a better expected score."""
    outcomes = np.array([1] * 3 + [0] * 7)
    order = np.random.default_rng(seed).permutation(10)
    for score in (brier, log_loss):
        honest = estimate(score(Forecasts(np.full(10, 0.3), outcomes[order])))
        other = estimate(score(Forecasts(np.full(10, lie), outcomes[order])))
        assert honest.value <= other.value + 1e-12


def test_weights_count_as_copies() -> None:
    """A weight of 2 is a second one of the same."""
    forecasts = some(30)
    twice = np.where(np.arange(30) < 10, 2.0, 1.0)
    order = np.arange(30).repeat(twice.astype(int))
    weighted = Forecasts(forecasts.p, forecasts.y, weight=twice)
    copied = Forecasts(forecasts.p[order], forecasts.y[order])

    assert estimate(brier(weighted)).value == pytest.approx(estimate(brier(copied)).value)
