import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgekit.stats import (
    Estimate,
    Pairs,
    Undefined,
    agreement,
    design_effect,
    identity,
    path_score,
    quadratic,
    with_disagreeing,
)
from tests.stats.strategies import clustered_pairs, pairs_of, unhurried
from tests.timing import cpu_seconds

TABLE = np.array([[20.0, 4, 0], [3, 15, 5], [1, 2, 10]])


def estimate(found: Estimate | Undefined) -> Estimate:
    """The estimate, where there must be one."""
    assert isinstance(found, Estimate)
    return found


def test_independent_pairs_are_the_plain_interval() -> None:
    """Without clusters the answer is the table's path-score interval, counted in items."""
    found = estimate(agreement(pairs_of(TABLE), quadratic([1, 2, 3]), method="qwk"))
    plain = estimate(path_score(TABLE, quadratic([1, 2, 3]), method="qwk"))

    assert (found.value, found.low, found.high) == (plain.value, plain.low, plain.high)
    assert (found.n, found.pairs, found.clusters, found.design_effect) == (60, 60, None, 1.0)
    assert found.method == "qwk/path_score"


def test_clusters_take_the_design_effect_and_t() -> None:
    """T / deff with Student's t on G - 1 degrees of freedom."""
    plain = pairs_of(TABLE)
    pairs = Pairs(plain.human, plain.judge, 3, clusters=np.arange(60) // 4)
    effect, clusters = design_effect(pairs, identity(3))

    found = estimate(agreement(pairs, identity(3)))
    by_hand = estimate(path_score(TABLE, identity(3), design_effect=effect, df=14))

    assert effect > 1
    assert (found.low, found.high) == (by_hand.low, by_hand.high)
    assert (found.clusters, found.design_effect) == (clusters, effect) == (15, effect)


def test_several_raters_count_as_one_item() -> None:
    """Sixty pairs of twenty items: n is 20, and the interval is clustered by item."""
    plain = pairs_of(TABLE)
    items = np.arange(60) // 3
    found = estimate(agreement(Pairs(plain.human, plain.judge, 3, items=items), identity(3)))
    clustered = estimate(agreement(Pairs(plain.human, plain.judge, 3, clusters=items), identity(3)))

    assert (found.n, found.pairs, found.clusters) == (20, 60, 20)
    assert (found.low, found.high) == (clustered.low, clustered.high)


def test_repeating_everybody_earns_nothing() -> None:
    """Five raters who all say the same are worth no more than one of them."""
    plain = pairs_of(TABLE)
    one = estimate(agreement(plain, identity(3)))
    five = Pairs(plain.human.repeat(5), plain.judge.repeat(5), 3, items=np.arange(60).repeat(5))
    found = estimate(agreement(five, identity(3)))

    assert found.value == pytest.approx(one.value)
    assert found.low < one.low
    assert found.high > one.high


def test_too_few_clusters() -> None:
    """Nine clusters are no ground for an interval; nine single items are no clusters."""
    codes, other = np.arange(18) % 2, np.arange(18) % 3 % 2
    few = agreement(Pairs(codes, other, 2, clusters=np.arange(18) // 2), identity(2))
    single = agreement(Pairs(codes[:9], other[:9], 2, clusters=np.arange(9)), identity(2))

    assert few == Undefined("too_few_clusters", 18, "cohen_kappa/path_score", 18)
    assert isinstance(single, Estimate)
    assert single.clusters is None


@pytest.mark.parametrize(
    ("human", "judge", "reason"),
    [([], [], "empty"), ([0], [0], "single_category"), ([1] * 40, [1] * 40, "single_category")],
)
def test_undefined(human: list[int], judge: list[int], reason: str) -> None:
    """No pairs, one pair, one level: no number, with the counts kept."""
    clusters = np.arange(len(human)) // 2
    found = agreement(
        Pairs(np.array(human, int), np.array(judge, int), 2, clusters=clusters), identity(2)
    )

    assert found == Undefined(reason, len(human), "cohen_kappa/path_score", len(human))  # type: ignore[arg-type]


def test_one_item_of_three_raters_is_undefined() -> None:
    """Three pairs of one item make one cluster."""
    pairs = Pairs(np.array([0, 1, 1]), np.array([1, 1, 1]), 2, items=np.zeros(3, int))

    assert agreement(pairs, identity(2)) == Undefined(
        "too_few_clusters", 1, "cohen_kappa/path_score", 3
    )


def test_unusable_answers_count_against_the_judge() -> None:
    """Ten answers off the scale lower kappa; left out, they do not."""
    plain = pairs_of(TABLE)
    judge = np.where(np.arange(60) % 6 == 0, 3, plain.judge)
    pairs = Pairs(plain.human, judge, 4, extra=1)
    gated = estimate(agreement(pairs, with_disagreeing(identity(3), 1)))
    ordinary = estimate(agreement(pairs.usable(), identity(3)))

    assert gated.value < ordinary.value
    assert (gated.n, ordinary.n) == (60, 50)


def test_weights_must_fit_the_scale() -> None:
    """Forgetting the extra column is an error."""
    pairs = Pairs(np.array([0, 1]), np.array([0, 2]), 3, extra=1)

    with pytest.raises(ValueError, match="the weights are"):
        agreement(pairs, identity(2))


def test_sampling_weights_move_value_and_width() -> None:
    """Disagreements of weight 2: the table they make, and the design effect of heavy errors."""
    plain = pairs_of(np.array([[20.0, 5], [5, 20]]))
    weight = np.where(plain.human == plain.judge, 1.0, 2.0)
    found = estimate(agreement(Pairs(plain.human, plain.judge, 2, weight=weight), identity(2)))

    # weighted shares: agreement 40 of 60; p_e = 1/2; kappa = 1/3
    # u = (1 - 2/3) / .5 - (1/3) / .25 (1 - 1) = 2/3 on the diagonal, -4/3 off it
    # v = 5/6 and 5/3: sum v^2 u^2 = (40 * 25/36 * 4/9 + 10 * 25/9 * 16/9) = 61.73
    # sum v u^2 = 40 * 5/6 * 4/9 + 10 * 5/3 * 16/9 = 44.44; more than Kish's 80 * 50 / 60^2 = 1.11
    assert found.value == pytest.approx(1 / 3)
    assert found.design_effect == pytest.approx(61.7284 / 44.4444, rel=1e-5)
    assert (found.n, found.pairs) == (50, 50)


@given(clustered_pairs(), st.integers(0, 2**32 - 1))
@unhurried
def test_order_does_not_matter(pairs: Pairs, seed: int) -> None:
    """Shuffling the pairs changes nothing."""
    order = np.random.default_rng(seed).permutation(len(pairs))
    assert pairs.clusters is not None
    shuffled = Pairs(
        pairs.human[order], pairs.judge[order], pairs.k, clusters=pairs.clusters[order]
    )
    here, there = agreement(pairs, identity(pairs.k)), agreement(shuffled, identity(pairs.k))

    if isinstance(here, Undefined):
        assert here == there
    else:
        assert (here.value, here.low, here.high) == pytest.approx(
            (estimate(there).value, estimate(there).low, estimate(there).high), abs=1e-7
        )


@given(clustered_pairs())
@unhurried
def test_the_value_lies_inside(pairs: Pairs) -> None:
    """The value lies between low and high, and clusters never narrow the interval."""
    found = agreement(pairs, identity(pairs.k))
    plain = agreement(Pairs(pairs.human, pairs.judge, pairs.k), identity(pairs.k))
    if isinstance(found, Undefined) or isinstance(plain, Undefined):
        return

    assert found.low <= found.value <= found.high
    assert found.low <= plain.low + 1e-9
    assert found.high >= plain.high - 1e-9


def test_a_million_pairs_take_no_loop() -> None:
    """The cost is a few passes over the arrays."""
    rng, n = np.random.default_rng(1), 1_000_000
    human = rng.integers(0, 5, n)
    judge = np.where(rng.random(n) < 0.7, human, rng.integers(0, 5, n))
    pairs = Pairs(human, judge, 5, clusters=np.arange(n) // 4)

    found = estimate(agreement(pairs, quadratic(range(5))))

    assert cpu_seconds(lambda: agreement(pairs, quadratic(range(5))), rounds=2) < 2
    assert found.high - found.low < 0.01
