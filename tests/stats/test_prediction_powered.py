from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgekit.stats.estimate import Estimate, Undefined
from judgekit.stats.prediction_powered import (
    classical_mean,
    effective_labels,
    ppi_lambda,
    ppi_mean,
    ppi_plus_mean,
    stratified_ppi_mean,
)
from judgekit.stats.quantiles import critical

HUMAN = np.array([1.0, 1, 0, 1, 0, 1, 1, 0, 1, 1])
JUDGE = np.array([1.0, 1, 0, 1, 1, 1, 0, 0, 1, 1])
JUDGED = np.repeat([1.0, 0.0], [30, 10])


def known(found: Estimate | Undefined) -> Estimate:
    """The estimate, which must be there."""
    assert isinstance(found, Estimate), found
    return found


def test_by_hand() -> None:
    """PPI: the judge's .75 on the many, plus .7 - .7 on the labelled; Y - f has variance .2."""
    found = known(ppi_mean(HUMAN, JUDGE, JUDGED, large_sample=True))

    assert found.value == pytest.approx(0.75)
    half = critical(0.95) * (0.75 * 0.25 / 40 + 0.2 / 10) ** 0.5
    assert (found.low, found.high) == pytest.approx((0.75 - half, 0.75 + half))
    assert (found.n, found.method) == (50, "mean/ppi")


def test_lambda_by_hand() -> None:
    """Cov = .6 - .49 = .11; the pooled judge passes 37 of 50; Var = .74 * .26 * 50 / 49."""
    expected = 0.11 / ((1 + 10 / 40) * 0.74 * 0.26 * 50 / 49)

    assert ppi_lambda(HUMAN, JUDGE, JUDGED) == pytest.approx(expected)
    found = known(ppi_plus_mean(HUMAN, JUDGE, JUDGED, large_sample=True))
    assert found.value == pytest.approx(expected * 0.75 + 0.7 - expected * 0.7)


def test_no_weight_is_the_labels_alone() -> None:
    """With lambda 0 the judge has no say, in either form."""
    for large in (False, True):
        alone = known(classical_mean(HUMAN, large_sample=large))
        found = known(ppi_mean(HUMAN, JUDGE, JUDGED, lam=0.0, large_sample=large))
        assert (found.value, found.low, found.high) == pytest.approx(
            (alone.value, alone.low, alone.high)
        )


def test_small_samples_are_wider() -> None:
    """Student's t and n - 1 instead of the normal and n."""
    small, large = (
        known(ppi_mean(HUMAN, JUDGE, JUDGED, large_sample=big)) for big in (False, True)
    )

    assert small.value == large.value
    assert small.low < large.low < large.high < small.high


def test_each_label_is_corrected_without_its_own_say() -> None:
    """Below a hundred labels: theta is the mean of corrections with lambdas fitted without them."""
    lam = [ppi_lambda(np.delete(HUMAN, i), np.delete(JUDGE, i), JUDGED) for i in range(HUMAN.size)]
    expected = np.mean(HUMAN - np.array(lam) * (JUDGE - JUDGED.mean()))

    assert known(ppi_plus_mean(HUMAN, JUDGE, JUDGED)).value == pytest.approx(expected)


def test_many_labels_share_one_lambda() -> None:
    """From a hundred on."""
    many = [np.tile(x, 10) for x in (HUMAN, JUDGE)]

    small, large = (known(ppi_plus_mean(*many, JUDGED, large_sample=big)) for big in (False, True))
    assert small.value == pytest.approx(large.value)


def test_a_judge_that_always_says_the_same() -> None:
    """There is nothing to weigh; the labels decide alone."""
    same = np.ones(10)

    assert ppi_lambda(HUMAN, same, np.ones(40)) == 0
    assert known(ppi_plus_mean(HUMAN, same, np.ones(40))).value == pytest.approx(0.7)


def test_a_judge_that_contradicts_gets_no_weight() -> None:
    """Lambda is never negative, and never above 1."""
    assert ppi_lambda(HUMAN, 1 - HUMAN, JUDGED) == 0
    assert ppi_lambda(10 * HUMAN, HUMAN, JUDGED) == 1


@given(
    seed=st.integers(0, 2**32 - 1),
    shift=st.floats(-100, 100),
    scale=st.floats(0.1, 10),
    large=st.booleans(),
)
def test_other_units(seed: int, shift: float, scale: float, *, large: bool) -> None:
    """Moving and stretching everything moves and stretches the interval."""
    rng = np.random.default_rng(seed)
    human, judge, judged = (rng.integers(1, 6, n).astype(float) for n in (20, 20, 50))
    one = known(ppi_plus_mean(human, judge, judged, large_sample=large))
    other = known(
        ppi_plus_mean(*(shift + scale * x for x in (human, judge, judged)), large_sample=large)
    )

    ends = (shift + scale * x for x in (one.value, one.low, one.high))
    assert (other.value, other.low, other.high) == pytest.approx(tuple(ends), abs=1e-6)


@given(st.integers(0, 2**32 - 1))
def test_order_does_not_matter(seed: int) -> None:
    """Neither of the labels nor of the judgments; cross-fitting needs no folds."""
    rng = np.random.default_rng(seed)
    shuffled = rng.permutation(10)
    one = known(ppi_plus_mean(HUMAN, JUDGE, JUDGED))
    other = known(ppi_plus_mean(HUMAN[shuffled], JUDGE[shuffled], rng.permutation(JUDGED)))

    assert (other.value, other.low, other.high) == pytest.approx((one.value, one.low, one.high))


@pytest.mark.parametrize(
    ("human", "judge", "judged", "reason"),
    [
        ([], [], [1.0], "empty"),
        ([1.0], [1.0], [1.0, 0.0], "zero_variance"),
        ([1.0, 0.0], [1.0, 0.0], [], "empty"),
    ],
)
def test_too_little(human: Any, judge: Any, judged: Any, reason: str) -> None:
    """No labels, one label, no judgments."""
    for found in (ppi_mean(human, judge, judged), ppi_plus_mean(human, judge, judged)):
        assert isinstance(found, Undefined)
        assert found.reason == reason
    assert isinstance(classical_mean([]), Undefined)
    assert isinstance(classical_mean([1.0]), Undefined)
    assert ppi_lambda([], [], [1.0]) == 0


@pytest.mark.parametrize(
    ("human", "judge", "told"),
    [
        ([1.0, 0.0], [1.0], "2 values"),
        ([[1.0]], [1.0], "human must be"),
        ([float("nan")], [1.0], "finite"),
    ],
)
def test_misuse(human: Any, judge: Any, told: str) -> None:
    """Lengths, shapes and numbers that cannot be."""
    with pytest.raises(ValueError, match=told):
        ppi_mean(human, judge, [1.0, 0.0])


def test_worth_in_labels() -> None:
    """Half the variance is twice the labels."""
    assert effective_labels(100, 0.02, 0.01) == 200
    with pytest.raises(ValueError, match="positive"):
        effective_labels(100, 0.02, 0.0)


def test_strata_of_the_judges_level_are_post_stratification() -> None:
    """Within a level the judge is constant: the shares of the many weigh the humans' rates."""
    home, others = JUDGE.astype(int), JUDGED.astype(int)
    found = known(stratified_ppi_mean((HUMAN, JUDGE, home), (JUDGED, others)))
    passed, failed = HUMAN[home == 1].mean(), HUMAN[home == 0].mean()

    assert found.value == pytest.approx(0.75 * passed + 0.25 * failed)
    fixed = known(stratified_ppi_mean((HUMAN, JUDGE, home), (JUDGED, others), known_shares=True))
    assert fixed.value == found.value
    assert found.low < fixed.low < fixed.high < found.high
    # 6 of 7 and 1 of 3 pass; 10 labels less 2 strata
    within = 0.75**2 * (6 / 49) / 6 + 0.25**2 * (2 / 9) / 2
    # the variance of a stratum's mean: spread with n - 1, over n
    assert fixed.high - fixed.value == pytest.approx(critical(0.95, 8) * within**0.5)


def test_enriched_strata_are_put_right() -> None:
    """Labels spent on one stratum do not pull the mean towards it."""
    rng = np.random.default_rng(4)
    home = np.repeat([0, 1], [180, 20])
    human = np.concatenate([rng.random(180) < 0.2, rng.random(20) < 0.9]).astype(float)
    others = np.repeat([0, 1], [100, 900])
    found = known(stratified_ppi_mean((human, home.astype(float), home), (others, others)))

    assert found.value == pytest.approx(0.1 * human[:180].mean() + 0.9 * human[180:].mean())


def test_a_stratum_without_labels() -> None:
    """What nobody labelled cannot be corrected; what nobody judged is not asked for."""
    home = np.zeros(10, dtype=int)
    found = stratified_ppi_mean((HUMAN, JUDGE, home), (JUDGED, JUDGED.astype(int)))
    assert isinstance(found, Undefined)
    assert found.reason == "too_few_items"

    home[:5] = 7
    assert isinstance(
        stratified_ppi_mean((HUMAN, JUDGE, home), (JUDGED, np.zeros(40, dtype=int))), Estimate
    )
    assert isinstance(stratified_ppi_mean((HUMAN, JUDGE, home), ([], [])), Undefined)
    with pytest.raises(ValueError, match="stratum"):
        stratified_ppi_mean((HUMAN, JUDGE, home[:3]), (JUDGED, np.zeros(40, dtype=int)))
