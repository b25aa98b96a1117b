import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgekit.stats import Pairs, identity, linear, quadratic
from judgekit.stats.arrays import FloatArray
from judgekit.stats.kappa import kappa_and_variance
from judgekit.stats.planned_tables import mixed_table, ordered_table
from judgekit.stats.sequential import (
    GRID,
    e_process,
    first_crossing,
    log_evidence,
    pair_scores,
    signed_bets,
)
from tests.stats.strategies import unhurried, weighted_tables

GOLDEN = Path(__file__).resolve().parents[2].parent / "shared" / "golden"
FOUR = quadratic(range(4))

# Populations whose kappa is exactly 0.6: margins differ in every way.
AT_THE_BAR = {
    "balanced": (mixed_table(0.6, [0.5, 0.5]), identity(2)),
    "90/10": (mixed_table(0.6, [0.9, 0.1]), identity(2)),
    "lenient": (mixed_table(0.6, [0.5, 0.5], [0.35, 0.65]), identity(2)),
    "nominal": (mixed_table(0.6, [0.6, 0.3, 0.1]), identity(3)),
    "ordinal": (ordered_table(0.6, FOUR, [0.1, 0.2, 0.3, 0.4]), FOUR),
    "harsh": (ordered_table(0.6, FOUR, [0.1, 0.2, 0.3, 0.4], [0.2, 0.2, 0.3, 0.3]), FOUR),
}


def drawn(table: FloatArray, runs: int, n: int, seed: int = 7) -> tuple[Any, Any]:
    """Human and judge codes of ``runs`` studies of n pairs each."""
    k = len(table)
    rng = np.random.default_rng(seed)
    cells = rng.choice(k * k, p=table.ravel() / table.sum(), size=(runs, n))
    return cells // k, cells % k


@pytest.mark.skipif(not GOLDEN.is_dir(), reason="the golden cases are not beside this checkout")
def test_golden() -> None:
    """The golden case, with batches of five."""
    case = json.loads((GOLDEN / "eprocess-kappa-40.json").read_text())
    told = case["inputs"]
    pairs = Pairs(np.array(told["human"]), np.array(told["judge"]), len(told["scale"]))

    found = e_process(
        pairs, identity(2), bar=told["k0"], batch=told["batch"], grid=told["lambda_grid"]
    )

    values = {f"Z[{i}]": float(found.scores[i]) for i in (0, 3, 7)} | {"E_final": found.final}
    for key, expected in case["expected"].items():
        assert values[key] == pytest.approx(expected, abs=case["tolerance"][key])


@given(weighted_tables(), st.floats(-1, 0.99))
@unhurried
def test_the_score_has_the_right_mean_exactly(case: Any, bar: float) -> None:
    """Over all pairs of pairs the mean of Z is (1 - p_e) (kappa - bar): no margin is needed."""
    table, weights = case
    shares, k = (table / table.sum()).ravel(), len(table)
    one, two = np.divmod(np.arange(shares.size**2), shares.size)
    human, judge = (
        np.stack([f(one), f(two)], axis=-1) for f in (lambda c: c // k, lambda c: c % k)
    )

    scores = pair_scores(human, judge, weights, bar=bar)[:, 0]

    square = shares.reshape(k, k)
    chance = float(square.sum(axis=1) @ weights @ square.sum(axis=0))
    value = float(kappa_and_variance(square, weights)[0])
    mean = float((shares[one] * shares[two]) @ scores)
    assert mean == pytest.approx((1 - chance) * (value - bar), abs=1e-9)
    assert scores.min() >= -1 - 1e-12
    assert scores.max() <= 1 - bar + 1e-12


@given(weighted_tables(), st.integers(2, 6), st.integers(0, 2**32))
@unhurried
def test_a_batch_is_scored_as_written(case: Any, batch: int, seed: int) -> None:
    """Pair by pair, as the formula says; what does not fill a batch waits."""
    table, w = case
    human, judge = (a[0] for a in drawn(table / table.sum(), 1, 3 * batch + 1, seed))
    bar = 0.4

    found = pair_scores(human, judge, w, bar=bar, batch=batch)

    for t in range(3):
        h, j = human[t * batch :][:batch], judge[t * batch :][:batch]
        same = np.mean([w[a, b] for a, b in zip(h, j, strict=True)])
        across = [w[h[i], j[m]] for i in range(batch) for m in range(batch) if i != m]
        assert found[t] == pytest.approx(same - bar - (1 - bar) * np.mean(across), abs=1e-12)
    assert found.size == 3


@pytest.mark.parametrize("side", ["above", "below"])
@pytest.mark.parametrize("name", AT_THE_BAR)
def test_a_judge_at_the_bar_crosses_as_seldom_as_promised(name: str, side: Any) -> None:
    """Looked at after every pair, E ever reaches 1 / alpha in alpha of the studies at most."""
    table, weights = AT_THE_BAR[name]
    human, judge = drawn(table, 2_000, 400)
    scores = pair_scores(human, judge, weights, bar=0.6)

    crossed = first_crossing(scores, signed_bets(0.6, side), 0.05) > 0

    # 5% and three standard errors of 2,000 studies
    assert float(crossed.mean()) <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / 2_000)


@pytest.mark.parametrize("side", ["above", "below"])
@pytest.mark.parametrize("name", AT_THE_BAR)
def test_each_step_is_fair(name: str, side: Any) -> None:
    """What one bet owns is not expected to grow at the bar: 1 + bet * Z has a mean of 1, exactly.

    So the process is a supermartingale for every judge at the bar or on its other side.
    """
    table, weights = AT_THE_BAR[name]
    k, shares = len(table), table.ravel()
    one, two = np.divmod(np.arange(shares.size**2), shares.size)
    human, judge = (
        np.stack([f(one), f(two)], axis=-1) for f in (lambda c: c // k, lambda c: c % k)
    )

    factors = 1 + signed_bets(0.6, side) * pair_scores(human, judge, weights, bar=0.6)

    assert factors.min() >= 0
    assert np.allclose((shares[one] * shares[two]) @ factors, 1.0, atol=1e-6)


@pytest.mark.parametrize(
    ("truth", "side", "least", "most"),
    [(0.8, "above", 0.97, 1.0), (0.3, "below", 0.9, 1.0), (0.3, "above", 0, 0.001)],
)
def test_it_finds_what_is_there(truth: float, side: Any, least: float, most: float) -> None:
    """A good judge is found good in 400 pairs, a bad one bad, and never good."""
    human, judge = drawn(mixed_table(truth, [0.5, 0.5]), 1_000, 400)
    scores = pair_scores(human, judge, identity(2), bar=0.6)

    share = float((first_crossing(scores, signed_bets(0.6, side), 0.05) > 0).mean())

    assert least <= share <= most


@pytest.mark.parametrize(
    ("margins", "truth", "batch", "passed", "labels"),
    [
        ([0.5, 0.5], 0.7, 2, 0.458, 317),
        ([0.5, 0.5], 0.8, 2, 0.994, 148),
        ([0.5, 0.5], 0.9, 2, 1.0, 81),
        ([0.5, 0.5], 0.9, 5, 1.0, 168),
        ([0.1, 0.9], 0.8, 2, 0.653, 322),
        ([0.1, 0.9], 0.9, 2, 0.967, 223),
    ],
)
def test_the_figures_of_the_method_page(
    margins: list[float], truth: float, batch: int, passed: float, labels: int
) -> None:
    """Pass rate and mean labels with a horizon of 400."""
    human, judge = drawn(mixed_table(truth, margins), 4_000, 400)
    scores = pair_scores(human, judge, identity(2), bar=0.6, batch=batch)

    batches = first_crossing(scores, signed_bets(0.6), 0.05)

    used = np.where(batches > 0, batch * batches, 400)
    assert float((batches > 0).mean()) == pytest.approx(passed, abs=0.045)
    assert float(used.mean()) == pytest.approx(labels, rel=0.05)


def test_the_path_is_the_mean_of_products() -> None:
    """In logarithms or not, and the crossing is the first that reaches 1 / alpha."""
    human, judge = drawn(mixed_table(0.85, [0.4, 0.6]), 50, 120)
    bets = signed_bets(0.6)
    scores = pair_scores(human, judge, identity(2), bar=0.6)

    products = np.cumprod(1 + bets[:, None, None] * scores, axis=-1).mean(axis=0)

    assert np.allclose(np.exp(log_evidence(scores, bets)), products)
    over = products >= 20
    expected = np.where(over.any(axis=1), over.argmax(axis=1) + 1, 0)
    assert (first_crossing(scores, bets, 0.05) == expected).all()
    for run in range(10):
        found = e_process(Pairs(human[run], judge[run], 2), identity(2), bar=0.6)
        assert np.allclose(found.path, products[run])
        assert found.crossed == (2 * int(expected[run]) or None)
        assert found.final == pytest.approx(products[run, -1])


def test_a_long_run_neither_vanishes_nor_overflows() -> None:
    """Twenty thousand pairs of a perfect judge, and of one that always errs."""
    codes = np.arange(20_000) // 2 % 2
    codes[1::2] = 1 - codes[::2]  # each batch holds both levels
    good = e_process(Pairs(codes, codes, 2), identity(2), bar=0.6)
    bad = e_process(Pairs(codes, 1 - codes, 2), identity(2), bar=0.6)

    assert math.isfinite(good.log_path[-1])
    assert good.log_path[-1] > 1_000
    assert good.final == math.inf
    assert math.isfinite(bad.log_path[-1])
    assert bad.final == pytest.approx(0.0)
    assert bad.crossed is None


def test_nothing_seen_is_no_evidence() -> None:
    """Without a full batch E is 1; with one level only it stays 1."""
    none = e_process(Pairs(np.zeros(1, int), np.zeros(1, int), 2), identity(2), bar=0.6)
    single = e_process(Pairs(np.zeros(50, int), np.zeros(50, int), 2), identity(2), bar=0.6)

    assert (none.final, none.crossed, none.scores.size) == (1.0, None, 0)
    assert np.allclose(single.path, 1.0)
    assert single.crossed is None


def test_answers_that_are_no_level_disagree() -> None:
    """Extra judge columns come in through the weights."""
    human, judge = np.array([0, 1, 0, 1]), np.array([0, 1, 2, 2])
    weights = np.zeros((3, 3))
    weights[:2, :2] = identity(2)
    weights[2, 2] = 1

    found = e_process(Pairs(human, judge, 3, extra=1), weights, bar=0.5)

    assert np.allclose(found.scores, [0.5, -0.5])


def test_what_breaks_the_promise_is_refused() -> None:
    """Cases that repeat, raters of one item, sampling weights."""
    human = judge = np.arange(12) % 2
    cases = Pairs(human, judge, 2, clusters=np.arange(12) // 2)
    raters = Pairs(human, judge, 2, items=np.arange(12) // 3)
    weighted = Pairs(human, judge, 2, weight=1.0 + np.arange(12))

    for pairs in (cases, raters):
        with pytest.raises(ValueError, match="keep one of each"):
            e_process(pairs, identity(2), bar=0.6)
    with pytest.raises(ValueError, match="sampling weights"):
        e_process(weighted, identity(2), bar=0.6)


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"bar": 1.0}, "lies in"),
        ({"bar": 0.6, "alpha": 0.0}, "alpha"),
        ({"bar": 0.6, "batch": 1}, "two pairs or more"),
        ({"bar": 0.6, "grid": [0.5, 1.0]}, "between 0 and 1"),
        ({"bar": 0.6, "grid": []}, "one at least"),
        ({"bar": 0.6, "side": "below", "grid": [2.5]}, r"between 0 and 2\.5"),
    ],
)
def test_misuse(more: dict[str, Any], why: str) -> None:
    """Numbers out of range are named."""
    codes = np.arange(10) % 2
    with pytest.raises(ValueError, match=why):
        e_process(Pairs(codes, codes, 2), identity(2), **more)


def test_misuse_of_scores() -> None:
    """Weights that are none, and codes beyond them."""
    codes = np.arange(10) % 3
    with pytest.raises(ValueError, match="between 0 and 1"):
        pair_scores(codes, codes, 2 * identity(3), bar=0.6)
    with pytest.raises(ValueError, match="outside the 2 categories"):
        pair_scores(codes, codes, identity(2), bar=0.6)
    with pytest.raises(ValueError, match="shape"):
        pair_scores(codes, codes[:5], linear(range(3)), bar=0.6)


def test_the_grid() -> None:
    """Twenty-five bets; those on "below" reach as far as a loss allows."""
    assert len(GRID) == 25
    assert (GRID[0], GRID[-1]) == (0.02, pytest.approx(0.98))
    assert signed_bets(0.6, "below").min() == pytest.approx(-0.98 / 0.4)
    assert (signed_bets(0.6, "below", [2.0]) == [-2.0]).all()
