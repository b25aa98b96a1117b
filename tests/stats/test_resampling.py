import math
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgekit.stats import Pairs, Undefined, identity, resampling, standard_error
from judgekit.stats.arrays import FloatArray
from judgekit.stats.enumeration import exact_bootstrap
from judgekit.stats.jackknife import acceleration, jackknife, jackknife_error
from judgekit.stats.kappa import kappa_of
from judgekit.stats.resampling import (
    Distribution,
    bca,
    bootstrap,
    distribution,
    percentile,
    units_of_pairs,
    units_of_table,
)
from tests.stats.strategies import clustered_pairs, pairs_of, tables, unhurried, weighted_tables
from tests.stats.twins import kappa_twin, plain_kappa, raw

SMALL = np.array([[2.0, 1], [1, 2]])


def rng(seed: int = 1) -> np.random.Generator:
    """Dice with a fixed seed."""
    return np.random.default_rng(seed)


def test_units_of_a_table_are_its_cells() -> None:
    """One kind of unit for each cell that is not empty, as often as the cell counts."""
    units = units_of_table([[3, 0], [2, 4]])

    assert units.counts.tolist() == [3, 2, 4]
    assert units.tables.tolist() == [[[1, 0], [0, 0]], [[0, 0], [1, 0]], [[0, 0], [0, 1]]]
    assert (units.size, units.total.tolist()) == (9, [[3, 0], [2, 4]])


def test_units_of_pairs_are_their_clusters() -> None:
    """Clusters with equal tables are one kind."""
    # clusters: {00, 01}, {01, 00}, {11}: the first two have the same table
    human, judge = np.array([0, 0, 0, 0, 1]), np.array([0, 1, 1, 0, 1])
    units = units_of_pairs(Pairs(human, judge, 2, clusters=np.array([0, 0, 1, 1, 2])))

    kinds = {str(t.tolist()): c for t, c in zip(units.tables, units.counts, strict=True)}
    assert kinds == {"[[1.0, 1.0], [0.0, 0.0]]": 2, "[[0.0, 0.0], [0.0, 1.0]]": 1}


def test_units_keep_their_weights() -> None:
    """Pairs of one cell with different weights are different kinds."""
    pairs = Pairs(np.zeros(3, int), np.zeros(3, int), 2, weight=np.array([1.0, 1, 4]))
    units = units_of_pairs(pairs)

    assert units.counts.tolist() == [2, 1]
    assert units.tables[:, 0, 0].tolist() == [0.5, 2.0]


@given(pairs=clustered_pairs(), weighted=st.booleans())
@unhurried
def test_units_add_up(pairs: Pairs, *, weighted: bool) -> None:
    """All units together are the table, with and without clusters and weights."""
    weight = np.arange(1.0, len(pairs) + 1) if weighted else None
    for clusters in (pairs.clusters, None):
        again = Pairs(pairs.human, pairs.judge, pairs.k, clusters=clusters, weight=weight)

        np.testing.assert_allclose(units_of_pairs(again).total, again.table(), atol=1e-9)


def test_a_resample_is_a_sample() -> None:
    """Each resample has n pairs, none in a cell that was empty; on average it is the table."""
    table, seen = np.array([[40.0, 0, 3], [7, 30, 0], [0, 1, 19]]), []

    def watch(stack: FloatArray) -> FloatArray:
        seen.append(stack.copy())
        return stack[:, 0, 0]

    bootstrap(units_of_table(table), watch, rng(), 4000)
    drawn = np.concatenate(seen)

    assert drawn.shape == (4000, 3, 3)
    assert (drawn.sum(axis=(1, 2)) == 100).all()
    assert (drawn[:, table == 0] == 0).all()
    # binomial: the standard error of a mean of 4,000 is at most 5 / 63
    np.testing.assert_allclose(drawn.mean(axis=0), table, atol=0.4)


def test_draws_come_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Working through the draws in small pieces changes no value."""
    units = units_of_table([[8.0, 3], [2, 9]])
    whole = bootstrap(units, plain_kappa(2), rng(), 50)
    monkeypatch.setattr(resampling, "_CHUNK", 12)
    pieces = bootstrap(units, plain_kappa(2), rng(), 50)

    np.testing.assert_array_equal(whole.values, pieces.values)


def test_many_kinds_of_clusters_are_drawn_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """Above a number of kinds units are drawn one by one: the same distribution."""
    dice, clusters = rng(7), np.arange(300) // 5
    pairs = Pairs(dice.integers(0, 3, 300), dice.integers(0, 3, 300), 3, clusters=clusters)
    units = units_of_pairs(pairs)
    few = bootstrap(units, plain_kappa(3), rng(), 6000)
    monkeypatch.setattr(resampling, "_MANY_KINDS", 5)
    many = bootstrap(units, plain_kappa(3), rng(2), 6000)

    assert many.mean == pytest.approx(few.mean, abs=5 * few.sd / 6000**0.5)
    assert many.sd == pytest.approx(few.sd, rel=0.05)
    assert percentile(many) == pytest.approx(percentile(few), abs=0.2 * few.sd)


def test_copies_in_a_cluster_add_nothing() -> None:
    """Each pair three times, the copies together: the very same distribution."""
    once = pairs_of(np.array([[9.0, 3], [2, 6]]))
    thrice = Pairs(once.human.repeat(3), once.judge.repeat(3), 2, clusters=np.arange(20).repeat(3))
    found = [
        bootstrap(units_of_table(units_of_pairs(p).total / scale), plain_kappa(2), rng(), 200)
        for p, scale in ((once, 1), (thrice, 3))
    ]
    clustered = bootstrap(units_of_pairs(thrice), plain_kappa(2), rng(), 4000)
    independent = bootstrap(units_of_table(thrice.table()), plain_kappa(2), rng(), 4000)

    np.testing.assert_array_equal(found[0].values, found[1].values)
    assert clustered.sd / independent.sd == pytest.approx(math.sqrt(3), rel=0.06)


def test_the_bootstrap_approaches_the_enumeration() -> None:
    """Mean, deviation, quantiles and undefined share of 40,000 draws against all 84 tables."""
    exact = exact_bootstrap(SMALL, plain_kappa(2))
    drawn = bootstrap(units_of_table(SMALL), plain_kappa(2), rng(), 40_000)

    assert drawn.mean == pytest.approx(exact.mean, abs=0.01)
    assert drawn.sd == pytest.approx(exact.sd, abs=0.01)
    assert drawn.undefined == pytest.approx(exact.undefined, abs=0.001)
    for p in (0.025, 0.25, 0.5, 0.9):
        assert drawn.quantile(p) == pytest.approx(exact.quantile(p), abs=1e-9)


def test_every_ordered_sample_by_hand() -> None:
    """Four pairs: the 256 ordered samples of rows have the listed distribution."""
    table = np.array([[1.0, 1], [0, 2]])
    rows = np.array([0, 1, 3, 3])
    samples = rows[np.array(np.meshgrid(*[range(4)] * 4)).reshape(4, -1).T]
    stack = np.array([np.bincount(s, minlength=4).reshape(2, 2) for s in samples], dtype=float)
    by_rows = distribution(kappa_of(stack, identity(2)), np.full(256, 1 / 256))
    exact = exact_bootstrap(table, plain_kappa(2))

    assert exact.undefined == pytest.approx(by_rows.undefined)
    assert (exact.mean, exact.sd) == (pytest.approx(by_rows.mean), pytest.approx(by_rows.sd))
    for p in np.linspace(0.01, 0.99, 23):
        assert exact.quantile(p) == pytest.approx(by_rows.quantile(p), abs=1e-9)


def test_undefined_resamples_are_counted() -> None:
    """Nine and one: a resample of one level only has no kappa."""
    # P(all ten from the first cell) + P(all ten from the second) = .9^10 + .1^10
    exact = exact_bootstrap([[9, 0], [0, 1]], plain_kappa(2))
    drawn = bootstrap(units_of_table([[9, 0], [0, 1]]), plain_kappa(2), rng(), 4000)

    assert exact.undefined == pytest.approx(0.9**10 + 0.1**10, abs=1e-12)
    assert drawn.undefined == pytest.approx(0.9**10, abs=0.03)
    assert (drawn.values == 1).all()
    assert exact.mass.sum() == pytest.approx(1)


def test_nothing_defined_is_an_empty_distribution() -> None:
    """No pairs, or one level only: no values, and the share says so."""
    for table in ([[0, 0], [0, 0]], [[7, 0], [0, 0]]):
        for found in (
            bootstrap(units_of_table(table), plain_kappa(2), rng(), 10),
            exact_bootstrap(table, plain_kappa(2)),
        ):
            assert (found.values.size, found.undefined) == (0, pytest.approx(1))
            assert math.isnan(found.mean)


def test_fractional_tables_are_probabilities() -> None:
    """A weighted table of 8.4 draws eight pairs."""
    table, seen = np.array([[4.2, 1.05], [1.05, 2.1]]), []

    def watch(stack: FloatArray) -> FloatArray:
        seen.append(stack.sum(axis=(1, 2)))
        return raw(stack)

    found = bootstrap(units_of_table(table), watch, rng(), 4000)

    assert (np.concatenate(seen) == 8).all()
    assert found.mean == pytest.approx(0.75, abs=0.01)


def test_quantiles_invert_the_distribution() -> None:
    """The smallest value whose cumulative probability is reached."""
    found = Distribution(np.array([1.0, 2, 3, 4]), np.array([0.1, 0.4, 0.3, 0.2]), 0.0)

    quantiles = [found.quantile(p) for p in (0, 0.1, 0.100001, 0.5, 0.79, 0.8, 1)]
    assert quantiles == [1, 1, 2, 2, 3, 3, 4]
    assert (found.mean, found.sd) == (pytest.approx(2.6), pytest.approx(math.sqrt(0.84)))
    # below 3: .5; at 3: half of .3
    assert found.share_below(3.0) == pytest.approx(0.65)


def test_percentiles_are_ranks() -> None:
    """Of 1 to 1,000: the 25th and the 975th."""
    found = distribution(np.arange(1000, 0, -1.0), np.full(1000, 0.001))

    assert percentile(found, 0.95) == (25, 975)
    assert percentile(found, 0.5) == (250, 750)


def test_bca_by_hand() -> None:
    """Of 1 to 1,000, with a value at rank 600.5 and acceleration .05."""
    # z0 = Phi^-1(.6) = .2533471; z0 - z = -1.7066169, z0 + z = 2.2133111
    # low:  .2533471 - 1.7066169 / (1 + .05 * 1.7066169) = -1.3190801  -> Phi = .0935712
    # high: .2533471 + 2.2133111 / (1 - .05 * 2.2133111) =  2.7420876  -> Phi = .9969475
    found = distribution(np.arange(1.0, 1001), np.full(1000, 0.001))

    assert bca(found, 600.5, 0.05) == (94, 997)
    assert bca(found, 500.5, 0.0) == percentile(found) == (25, 975)


def test_bca_at_its_pole() -> None:
    """A monstrous acceleration, or a value beyond all resamples, ends at the ends."""
    found = distribution(np.arange(1.0, 1001), np.full(1000, 0.001))

    assert bca(found, 500.5, 0.6)[1] == 1000
    assert bca(found, 500.5, -0.6)[0] == 1
    assert bca(found, 5000.0, 0.0)[1] == 1000


def test_a_bootstrap_needs_draws() -> None:
    """Zero draws are refused, like a table that is none."""
    with pytest.raises(ValueError, match="at least one draw"):
        bootstrap(units_of_table(SMALL), raw, rng(), 0)
    with pytest.raises(ValueError, match="negative"):
        units_of_table([[1, -1], [0, 2]])
    with pytest.raises(ValueError, match="square"):
        units_of_table([[1, 2, 3]])
    with pytest.raises(ValueError, match="whole counts"):
        exact_bootstrap([[1.5, 0], [0, 2]], raw)
    with pytest.raises(ValueError, match="too many tables"):
        exact_bootstrap(np.full((5, 5), 10), raw)


def by_rows(pairs: Pairs, weights: FloatArray, unit: np.ndarray) -> tuple[float, float]:
    """Jackknife error and acceleration, leaving out one unit after the other."""
    tables = [pairs.subset(unit != number).table() for number in range(int(unit.max()) + 1)]
    values = kappa_of(np.array(tables), weights)
    gaps = values.mean() - values
    size, squares = len(values), float((gaps**2).sum())
    skewness = float((gaps**3).sum()) / (6 * squares**1.5) if squares > 1e-18 else 0.0
    return math.sqrt((size - 1) / size * squares), skewness


@given(weighted_tables())
@unhurried
def test_the_jackknife_is_row_by_row(case: tuple[FloatArray, FloatArray]) -> None:
    """Few distinct tables give what leaving out each row gives."""
    table, w = case
    pairs = pairs_of(table)
    error, skewness = by_rows(pairs, w, np.arange(len(pairs)))
    found, bend = jackknife_error(table, kappa_twin(w)), acceleration(table, kappa_twin(w))

    if math.isnan(error):
        assert found == Undefined("too_few_items", len(pairs), "jackknife")
    else:
        assert found == pytest.approx(error, abs=1e-9)
        assert isinstance(bend, Undefined) or bend == pytest.approx(skewness, abs=1e-6)


@given(clustered_pairs())
@unhurried
def test_the_cluster_jackknife_is_cluster_by_cluster(pairs: Pairs) -> None:
    """Leaving out whole clusters, in loops."""
    assert pairs.clusters is not None
    w = identity(pairs.k)
    error, _ = by_rows(pairs, w, pairs.clusters)
    found = jackknife(units_of_pairs(pairs), kappa_twin(w))

    if math.isnan(error):
        assert isinstance(found, Undefined)
    else:
        assert not isinstance(found, Undefined)
        assert found.standard_error == pytest.approx(error, abs=1e-9)


def test_jackknife_of_a_mean_by_hand() -> None:
    """For a share the jackknife error is sqrt(p (1 - p) / (n - 1))."""
    # 7 of 10: sqrt(.21 / 9)
    found = jackknife_error([[4, 1], [2, 3]], raw)

    assert found == pytest.approx(math.sqrt(0.21 / 9))


def test_pieces_of_the_jackknife(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table at a time gives the same error."""
    module = sys.modules["judgekit.stats.jackknife"]  # the name is also the function's
    whole = jackknife_error([[8, 3], [2, 9]], plain_kappa(2))
    monkeypatch.setattr(module, "_CHUNK", 1)

    assert jackknife_error([[8, 3], [2, 9]], plain_kappa(2)) == whole


def test_no_spread_and_nothing_left() -> None:
    """No disagreement has error 0 and no acceleration; a single pair has neither."""
    k = plain_kappa(2)

    assert jackknife_error([[10, 0], [0, 10]], k) == 0
    assert acceleration([[10, 0], [0, 10]], k) == Undefined("zero_variance", 20, "acceleration")
    assert jackknife_error([[0, 0], [0, 0]], k) == Undefined("empty", 0, "jackknife")
    assert jackknife_error([[1, 0], [0, 0]], k) == Undefined("too_few_items", 1, "jackknife")
    # Without its only pair of the second level, nothing is defined.
    assert jackknife_error([[9, 0], [0, 1]], k) == Undefined("too_few_items", 10, "jackknife")
    assert acceleration([[9, 0], [0, 1]], k) == Undefined("too_few_items", 10, "jackknife")


@given(tables(max_k=3))
@unhurried
def test_a_cell_below_one_is_no_danger(table: FloatArray) -> None:
    """Fractional cells go below no zero; the error is near that of the delta method."""
    thin = table / table.sum() * 300 + 0.2
    w = identity(len(table))
    found, smooth = jackknife_error(thin, kappa_twin(w)), standard_error(thin, w)

    assert found == pytest.approx(smooth, rel=0.12, abs=1e-3)
