from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgekit.stats import wilson
from judgekit.stats.estimate import Estimate, Undefined
from judgekit.stats.powered_levels import Powered, powered_mean, powered_rate, powered_shares
from judgekit.stats.prediction_powered import ppi_lambda
from judgekit.stats.samples import Sample
from tests.stats.strategies import unhurried

PASSES = np.array([False, True])
GOOD = [[40, 10], [5, 45]]
MANY = [280, 720]


def known(found: Estimate | Undefined) -> Estimate:
    """The estimate, which must be there."""
    assert isinstance(found, Estimate), found
    return found


def sample(table: Any, **more: Any) -> Sample:
    """The items of a table, one rater each."""
    counts = np.array(table)
    k = len(counts)
    human, judge = (np.repeat(c, counts.ravel()) for c in np.indices((k, k)).reshape(2, -1))
    return Sample(judge, k, np.eye(k)[human], **more)


def judged(counts: Any, **more: Any) -> Sample:
    """Items the judge gave these levels, so many each."""
    return Sample(np.repeat(np.arange(len(counts)), counts), len(counts), **more)


def width(found: Estimate | Undefined) -> float:
    """How wide its interval is."""
    return known(found).high - known(found).low


def test_a_rate_by_hand() -> None:
    """Lambda of the papers, theta of it, Wilson's interval with the effective number of labels."""
    found = powered_rate(sample(GOOD), judged(MANY), PASSES)
    human, judge = (
        np.repeat([0, 0, 1, 1], [40, 10, 5, 45]),
        np.repeat([0, 1, 0, 1], [40, 10, 5, 45]),
    )
    lam = ppi_lambda(human, judge, np.repeat([0, 1], MANY)) * 1100 / 1099  # Var with n, not n - 1
    value = lam * 0.72 + 0.5 - lam * 0.55
    # With half an error each way: 101 labels, humans pass 50.5, the judge 55.5, both 45.
    y, f = 50.5 / 101, 55.5 / 101
    rho2 = (45 / 101 - y * f) ** 2 / (y * (1 - y) * f * (1 - f))
    n_eff = 100 / (1 - rho2 * 1000 / 1100)
    expected = known(wilson(value * 1e6, 1e6, n_eff=n_eff))

    assert known(found.corrected).value == pytest.approx(value)
    assert known(found.corrected).low == pytest.approx(expected.low)
    assert known(found.corrected).high == pytest.approx(expected.high)
    assert found.effective == pytest.approx(n_eff)
    assert not found.adds_nothing
    assert found.reported == found.corrected
    assert known(found.corrected).n == 1100


def test_the_labels_alone_have_wilsons_interval() -> None:
    """Beside every corrected figure stands what the labels say."""
    found = powered_rate(sample(GOOD), judged(MANY), PASSES)
    expected = known(wilson(50, 100))

    alone = known(found.labels_only)
    assert (alone.value, alone.low, alone.high) == pytest.approx((0.5, expected.low, expected.high))
    assert alone.n == found.n == 100


def test_twenty_of_twenty_prove_little() -> None:
    """No error seen: narrower than the labels alone, and far from as good as a thousand labels."""
    found = powered_rate(sample([[10, 0], [0, 10]]), judged([500, 500]), PASSES)

    assert 0.15 < width(found.corrected) < 0.6 * width(found.labels_only)
    assert found.effective is not None
    assert found.effective < 300


@pytest.mark.parametrize("table", [[[0, 0], [0, 30]], [[0, 0], [5, 25]], [[0, 5], [0, 25]]])
def test_a_level_nobody_used(table: Any) -> None:
    """One-sided labels, one-sided judges: an interval there is, and it does not collapse."""
    for counts in ([0, 500], [50, 450]):
        found = powered_rate(sample(table), judged(counts), PASSES)
        assert 0.05 < width(found.corrected) < 0.5
        assert 0 <= known(found.corrected).low <= known(found.corrected).high <= 1


def test_a_judge_that_adds_nothing() -> None:
    """A coin: the labels' own figure is the one to report."""
    found = powered_rate(sample([[25, 25], [25, 25]]), judged([500, 500]), PASSES)

    assert found.adds_nothing
    assert found.reported == found.labels_only
    assert found.effective == pytest.approx(100, abs=1)


def test_nothing_but_labels() -> None:
    """Every item is labelled: the labels are the answer."""
    found = powered_rate(sample(GOOD), judged([0, 0]), PASSES)

    assert known(found.corrected).value == 0.5
    assert width(found.corrected) == width(found.labels_only)
    assert found.effective == pytest.approx(100)
    assert found.adds_nothing


@unhurried
@given(st.tuples(*[st.integers(0, 40)] * 4), st.integers(0, 300), st.integers(0, 300))
def test_pass_and_fail_change_places(cells: tuple[int, ...], fails: int, passes: int) -> None:
    """Mirrored labels and judgments mirror the interval; it holds the value and stays in [0, 1]."""
    a, b, c, d = cells
    if a + b + c + d == 0:
        return
    one = powered_rate(sample([[a, b], [c, d]]), judged([fails, passes]), PASSES)
    other = powered_rate(sample([[d, c], [b, a]]), judged([passes, fails]), PASSES)

    for first, second in zip(one[:2], other[:2], strict=True):
        assert isinstance(first, Estimate)
        assert isinstance(second, Estimate)
        assert 0 <= first.low <= first.value <= first.high <= 1
        assert (first.low, first.high) == pytest.approx((1 - second.high, 1 - second.low))
    assert one.effective is not None
    assert one.effective >= one.n - 1e-6


def test_two_values_make_a_mean_of_the_rate() -> None:
    """On levels 0 and 1 the mean is the pass rate; on 1 and 5 it is stretched."""
    rate = known(powered_rate(sample(GOOD), judged(MANY), PASSES).corrected)
    mean = known(powered_mean(sample(GOOD), judged(MANY), [0, 1]).corrected)
    stretched = known(powered_mean(sample(GOOD), judged(MANY), [1, 5]).corrected)

    assert (mean.value, mean.low, mean.high) == pytest.approx((rate.value, rate.low, rate.high))
    assert (stretched.value, stretched.low) == pytest.approx((1 + 4 * rate.value, 1 + 4 * rate.low))


FIVE = [[18, 2, 0, 0, 0], [2, 16, 2, 0, 0], [0, 2, 16, 2, 0], [0, 0, 2, 16, 2], [0, 0, 0, 2, 18]]


def test_a_mean_by_its_parts() -> None:
    """The lowest value and the rates above each cut."""
    labelled, others = sample(FIVE), judged([100, 150, 200, 250, 300])
    found = known(powered_mean(labelled, others, [1, 2, 3, 4, 5]).corrected)
    rates = [
        known(powered_rate(labelled, others, np.arange(5) > cut).corrected).value
        for cut in range(4)
    ]

    assert found.value == pytest.approx(1 + sum(rates))
    assert 1 <= found.low < found.value < found.high <= 5


def test_the_direction_of_the_scale_does_not_matter() -> None:
    """Levels that stand from best to worst, as some rubrics have them."""
    labelled, others = sample(FIVE), judged([100, 150, 200, 250, 300])
    rising = known(powered_mean(labelled, others, [1, 2, 3, 4, 5]).corrected)
    falling = known(powered_mean(labelled, others, [5, 4, 3, 2, 1]).corrected)

    assert (falling.value, falling.low, falling.high) == pytest.approx(
        (6 - rising.value, 6 - rising.high, 6 - rising.low)
    )


def test_levels_all_alike_are_not_certain() -> None:
    """Thirty fives, judge and humans: the thirty-first may be another."""
    table = np.zeros((5, 5), dtype=int)
    table[4, 4] = 30
    found = powered_mean(sample(table), judged([0, 0, 0, 0, 900]), [1, 2, 3, 4, 5])

    assert known(found.corrected).value == known(found.corrected).high == 5
    assert known(found.corrected).low < 4.95


def test_shares_add_up() -> None:
    """One lambda for all levels; each share has its own interval."""
    table = [[36, 3, 1], [2, 36, 2], [1, 2, 37]]
    found = powered_shares(sample(table), judged([430, 290, 280]))

    assert sum(known(one.corrected).value for one in found) == pytest.approx(1)
    assert all(width(one.corrected) < width(one.labels_only) for one in found)


def test_cases_widen() -> None:
    """Items of a case say less; cases that run through both samples are seen."""
    mine, theirs = np.arange(100) // 4, np.arange(1000) // 4
    apart = powered_rate(sample(GOOD, clusters=mine), judged(MANY, clusters=100 + theirs), PASSES)
    plain = powered_rate(sample(GOOD), judged(MANY), PASSES)

    assert known(apart.corrected).value == known(plain.corrected).value
    assert width(apart.corrected) > 1.5 * width(plain.corrected)
    assert known(apart.corrected).clusters == 275
    assert known(apart.corrected).design_effect > 2


def test_cases_in_both_samples_are_one_case() -> None:
    """What a case adds to the labels' error it takes from the judge's share, and the other way."""
    rng = np.random.default_rng(1)
    case = np.repeat(np.arange(50), 20)
    level = (rng.random(50) < 0.5).astype(int)[case]
    first = np.arange(case.size) % 20 < 2
    labelled = Sample(level[first], 2, np.eye(2)[level[first]], clusters=case[first])
    both = Sample(level[~first], 2, clusters=case[~first])
    other = Sample(level[~first], 2, clusters=100 + case[~first])

    # Here every label repeats what the others of its case show: together they are one number.
    assert width(powered_rate(labelled, both, PASSES).corrected) != pytest.approx(
        width(powered_rate(labelled, other, PASSES).corrected), abs=1e-3
    )


@pytest.mark.parametrize("side", ["labelled", "judged"])
def test_too_few_cases(side: str) -> None:
    """Fewer than ten, on either side; no interval, for the labels alone only if it is theirs."""
    few = np.arange(100) % 9 if side == "labelled" else np.arange(1000) % 9
    labelled = sample(GOOD, clusters=few) if side == "labelled" else sample(GOOD)
    others = judged(MANY, clusters=few) if side == "judged" else judged(MANY)
    found = powered_rate(labelled, others, PASSES)

    assert isinstance(found.corrected, Undefined)
    assert found.corrected.reason == "too_few_clusters"
    assert found.effective is None
    assert not found.adds_nothing
    assert isinstance(found.labels_only, Estimate) == (side == "judged")


def test_weights_put_enriched_labels_right() -> None:
    """Half of the labels on what the judge fails, which is a tenth of all."""
    table = [[40, 5], [10, 45]]  # the judge fails 50 and passes 50
    judge = np.repeat([0, 1, 0, 1], [40, 5, 10, 45])
    weight = np.where(judge == 1, 0.9, 0.1)
    found = powered_rate(sample(table, weight=weight), judged([100, 900]), PASSES)
    strata = powered_rate(sample(table, weight=weight, strata=judge), judged([100, 900]), PASSES)

    # Of the passed 45 of 50 are right, of the failed 10 of 50 are wrong.
    assert known(found.corrected).value == pytest.approx(0.9 * 0.9 + 0.1 * 0.2)
    assert known(strata.corrected).value == pytest.approx(0.83)
    # Strata that are the judge's levels leave nothing of its word to chance.
    assert strata.adds_nothing
    assert known(strata.labels_only).value == pytest.approx(0.83)
    assert width(strata.corrected) <= width(found.corrected) * 1.05
    assert width(found.corrected) < width(found.labels_only)


def test_uneven_weights_are_worth_less() -> None:
    """The same labels, some standing for nine times as many."""
    uneven = np.tile([9.0, 1.0], 50)
    found = powered_rate(sample(GOOD, weight=uneven), judged(MANY), PASSES)
    even = powered_rate(sample(GOOD, weight=np.full(100, 7.0)), judged(MANY), PASSES)
    plain = powered_rate(sample(GOOD), judged(MANY), PASSES)

    assert width(found.labels_only) > 1.2 * width(plain.labels_only)
    assert known(even.corrected).low == pytest.approx(known(plain.corrected).low)


def test_weights_of_the_many_count_too() -> None:
    """Judged items that stand for more than others."""
    weight = np.repeat([1.0, 3.0], [500, 500])
    found = powered_rate(sample(GOOD), judged([500, 500], weight=weight), PASSES)
    plain = powered_rate(sample(GOOD), judged([250, 750]), PASSES)
    assert known(found.corrected).value == pytest.approx(known(plain.corrected).value, abs=0.01)

    uneven = judged([50, 150], weight=np.tile([1.0, 9.0], 100))
    found = powered_rate(sample(GOOD), uneven, PASSES)
    plain = powered_rate(sample(GOOD), judged([50, 150]), PASSES)
    assert width(found.corrected) > width(plain.corrected)


def test_raters_who_differ_share_an_item() -> None:
    """Half a pass counts half."""
    labelled = sample(GOOD)
    assert labelled.human is not None
    human = labelled.human.copy()
    human[:10] = 0.5
    found = powered_rate(Sample(labelled.judge, 2, human), judged(MANY), PASSES)

    assert known(found.labels_only).value == pytest.approx(0.55)


def test_a_known_design_effect_widens() -> None:
    """What is known of raters and cases without the rows."""
    plain = powered_rate(sample(GOOD), judged(MANY), PASSES)
    found = powered_rate(sample(GOOD, inflation=2.0), judged(MANY), PASSES)

    assert width(found.labels_only) > 1.3 * width(plain.labels_only)
    assert width(found.corrected) > 1.3 * width(plain.corrected)


def test_no_labels() -> None:
    """Nothing to correct with."""
    nothing = Sample(np.zeros(0, dtype=int), 2, np.zeros((0, 2)))
    found = powered_rate(nothing, judged(MANY), PASSES)

    assert isinstance(found.corrected, Undefined)
    assert found.corrected.reason == "empty"
    assert found == Powered(found.corrected, found.labels_only, 0, None)


def test_one_label() -> None:
    """As little as can be: nearly everything is possible."""
    assert width(powered_rate(sample([[0, 0], [0, 1]]), judged(MANY), PASSES).corrected) > 0.5


@pytest.mark.parametrize(
    ("values", "told"),
    [([1, 2, 3], "2 different"), ([1, 1], "different"), ([1, float("nan")], "finite")],
)
def test_values_that_do_not_fit(values: Any, told: str) -> None:
    """One number a level, no two alike."""
    with pytest.raises(ValueError, match=told):
        powered_mean(sample(GOOD), judged(MANY), values)


def test_misuse() -> None:
    """A sample without labels, another scale, a mask that does not fit."""
    with pytest.raises(ValueError, match="labelled"):
        powered_rate(judged(MANY), judged(MANY), PASSES)
    with pytest.raises(ValueError, match="same scale"):
        powered_rate(sample(GOOD), judged([1, 2, 3]), PASSES)
    with pytest.raises(ValueError, match="passes"):
        powered_rate(sample(GOOD), judged(MANY), np.array([True, False, True]))
