import numpy as np
import pytest

from judgekit.stats import Estimate, Pairs, Undefined, recall, wilson
from judgekit.stats.shares import share


def test_a_share_of_some() -> None:
    """3 of the 4 chosen, with Wilson's interval of 3 of 4."""
    pairs = Pairs(np.zeros(6, int), np.zeros(6, int), 1)
    hit, among = np.array([1, 1, 1, 0, 1, 1]) == 1, np.array([1, 1, 1, 1, 0, 0]) == 1
    found, expected = share(pairs, hit, among, name="some"), wilson(3, 4)
    assert isinstance(found, Estimate)
    assert isinstance(expected, Estimate)

    assert (found.value, found.low, found.high) == (0.75, expected.low, expected.high)
    assert (found.n, found.pairs, found.method) == (4, 4, "some/wilson")


def test_a_share_of_none_has_the_reason_given() -> None:
    """Nobody chosen."""
    pairs = Pairs(np.zeros(3, int), np.zeros(3, int), 1)
    nobody = np.zeros(3, bool)

    found = share(pairs, nobody, nobody, name="none", undefined="no_positive")

    assert found == Undefined("no_positive", 0, "none/wilson", 0)


@pytest.mark.parametrize("weighted", [False, True])
def test_clusters_and_weights_as_in_recall(*, weighted: bool) -> None:
    """The same figure that recall has for a level."""
    rng = np.random.default_rng(1)
    human, judge = rng.integers(0, 2, 90), rng.integers(0, 2, 90)
    weight = rng.uniform(1, 3, 90) if weighted else None
    pairs = Pairs(human, judge, 2, clusters=np.arange(90) // 3, weight=weight)

    assert share(pairs, judge == 1, human == 1, name="recall") == recall(pairs)[1]
    few = pairs.subset(np.arange(90) < 27)
    found = share(few, few.judge == 1, few.human == 1, name="recall")
    assert isinstance(found, Undefined)
    assert found.reason == "too_few_clusters"
