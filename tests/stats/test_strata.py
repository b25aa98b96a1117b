from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgekit.stats import Pairs, Undefined, identity, influence
from judgekit.stats.clusters import clustering
from judgekit.stats.strata import Strata, drawn, merged, within
from tests.stats.strategies import pairs_of, unhurried


def test_the_textbook_formula() -> None:
    """SE^2 = sum of (N_h / N)^2 s_h^2 / n_h, from weights N_h / n_h scaled to a mean of 1."""
    rng = np.random.default_rng(3)
    n, N = np.array([4, 7, 9]), np.array([100, 700, 200])
    strata = np.repeat(np.arange(3), n)
    u = rng.normal(size=20)
    v = (N / n)[strata] / (N / n)[strata].mean()
    s2 = np.array([u[strata == h].var(ddof=1) for h in range(3)])
    expected = ((N / N.sum()) ** 2 * s2 / n).sum()

    found = within((v * u)[None], np.ones((1, 20)), Strata.of(strata, n, np.arange(20)))

    assert found[0] / 20**2 == pytest.approx(expected)


def test_sums_over_clusters_within_strata() -> None:
    """With clusters, their sums take the place of the things."""
    rng = np.random.default_rng(4)
    units, strata = np.repeat(np.arange(8), 3), np.repeat([0, 0, 0, 1, 1, 1, 1, 1], 3)
    S = rng.normal(size=8)
    expected = 3 * S[:3].var(ddof=1) + 5 * S[3:].var(ddof=1)

    found = within(S[None], np.ones((1, 8)), Strata.of(strata, np.array([3, 5]), units))

    assert found[0] == pytest.approx(expected)


def test_a_lonely_unit_counts_whole() -> None:
    """One unit in a stratum shows no spread; it is not taken for certain."""
    sums = np.array([[1.0, -1.0, 3.0]])

    found = within(sums, np.ones((1, 3)), Strata(np.array([0, 0, 1]), np.array([0, 0])))

    assert found[0] == pytest.approx(2 * 2 + 9)


def test_a_part_counts_what_it_leaves_out() -> None:
    """A figure of some of the sample is one of the whole with zeros elsewhere."""
    whole = within(
        np.array([[1.0, 2.0, 0.0, 0.0, 3.0]]),
        np.ones((1, 5)),
        Strata(np.array([0, 0, 0, 1, 1]), np.array([0, 0])),
    )
    part = within(
        np.array([[1.0, 2.0, 3.0]]),
        np.ones((1, 3)),
        Strata(np.array([0, 0, 1]), np.array([1, 1])),
    )

    assert part[0] == pytest.approx(whole[0])


def test_pairs_count_what_was_drawn() -> None:
    """A subset keeps the numbers of the whole sample; so does the fold to pass and fail."""
    plain = pairs_of(np.array([[3.0, 1], [2, 4]]))
    pairs = replace(plain, strata=np.array([7, 7, 7, 9, 9, 9, 9, 9, 9, 9]))
    assert pairs.drawn is not None
    part = pairs.subset(pairs.human == 0)
    assert part.strata is not None
    assert part.drawn is not None

    assert pairs.drawn.tolist() == [3, 7]
    assert part.strata.tolist() == [0, 0, 0, 1]
    assert part.drawn.tolist() == [3, 7]


def test_strata_that_share_a_case_are_one() -> None:
    """A case in two strata was drawn within neither."""
    strata, cases = np.array([0, 0, 1, 2, 2, 3]), np.array([0, 1, 1, 2, 3, 3])
    pairs = Pairs(strata % 2, strata % 2, 2, clusters=cases, strata=strata)
    assert pairs.strata is not None
    assert pairs.drawn is not None

    assert pairs.strata.tolist() == [0, 0, 0, 1, 1, 1]
    assert pairs.drawn.tolist() == [2, 2]


@given(st.integers(0, 2**32 - 1))
@unhurried
def test_merging_leaves_every_unit_in_one_stratum(seed: int) -> None:
    """And what shares no unit stays apart: as many strata as connected parts."""
    rng = np.random.default_rng(seed)
    size = int(rng.integers(1, 30))
    strata = rng.integers(0, 8, size)
    units = np.unique(rng.integers(0, 12, size), return_inverse=True)[1]
    found = merged(strata, units)
    parts = {frozenset([("s", int(s)), ("u", int(u))]) for s, u in zip(strata, units, strict=True)}
    joined: list[set[tuple[str, int]]] = []
    for part in parts:
        touching = [j for j in joined if j & part]
        joined = [j for j in joined if not j & part] + [set(part).union(*touching)]

    assert all(len(set(found[units == u].tolist())) == 1 for u in range(units.max() + 1))
    assert int(found.max()) + 1 == len(joined)
    assert drawn(found, units).sum() == units.max() + 1


def test_strata_take_the_spread_between_them_out() -> None:
    """Cases of two strata that differ much: only the spread within them is left."""
    rng = np.random.default_rng(6)
    cases, strata = np.repeat(np.arange(40), 5), np.repeat([0, 1], 100)
    human = rng.integers(0, 2, 200)
    judge = np.where(strata == 0, human, np.where(rng.random(200) < 0.6, human, 1 - human))
    plain = Pairs(human, judge, 2, clusters=cases)
    weighted = replace(plain, weight=np.where(strata == 0, 1.0, 1.1))
    pull = influence(weighted.table(), identity(2))
    assert not isinstance(pull, Undefined)
    u = pull[human, judge]

    apart, together = clustering(u, replace(weighted, strata=strata)), clustering(u, weighted)

    assert apart.design_effect < 0.8 * together.design_effect
    assert (together.df, apart.df) == (39, 38)
    # without weights nothing tells that the strata were sampled on purpose
    assert clustering(u, replace(plain, strata=strata)) == clustering(u, plain)


def test_strata_must_fit() -> None:
    """Another length, or a code beyond what was drawn."""
    plain = pairs_of(np.array([[3.0, 1], [2, 4]]))

    with pytest.raises(ValueError, match="strata has 3 codes"):
        replace(plain, strata=np.zeros(3, dtype=int))
    with pytest.raises(ValueError, match="strata holds the code 2"):
        replace(plain, strata=np.full(10, 2), drawn=np.array([5, 5]))
