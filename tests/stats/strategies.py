"""Hypothesis strategies of the statistics tests: tables, pairs, level values."""

import numpy as np
from hypothesis import assume, settings
from hypothesis import strategies as st

from judgekit.stats import Pairs, Undefined, identity, kappa, linear, quadratic
from judgekit.stats.arrays import FloatArray

# A busy machine is no failure.
unhurried = settings(deadline=None)

SCHEMES = ("identity", "linear", "quadratic")
# Zeros are frequent, as in real tables of agreeing raters.
COUNTS = st.one_of(st.just(0), st.integers(0, 4), st.integers(0, 60))


@st.composite
def tables(draw: st.DrawFn, min_k: int = 2, max_k: int = 5) -> FloatArray:
    """A (k, k) table of counts whose kappa is defined."""
    k = draw(st.integers(min_k, max_k))
    cells = draw(st.lists(COUNTS, min_size=k * k, max_size=k * k))
    table = np.array(cells, dtype=np.float64).reshape(k, k)
    assume(not isinstance(kappa(table, identity(k)), Undefined))
    return table


@st.composite
def weighted_tables(draw: st.DrawFn) -> tuple[FloatArray, FloatArray]:
    """A table whose kappa is defined, and agreement weights that fit it."""
    table = draw(tables())
    return table, weights_for(draw(st.sampled_from(SCHEMES)), table.shape[0])


@st.composite
def level_values(draw: st.DrawFn, k: int) -> list[float]:
    """Values of k levels, all different, in rising order."""
    steps = draw(st.lists(st.integers(1, 9), min_size=k - 1, max_size=k - 1))
    return [float(v) for v in np.cumsum([draw(st.integers(-5, 5)), *steps])]


@st.composite
def clustered_pairs(draw: st.DrawFn) -> Pairs:
    """Pairs of a scale of two to four levels in at least ten clusters."""
    k = draw(st.integers(2, 4))
    sizes = draw(st.lists(st.integers(1, 4), min_size=10, max_size=14))
    clusters = np.repeat(np.arange(len(sizes)), sizes)
    codes = st.lists(st.integers(0, k - 1), min_size=clusters.size, max_size=clusters.size)
    return Pairs(np.array(draw(codes)), np.array(draw(codes)), k, clusters=clusters)


def weights_for(scheme: str, k: int) -> FloatArray:
    """Agreement weights of a scale 0 .. k - 1."""
    values = [float(v) for v in range(k)]
    return {"identity": identity(k), "linear": linear(values), "quadratic": quadratic(values)}[
        scheme
    ]


def pairs_of(table: FloatArray, **more: object) -> Pairs:
    """The pairs a table of whole counts was made of, in table order."""
    k = table.shape[0]
    cells = np.repeat(np.arange(k * k), table.astype(int).ravel())
    return Pairs(cells // k, cells % k, k, **more)  # type: ignore[arg-type]
