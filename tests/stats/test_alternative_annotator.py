"""The alternative annotator test against its golden cases and a plain reading of its recipe."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from judgekit.stats.alternative_annotator import (
    EPSILON,
    AlternativeAnnotator,
    alternative_annotator,
)
from judgekit.stats.estimate import Undefined
from judgekit.stats.ratings import Ratings
from tests.stats.strategies import unhurried

GOLDEN = Path(__file__).resolve().parents[2].parent / "shared" / "golden"
CASES = sorted(GOLDEN.glob("alttest-*.json"))


def outcome(found: AlternativeAnnotator | Undefined) -> AlternativeAnnotator:
    """The outcome, where there must be one."""
    assert isinstance(found, AlternativeAnnotator)
    return found


@pytest.mark.skipif(not CASES, reason="the golden cases are not beside this checkout")
@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_golden(path: Path) -> None:
    """Winning rate, advantage, every p-value and the verdict of the published procedure."""
    case = json.loads(path.read_text(encoding="utf-8"))
    told, expected = case["inputs"], case["expected"]
    items = sorted(told["llm"])
    humans = np.array([[h.get(i, -1) for h in told["humans"].values()] for i in items])
    judge = np.array([told["llm"][i] for i in items])
    k = int(max(humans.max(), judge.max())) + 1
    values = np.arange(k) if told["scoring"] == "neg_rmse" else None

    found = outcome(
        alternative_annotator(
            Ratings(humans, k), judge, epsilon=told["epsilon"], values=values, q=told["q"]
        )
    )

    near = case["tolerance"]
    got = {"winning_rate": found.winning_rate, "avg_advantage_probability": found.advantage.value}
    got |= {f"p[{list(told['humans'])[v.rater]}]": v.p for v in found.versus if v.p is not None}
    assert got.keys() | {"passes"} == expected.keys()
    for name, value in got.items():
        assert value == pytest.approx(expected[name], abs=near[name]), name
    assert found.passes is expected["passes"]


def plain(
    humans: np.ndarray, judge: np.ndarray, epsilon: float, values: np.ndarray | None = None
) -> dict[str, Any]:
    """The recipe of the paper, item by item and human by human, with SciPy's t-test."""
    n, m = humans.shape
    p, advantage, tested = [], [], []
    for j in range(m):
        d, wins = [], []
        for i in range(n):
            rest = [humans[i, h] for h in range(m) if h != j and humans[i, h] >= 0]
            if humans[i, j] < 0 or not rest or judge[i] < 0:
                continue
            scores = []
            for x in (judge[i], humans[i, j]):
                if values is None:
                    scores.append(sum(x == a for a in rest) / len(rest))
                else:
                    scores.append(-math.sqrt(sum((values[x] - values[a]) ** 2 for a in rest)))
            wins.append(scores[0] >= scores[1])
            d.append(int(scores[1] >= scores[0]) - int(scores[0] >= scores[1]))
        if len(d) < 30:
            continue
        tested.append(j)
        advantage.append(np.mean(wins))
        if len(set(d)) == 1:
            p.append(0.0 if d[0] < epsilon else 1.0)
        else:
            p.append(float(scipy_stats.ttest_1samp(d, epsilon, alternative="less").pvalue))
    order, size = np.argsort(p, kind="stable"), len(p)
    harmonic = sum(1 / i for i in range(1, size + 1))
    passed = [i for i in range(size) if p[order[i]] <= (i + 1) / (size * harmonic) * 0.05]
    won = max(passed) + 1 if passed else 0
    return {
        "tested": tested,
        "p": p,
        "rate": won / size if size else None,
        "advantage": float(np.mean(advantage)) if advantage else None,
    }


def ragged(rng: np.random.Generator, n: int, m: int, k: int, gaps: float) -> tuple[Any, Any]:
    """Humans near a hidden truth, with gaps, and a judge near it too."""
    truth = rng.integers(0, k, n)
    humans = np.where(rng.random((n, m)) < 0.7, truth[:, None], rng.integers(0, k, (n, m)))
    humans = np.where(rng.random((n, m)) < gaps, -1, humans)
    judge = np.where(rng.random(n) < rng.uniform(0.3, 0.95), truth, rng.integers(0, k, n))
    return humans, np.where(rng.random(n) < 0.05, -1, judge)


@pytest.mark.parametrize("ordinal", [False, True])
@pytest.mark.parametrize("seed", range(8))
def test_the_plain_recipe(seed: int, *, ordinal: bool) -> None:
    """Ragged raters, both scorings: the same tests, the same rates, as item by item."""
    rng = np.random.default_rng(seed)
    m, k = int(rng.integers(2, 6)), int(rng.integers(2, 6))
    humans, judge = ragged(rng, int(rng.integers(60, 140)), m, k, rng.uniform(0, 0.4))
    values = np.cumsum(rng.integers(1, 4, k)).astype(float) if ordinal else None
    epsilon = float(rng.choice(list(EPSILON.values())))

    found = outcome(
        alternative_annotator(Ratings(humans, k), judge, epsilon=epsilon, values=values)
    )
    by_hand = plain(humans, judge, epsilon, values)

    assert [v.rater for v in found.versus] == by_hand["tested"]
    assert [v.p for v in found.versus] == pytest.approx(by_hand["p"], abs=1e-10)
    assert found.winning_rate == pytest.approx(by_hand["rate"])
    assert found.advantage.value == pytest.approx(by_hand["advantage"])
    assert found.passes is (by_hand["rate"] >= 0.5)


def test_rounding_breaks_no_tie() -> None:
    """Level values in steps of 0.1 give what the same values times 10 give."""
    humans, judge = ragged(np.random.default_rng(6), 200, 4, 4, 0.1)
    values = np.array([1, 2, 4, 7])

    whole = alternative_annotator(Ratings(humans, 4), judge, epsilon=0.2, values=values)

    tenths = alternative_annotator(Ratings(humans, 4), judge, epsilon=0.2, values=values / 10)
    assert tenths == whole


def three(n: int, wrong: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Three humans of one mind on two levels, and a judge that is wrong on the first ``wrong``."""
    level = np.arange(n) % 2
    judge = np.where(np.arange(n) < wrong, 1 - level, level)
    return np.repeat(level[:, None], 3, axis=1), judge


def test_everybody_agrees() -> None:
    """Every d is 0: no t-test is possible, 0 is below epsilon, and the advantage doubts."""
    humans, judge = three(40)

    found = outcome(alternative_annotator(Ratings(humans, 2), judge, epsilon=0.1))

    assert [(v.p, v.constant, v.rejected) for v in found.versus] == [(0.0, True, True)] * 3
    assert (found.winning_rate, found.passes) == (1.0, True)
    assert found.advantage.value == found.advantage.high == 1
    assert 0.8 < found.advantage.low < 0.95
    assert found.method == "alternative_annotator/accuracy/items/t"


def test_always_worse() -> None:
    """Every d is 1: H0 stands without a test."""
    humans, judge = three(40, wrong=40)

    found = outcome(alternative_annotator(Ratings(humans, 2), judge, epsilon=0.2))

    assert [(v.p, v.constant, v.rejected) for v in found.versus] == [(1.0, True, False)] * 3
    assert (found.winning_rate, found.passes, found.advantage.value) == (0.0, False, 0.0)
    assert 0 < found.advantage.high < 0.2


def test_constant_at_epsilon_is_not_below_it() -> None:
    """H0 is "epsilon or more": exactly epsilon keeps it."""
    humans, judge = three(40)

    found = outcome(alternative_annotator(Ratings(humans, 2), judge, epsilon=0.0))

    assert [v.p for v in found.versus] == [1.0] * 3


def test_half_is_a_pass() -> None:
    """Two humans who never agree; the judge is always with the second: it replaces the first."""
    level = np.arange(40) % 2

    found = outcome(
        alternative_annotator(
            Ratings(np.column_stack([level, 1 - level]), 2), 1 - level, epsilon=0.1
        )
    )

    # Left out, the first loses to the judge; the second and the judge are as far from the first.
    assert [v.rejected for v in found.versus] == [True, True]
    worse = np.where(np.arange(40) < 10, 2, 1 - level)
    half = outcome(
        alternative_annotator(Ratings(np.column_stack([level, 1 - level]), 2), worse, epsilon=0.1)
    )
    assert [v.rejected for v in half.versus] == [True, False]
    assert (half.winning_rate, half.passes) == (0.5, True)


def test_few_items_are_skipped_and_told() -> None:
    """A rater with 29 items is not tested, does not count in the rate, and is reported."""
    humans, judge = three(60)
    humans[29:, 2] = -1

    found = outcome(alternative_annotator(Ratings(humans, 2), judge, epsilon=0.1))

    assert [v.rater for v in found.versus] == [0, 1]
    assert [(v.rater, v.n, v.p) for v in found.skipped] == [(2, 29, None)]
    assert found.winning_rate == 1.0


def test_wilcoxon_where_allowed() -> None:
    """Fewer than 30 values: SciPy's signed-rank test, and 2^-n for equal signs."""
    rng = np.random.default_rng(4)
    humans, judge = ragged(rng, 28, 3, 3, 0.0)
    judge = np.where(judge < 0, 0, judge)

    found = outcome(alternative_annotator(Ratings(humans, 3), judge, epsilon=0.2, small="wilcoxon"))
    d = [plain_difference(humans, judge, v.rater) for v in found.versus]
    by_scipy = [
        scipy_stats.wilcoxon(x - 0.2, alternative="less", method="approx").pvalue for x in d
    ]

    assert [v.p for v in found.versus] == pytest.approx(by_scipy)
    assert found.method.endswith("/wilcoxon")
    few = outcome(
        alternative_annotator(Ratings(three(5)[0], 2), three(5)[1], epsilon=0.1, small="wilcoxon")
    )
    assert [v.p for v in few.versus] == [0.5**5] * 3


def plain_difference(humans: np.ndarray, judge: np.ndarray, j: int) -> np.ndarray:
    """W^h - W^f of complete nominal labels."""
    rest = np.delete(humans, j, axis=1)
    mine, its = (rest == humans[:, j : j + 1]).sum(1), (rest == judge[:, None]).sum(1)
    return (mine >= its).astype(float) - (its >= mine)


def test_too_little_to_test() -> None:
    """One rater, no shared item, or nobody with 30: a reason, not a rate."""
    humans, judge = three(40)

    alone = alternative_annotator(Ratings(humans[:, :1], 2), judge, epsilon=0.1)
    unasked = alternative_annotator(Ratings(humans, 2), np.full(40, -1), epsilon=0.1)
    few = alternative_annotator(Ratings(humans[:29], 2), judge[:29], epsilon=0.1)

    assert isinstance(alone, Undefined)
    assert alone.reason == "too_few_raters"
    assert isinstance(unasked, Undefined)
    assert unasked.reason == "too_few_raters"
    assert few == Undefined("too_few_items", 29, "alternative_annotator")


def test_cases_are_the_unit() -> None:
    """With clusters, the t-test is over the mean of d in each case; it takes 30 of them."""
    rng = np.random.default_rng(11)
    humans, judge = ragged(rng, 140, 3, 2, 0.0)
    judge = np.where(judge < 0, 0, judge)
    cases = np.arange(140) // 4

    found = outcome(alternative_annotator(Ratings(humans, 2, cases), judge, epsilon=0.15))

    assert found.method == "alternative_annotator/accuracy/cases/t"
    assert found.advantage.clusters == 35
    for versus in found.versus:
        d = plain_difference(humans, judge, versus.rater)
        means = [d[cases == case].mean() for case in range(35)]
        by_scipy = scipy_stats.ttest_1samp(means, 0.15, alternative="less").pvalue
        assert versus.n == 35
        assert versus.p == pytest.approx(by_scipy, abs=1e-10)
    few = alternative_annotator(Ratings(humans, 2, np.arange(140) // 5), judge, epsilon=0.15)
    assert isinstance(few, Undefined)
    assert few.reason == "too_few_items"


def test_single_items_are_no_cases() -> None:
    """Clusters that never repeat change nothing."""
    humans, judge = ragged(np.random.default_rng(2), 80, 3, 3, 0.1)

    alone = alternative_annotator(Ratings(humans, 3, np.arange(80)), judge, epsilon=0.2)

    assert alone == alternative_annotator(Ratings(humans, 3), judge, epsilon=0.2)


@pytest.mark.parametrize("values", [None, [0.0, 1.0]])
def test_what_is_no_level_loses(values: list[float] | None) -> None:
    """An unreadable answer is worse than the worst level: it does not even tie."""
    humans, judge = three(40, wrong=40)
    humans[:, 2] = 1 - humans[:, 2]  # so that human 2 ties with a judge that is wrong

    wrong = outcome(alternative_annotator(Ratings(humans, 2), judge, epsilon=0.2, values=values))
    unread = outcome(
        alternative_annotator(Ratings(humans, 2), np.full(40, 2), epsilon=0.2, values=values)
    )

    assert wrong.versus[2].advantage == 1
    assert [v.advantage for v in unread.versus] == [0, 0, 0]
    assert unread.winning_rate == 0


def test_careless_humans_are_easy_to_replace() -> None:
    """The known trap: among raters who guess, a judge that guesses passes."""
    rng = np.random.default_rng(3)
    humans, judge = rng.integers(0, 5, (400, 3)), rng.integers(0, 5, 400)

    assert outcome(alternative_annotator(Ratings(humans, 5), judge, epsilon=0.2)).passes


def test_advantage_covers_the_truth() -> None:
    """In 400 samples of 60 items the interval holds the long-run value about 95% of the time."""
    rng = np.random.default_rng(8)

    def sample(n: int) -> AlternativeAnnotator:
        truth = rng.integers(0, 3, n)
        said = np.where(rng.random((n, 4)) < 0.7, truth[:, None], rng.integers(0, 3, (n, 4)))
        return outcome(alternative_annotator(Ratings(said[:, :3], 3), said[:, 3], epsilon=0.2))

    truth = sample(60_000).advantage.value
    inside = np.mean(
        [s.advantage.low <= truth <= s.advantage.high for s in map(sample, [60] * 400)]
    )

    assert 0.92 <= inside <= 0.99


@unhurried
@given(st.integers(0, 10_000), st.booleans())
def test_order_and_names_do_not_matter(seed: int, ordinal: bool) -> None:  # noqa: FBT001
    """Items in another order, and mirrored values, give the same outcome."""
    rng = np.random.default_rng(seed)
    humans, judge = ragged(rng, 50, 3, 3, 0.15)
    values = np.array([1.0, 2.0, 4.0]) if ordinal else None
    order = rng.permutation(50)

    found = alternative_annotator(Ratings(humans, 3), judge, epsilon=0.15, values=values)
    moved = alternative_annotator(
        Ratings(humans[order], 3),
        judge[order],
        epsilon=0.15,
        values=None if values is None else 10 - 3 * values,
    )

    if isinstance(found, Undefined):
        assert moved == found
    else:
        again = outcome(moved)
        assert again.winning_rate == found.winning_rate
        assert again.advantage.value == pytest.approx(found.advantage.value)
        assert [v.p for v in again.versus] == pytest.approx([v.p for v in found.versus])


@pytest.mark.parametrize(
    ("judge", "more"),
    [
        (np.zeros(3, dtype=int), {}),
        (np.zeros(4), {}),
        (np.full(4, -2), {}),
        (np.zeros(4, dtype=int), {"values": [1.0]}),
        (np.zeros(4, dtype=int), {"values": [1.0, math.nan]}),
        (np.zeros(4, dtype=int), {"epsilon": 1.5}),
        (np.zeros(4, dtype=int), {"q": 0.0}),
    ],
)
def test_misuse(judge: np.ndarray, more: dict[str, Any]) -> None:
    """Shapes that do not fit and numbers out of range are errors, not results."""
    with pytest.raises(ValueError, match=r"judge|values|epsilon"):
        alternative_annotator(
            Ratings(np.zeros((4, 2), dtype=int), 2), judge, **{"epsilon": 0.1, **more}
        )
