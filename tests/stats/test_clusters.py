from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgekit.stats import Pairs, Undefined, design_effect, identity, influence, kappa
from judgekit.stats.clusters import clustering, design_effects
from judgekit.stats.strata import within
from tests.stats.strategies import clustered_pairs, pairs_of, unhurried


def test_copies_count_once() -> None:
    """Each pair three times over, the copies in one cluster: 3 G/(G-1) times the variance."""
    once = pairs_of(np.array([[9.0, 3], [2, 6]]))
    thrice = Pairs(once.human.repeat(3), once.judge.repeat(3), 2, clusters=np.arange(20).repeat(3))

    effect, clusters = design_effect(thrice, identity(2))

    # sum over clusters of (3u)^2 against sum over pairs of u^2: 9 * 20 / (3 * 20) = 3
    assert (effect, clusters) == (pytest.approx(3 * 20 / 19), 20)


def test_worked_example() -> None:
    """Four clusters of two; influence values of a balanced table by hand."""
    # T = 3 1   margins 1/2, p_o = .75, p_e = .5, kappa = .5
    #     1 3   u = (w - .75)/.5 - .25/.25 (1 - 1) = .5 on the diagonal, -1.5 off it
    # clusters (.5,.5) (.5,.5) (.5,.5) (-1.5,-1.5): sums 1, 1, 1, -3
    # clustered: 4/3 * (1 + 1 + 1 + 9) = 16; independent: 6 * .25 + 2 * 2.25 = 6; more than
    # the worst case of pairs that stand and fall together, so nothing is added
    human, judge = np.array([0, 0, 1, 1, 0, 1, 0, 1]), np.array([0, 0, 1, 1, 0, 1, 1, 0])
    pairs = Pairs(human, judge, 2, clusters=np.repeat(np.arange(4), 2))

    assert design_effect(pairs, identity(2)) == (pytest.approx(16 / 6), 4)


def by_hand(u: np.ndarray, v: np.ndarray, units: np.ndarray) -> float:
    """The formula of the module, written out with loops, for weights of mean 1."""
    n, names = len(u), sorted(set(units.tolist()))
    G = len(names)
    sums = [sum(v[i] * u[i] for i in range(n) if units[i] == g) for g in names]
    sizes = [sum(units[i] == g for i in range(n)) for g in names]
    masses = [sum(v[i] for i in range(n) if units[i] == g) for g in names]
    square = sum(v[i] * u[i] ** 2 for i in range(n))
    as_one = sum(m * m for m in masses) / n
    if square < 1e-12 * n:
        return as_one
    observed = sum(s * s for s in sums) * (G / (G - 1) if n > G else 1)
    pair_squares = [(v[i] * u[i]) ** 2 for i in range(n)]
    typical = sum(p * u[i] ** 2 for i, p in enumerate(pair_squares)) / sum(pair_squares)
    pairs_disagreeing = max(1.0, sum(pair_squares) ** 2 / sum(p * p for p in pair_squares))
    total, spread = sum(s * s for s in sums), sum(s**4 for s in sums)
    units_disagreeing = max(1.0, total**2 / spread) if spread > 0 else 1.0
    added = 2 * max(v) * typical * max(1.0, pairs_disagreeing / units_disagreeing)
    worst = max(v) * sum(m * m for m in sizes) / n
    shrunk = min(as_one, (observed + added * worst) / (square + added))
    floor = 0.5 if np.ptp(v) > 0 else 1.0
    return float(max(floor, observed / square, shrunk))


@given(clustered_pairs(), st.booleans(), st.integers(0, 2**32 - 1))
@unhurried
def test_the_formula(pairs: Pairs, weighted: bool, seed: int) -> None:  # noqa: FBT001
    """The definition, written out with loops, with and without sampling weights."""
    if weighted:
        weight = np.random.default_rng(seed).choice([0.2, 1.0, 3.0], len(pairs))
        pairs = replace(pairs, weight=weight)
    pull = influence(pairs.table(), identity(pairs.k))
    if isinstance(pull, Undefined) or pairs.clusters is None:
        return
    u = pull[pairs.human, pairs.judge]
    G = int(pairs.clusters.max()) + 1
    v = np.ones(len(pairs)) if pairs.weight is None else pairs.weight
    if len(u) == G and np.ptp(v) == 0:
        return

    found = design_effect(pairs, identity(pairs.k))

    assert found == (pytest.approx(by_hand(u, v, pairs.clusters)), G)


def test_without_weights_two_worst_cases_are_added() -> None:
    """(I D + 2 A) / (I + 2), I the number of cases the observed effect D rests on."""
    # 12 cases of 4; three of them disagree in two pairs each
    u = np.full(48, -1 / 7)
    u[[0, 1, 16, 17, 32, 33]] = 1.0
    units = np.repeat(np.arange(12), 4)
    S = u.reshape(12, 4).sum(axis=1)
    rests_on = (S**2).sum() ** 2 / (S**4).sum()
    D = 12 / 11 * (S**2).sum() / (u**2).sum()

    expected = (rests_on * D + 2 * 4) / (rests_on + 2)
    assert design_effects(u[None], units)[0] == pytest.approx(expected)
    assert 1 < D < expected < 4


def test_much_evidence_speaks_for_itself() -> None:
    """With many cases the added ones hardly count: independent pairs cost nearly nothing."""
    rng = np.random.default_rng(8)
    human = rng.integers(0, 2, 40_000)
    judge = np.where(rng.random(40_000) < 0.8, human, 1 - human)

    effect, _ = design_effect(Pairs(human, judge, 2, clusters=np.arange(40_000) // 4), identity(2))

    assert effect == pytest.approx(1, abs=0.05)


@given(clustered_pairs())
@unhurried
def test_never_below_one(pairs: Pairs) -> None:
    """Clusters never make pairs worth more."""
    effect, _ = design_effect(pairs, identity(pairs.k))

    assert effect >= 1


def test_no_disagreement_takes_every_case_as_one() -> None:
    """Influence is 0 throughout: six cases of 3 and six of 2 are worth 30^2 / (6 * 9 + 6 * 4)."""
    codes = np.arange(30) % 2
    pairs = Pairs(codes, codes, 2, clusters=np.arange(30) % 12)

    assert design_effect(pairs, identity(2)) == (pytest.approx(78 / 30), 12)


def test_undefined_kappa_takes_every_case_as_one() -> None:
    """Without influence values there is still an answer."""
    pairs = Pairs(np.zeros(6, int), np.zeros(6, int), 2, clusters=np.array([0, 0, 1, 1, 2, 2]))

    assert design_effect(pairs, identity(2)) == (2.0, 3)


@pytest.mark.parametrize("clusters", [None, np.arange(20)])
def test_clusters_of_one_are_no_clusters(clusters: np.ndarray | None) -> None:
    """When no two pairs share a cluster nothing is inflated."""
    plain = pairs_of(np.array([[9.0, 3], [2, 6]]))
    pairs = Pairs(plain.human, plain.judge, 2, clusters=clusters)

    assert design_effect(pairs, identity(2)) == (1.0, 20)
    assert clustering(np.ones(20), pairs) == (1.0, None, None)


def test_several_raters_cluster_by_item() -> None:
    """Repeated items are clusters of their own accord; declared cases go before items."""
    plain = pairs_of(np.array([[9.0, 3], [2, 6]]))
    items, cases = np.arange(20) // 2, np.arange(20) // 4
    by_item = Pairs(plain.human, plain.judge, 2, items=items)
    by_case = Pairs(plain.human, plain.judge, 2, clusters=cases, items=items)

    assert design_effect(by_item, identity(2)) == design_effect(
        Pairs(plain.human, plain.judge, 2, clusters=items), identity(2)
    )
    assert design_effect(by_case, identity(2))[1] == 5


def test_unequal_weights_cost() -> None:
    """Kish: weights 3, 1 without regard to errors are worth (4n/2)^2 / (10n/2) = 0.8 n."""
    plain = pairs_of(np.array([[8.0, 2], [2, 8]]))
    pairs = Pairs(plain.human, plain.judge, 2, weight=np.tile([3.0, 1.0], 10))

    assert design_effect(pairs, identity(2)) == (pytest.approx(1 / 0.8), 20)


def test_equal_weights_cost_nothing() -> None:
    """Weights that are all the same are no weights."""
    plain = pairs_of(np.array([[8.0, 2], [2, 8]]))

    assert clustering(np.ones(20), replace(plain, weight=np.full(20, 7.0))) == (1.0, None, None)


def test_light_errors_gain_little() -> None:
    """All errors among pairs of little weight: the unseen ones are thought of as heavy."""
    plain = pairs_of(np.array([[40.0, 5], [5, 50]]))
    wrong = plain.human != plain.judge
    weight = np.where(wrong | (np.arange(100) % 2 == 0), 0.1, 2.0)
    pairs = Pairs(plain.human, plain.judge, 2, weight=weight)
    assert pairs.weight is not None
    pull = influence(pairs.table(), identity(2))
    assert not isinstance(pull, Undefined)
    u = pull[plain.human, plain.judge]
    linear = float((pairs.weight**2 * u**2).sum() / (pairs.weight * u**2).sum())

    kish = float((pairs.weight**2).mean())

    assert linear < 0.5 < design_effect(pairs, identity(2))[0] <= kish


def test_the_floors() -> None:
    """Light errors: at least half of the pairs count. Errors that offset each other: all do."""
    u = np.tile([3.0, -0.05, -0.05, -0.05], 1000)
    weight = np.where(u > 0, 0.05, 2.0)
    offset = np.where(np.arange(4000) % 8 < 4, u, -u)

    assert design_effects(u[None], np.arange(4000), weight=weight)[0] == 0.5
    assert design_effects(offset[None], np.arange(4000) // 8)[0] == 1.0


@given(st.integers(0, 2**32 - 1))
@unhurried
def test_names_and_order_do_not_matter(seed: int) -> None:
    """Shuffling the pairs and renaming the clusters changes nothing."""
    rng = np.random.default_rng(seed)
    human, judge, clusters = rng.integers(0, 3, 60), rng.integers(0, 3, 60), rng.integers(0, 15, 60)
    order, names = rng.permutation(60), rng.permutation(1000)[:15]
    before = design_effect(Pairs(human, judge, 3, clusters=clusters), identity(3))
    after = design_effect(
        Pairs(human[order], judge[order], 3, clusters=names[clusters][order]), identity(3)
    )

    assert after == (pytest.approx(before[0]), before[1])


def test_the_jackknife_agrees() -> None:
    """Leaving out one of 300 clusters at a time gives the observed variance to a few percent."""
    rng, G, m = np.random.default_rng(4), 300, 4
    case = rng.integers(0, 3, (G, 1))
    human = np.where(rng.random((G, m)) < 0.7, case, rng.integers(0, 3, (G, m))).ravel()
    judge = np.where(rng.random((G, m)) < 0.7, case, rng.integers(0, 3, (G, m))).ravel()
    pairs, w = Pairs(human, judge, 3, clusters=np.arange(G).repeat(m)), identity(3)
    assert pairs.clusters is not None
    pull = influence(pairs.table(), w)
    assert not isinstance(pull, Undefined)
    u = pull[human, judge]
    left_out = np.array([kappa(pairs.subset(pairs.clusters != g).table(), w) for g in range(G)])
    jackknife = (G - 1) / G * float(((left_out - left_out.mean()) ** 2).sum())
    sums = np.bincount(pairs.clusters, weights=u)

    observed = within(sums[None], np.ones((1, G)), None)[0] / len(pairs) ** 2

    assert observed == pytest.approx(jackknife, rel=0.03)
    # and the added cases lift it by 2 (A - D) / (I + 2)
    D = float(observed * len(pairs) ** 2 / (u**2).sum())
    rests_on = float((sums**2).sum() ** 2 / (sums**4).sum())
    assert design_effect(pairs, w)[0] == pytest.approx(D + 2 * (m - D) / (rests_on + 2))


def test_a_stack_is_its_samples() -> None:
    """Several samples at once, units standing more than once, give what each gives alone."""
    rng = np.random.default_rng(12)
    units, weight = np.repeat(np.arange(12), 3), rng.choice([0.5, 1.0, 2.0], 36)
    scores = rng.normal(size=(5, 36)) * (rng.random((5, 36)) < 0.4)
    times = rng.integers(1, 4, (5, 12)).astype(float)

    found = design_effects(scores, units, weight=weight, times=times)

    for b in range(5):
        copies = np.repeat(np.arange(12), times[b].astype(int))
        rows = np.concatenate([np.flatnonzero(units == g) for g in copies])
        apart = np.repeat(np.arange(copies.size), 3)
        alone = design_effects(scores[b, rows][None], apart, weight=weight[rows])
        assert found[b] == pytest.approx(alone[0])
