from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgekit.stats.estimate import Estimate, Undefined
from judgekit.stats.inversion import (
    class_shares,
    condition_number,
    confusion_matrix,
    inverted_mean,
    inverted_shares,
    on_simplex,
)
from judgekit.stats.rogan_gladen import rogan_gladen
from judgekit.stats.samples import Sample
from tests.stats.strategies import unhurried

THREE = [[40, 8, 2], [5, 30, 5], [1, 6, 23]]


def known(found: Estimate | Undefined) -> Estimate:
    """The estimate, which must be there."""
    assert isinstance(found, Estimate), found
    return found


def dice() -> np.random.Generator:
    """The same dice each time."""
    return np.random.default_rng(7)


def sample(table: Any, **more: Any) -> Sample:
    """The items of a table, one rater each."""
    counts = np.array(table)
    k = len(counts)
    human, judge = (np.repeat(c, counts.ravel()) for c in np.indices((k, k)).reshape(2, -1))
    return Sample(judge, k, np.eye(k)[human], **more)


def judged(counts: Any, **more: Any) -> Sample:
    """Items the judge gave these levels, so many each."""
    return Sample(np.repeat(np.arange(len(counts)), counts), len(counts), **more)


def test_the_matrix_by_hand() -> None:
    """Each column is how one human level is treated."""
    found = confusion_matrix([[8, 2], [3, 9]])

    assert not isinstance(found, Undefined)
    np.testing.assert_allclose(found, [[0.8, 0.25], [0.2, 0.75]])


def test_two_levels_are_rogan_and_gladen() -> None:
    """The same corrected rate."""
    table = [[40, 10], [5, 45]]
    found = class_shares(table, [280, 720])

    assert not isinstance(found, Undefined)
    assert found[1] == pytest.approx(rogan_gladen(table, 720, 1000))
    assert found.sum() == pytest.approx(1)


@given(st.tuples(*[st.floats(0.01, 1)] * 3))
def test_it_undoes_what_the_judge_does(mix: tuple[float, ...]) -> None:
    """Exact shares in, the true mix out."""
    truth = np.array(mix) / sum(mix)
    M = confusion_matrix(THREE)
    assert not isinstance(M, Undefined)
    found = class_shares(THREE, 1000 * M @ truth)

    assert not isinstance(found, Undefined)
    np.testing.assert_allclose(found, truth, atol=1e-9)


def test_a_perfect_judge_is_right() -> None:
    """The identity matrix has condition number 1."""
    table = 20 * np.eye(3)
    found = class_shares(table, [10, 20, 70])

    assert condition_number(table) == pytest.approx(1)
    assert not isinstance(found, Undefined)
    np.testing.assert_allclose(found, [0.1, 0.2, 0.7])


def test_no_share_is_negative() -> None:
    """More of a level than any mix can make: moved to the nearest shares there are."""
    found = class_shares(THREE, [0, 0, 1000])

    assert not isinstance(found, Undefined)
    np.testing.assert_allclose(found, [0, 0, 1], atol=1e-12)


@given(st.lists(st.floats(-5, 5), min_size=2, max_size=6))
def test_onto_the_simplex(shares: list[float]) -> None:
    """Not negative, adding up to 1, in the same order; what is there already stays."""
    found = on_simplex(shares)

    assert (found >= 0).all()
    assert found.sum() == pytest.approx(1)
    assert (np.diff(found[np.argsort(shares)]) >= -1e-12).all()
    np.testing.assert_allclose(on_simplex(found), found, atol=1e-12)
    np.testing.assert_allclose(on_simplex([shares, shares]), [found, found])


@pytest.mark.parametrize(
    "table",
    [
        [[10, 10, 10]] * 3,  # every level treated alike
        [[40, 0, 0], [0, 22, 18], [0, 19, 21]],  # two levels it cannot tell apart
    ],
)
def test_too_confused_a_judge(table: Any) -> None:
    """The matrix is nearly singular."""
    found = class_shares(table, [10, 20, 70])

    assert isinstance(found, Undefined)
    assert found.reason == "ill_conditioned"
    each = inverted_shares(sample(table), judged([10, 20, 70]), rng=dice())
    assert [one.reason for one in each if isinstance(one, Undefined)] == ["ill_conditioned"] * 3


def test_a_singular_matrix_has_no_condition_number() -> None:
    """Never infinity."""
    found = condition_number([[5, 5], [5, 5]])

    assert isinstance(found, Undefined)
    assert found.reason == "ill_conditioned"


@pytest.mark.parametrize(
    ("table", "counts", "reason"),
    [
        ([[0, 0], [0, 0]], [1, 1], "empty"),
        ([[5, 1], [0, 0]], [1, 1], "no_positive"),
        ([[5, 1], [1, 5]], [0, 0], "empty"),
    ],
)
def test_nothing_to_go_by(table: Any, counts: Any, reason: str) -> None:
    """No labels, a level without labels, no scored items."""
    found = class_shares(table, counts)

    assert isinstance(found, Undefined)
    assert found.reason == reason


def test_intervals_hold_their_values() -> None:
    """Inside [0, 1], around the share, the same for the same dice."""
    found = [known(f) for f in inverted_shares(sample(THREE), judged([42, 35, 23]), rng=dice())]
    again = [known(f) for f in inverted_shares(sample(THREE), judged([42, 35, 23]), rng=dice())]

    assert found == again
    assert sum(one.value for one in found) == pytest.approx(1)
    for one in found:
        assert 0 <= one.low < one.value < one.high <= 1
        assert (one.n, one.method) == (220, "share/inversion")


def test_more_of_both_is_narrower() -> None:
    """Ten times the labels, ten times the scored items."""
    few = inverted_mean(sample(THREE), judged([42, 35, 23]), [1, 2, 3], rng=dice())
    many = inverted_mean(
        sample(10 * np.array(THREE)), judged([420, 350, 230]), [1, 2, 3], rng=dice()
    )
    ratio = (known(few).high - known(few).low) / (known(many).high - known(many).low)

    assert ratio == pytest.approx(10**0.5, rel=0.2)


def test_a_mean_by_its_shares() -> None:
    """The values, weighted by the shares."""
    shares = inverted_shares(sample(THREE), judged([42, 35, 23]), rng=dice())
    mean = known(inverted_mean(sample(THREE), judged([42, 35, 23]), [1, 2, 5], rng=dice()))

    expected = sum(v * known(one).value for v, one in zip([1, 2, 5], shares, strict=True))
    assert mean.value == pytest.approx(expected)
    assert 1 <= mean.low < mean.value < mean.high <= 5


def test_no_error_seen_is_not_no_error() -> None:
    """Twenty of twenty at each level: the interval does not collapse to that of the shares."""
    table = 20 * np.eye(3, dtype=int)
    found = [known(f) for f in inverted_shares(sample(table), judged([500, 0, 500]), rng=dice())]

    assert found[1].value == found[1].low == 0
    assert 0.001 < found[1].high < 0.1
    # 1,000 items alone would give half-widths of .031
    assert found[0].high - found[0].low > 0.08


@unhurried
@given(st.permutations([0, 1, 2]))
def test_the_order_of_the_levels_does_not_matter(order: list[int]) -> None:
    """Renamed levels have the same shares."""
    table, counts = np.array(THREE), np.array([42, 35, 23])
    found = class_shares(table, counts)
    other = class_shares(table[np.ix_(order, order)], counts[order])

    assert not isinstance(found, Undefined)
    assert not isinstance(other, Undefined)
    np.testing.assert_allclose(other, found[order], atol=1e-12)


def test_cases_and_known_effects_widen() -> None:
    """Items of a case say less."""
    plain = known(inverted_mean(sample(THREE), judged([420, 350, 230]), [1, 2, 3], rng=dice()))
    for labelled, others in (
        (
            sample(THREE, clusters=np.arange(120) // 4),
            judged([420, 350, 230], clusters=50 + np.arange(1000) // 4),
        ),
        (sample(THREE, inflation=3.0), judged([420, 350, 230])),
    ):
        found = known(inverted_mean(labelled, others, [1, 2, 3], rng=dice()))
        assert found.value == plain.value
        assert found.design_effect > 1.5
        assert found.high - found.low > 1.2 * (plain.high - plain.low)


def test_too_few_cases() -> None:
    """A hundred and twenty labels of five cases."""
    found = inverted_mean(
        sample(THREE, clusters=np.arange(120) % 5), judged([42, 35, 23]), [1, 2, 3], rng=dice()
    )

    assert isinstance(found, Undefined)
    assert (found.reason, found.method) == ("too_few_clusters", "mean_level/inversion")


def test_misuse() -> None:
    """Shapes and samples that do not fit."""
    with pytest.raises(ValueError, match="square"):
        confusion_matrix([[1, 2, 3]])
    with pytest.raises(ValueError, match="negative"):
        confusion_matrix([[1, -2], [1, 1]])
    with pytest.raises(ValueError, match="3 counts"):
        class_shares(THREE, [1, 2])
    with pytest.raises(ValueError, match="3 levels"):
        inverted_mean(sample(THREE), judged([42, 35, 23]), [1, 2], rng=dice())
    with pytest.raises(ValueError, match="labelled"):
        inverted_shares(judged([1, 2, 3]), judged([1, 2, 3]), rng=dice())
