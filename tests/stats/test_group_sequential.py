import numpy as np
import pytest

from judgekit.calibration.policy import Policy
from judgekit.stats import Pairs, Undefined, agreement, bounds, critical, identity
from judgekit.stats.group_sequential import (
    LOOKS,
    equal_shares,
    group_sequential,
    halving_shares,
)
from judgekit.stats.planned_tables import mixed_table


def study(kappa: float, margins: list[float], rng: np.random.Generator, n: int = 400) -> Pairs:
    """One study of n pairs."""
    cells = rng.choice(4, p=mixed_table(kappa, margins).ravel(), size=n)
    return Pairs(cells // 2, cells % 2, 2)


def test_shares_add_up() -> None:
    """Equal ones to alpha, halving ones to less, however many there are."""
    assert equal_shares(4) == (0.0125,) * 4
    assert sum(equal_shares(7, 0.1)) == pytest.approx(0.1)
    assert halving_shares(3) == (0.025, 0.0125, 0.00625)
    assert sum(halving_shares(60)) <= 0.05


def test_the_ledger_spends_by_halves() -> None:
    """The policy's confidence of a look is that of the halving shares."""
    for look, share in enumerate(halving_shares(20), start=1):
        assert Policy().look_confidence(look) == pytest.approx(1 - 2 * share)


def test_each_look_is_the_interval_of_what_was_seen() -> None:
    """At the confidence of its share, and nothing is looked at after the decision."""
    pairs = study(0.8, [0.5, 0.5], np.random.default_rng(5))

    found = group_sequential(pairs, identity(2), bar=0.6)

    for look, size in zip(found, LOOKS, strict=False):
        first = pairs.subset(np.arange(400) < size)
        assert look.agreement == agreement(first, identity(2), confidence=0.975)
        assert (look.pairs, look.alpha) == (size, 0.0125)
    assert found[-1].passed
    assert not any(look.passed or look.ruled_out for look in found[:-1])
    assert len(found) < 4


def test_a_bad_judge_is_ruled_out() -> None:
    """The high end below the bar ends it too."""
    found = group_sequential(study(0.1, [0.5, 0.5], np.random.default_rng(6)), identity(2), bar=0.6)

    assert found[-1].ruled_out
    assert not found[-1].passed


def test_too_few_pairs_for_a_look() -> None:
    """No look is taken before its time, and a study that ends early is undecided."""
    rng = np.random.default_rng(7)

    assert group_sequential(study(0.8, [0.5, 0.5], rng, 49), identity(2), bar=0.6) == ()
    (look,) = group_sequential(study(0.6, [0.5, 0.5], rng, 99), identity(2), bar=0.6)
    assert [look.passed, look.ruled_out] == [False, False]


def test_without_kappa_nothing_is_decided() -> None:
    """Everybody used one level: no look decides, all are taken."""
    zeros = np.zeros(400, dtype=np.int64)

    found = group_sequential(Pairs(zeros, zeros, 2), identity(2), bar=0.6)

    assert len(found) == 4
    assert all(isinstance(look.agreement, Undefined) for look in found)
    assert not any(look.passed or look.ruled_out for look in found)


def simulated(
    kappa: float, margins: list[float], shares: tuple[float, ...], runs: int, seed: int
) -> tuple[float, float]:
    """Share of studies that pass at some look, and mean pairs, many studies at once."""
    rng, table = np.random.default_rng(seed), mixed_table(kappa, margins).ravel()
    new = [rng.multinomial(n, table, size=runs) for n in np.diff((0, *LOOKS))]
    seen = np.cumsum(new, axis=0).reshape(len(LOOKS), runs, 2, 2)
    low = [
        bounds(tables, identity(2), z=critical(1 - 2 * alpha))[0]
        for tables, alpha in zip(seen, shares, strict=True)
    ]
    passed = np.array(low) >= 0.6
    used = np.where(passed.any(axis=0), np.array(LOOKS)[passed.argmax(axis=0)], LOOKS[-1])
    return float(passed.any(axis=0).mean()), float(used.mean())


@pytest.mark.parametrize("shares", [equal_shares(4), halving_shares(4)])
@pytest.mark.parametrize("margins", [[0.5, 0.5], [0.1, 0.9]])
def test_a_judge_at_the_bar_seldom_passes(shares: tuple[float, ...], margins: list[float]) -> None:
    """All looks together let it through 5% of the time at most."""
    passed, _ = simulated(0.6, margins, shares, 4_000, seed=8)

    assert passed <= 0.05


@pytest.mark.parametrize(
    ("margins", "truth", "passed", "labels"),
    [
        ([0.5, 0.5], 0.7, 0.668, 312),
        ([0.5, 0.5], 0.8, 1.0, 132),
        ([0.1, 0.9], 0.8, 0.829, 287),
        ([0.1, 0.9], 0.9, 0.999, 161),
    ],
)
def test_the_figures_of_the_method_page(
    margins: list[float], truth: float, passed: float, labels: int
) -> None:
    """Pass rate and mean labels of looks at 50, 100, 200 and 400, a quarter of alpha each."""
    rate, mean = simulated(truth, margins, equal_shares(4), 4_000, seed=9)

    assert rate == pytest.approx(passed, abs=0.045)
    assert mean == pytest.approx(labels, rel=0.05)


def test_misuse() -> None:
    """Each is named."""
    pairs = study(0.8, [0.5, 0.5], np.random.default_rng(1), 100)
    with pytest.raises(ValueError, match="rising"):
        group_sequential(pairs, identity(2), bar=0.6, looks=(100, 50))
    with pytest.raises(ValueError, match="2 shares for 1 looks"):
        group_sequential(pairs, identity(2), bar=0.6, looks=(100,), shares=(0.02, 0.02))
    with pytest.raises(ValueError, match="one look at least"):
        equal_shares(0)
    with pytest.raises(ValueError, match="alpha"):
        halving_shares(3, alpha=1.0)
