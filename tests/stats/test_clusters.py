import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgekit.stats import Pairs, Undefined, design_effect, identity, influence, kappa
from judgekit.stats.clusters import clustering
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
    # clustered: 4/3 * (1 + 1 + 1 + 9) = 16; independent: 6 * .25 + 2 * 2.25 = 6
    human, judge = np.array([0, 0, 1, 1, 0, 1, 0, 1]), np.array([0, 0, 1, 1, 0, 1, 1, 0])
    pairs = Pairs(human, judge, 2, clusters=np.repeat(np.arange(4), 2))

    assert design_effect(pairs, identity(2)) == (pytest.approx(16 / 6), 4)


@given(clustered_pairs())
@unhurried
def test_the_formula(pairs: Pairs) -> None:
    """The definition, written out with loops."""
    pull = influence(pairs.table(), identity(pairs.k))
    if isinstance(pull, Undefined) or pairs.clusters is None:
        return
    u = [float(pull[h, j]) for h, j in zip(pairs.human, pairs.judge, strict=True)]
    G, independent = int(pairs.clusters.max()) + 1, sum(x * x for x in u)
    if len(u) == G or independent < 1e-9:
        return
    sums = [sum(x for x, c in zip(u, pairs.clusters, strict=True) if c == g) for g in range(G)]
    expected = max(1.0, G / (G - 1) * sum(s * s for s in sums) / independent)

    assert design_effect(pairs, identity(pairs.k)) == (pytest.approx(expected), G)


@given(clustered_pairs())
@unhurried
def test_never_below_one(pairs: Pairs) -> None:
    """Clusters never make pairs worth more."""
    effect, _ = design_effect(pairs, identity(pairs.k))

    assert effect >= 1


def test_no_disagreement_takes_the_mean_size() -> None:
    """Influence is 0 throughout: 30 pairs in 12 clusters are worth 12."""
    codes = np.arange(30) % 2
    pairs = Pairs(codes, codes, 2, clusters=np.arange(30) % 12)

    assert design_effect(pairs, identity(2)) == (pytest.approx(30 / 12), 12)


def test_undefined_kappa_takes_the_mean_size() -> None:
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
    """Kish: weights 3, 1 in equal numbers are worth (4n/2)^2 / (10n/2) = 0.8 n."""
    plain = pairs_of(np.array([[8.0, 2], [2, 8]]))
    pairs = Pairs(plain.human, plain.judge, 2, weight=np.tile([3.0, 1.0], 10))

    assert design_effect(pairs, identity(2)) == (pytest.approx(1 / 0.8), 20)


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
    """Leaving out one of 300 clusters at a time gives the same variance to a few percent."""
    rng, G, m = np.random.default_rng(4), 300, 4
    case = rng.integers(0, 3, (G, 1))
    human = np.where(rng.random((G, m)) < 0.7, case, rng.integers(0, 3, (G, m))).ravel()
    judge = np.where(rng.random((G, m)) < 0.7, case, rng.integers(0, 3, (G, m))).ravel()
    pairs, w = Pairs(human, judge, 3, clusters=np.arange(G).repeat(m)), identity(3)
    assert pairs.clusters is not None
    pull = influence(pairs.table(), w)
    assert not isinstance(pull, Undefined)
    independent = float((pull[human, judge] ** 2).sum()) / len(pairs) ** 2
    left_out = np.array([kappa(pairs.subset(pairs.clusters != g).table(), w) for g in range(G)])
    jackknife = (G - 1) / G * float(((left_out - left_out.mean()) ** 2).sum())

    assert design_effect(pairs, w)[0] == pytest.approx(jackknife / independent, rel=0.03)
