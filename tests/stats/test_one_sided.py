"""The p-value is the interval turned round."""

import numpy as np
import pytest

from judgekit.stats import Estimate, Pairs, Undefined, agreement, identity, quadratic
from judgekit.stats.one_sided import p_above
from tests.stats.strategies import pairs_of

TABLES = [
    ([[40, 5], [6, 49]], identity(2)),
    ([[20, 0], [0, 20]], identity(2)),
    ([[12, 3, 0], [2, 15, 4], [0, 2, 22]], quadratic([1, 2, 3])),
]


@pytest.mark.parametrize(("table", "weights"), TABLES)
@pytest.mark.parametrize("clusters", [False, True])
def test_the_low_end_at_that_confidence_is_the_bar(
    table: list[list[int]], weights: np.ndarray, *, clusters: bool
) -> None:
    """At confidence 1 - 2p the interval begins exactly at the bar."""
    pairs = pairs_of(np.array(table))
    if clusters:
        pairs = Pairs(pairs.human, pairs.judge, pairs.k, clusters=np.arange(len(pairs)) // 2)
    p = p_above(pairs, weights, 0.6)

    assert isinstance(p, float)
    assert 0 < p < 0.5
    found = agreement(pairs, weights, confidence=1 - 2 * p)
    assert isinstance(found, Estimate)
    assert found.low == pytest.approx(0.6, abs=1e-6)


def test_at_or_below_the_bar_nothing_speaks_for_the_judge() -> None:
    """Kappa 0.4 against 0.6."""
    assert p_above(pairs_of(np.array([[35, 15], [15, 35]])), identity(2), 0.6) == 1.0


def test_it_falls_as_labels_are_added() -> None:
    """The same table, twice as large."""
    small, large = (
        p_above(pairs_of(n * np.array([[40, 5], [6, 49]])), identity(2), 0.6) for n in (1, 2)
    )
    assert large < small  # type: ignore[operator]


@pytest.mark.parametrize(
    ("pairs", "reason"),
    [
        (Pairs(np.zeros(0, int), np.zeros(0, int), 2), "empty"),
        (pairs_of(np.array([[9, 0], [0, 0]])), "single_category"),
        (
            Pairs(np.arange(16) % 2, np.arange(16) % 2, 2, clusters=np.arange(16) // 8),
            "too_few_clusters",
        ),
    ],
)
def test_undefined(pairs: Pairs, reason: str) -> None:
    """As the interval is."""
    found = p_above(pairs, identity(2), 0.6)

    assert isinstance(found, Undefined)
    assert found.reason == reason


@pytest.mark.parametrize("bar", [0.0, 1.0, -0.5, 2.0])
def test_a_bar_out_of_range(bar: float) -> None:
    """Misuse."""
    with pytest.raises(ValueError, match="bar must lie"):
        p_above(pairs_of(np.array([[9, 1], [1, 9]])), identity(2), bar)
