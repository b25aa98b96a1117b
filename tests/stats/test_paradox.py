import numpy as np
import pytest
from hypothesis import given

from judgekit.stats import Estimate, Pairs, Undefined, identity, kappa, quadratic, recall
from judgekit.stats.arrays import FloatArray
from judgekit.stats.paradox import (
    LIMITS,
    Paradox,
    Sign,
    bias_index,
    kappa_by_byrt,
    paradox,
    prevalence_index,
)
from tests.stats.strategies import pairs_of, tables, unhurried


def number(value: float | Undefined) -> float:
    """The number, where there must be one."""
    assert not isinstance(value, Undefined)
    return value


def work_up(table: list[list[float]]) -> Paradox:
    """The work-up of a table with all-or-nothing agreement."""
    found = paradox(pairs_of(np.array(table)), identity(len(table)))
    assert isinstance(found, Paradox)
    return found


def conditions(found: Paradox) -> list[tuple[str, int | None]]:
    """What it warns of."""
    return [(sign.condition, sign.level) for sign in found.signs]


def test_indices_by_hand() -> None:
    """[[40, 9], [6, 45]]: (a - d) / n and (b - c) / n."""
    table = [[40, 9], [6, 45]]

    assert prevalence_index(table) == pytest.approx(-0.05)
    assert bias_index(table) == pytest.approx(0.03)
    assert prevalence_index(table, 1) == pytest.approx(0.05)
    assert bias_index(table, 1) == pytest.approx(-0.03)


@given(tables())
@unhurried
def test_one_against_the_rest(table: FloatArray) -> None:
    """The index of a level is that of the 2 x 2 table of the level and the rest."""
    n = table.sum()
    for level in range(table.shape[0]):
        a = table[level, level]
        b, c = table[level].sum() - a, table[:, level].sum() - a
        two = np.array([[a, b], [c, n - a - b - c]])

        assert prevalence_index(table, level) == pytest.approx(
            number(prevalence_index(two)), abs=1e-12
        )
        assert bias_index(table, level) == pytest.approx(number(bias_index(two)), abs=1e-12)


@given(tables(max_k=2))
@unhurried
def test_byrt_identity(table: FloatArray) -> None:
    """Kappa of two levels from PABAK, prevalence and bias."""
    pabak = 2 * np.trace(table) / table.sum() - 1
    found = kappa_by_byrt(pabak, number(prevalence_index(table)), number(bias_index(table)))

    assert found == pytest.approx(number(kappa(table, identity(2))), abs=1e-9)


def test_indices_of_nothing() -> None:
    """No pairs, no index; one level throughout, no kappa from its parts."""
    assert prevalence_index(np.zeros((2, 2))) == Undefined("empty", 0, "prevalence_index")
    assert bias_index(np.zeros((2, 2))) == Undefined("empty", 0, "bias_index")
    assert kappa_by_byrt(1.0, 1.0, 0.0) == Undefined("single_category", 0, "cohen_kappa")
    with pytest.raises(ValueError, match="no level 2"):
        prevalence_index([[1, 2], [3, 4]], 2)
    none = Pairs(np.zeros(0, int), np.zeros(0, int), 2)
    assert paradox(none, identity(2)) == Undefined("empty", 0, "paradox", 0)


def test_a_table_without_surprises() -> None:
    """Even margins, enough of each: nothing to warn of."""
    found = work_up([[45, 5], [6, 44]])

    assert found.signs == ()
    assert found.raw_agreement == pytest.approx(0.89)
    assert found.even_agreement == pytest.approx(0.78)
    assert found.kappa == pytest.approx(0.78)
    assert [at.labels for at in found.levels] == [50, 50]


def test_a_rare_level() -> None:
    """118 and 2 of 125: high agreement, kappa below 0, and the rare level is never found."""
    found = work_up([[118, 5], [2, 0]])

    assert conditions(found) == [
        ("common_level", 0),
        ("rare_level", 1),
        ("chance_gap", None),
        ("low_ceiling", None),
    ]
    assert found.signs[0] == Sign("common_level", pytest.approx(0.944), 0.6, 0)  # type: ignore[arg-type]
    assert found.signs[1] == Sign("rare_level", 2, 10, 1)
    assert found.signs[2].observed == pytest.approx(0.888 + 0.02339, abs=1e-4)
    rare = found.levels[1].recall
    assert isinstance(rare, Estimate)
    assert (rare.value, rare.pairs) == (0, 2)


def test_a_kinder_judge() -> None:
    """The judge passes 20 points more: told once, of the passing level."""
    found = work_up([[40, 20], [0, 40]])

    assert conditions(found) == [("rate_shift", 1), ("low_ceiling", None)]
    assert found.signs[0].observed == pytest.approx(-0.2)


def test_each_limit_is_where_it_is_said_to_be() -> None:
    """On the limit it holds (rounding apart), just off it does not."""
    # PI of level 0: r + c - 1 = .8 + .8 - 1
    assert ("common_level", 0) in conditions(work_up([[72, 8], [8, 12]]))
    assert ("common_level", 0) not in conditions(work_up([[71, 8], [8, 13]]))
    assert ("rare_level", 1) in conditions(work_up([[30, 1], [1, 8]]))
    assert ("rare_level", 1) not in conditions(work_up([[30, 1], [1, 9]]))
    assert ("rate_shift", 1) in conditions(work_up([[40, 15], [5, 40]]))
    assert ("rate_shift", 1) not in conditions(work_up([[41, 14], [5, 40]]))
    assert set(LIMITS) == {"common_level", "chance_gap", "rare_level", "rate_shift", "low_ceiling"}


def test_a_balanced_scale_of_five_is_no_paradox() -> None:
    """Each level is one in five: rare against the rest, and nothing to warn of."""
    table = np.full((5, 5), 1.0) + np.diag([15.0] * 5)
    found = work_up(table.tolist())

    assert found.signs == ()
    assert all(at.prevalence_index == pytest.approx(-0.6) for at in found.levels)


def test_weights_and_extra_columns() -> None:
    """Weighted agreement counts; an answer that is no level is no matter of margins."""
    table = np.array([[20.0, 6, 1], [4, 25, 5], [0, 3, 18]])
    wider = np.pad(table, (0, 1))
    wider[0, 3] = 9
    w = quadratic([1, 2, 3])
    found = paradox(pairs_of(wider, extra=1), w)
    assert isinstance(found, Paradox)

    assert found.kappa == pytest.approx(number(kappa(table, w)))
    assert found.levels[0].recall == recall(pairs_of(table))[0]
    # chance at even margins: mean weight 2/3
    assert found.even_agreement == pytest.approx((found.raw_agreement - 2 / 3) * 3)


def test_clusters_reach_the_recalls() -> None:
    """Recall comes with the clustering of its own pairs."""
    plain = pairs_of(np.array([[30.0, 10], [5, 35]]))
    pairs = Pairs(plain.human.repeat(2), plain.judge.repeat(2), 2, items=np.arange(80).repeat(2))
    found = paradox(pairs, identity(2))
    assert isinstance(found, Paradox)
    hit = found.levels[0].recall
    assert isinstance(hit, Estimate)

    assert hit.clusters == 40
