import math
from pathlib import Path

import numpy as np
import pytest

from benchmarks.interval_numbers import forecast_population
from benchmarks.interval_pairs import Population, errors_and_shares, scores
from benchmarks.interval_raters import agreement_of_three, beside_humans, with_judge
from benchmarks.intervals import SECTIONS
from benchmarks.mixtures import ITEMS, Items, alike, beside
from benchmarks.populations import MARGINS, kappa_of
from benchmarks.simulated import Effort, Line, Report, Tally, simulate
from judgekit.stats.alpha import krippendorff_alpha
from judgekit.stats.chance import bennett_s_of, pabak_of
from judgekit.stats.estimate import Estimate, Undefined
from judgekit.stats.intervals import table_estimate
from judgekit.stats.raters import conger_kappa, fleiss_kappa, gwet_ac
from judgekit.stats.ratings import Ratings
from judgekit.stats.table import Pairs

BALANCED, RARE = Population(2, "balanced", 0.6), Population(2, "90/10", 0.9)
FIVE = Population(5, "90/10", 0.6)
PAGE = Path(__file__).resolve().parents[2] / "docs" / "statistics" / "intervals.md"


def error(share: float, tally: Tally) -> float:
    """Three standard errors of a simulated share."""
    return 3 * math.sqrt(share * (1 - share) / tally.given)


def cell(name: str, effort: Effort) -> list[Line]:
    """Every line of one section."""
    return list(SECTIONS[name][1](effort))


def test_intervals_are_counted_on_the_side_they_lie() -> None:
    """Above, below and holding; those without an interval count for nothing else."""
    tally = Tally(0.5)
    tally.add(Estimate(0.7, 0.6, 0.8, 10, "x"), 2)
    tally.add(Estimate(0.3, 0.2, 0.4, 10, "x"))
    tally.add(Estimate(0.5, 0.5, 0.9, 10, "x"))
    tally.add(Undefined("empty"), 4)

    assert tally.misses == (0.5, 0.25)
    assert tally.coverage == 0.25
    assert tally.undefined == 0.5
    assert tally.width == pytest.approx(0.25)
    assert str(tally) == "25.0 (50.0 + 25.0) 0.25, 50% none"


def test_what_misses_too_often_is_told() -> None:
    """A figure that holds the truth in nine of ten is poor; one nobody reports is not told."""
    tally = Tally(0.0, samples=1000, given=1000, above=100, below=0)
    lines = [Line("a", "p", 30, tally), Line("b, t instead", "p", 30, tally)]

    (row,) = Report.of(lines).poor()
    assert row.startswith("| a | p | n = 30: 90.0 ")


@pytest.mark.parametrize("items", ITEMS, ids=str)
def test_raters_agree_as_stated(items: Items) -> None:
    """Margins and kappas of the populations of raters, by the table and by what is drawn."""
    human = alike(items, 0.6)
    judge = beside(items, human, 0.5)
    table = items.table(human, judge)
    drawn = items.draw((human, judge), (1, 100_000), np.random.default_rng(1))[0]
    seen = np.zeros_like(table)
    np.add.at(seen, tuple(drawn.T), 1e-5)

    assert kappa_of(items.table(human, human), items.weights) == pytest.approx(0.6, abs=1e-6)
    assert kappa_of(table, items.weights) == pytest.approx(0.5, abs=1e-6)
    np.testing.assert_allclose(table.sum(axis=1), MARGINS[items.levels, items.margins], atol=2e-3)
    np.testing.assert_allclose(seen, table, atol=6e-3)


@pytest.mark.parametrize("items", ITEMS[2:], ids=str)
def test_truths_are_those_of_large_samples(items: Items) -> None:
    """Coefficients of infinitely many items, worked out, and those of 100,000 drawn ones."""
    drawn = items.draw((alike(items, 0.6),) * 3, (1, 100_000), np.random.default_rng(1))[0]
    ratings, figures = Ratings(drawn, items.levels), agreement_of_three(items, 0.6)
    seen = {
        "Fleiss": fleiss_kappa(ratings),
        "Conger": conger_kappa(ratings, items.weights),
        "AC2": gwet_ac(ratings, items.weights),
        "alpha, ordinal": krippendorff_alpha(ratings, "ordinal"),
        "alpha, interval": krippendorff_alpha(ratings, "interval"),
    }

    for name, value in seen.items():
        assert figures[name][0] == pytest.approx(value, abs=0.02), name


def test_forecasts_have_the_errors_of_their_curve() -> None:
    """Calibrated ones have none; the others are off as their names say."""
    p, q = forecast_population("calibrated", "balanced")
    assert p.mean() == pytest.approx(0.5, abs=1e-3)
    np.testing.assert_array_equal(p, q)
    over = forecast_population("overconfident", "balanced")
    assert (np.abs(over[1] - 0.5) <= np.abs(over[0] - 0.5) + 1e-12).all()
    timid = forecast_population("timid", "90/10")
    assert timid[0].mean() == pytest.approx(0.9, abs=1e-3)
    assert (np.abs(timid[1] - 0.5) >= np.abs(timid[0] - 0.5) - 1e-12).all()


@pytest.mark.parametrize("table", [[[12, 3], [1, 14]], [[28, 1], [1, 0]]])
def test_one_row_does_for_s_and_pabak(table: list[list[int]]) -> None:
    """Both are straight lines of raw agreement, and so are the ends of their intervals."""
    cells = np.repeat(np.arange(4), np.array(table).ravel())
    three = Pairs(cells // 2, cells % 2, 3)
    s, pabak = (table_estimate(three, f, name="x") for f in (bennett_s_of, pabak_of))

    assert isinstance(s, Estimate)
    assert isinstance(pabak, Estimate)
    for end in ("value", "low", "high"):
        agreed = (getattr(pabak, end) + 1) / 2
        assert getattr(s, end) == pytest.approx((agreed - 1 / 3) / (2 / 3), abs=1e-6)


@pytest.mark.long
def test_intervals_of_a_table_keep_their_promise() -> None:
    """Thirty pairs on two balanced levels: path-score, Wilson, Newcombe and log-t intervals."""
    figures = {**scores(BALANCED), **errors_and_shares(BALANCED)}
    found = simulate(BALANCED.samples(30, 300), figures)

    for name, tally in found.items():
        if "instead" not in name:
            assert tally.coverage >= 0.93 - error(0.07, tally), name


@pytest.mark.slow
def test_a_good_judge_is_not_praised_too_much() -> None:
    """Few errors, nine in ten of one level: agreement seldom lies above the truth."""
    found = simulate(RARE.samples(30, 1000), {**scores(RARE), **errors_and_shares(RARE)})

    for name in (*scores(RARE), "balanced accuracy", "F1 of the rarest level"):
        assert found[name].misses[0] <= 0.03 + error(0.03, found[name]), name
    assert found["mean absolute error"].misses[1] <= 0.03


@pytest.mark.slow
def test_the_simulation_sees_what_fails() -> None:
    """Intervals that are too short are found to be: they are why others are used."""
    found = simulate(RARE.samples(30, 500), errors_and_shares(RARE))
    five = simulate(FIVE.samples(30, 500), errors_and_shares(FIVE))

    assert found["mean absolute error, Student's t instead"].coverage < 0.6
    assert found["spread ratio, Pitman and Morgan instead"].coverage < 0.6
    assert five["spread ratio"].coverage < 0.9
    assert five["spread ratio"].coverage > five["spread ratio, Pitman and Morgan instead"].coverage


@pytest.mark.long
@pytest.mark.parametrize("name", ["raters", "judges", "forecasts", "length"])
def test_low_ends_seldom_lie_above_the_truth(name: str) -> None:
    """A hundred items, balanced: few intervals lie above the truth, and coverage is near 95%."""
    effort = Effort(300, 100, sizes=(100,))
    checked = 0
    for figure, population, _, tally in cell(name, effort):
        if "balanced" in population and "instead" not in figure and not figure.startswith("ICC"):
            checked += 1
            assert tally.misses[0] <= 0.04 + error(0.04, tally), (figure, population)
            assert tally.coverage >= 0.93 - error(0.07, tally), (figure, population)
    assert checked >= 2


@pytest.mark.long
def test_the_true_calibration_error_is_held() -> None:
    """The interval with the floor taken off holds it; percentiles do not."""
    for figure, population, _, tally in cell("calibration", Effort(few=40, sizes=(100,))):
        if "instead" not in figure:
            assert tally.coverage >= 0.94 - error(0.06, tally), population
        elif population.startswith("calibrated"):
            assert tally.coverage == 0


@pytest.mark.slow
def test_a_judge_as_good_as_it_may_be_seldom_passes_for_better() -> None:
    """The judge beside three humans is worse by a tenth of kappa, and seldom looks better."""
    gap = "human ceiling gap"
    figures = {gap: beside_humans(ITEMS[0], 0.6)[gap]}
    assert figures[gap][0] == pytest.approx(-0.1, abs=1e-6)

    tally = simulate(with_judge(ITEMS[0], 0.6, 50, 200), figures)[gap]
    assert tally.misses[0] <= 0.035 + error(0.035, tally)


def test_shares_are_counted_out() -> None:
    """Wilson's interval of 30 items at 0.5 covers as the binomial distribution says."""
    (line,) = [
        line
        for line in cell("shares", Effort(sizes=(30,)))
        if line.figure == "share, Wilson" and line.population == "0.5"
    ]
    inside = sum(math.comb(30, x) for x in range(10, 21)) / 2**30
    assert line.tally.coverage == pytest.approx(inside, abs=1e-5)


def test_the_page_has_every_section() -> None:
    """The page in the documentation is a run of the present benchmark."""
    page = PAGE.read_text(encoding="utf-8")
    for title, _ in SECTIONS.values():
        assert f"## {title}\n" in page
