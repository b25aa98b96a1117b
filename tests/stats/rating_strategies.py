"""Hypothesis strategies of the many-rater tests: matrices of ratings, with and without gaps."""

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st

from judgekit.stats.estimate import Undefined
from judgekit.stats.ratings import MISSING, Ratings

# A busy machine is no failure, and many properties share these matrices.
brisk = settings(deadline=None, max_examples=40)


@st.composite
def ratings(
    draw: st.DrawFn,
    *,
    gaps: bool = True,
    min_k: int = 2,
    raters: tuple[int, int] = (2, 4),
    units: tuple[int, int] = (3, 12),
) -> Ratings:
    """Ratings of a few units on a scale of two to four levels, some of them alike."""
    k, m, n = draw(st.integers(min_k, 4)), draw(st.integers(*raters)), draw(st.integers(*units))
    code = st.integers(MISSING if gaps else 0, k - 1)
    alike = st.integers(0, k - 1).map(lambda level: [level] * m)
    row = st.one_of(st.lists(code, min_size=m, max_size=m), alike)
    return Ratings(np.array(draw(st.lists(row, min_size=n, max_size=n))), k)


def random_ratings(seed: int, count: int, *, gaps: float = 0.2) -> list[Ratings]:
    """Matrices of two to six raters and two to six levels, from chance to near perfection."""
    rng, found = np.random.default_rng(seed), []
    for _ in range(count):
        k, m, n = (int(rng.integers(low, high)) for low, high in ((2, 7), (2, 7), (5, 60)))
        skew = rng.dirichlet(np.full(k, rng.choice([0.5, 1, 5])))
        truth, own = rng.choice(k, n, p=skew), rng.choice(k, (n, m), p=skew)
        values = np.where(rng.random((n, m)) < rng.random(), truth[:, None], own)
        values[rng.random((n, m)) < gaps] = MISSING
        found.append(Ratings(values, k))
    return found


def number(value: float | Undefined) -> float:
    """The number, where there must be one."""
    assert not isinstance(value, Undefined)
    return value


def same(found: float | Undefined, expected: float | Undefined) -> bool:
    """Whether two outcomes are the same number, or undefined for the same reason."""
    if isinstance(found, Undefined) or isinstance(expected, Undefined):
        both = isinstance(found, Undefined) and isinstance(expected, Undefined)
        return both and found.reason == expected.reason  # type: ignore[union-attr]
    return abs(found - expected) < 1e-9
