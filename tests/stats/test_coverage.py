import math

import numpy as np
import pytest

from benchmarks.coverage import SEED, Design, Samples, clear, designs, dice, population, simulate
from benchmarks.populations import FOURS, HARDER, MARGINS, Cases, draw_cases, shares_of, tables_of
from judgekit.stats import Pairs, agreement, bounds, identity, kappa

REPEATS = 3000
KINDS = {cases.name: cases for cases in (FOURS, *HARDER)}
UNEVEN = KINDS["2 or 8 outputs a case, 0.6"]


@pytest.mark.parametrize("levels_margins", MARGINS, ids=str)
def test_populations_are_what_they_say(levels_margins: tuple[int, str]) -> None:
    """Each simulated population has the kappa and the margins of its line."""
    design = Design(*levels_margins, kappa=0.6, n=50)
    shares = population(design)

    assert kappa(shares * 1e6, design.weights) == pytest.approx(0.6, abs=1e-6)
    assert shares.sum() == pytest.approx(1)
    np.testing.assert_allclose(shares.sum(axis=1), MARGINS[levels_margins], atol=1e-9)
    np.testing.assert_allclose(shares.sum(axis=0), MARGINS[levels_margins], atol=1e-3)


@pytest.mark.parametrize("cases", KINDS.values(), ids=KINDS)
@pytest.mark.parametrize("levels", [2, 5])
def test_clusters_leave_each_pair_as_it_was(levels: int, cases: Cases) -> None:
    """Pairs of one case are alike; a pair by itself comes from the population all the same."""
    shares = shares_of(levels, MARGINS[levels, "90/10"], 0.6)

    cells = draw_cases(shares, cases, 40, 4000, np.random.default_rng(1))

    assert cells.shape == (4000, 40)
    found = tables_of(cells, levels).sum(axis=0) / cells.size
    np.testing.assert_allclose(found, shares, atol=0.01)


@pytest.mark.parametrize(
    ("name", "alike"),
    [("4 outputs a case, 0", 0.0), (FOURS.name, 0.3), ("4 outputs a case, 0.6", 0.6)],
)
def test_clusters_are_as_alike_as_they_say(name: str, alike: float) -> None:
    """The correlation of two pairs' agreement within a case, and of their levels."""
    shares = shares_of(2, (0.5, 0.5), 0.6)
    cells = draw_cases(shares, KINDS[name], 4, 20_000, np.random.default_rng(2))

    for fact in (cells // 2 == cells % 2, cells // 2):
        assert np.corrcoef(fact[:, 0], fact[:, 3])[0, 1] == pytest.approx(alike, abs=0.03)


def test_cases_come_in_the_sizes_they_say() -> None:
    """Sizes are taken in turn; the last case holds what is left."""
    assert np.bincount(FOURS.of(10)).tolist() == [4, 4, 2]
    assert np.bincount(UNEVEN.of(22)).tolist() == [2, 8, 2, 8, 2]


def test_every_design_is_there() -> None:
    """Four populations, three kappas and four sizes, with and without clusters."""
    assert len(set(designs())) == 2 * 4 * 3 * 4


def test_clearing_the_bar_is_the_low_end_above_it() -> None:
    """Asking once where the path crosses the bar is the same as the whole interval."""
    rng = np.random.default_rng(3)
    drawn = rng.multinomial(40, shares_of(2, (0.3, 0.7), 0.7).ravel(), 500)
    n_eff = rng.uniform(15, 40, 500)
    samples = Samples(drawn.reshape(-1, 2, 2).astype(float), n_eff)

    passed, defined = clear(samples, identity(2), 0.5)

    low, _ = bounds(samples.tables, identity(2), z=samples.z, n_eff=n_eff)
    assert (defined == np.isfinite(low)).all()
    assert (passed == (low > 0.5)).all()
    assert 0 < passed.sum() < 500


def test_simulated_intervals_are_those_of_the_library() -> None:
    """The stack of clustered samples gives what `agreement` gives for each."""
    shares, units = shares_of(2, (0.5, 0.5), 0.8), UNEVEN.of(100)
    cells = draw_cases(shares, UNEVEN, 100, 60, np.random.default_rng(SEED))
    lows = []
    for one in cells:
        found = agreement(Pairs(one // 2, one % 2, 2, clusters=units), identity(2))
        lows.append(getattr(found, "low", float("nan")))

    design = Design(2, "balanced", 0.8, 100, UNEVEN)
    simulated = simulate(design, 60, np.random.default_rng(SEED))

    assert simulated.false_pass == pytest.approx((np.array(lows) > 0.8).mean())


WORST = [
    Design(2, "balanced", 0.4, 100),
    Design(2, "balanced", 0.6, 30),
    Design(2, "balanced", 0.8, 100),
    Design(2, "90/10", 0.4, 200),
    Design(5, "balanced", 0.4, 200),
    Design(5, "90/10", 0.6, 100),
    Design(2, "90/10", 0.8, 200, FOURS),
    Design(2, "balanced", 0.4, 200, FOURS),
    Design(2, "balanced", 0.8, 100, FOURS),
    Design(5, "balanced", 0.4, 200, FOURS),
    Design(2, "balanced", 0.8, 100, KINDS["4 outputs a case, 0.6"]),
    Design(2, "90/10", 0.8, 200, KINDS["4 outputs a case, 0.6, whole cases"]),
    Design(2, "balanced", 0.8, 200, KINDS["2 or 8 outputs a case, 0.3"]),
    Design(2, "balanced", 0.8, 100, UNEVEN),
    Design(2, "balanced", 0.8, 200, UNEVEN),
    Design(2, "balanced", 0.8, 100, KINDS["2 or 8 outputs a case, 0.6, errors only"]),
    Design(2, "90/10", 0.4, 200, KINDS["2 raters an item, 0.6"]),
    Design(2, "balanced", 0.4, 200, KINDS["3 raters an item, 0.6"]),
    Design(2, "1 in 20 fails", 0.8, 200, spent=0.5),
    Design(2, "1 in 10 fails", 0.6, 200, spent=0.3),
    Design(2, "half fail", 0.6, 400, spent=0.8),
]


@pytest.mark.slow
@pytest.mark.parametrize("design", WORST, ids=repr)
def test_a_judge_at_the_bar_seldom_passes(design: Design) -> None:
    """The low end lies above the true kappa in at most 2.5% of samples, and coverage holds.

    The tolerance is three standard errors of a share of ``REPEATS`` samples. The designs are those
    that are, or with the usual recipe for clusters were, the worst of their kind.
    """
    found = simulate(design, REPEATS, dice(design))

    assert found.false_pass <= 0.025 + 3 * math.sqrt(0.025 * 0.975 / REPEATS)
    assert found.coverage >= 0.94 - 3 * math.sqrt(0.05 * 0.95 / REPEATS)
    assert found.undefined < 0.02


@pytest.mark.slow
def test_enrichment_pays() -> None:
    """Labels spent on the rare verdict, weighted back, tell more than as many as they come."""
    plain = Design(2, "1 in 20 fails", 0.6, 400)
    wise = Design(2, "1 in 20 fails", 0.6, 400, spent=0.3)

    widths = [simulate(d, REPEATS, dice(d)).width for d in (plain, wise)]

    assert widths[1] < 0.9 * widths[0]


@pytest.mark.slow
def test_the_usual_recipe_breaks_the_promise() -> None:
    """What the added units are there for: without them four times as many samples fail."""
    design = Design(2, "balanced", 0.8, 100, UNEVEN)

    usual = simulate(design, REPEATS, dice(design), unseen=0.0)

    assert usual.false_pass > 0.07
