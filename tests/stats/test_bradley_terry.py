import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgekit.stats import Undefined, critical
from judgekit.stats.arrays import FloatArray
from judgekit.stats.bradley_terry import BradleyTerry, bradley_terry, bradley_terry_clustered
from tests.stats.strategies import unhurried


def fitted(wins: object, **more: int) -> BradleyTerry:
    """The fit, where there must be one."""
    found = bradley_terry(wins, **more)  # type: ignore[arg-type]
    assert isinstance(found, BradleyTerry)
    return found


def games(n: int, m: int, seed: int = 1) -> tuple[FloatArray, ...]:
    """Comparisons of candidates of rising strength: first, second, score, cluster."""
    rng = np.random.default_rng(seed)
    first = rng.integers(0, m, n)
    second = (first + rng.integers(1, m, n)) % m
    odds = 0.5 * (first - second)
    return first, second, (rng.random(n) < 1 / (1 + np.exp(-odds))) * 1.0, np.arange(n) // 4


def test_two_candidates_by_hand() -> None:
    """30 to 10: log 3, with error sqrt(1/30 + 1/10)."""
    found = fitted([[0, 30], [10, 0]]).difference(0, 1)
    half = critical(0.95) * math.sqrt(1 / 30 + 1 / 10)

    assert found.value == pytest.approx(math.log(3))
    assert (found.low, found.high) == pytest.approx((math.log(3) - half, math.log(3) + half))
    assert (found.n, found.method) == (40, "bradley_terry/wald")


def test_win_probability() -> None:
    """3 in 4, with the ends of the log odds."""
    fit = fitted([[0, 30], [10, 0]])
    found, odds = fit.win_probability(0, 1), fit.difference(0, 1)

    assert found.value == pytest.approx(0.75)
    assert found.low == pytest.approx(1 / (1 + math.exp(-odds.low)))
    assert found.high == pytest.approx(1 / (1 + math.exp(-odds.high)))


def test_a_circle_is_a_draw() -> None:
    """Stone, scissors, paper: all of one strength."""
    assert fitted([[0, 5, 1], [1, 0, 5], [5, 1, 0]]).strengths == pytest.approx(np.zeros(3))


@pytest.mark.parametrize(
    ("wins", "n"),
    [
        ([[0, 3], [0, 0]], 3),
        ([[0, 3, 1], [2, 0, 4], [0, 0, 0]], 10),
        ([[0, 3, 0, 0], [2, 0, 0, 0], [0, 0, 0, 1], [0, 0, 4, 0]], 10),
    ],
    ids=["always", "one never wins", "two leagues"],
)
def test_not_separable(wins: list[list[float]], n: int) -> None:
    """Strengths that would run off to infinity, or that nothing compares."""
    assert bradley_terry(wins) == Undefined("not_separable", n, "bradley_terry")


def test_a_long_chain_of_wins_is_enough() -> None:
    """Each beats the next, and the last the first: everybody reaches everybody."""
    wins = np.roll(np.eye(9), 1, axis=1) * 3

    assert fitted(wins).strengths == pytest.approx(np.zeros(9), abs=1e-9)
    wins[8, 0] = 0
    assert isinstance(bradley_terry(wins), Undefined)


def test_very_different_strengths() -> None:
    """A million to one: Newton's first steps do not overshoot."""
    found = fitted([[0, 1e6, 1e6], [1, 0, 1e6], [1, 1, 0]])

    assert found.strengths[0] - found.strengths[1] > 10
    assert np.isfinite(found.covariance).all()


def test_empty_and_misuse() -> None:
    """No comparisons; no candidates to compare; no such reference."""
    assert bradley_terry(np.diag([4.0, 2])) == Undefined("empty", 0, "bradley_terry")
    for wins, reference in (([[1]], 0), ([[0, 1], [1, 0]], 2), ([[0, -1], [1, 0]], 0)):
        with pytest.raises(ValueError, match="two candidates"):
            bradley_terry(wins, reference=reference)


@given(st.integers(0, 2**32 - 1), st.integers(2, 6))
@unhurried
def test_the_likelihood_is_largest(seed: int, m: int) -> None:
    """Expected wins are the wins seen, for every candidate; errors are those of the slope."""
    rng = np.random.default_rng(seed)
    wins = rng.integers(1, 20, (m, m)).astype(float)
    found = fitted(wins)
    np.fill_diagonal(wins, 0)
    b = found.strengths
    P = 1 / (1 + np.exp(b[None, :] - b[:, None]))

    expected = ((wins + wins.T) * P).sum(axis=1)
    assert expected == pytest.approx(wins.sum(axis=1), abs=1e-8)
    assert b[0] == 0


@given(st.integers(0, 2**32 - 1), st.integers(3, 5))
@unhurried
def test_the_reference_does_not_matter(seed: int, m: int) -> None:
    """Differences and their errors are the same; turned round they change sign."""
    wins = np.random.default_rng(seed).integers(1, 20, (m, m)).astype(float)
    here, there = fitted(wins), fitted(wins, reference=m - 1)
    lost = fitted(wins.T)
    for i, j in ((0, 1), (1, 2), (2, 0)):
        one, other, back = (fit.difference(i, j) for fit in (here, there, lost))

        assert (one.value, one.low) == pytest.approx((other.value, other.low), abs=1e-8)
        assert back.value == pytest.approx(-one.value, abs=1e-8)


def test_ties_are_half_wins() -> None:
    """Ten ties are five wins each."""
    first, second, score, clusters = games(400, 4)
    score = score.copy()
    score[:60] = 0.5
    found = bradley_terry_clustered(first, second, score, clusters, 4)
    wins = np.zeros((4, 4))
    for i, j, s in zip(first, second, score, strict=True):
        wins[i, j] += s
        wins[j, i] += 1 - s
    assert isinstance(found, BradleyTerry)

    assert found.strengths == pytest.approx(fitted(wins).strengths)
    assert found.n == 400


def test_sandwich_by_hand() -> None:
    """Two candidates, 30 to 10 in ten clusters of four: slopes of 1 twice, 0 eight times."""
    # p = 3/4. Clusters won 4, 2 and eight times 3 of 4: slopes 1, -1, 0
    won = np.concatenate([[1, 1, 1, 1], [1, 1, 0, 0], np.tile([1, 1, 1, 0], 8)])
    found = bradley_terry_clustered(np.zeros(40, int), np.ones(40, int), won, np.arange(40) // 4, 2)
    assert isinstance(found, BradleyTerry)

    # information 40 * 3/16 = 7.5, meat 10/9 * 2
    assert found.covariance[1, 1] == pytest.approx(10 / 9 * 2 / 7.5**2)


def test_copies_in_clusters_are_worth_one() -> None:
    """Eight copies of each comparison: the errors are nearly those of one."""
    first, second, score, _ = games(300, 3)
    copies = [side.repeat(8) for side in (first, second, score, np.arange(300))]
    robust = bradley_terry_clustered(*copies, 3)
    alone = bradley_terry_clustered(first, second, score, np.arange(300), 3)
    assert isinstance(robust, BradleyTerry)
    assert isinstance(alone, BradleyTerry)
    wins = np.zeros((3, 3))
    np.add.at(wins, (first, second), score)
    np.add.at(wins, (second, first), 1 - score)

    assert robust.covariance == pytest.approx(alone.covariance)
    model = fitted(wins).covariance
    assert alone.covariance == pytest.approx(model, rel=0.25, abs=1e-9)
    assert robust.clusters == 300
    value = robust.difference(2, 1)
    half = critical(0.95, 299) * math.sqrt(
        robust.covariance[2, 2] + robust.covariance[1, 1] - 2 * robust.covariance[1, 2]
    )
    assert value.high - value.value == pytest.approx(half)


def test_clustered_undefined_and_misuse() -> None:
    """As the plain fit; nine clusters; a candidate against itself."""
    first, second, score, clusters = games(36, 3)
    few = bradley_terry_clustered(first, second, score, clusters, 3)
    never = bradley_terry_clustered([0, 0], [1, 1], [1, 1], [0, 1], 2)

    assert few == Undefined("too_few_clusters", 36, "bradley_terry")
    assert never == Undefined("not_separable", 2, "bradley_terry")
    assert bradley_terry_clustered([], [], [], [], 2) == Undefined("empty", 0, "bradley_terry")
    for second_, score_ in ([[0], [1.0]], [[1], [2.0]], [[1], [1.0, 0]]):
        with pytest.raises(ValueError, match="score"):
            bradley_terry_clustered([0], second_, score_, [0], 2)
