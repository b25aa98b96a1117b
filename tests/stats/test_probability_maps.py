import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgekit.stats import Undefined
from judgekit.stats.arrays import FloatArray
from judgekit.stats.estimate import Estimate
from judgekit.stats.probability import CLIP, Forecasts, log_loss
from judgekit.stats.probability_maps import (
    Isotonic,
    Temperature,
    fit_isotonic,
    fit_temperature,
    out_of_fold,
)
from tests.stats.strategies import unhurried


def logit(p: FloatArray) -> FloatArray:
    """Log odds."""
    return np.log(p / (1 - p))


def overconfident(n: int, seed: int = 1, heat: float = 3.0, **more: np.ndarray) -> Forecasts:
    """Log odds ``heat`` times what they should be."""
    rng = np.random.default_rng(seed)
    truth = rng.uniform(0.1, 0.9, n)
    p = 1 / (1 + np.exp(-heat * logit(truth)))
    return Forecasts(p, (rng.random(n) < truth).astype(int), **more)


def temperature(forecasts: Forecasts) -> Temperature:
    """The fit, where there must be one."""
    found = fit_temperature(forecasts)
    assert isinstance(found, Temperature)
    return found


def test_temperature_by_hand() -> None:
    """0.9 throughout with 3 of 4 events: the mapped probability is 3/4."""
    found = temperature(Forecasts(np.full(4, 0.9), np.array([1, 1, 1, 0])))

    assert found.temperature == pytest.approx(math.log(9) / math.log(3))
    assert found([0.9, 0.1, 0.5]) == pytest.approx([0.75, 0.25, 0.5])


def test_temperature_finds_the_heat() -> None:
    """Three times too hot; and timid forecasts, too."""
    assert temperature(overconfident(20_000)).temperature == pytest.approx(3, rel=0.05)
    assert temperature(overconfident(20_000, heat=0.5)).temperature == pytest.approx(0.5, rel=0.05)


@given(st.integers(0, 2**32 - 1), st.floats(0.2, 5))
@unhurried
def test_no_other_temperature_has_less_loss(seed: int, other: float) -> None:
    """The fit is the least log loss of all temperatures."""
    forecasts = overconfident(60, seed)
    found = temperature(forecasts)

    def loss(t: Temperature) -> float:
        value = log_loss(Forecasts(t(forecasts.p), forecasts.y))
        assert isinstance(value, Estimate)
        return value.value

    assert loss(found) <= loss(Temperature(other)) + 1e-9


def test_temperature_has_limits() -> None:
    """Outcomes that p separates ask for 0, outcomes against p for infinity."""
    p, y = np.array([0.4, 0.45, 0.55, 0.6]), np.array([0, 0, 1, 1])

    assert temperature(Forecasts(p, y)).temperature == pytest.approx(0.01)
    assert temperature(Forecasts(p, 1 - y)).temperature == pytest.approx(100)
    assert np.all(temperature(Forecasts(p, y))([0.0, 1.0]) == [CLIP, 1 - CLIP])


def test_isotonic_rises_and_pools() -> None:
    """Probabilities of a rising curve, clipped; level beyond the ends."""
    found = fit_isotonic(overconfident(400))
    assert isinstance(found, Isotonic)
    mapped = found(np.linspace(0, 1, 101))

    assert (np.diff(mapped) >= 0).all()
    assert CLIP <= mapped.min() <= mapped.max() <= 1 - CLIP
    assert np.abs(mapped - np.linspace(0, 1, 101)).max() > 0.05


def test_isotonic_by_hand() -> None:
    """Blocks of p = 0.2, 0.4, 0.6 with shares 1/4, 0, 1/2: the first two are pooled to 1/8."""
    p = np.repeat([0.2, 0.4, 0.6], 80)
    y = np.concatenate([np.arange(80) % 4 == 0, np.zeros(80), np.arange(80) % 2]).astype(int)
    found = fit_isotonic(Forecasts(p, y))
    assert isinstance(found, Isotonic)

    assert found([0.1, 0.2, 0.4, 0.6, 0.9]) == pytest.approx([0.125, 0.125, 0.125, 0.5, 0.5])


def test_undefined() -> None:
    """Nothing; one outcome only; nothing to stretch; too few for a curve."""
    none = Forecasts(np.zeros(0), np.zeros(0, int))
    ones, p = np.ones(300, int), np.linspace(0.1, 0.9, 300)

    for fit, name in ((fit_temperature, "temperature"), (fit_isotonic, "isotonic")):
        assert fit(none) == Undefined("empty", 0, name)
        assert fit(Forecasts(p, ones)) == Undefined("no_negative", 300, name)
        assert fit(Forecasts(p, 0 * ones)) == Undefined("no_positive", 300, name)
    half = Forecasts(np.full(4, 0.5), np.array([0, 1, 0, 1]))
    assert fit_temperature(half) == Undefined("zero_variance", 4, "temperature")
    assert fit_isotonic(overconfident(199)) == Undefined("too_few_items", 199, "isotonic")


def test_weights_count_as_copies() -> None:
    """A weight of 2 is a second one of the same."""
    plain = overconfident(300)
    twice = np.where(np.arange(300) < 100, 2.0, 1.0)
    order = np.arange(300).repeat(twice.astype(int))
    weighted = Forecasts(plain.p, plain.y, weight=twice)
    copied = Forecasts(plain.p[order], plain.y[order])

    assert temperature(weighted).temperature == pytest.approx(temperature(copied).temperature)
    here, there = fit_isotonic(weighted), fit_isotonic(copied)
    assert isinstance(here, Isotonic)
    assert isinstance(there, Isotonic)
    assert here(plain.p) == pytest.approx(there(plain.p))


def test_each_fold_is_mapped_by_the_others() -> None:
    """Fold f of 3 holds the codes f, f + 3, ...; its map never saw it."""
    forecasts = overconfident(30)
    found = out_of_fold(forecasts, fit_temperature, folds=3)
    assert not isinstance(found, Undefined)
    for fold in range(3):
        inside = np.arange(30) % 3 == fold
        others = temperature(Forecasts(forecasts.p[~inside], forecasts.y[~inside]))

        assert found[inside] == pytest.approx(others(forecasts.p[inside]))


@pytest.mark.parametrize("by", ["clusters", "groups"])
def test_a_case_stays_together(by: str) -> None:
    """A map is never fitted on another item of the case it is asked about."""
    case = np.arange(40) // 2
    forecasts = overconfident(40, **({"clusters": case} if by == "clusters" else {}))
    asked: list[tuple[set[float], FloatArray]] = []

    class Spy(Temperature):
        def __call__(self, p: FloatArray) -> FloatArray:  # type: ignore[override]
            asked[-1] = (asked[-1][0], np.asarray(p))
            return p

    def fit(train: Forecasts) -> Temperature:
        asked.append((set(train.p.tolist()), np.zeros(0)))
        return Spy(1.0)

    found = out_of_fold(forecasts, fit, groups=case if by == "groups" else None)

    assert np.array_equal(found, forecasts.p)
    assert len(asked) == 5
    for trained, held_out in asked:
        cases = {int(c) for c in case[np.isin(forecasts.p, held_out)]}
        near = forecasts.p[np.isin(case, list(cases))]
        assert not trained & set(near.tolist())
        assert len(held_out) == 8


def test_out_of_fold_is_honest() -> None:
    """On noise the map fitted in the sample looks better than it is; out of fold it does not."""
    rng = np.random.default_rng(3)
    noise = Forecasts(rng.random(400), rng.integers(0, 2, 400))
    inside = fit_isotonic(noise)
    assert isinstance(inside, Isotonic)
    outside = out_of_fold(noise, fit_isotonic)
    assert not isinstance(outside, Undefined)
    losses = [log_loss(Forecasts(p, noise.y), clip=0.01) for p in (inside(noise.p), outside)]

    fitted, honest = (x.value for x in losses if isinstance(x, Estimate))
    assert fitted < math.log(2) < honest


def test_out_of_fold_undefined_and_misuse() -> None:
    """Nothing, fewer groups than folds, a fold without events; wrong calls."""
    forecasts, few = overconfident(20), np.array([0.2, 0.8, 0.3])
    none = Forecasts(np.zeros(0), np.zeros(0, int))
    rare = Forecasts(np.linspace(0.1, 0.9, 10), (np.arange(10) == 0).astype(int))

    assert out_of_fold(none, fit_temperature) == Undefined("empty", 0, "out_of_fold")
    three = Forecasts(few, np.array([0, 1, 0]))
    assert out_of_fold(three, fit_temperature) == Undefined("too_few_clusters", 3, "out_of_fold")
    assert out_of_fold(rare, fit_temperature) == Undefined("no_positive", 8, "temperature")
    with pytest.raises(ValueError, match="two folds"):
        out_of_fold(forecasts, fit_temperature, folds=1)
    with pytest.raises(ValueError, match="3 codes"):
        out_of_fold(forecasts, fit_temperature, groups=[0, 1, 2])
