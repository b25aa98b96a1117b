from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgekit.stats.estimate import Estimate, Undefined
from judgekit.stats.rogan_gladen import (
    corrected_rate,
    lang_reiczigel,
    lang_reiczigel_point,
    rogan_gladen,
    rogan_gladen_error,
    youden,
)
from judgekit.stats.samples import Sample

GOOD = [[40, 10], [5, 45]]
PASSES = np.array([False, True])
shares = st.floats(0.05, 0.95)


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


def judged(counts: list[int], **more: Any) -> Sample:
    """Items the judge gave these levels, so many each."""
    return Sample(np.repeat(np.arange(len(counts)), counts), len(counts), **more)


def test_by_hand() -> None:
    """TPR .9, TNR .8, J .7; the judge passes 720 of 1,000: (.72 + .8 - 1) / .7."""
    assert youden(GOOD) == pytest.approx(0.7)
    assert rogan_gladen(GOOD, 720, 1000) == pytest.approx(0.52 / 0.7)
    # .72*.28/1000 + (.18/.7)^2 * .8*.2/50 + (.52/.7)^2 * .9*.1/50, over .49
    variance = (0.0002016 + (0.18 / 0.7) ** 2 * 0.0032 + (0.52 / 0.7) ** 2 * 0.0018) / 0.49
    assert rogan_gladen_error(GOOD, 720, 1000) == pytest.approx(variance**0.5)


@given(shares, shares, shares)
def test_it_undoes_what_the_judge_does(theta: float, tpr: float, tnr: float) -> None:
    """Exact rates in, the true rate out, whatever the mix of the labels."""
    passed = theta * tpr + (1 - theta) * (1 - tnr)
    table = 100 * np.array([[3 * tnr, 3 * (1 - tnr)], [1 - tpr, tpr]])
    if abs(tpr + tnr - 1) < 1e-6:
        return

    assert rogan_gladen(table, 1000 * passed, 1000) == pytest.approx(theta, abs=1e-6)


def test_a_perfect_judge_is_right() -> None:
    """Nothing to take off; and the interval does not collapse."""
    found = known(lang_reiczigel([[50, 0], [0, 50]], 300, 1000))

    assert found.value == pytest.approx(0.3)
    assert found.low < 0.27
    assert found.high > 0.33


def test_it_is_cut_off() -> None:
    """More passes than any mix of these errors can make."""
    table = [[40, 10], [20, 30]]

    assert rogan_gladen(table, 900, 1000) == 1
    assert rogan_gladen(table, 900, 1000, clip=False) == pytest.approx((0.9 + 0.8 - 1) / 0.4)
    assert rogan_gladen(table, 0, 1000) == 0
    found = known(lang_reiczigel(table, 900, 1000))
    assert found.value == found.high == 1


@given(st.integers(0, 1000), st.tuples(*[st.integers(0, 60)] * 4))
def test_pass_and_fail_change_places(passed: int, cells: tuple[int, ...]) -> None:
    """Calling a fail a pass, in labels and scores, mirrors the interval; it holds the value."""
    a, b, c, d = cells
    one = lang_reiczigel([[a, b], [c, d]], passed, 1000)
    other = lang_reiczigel([[d, c], [b, a]], 1000 - passed, 1000)

    if isinstance(one, Undefined):
        assert isinstance(other, Undefined)
        return
    mirrored = known(other)
    assert 0 <= one.low <= one.value <= one.high <= 1
    assert (one.low, one.high) == pytest.approx((1 - mirrored.high, 1 - mirrored.low))


def test_more_labels_are_narrower() -> None:
    """Ten times the labels, and ten times the scored items."""
    few = known(lang_reiczigel(GOOD, 720, 1000))
    labels = known(lang_reiczigel(10 * np.array(GOOD), 720, 1000))
    both = known(lang_reiczigel(10 * np.array(GOOD), 7200, 10000))

    assert few.high - few.low > labels.high - labels.low > both.high - both.low
    assert (few.n, both.n) == (1100, 11000)


@pytest.mark.parametrize(
    "table",
    [
        [[30, 20], [22, 28]],  # J = .16
        [[7, 3], [4, 6]],  # J = .3, but ten labels a side: it may well be negative
        [[10, 40], [45, 5]],  # J = -.7
        [[25, 25], [25, 25]],  # a coin
        [[600, 400], [440, 560]],  # J = .16 beyond doubt
    ],
)
def test_too_weak_a_judge(table: Any) -> None:
    """No figure where division is by a J that is nearly, or possibly, 0."""
    found = lang_reiczigel(table, 500, 1000)

    assert isinstance(found, Undefined)
    assert found.reason == "ill_conditioned"


def test_weak_with_many_labels_is_enough() -> None:
    """The same J of .3 with a thousand labels is no accident."""
    assert isinstance(lang_reiczigel([[700, 300], [400, 600]], 500, 1000), Estimate)


@pytest.mark.parametrize("function", [rogan_gladen, rogan_gladen_error, lang_reiczigel_point])
def test_a_coin_has_no_value(function: Any) -> None:
    """J is exactly 0."""
    found = function([[25, 25], [25, 25]], 500, 1000)

    assert isinstance(found, Undefined)
    assert found.reason == "ill_conditioned"


@pytest.mark.parametrize(
    ("table", "passed", "total", "reason"),
    [
        ([[0, 0], [5, 45]], 5, 10, "no_negative"),
        ([[5, 45], [0, 0]], 5, 10, "no_positive"),
        ([[0, 0], [0, 0]], 5, 10, "no_positive"),
        (GOOD, 0, 0, "empty"),
    ],
)
def test_nothing_to_go_by(table: Any, passed: int, total: int, reason: str) -> None:
    """A rate without a denominator."""
    for function in (rogan_gladen, rogan_gladen_error, lang_reiczigel, lang_reiczigel_point):
        found = function(table, passed, total)
        assert isinstance(found, Undefined)
        assert found.reason == reason


@pytest.mark.parametrize(
    ("table", "passed", "total", "told"),
    [
        ([[1, 2, 3]] * 3, 1, 2, "2 x 2"),
        ([[1, -1], [1, 1]], 1, 2, "2 x 2"),
        (GOOD, 3, 2, "3 passed of 2"),
        (GOOD, -1, 2, "-1 passed"),
    ],
)
def test_misuse(table: Any, passed: int, total: int, told: str) -> None:
    """Shapes and counts that cannot be."""
    with pytest.raises(ValueError, match=told):
        rogan_gladen(table, passed, total)


def test_samples_without_anything_special_are_counts() -> None:
    """The same interval from items as from their table; other levels are collapsed."""
    counted = known(lang_reiczigel(GOOD, 720, 1000))
    found = known(corrected_rate(sample(GOOD), judged([280, 720]), PASSES))
    three = [[20, 0, 5], [20, 0, 5], [3, 2, 45]]
    apart = known(
        corrected_rate(sample(three), judged([200, 80, 720]), np.array([False, False, True]))
    )

    expected = pytest.approx((counted.value, counted.low, counted.high))
    assert (found.value, found.low, found.high) == expected
    assert (apart.value, apart.low, apart.high) == expected


def test_cases_widen() -> None:
    """Labels and scored items by fours that say the same."""
    one = corrected_rate(
        sample(GOOD, clusters=np.arange(100) // 4),
        judged([280, 720], clusters=np.arange(1000) // 4),
        PASSES,
    )
    alone = known(corrected_rate(sample(GOOD), judged([280, 720]), PASSES))

    assert known(one).value == alone.value
    assert known(one).high - known(one).low > 1.5 * (alone.high - alone.low)


def test_too_few_cases() -> None:
    """A hundred labels of four cases."""
    found = corrected_rate(sample(GOOD, clusters=np.arange(100) % 4), judged([280, 720]), PASSES)

    assert isinstance(found, Undefined)
    assert found.reason == "too_few_clusters"


def test_weights_count() -> None:
    """Fails that stand for twice as many: the same as two of each, with an honest interval."""
    weight = np.repeat([2.0, 1.0], 50)
    found = known(corrected_rate(sample(GOOD, weight=weight), judged([280, 720]), PASSES))

    # TPR and TNR are within a human level, where the weights are equal.
    assert found.value == pytest.approx(0.52 / 0.7)
    uneven = np.tile([4.0, 1.0], 50)
    wider = known(corrected_rate(sample(GOOD, weight=uneven), judged([280, 720]), PASSES))
    assert wider.high - wider.low > found.high - found.low


def test_raters_who_differ_share_an_item() -> None:
    """An item half passed is half a pass and half a fail."""
    labelled = sample(GOOD)
    assert labelled.human is not None
    human = labelled.human.copy()
    human[:10] = 0.5  # ten fails of the judge, on which one of two raters passes
    found = known(corrected_rate(Sample(labelled.judge, 2, human), judged([280, 720]), PASSES))

    # TPR 45 / 55, TNR 35 / 45
    assert found.value == pytest.approx((0.72 + 35 / 45 - 1) / (45 / 55 + 35 / 45 - 1))


def test_a_known_design_effect_widens() -> None:
    """What is known of raters and cases without the rows."""
    plain = known(corrected_rate(sample(GOOD), judged([280, 720]), PASSES))
    found = known(corrected_rate(sample(GOOD, inflation=2.0), judged([280, 720]), PASSES))

    assert found.value == plain.value
    assert found.high - found.low > 1.2 * (plain.high - plain.low)
