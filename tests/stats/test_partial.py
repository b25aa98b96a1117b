import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgekit.stats import Estimate, Pairs, Undefined, critical
from judgekit.stats.partial import length_bias, partial_pearson, partial_spearman
from tests.stats.strategies import unhurried

VALUES = [1.0, 2.0, 3.0]
X, Y, Z = [1.0, 2, 3, 4, 5], [2.0, 1, 4, 3, 5], [1.0, 1, 2, 2, 2]


def number(value: float | Undefined) -> float:
    """The number, where there must be one."""
    assert not isinstance(value, Undefined)
    return value


def biased(n: int = 90, seed: int = 5) -> tuple[Pairs, np.ndarray]:
    """A judge that sees the human's level through length."""
    rng = np.random.default_rng(seed)
    human = rng.integers(0, 3, n)
    lengths = np.exp(5 + 0.5 * human + rng.normal(size=n))
    lean = human + 0.8 * (np.log(lengths) - 5.5) + rng.normal(size=n) * 0.5
    return Pairs(human, np.clip(np.round(lean), 0, 2).astype(int), 3), lengths


def test_by_the_formula() -> None:
    """From the three plain correlations."""
    xy, xz, yz = (float(np.corrcoef(a, b)[0, 1]) for a, b in ((X, Y), (X, Z), (Y, Z)))
    expected = (xy - xz * yz) / math.sqrt((1 - xz**2) * (1 - yz**2))

    assert partial_pearson(X, Y, Z) == pytest.approx(expected)


def test_ranks_do_not_know_units() -> None:
    """A rising curve of any of the three changes nothing for Spearman's."""
    found = number(partial_spearman(X, Y, Z))

    assert partial_spearman(np.exp(X), [y**3 for y in Y], Z) == pytest.approx(found)
    assert partial_pearson(np.exp(X), Y, Z) != pytest.approx(number(partial_pearson(X, Y, Z)))


@pytest.mark.parametrize("partial", [partial_pearson, partial_spearman])
def test_nothing_left_to_correlate(partial: object) -> None:
    """No numbers; a constant; what the third explains completely, or is."""
    assert callable(partial)
    name = partial.__name__

    assert partial([], [], []) == Undefined("empty", 0, name)
    for x, y, z in (([2.0] * 5, Y, Z), (X, [0.1] * 5, Z), (X, Y, [7.0] * 5), (X, Y, X)):
        assert partial(x, y, z) == Undefined("zero_variance", 5, name)


@pytest.mark.parametrize(
    ("x", "message"), [([1.0, 2], "one length"), ([[1.0]] * 5, "one-d"), ([math.nan] * 5, "finite")]
)
def test_misuse_is_an_error(x: list[float], message: str) -> None:
    """What does not fit is refused."""
    with pytest.raises(ValueError, match=message):
        partial_pearson(x, Y, Z)


@given(st.integers(0, 2**32 - 1), st.integers(5, 40))
@unhurried
def test_symmetric_and_in_range(seed: int, n: int) -> None:
    """X and y may swap; units of all three do not matter; the sign does."""
    x, y, z = np.random.default_rng(seed).normal(size=(3, n))
    found = number(partial_pearson(x, y, z))

    assert -1 <= found <= 1
    for other in (partial_pearson(y, x, z), partial_pearson(3 * x + 1, y - 7, -2 * z)):
        assert other == pytest.approx(found, abs=1e-9)
    assert partial_pearson(-x, y, z) == pytest.approx(-found, abs=1e-9)
    assert partial_pearson(x, y + 5 * z, z) == pytest.approx(found, abs=1e-7)


def test_length_bias_takes_the_logarithm() -> None:
    """Values and log length go to the plain function; the interval has n - 4."""
    pairs, lengths = biased()
    judge, human = pairs.judge + 1.0, pairs.human + 1.0
    plain = length_bias(pairs, VALUES, lengths)
    ranks = length_bias(pairs, VALUES, lengths, ranks=True)
    assert isinstance(plain, Estimate)
    assert isinstance(ranks, Estimate)

    assert plain.value == pytest.approx(number(partial_pearson(judge, np.log(lengths), human)))
    assert ranks.value == pytest.approx(number(partial_spearman(judge, lengths, human)))
    half = critical(0.95) / math.sqrt(86)
    assert math.atanh(plain.high) - math.atanh(plain.value) == pytest.approx(half)
    wider = half * math.sqrt(1 + ranks.value**2 / 2)
    assert math.atanh(ranks.high) - math.atanh(ranks.value) == pytest.approx(wider)
    assert (plain.method, ranks.method) == ("partial_pearson/fisher", "partial_spearman/fisher")
    assert plain.low > 0


def test_an_honest_judge_is_not_biased() -> None:
    """Errors that have nothing to do with length: the interval holds 0."""
    rng = np.random.default_rng(6)
    human = rng.integers(0, 3, 200)
    judge = np.where(rng.random(200) < 0.2, rng.integers(0, 3, 200), human)
    lengths = np.exp(5 + 0.5 * human + rng.normal(size=200))
    found = length_bias(Pairs(human, judge, 3), VALUES, lengths)
    assert isinstance(found, Estimate)

    assert found.low < 0 < found.high


def test_no_answer_is_left_out_with_its_length() -> None:
    """Unreadable answers to very long texts do not count."""
    pairs, lengths = biased()
    more = Pairs(np.append(pairs.human, [0, 1]), np.append(pairs.judge, [3, 3]), 4, extra=1)

    assert length_bias(more, VALUES, np.append(lengths, [1e6, 1e6])) == length_bias(
        pairs, VALUES, lengths
    )


def test_clusters_and_weights_act() -> None:
    """Copies in clusters are worth one; copies by weight count as copies."""
    pairs, lengths = biased(60)
    four = Pairs(pairs.human.repeat(4), pairs.judge.repeat(4), 3, clusters=np.arange(60).repeat(4))
    plain = length_bias(pairs, VALUES, lengths)
    found = length_bias(four, VALUES, lengths.repeat(4))
    assert isinstance(plain, Estimate)
    assert isinstance(found, Estimate)

    assert (found.value, found.low) == pytest.approx((plain.value, plain.low), abs=0.02)
    twice = np.where(np.arange(60) < 20, 2.0, 1.0)
    weighted = Pairs(pairs.human, pairs.judge, 3, weight=twice)
    order = np.arange(60).repeat(twice.astype(int))
    copied = Pairs(pairs.human[order], pairs.judge[order], 3)
    for ranks in (False, True):
        here = length_bias(weighted, VALUES, lengths, ranks=ranks)
        there = length_bias(copied, VALUES, lengths[order], ranks=ranks)
        assert isinstance(here, Estimate)
        assert isinstance(there, Estimate)
        assert here.value == pytest.approx(there.value)


def test_undefined() -> None:
    """Nothing; a judge without errors; four pairs; nine clusters."""
    pairs, lengths = biased(20)
    none = pairs.subset(np.zeros(20, bool))
    method = "partial_pearson/fisher"

    assert length_bias(none, VALUES, []) == Undefined("empty", 0, method, 0)
    perfect = Pairs(pairs.human, pairs.human, 3)
    assert length_bias(perfect, VALUES, lengths) == Undefined("zero_variance", 20, method, 20)
    four = Pairs(np.array([0, 1, 2, 2]), np.array([1, 1, 0, 2]), 3)
    assert length_bias(four, VALUES, [10, 30, 20, 50]) == Undefined("too_few_items", 4, method, 4)
    nine = Pairs(pairs.human[:18], pairs.judge[:18], 3, clusters=np.arange(18) // 2)
    found = length_bias(nine, VALUES, lengths[:18])
    assert isinstance(found, Undefined)
    assert found.reason == "too_few_clusters"


@pytest.mark.parametrize("lengths", [[1.0, 2], [-1.0] * 20, [math.nan] * 20])
def test_lengths_speak_of_each_pair(lengths: list[float]) -> None:
    """One length for each pair, none below 0."""
    with pytest.raises(ValueError, match="lengths"):
        length_bias(biased(20)[0], VALUES, lengths)


def test_an_empty_text_has_a_length() -> None:
    """A length of 0 counts as 1."""
    pairs, lengths = biased(20)
    lengths[0] = 0
    one = lengths.copy()
    one[0] = 1

    assert length_bias(pairs, VALUES, lengths) == length_bias(pairs, VALUES, one)
