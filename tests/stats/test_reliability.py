import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgekit.stats import Estimate, Undefined, wilson
from judgekit.stats.probability import Forecasts
from judgekit.stats.reliability import Binning, bin_edges, bin_of, ece, reliability
from tests.stats.strategies import unhurried


def some(n: int, seed: int = 1, **more: np.ndarray) -> Forecasts:
    """Calibrated forecasts."""
    rng = np.random.default_rng(seed)
    p = rng.random(n)
    return Forecasts(p, (rng.random(n) < p).astype(int), **more)


def test_bins_are_closed_on_the_right() -> None:
    """0.1 belongs to the first tenth, 0 too; 1 to the last."""
    p = np.array([0.0, 0.1, 0.10001, 0.2, 0.3, 0.6, 0.7, 1.0])

    assert bin_of(p, bin_edges(p)).tolist() == [0, 0, 1, 1, 2, 5, 6, 9]


def test_equal_mass() -> None:
    """Quarters of eight forecasts hold two each; ties make fewer bins."""
    p = np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8])
    edges = bin_edges(p, bins=4, binning="mass")

    assert np.bincount(bin_of(p, edges)).tolist() == [2, 2, 2, 2]
    assert edges == pytest.approx([0, 0.275, 0.45, 0.625, 1])
    tied = bin_edges(np.full(8, 0.3), bins=4, binning="mass")
    assert tied.tolist() == [0, 0.3, 1]
    ends = np.array([0.0, 0, 0, 0.5, 1, 1, 1, 1])
    edges = bin_edges(ends, bins=4, binning="mass")
    assert edges.tolist() == [0, 0, 0.75, 1]
    assert bin_of(ends, edges).tolist() == [0, 0, 0, 1, 2, 2, 2, 2]


def test_by_hand() -> None:
    """Two bins: 0.2 0.4 with one event, 0.6 0.9 0.9 with three."""
    forecasts = Forecasts(np.array([0.2, 0.4, 0.6, 0.9, 0.9]), np.array([0, 1, 1, 1, 1]))

    # abs(1 - 0.6) + abs(3 - 2.4) over 5
    assert ece(forecasts, bins=2) == pytest.approx((0.4 + 0.6) / 5)


def test_diagram_by_hand() -> None:
    """Edges, counts, mean forecast and Wilson's bar of each bin; an empty bin says so."""
    forecasts = Forecasts(np.array([0.2, 0.3, 0.9, 0.95]), np.array([0, 1, 1, 1]))
    first, middle, last = reliability(forecasts, bins=3)
    bar = wilson(1, 2)
    assert isinstance(bar, Estimate)
    assert isinstance(first.share, Estimate)

    assert (first.low, first.high, first.n) == (0, pytest.approx(1 / 3), 2)
    assert first.forecast == pytest.approx(0.25)
    assert (first.share.low, first.share.high) == (bar.low, bar.high)
    assert (middle.n, middle.forecast) == (0, None)
    assert middle.share == Undefined("empty", 0, "reliability/wilson", 0)
    assert isinstance(last.share, Estimate)
    assert last.share.value == 1


@pytest.mark.parametrize("binning", ["width", "mass"])
def test_the_error_is_that_of_the_diagram(binning: Binning) -> None:
    """Distance of mean forecast and share, weighted by the number in the bin; weights too."""
    rng = np.random.default_rng(2)
    for forecasts in (some(200), some(200, weight=rng.uniform(0.5, 2, 200))):
        whole = np.ones(200) if forecasts.weight is None else forecasts.weight
        total = 0.0
        for bar in reliability(forecasts, binning=binning):
            inside = (forecasts.p > bar.low) & (forecasts.p <= bar.high)
            if isinstance(bar.share, Estimate) and bar.forecast is not None:
                total += whole[inside].sum() * abs(bar.share.value - bar.forecast)

        assert ece(forecasts, binning=binning) == pytest.approx(total / whole.sum())


def test_clusters_reach_the_bars() -> None:
    """Bars of clustered forecasts rest on fewer independent ones."""
    plain = some(60)
    four = Forecasts(plain.p.repeat(4), plain.y.repeat(4), clusters=np.arange(60).repeat(4))
    (wide,), (narrow,) = reliability(four, bins=1), reliability(plain, bins=1)
    assert isinstance(wide.share, Estimate)
    assert isinstance(narrow.share, Estimate)

    assert wide.share.clusters == 60
    assert wide.share.low == pytest.approx(narrow.share.low, abs=0.01)


def test_of_nothing() -> None:
    """No forecasts: no error, and ten empty bins."""
    none = Forecasts(np.zeros(0), np.zeros(0, int))

    assert ece(none) == Undefined("empty", 0, "ece")
    assert [bar.n for bar in reliability(none, binning="mass")] == [0] * 10


def test_misuse_is_an_error() -> None:
    """No bins, or bins of another kind."""
    with pytest.raises(ValueError, match="at least one bin"):
        ece(some(5), bins=0)
    with pytest.raises(ValueError, match="equal mass"):
        ece(some(5), binning="size")  # type: ignore[arg-type]


@given(st.integers(0, 2**32 - 1), st.integers(1, 60), st.integers(1, 12))
@unhurried
def test_properties(seed: int, n: int, bins: int) -> None:
    """Order does not matter; in [0, 1]; at least the distance of the means, and so in one bin."""
    rng = np.random.default_rng(seed)
    p, y = np.round(rng.random(n), 2), rng.integers(0, 2, n)
    order = rng.permutation(n)
    for binning in ("width", "mass"):
        found = ece(Forecasts(p, y), bins=bins, binning=binning)  # type: ignore[arg-type]
        other = ece(Forecasts(p[order], y[order]), bins=bins, binning=binning)  # type: ignore[arg-type]
        assert not isinstance(found, Undefined)
        assert other == pytest.approx(found, abs=1e-12)
        assert abs(y.mean() - p.mean()) - 1e-12 <= found <= 1
    assert ece(Forecasts(p, y), bins=1) == pytest.approx(abs(y.mean() - p.mean()))
