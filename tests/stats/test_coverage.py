import math

import numpy as np
import pytest

from benchmarks.coverage import MARGINS, SEED, Design, designs, population, simulate
from judgekit.stats import kappa

REPEATS = 1500


@pytest.mark.parametrize("levels_margins", MARGINS, ids=str)
def test_populations_are_what_they_say(levels_margins: tuple[int, str]) -> None:
    """Each simulated population has the kappa and the margins of its line."""
    design = Design(*levels_margins, kappa=0.6, n=50)
    shares = population(design)

    assert kappa(shares * 1e6, design.weights) == pytest.approx(0.6, abs=1e-6)
    assert shares.sum() == pytest.approx(1)
    np.testing.assert_allclose(shares.sum(axis=1), MARGINS[levels_margins], atol=1e-9)
    np.testing.assert_allclose(shares.sum(axis=0), MARGINS[levels_margins], atol=1e-3)


def test_every_design_is_there() -> None:
    """Four populations, three kappas and four sizes, with and without clusters."""
    assert len(set(designs())) == 2 * 4 * 3 * 4


@pytest.mark.slow
@pytest.mark.parametrize(
    "design",
    [
        Design(2, "balanced", 0.6, 30),
        Design(2, "balanced", 0.6, 100),
        Design(2, "90/10", 0.6, 50),
        Design(2, "90/10", 0.8, 200),
        Design(5, "balanced", 0.6, 50),
        Design(5, "90/10", 0.6, 100),
        Design(2, "balanced", 0.6, 100, clustered=True),
        Design(5, "balanced", 0.8, 200, clustered=True),
    ],
    ids=str,
)
def test_a_judge_at_the_bar_seldom_passes(design: Design) -> None:
    """The low end lies above the true kappa in at most 2.5% of samples, and coverage holds.

    The tolerance is three standard errors of a share of ``REPEATS`` samples.
    """
    found = simulate(design, REPEATS, np.random.default_rng(SEED))

    assert found.false_pass <= 0.025 + 3 * math.sqrt(0.025 * 0.975 / REPEATS)
    assert found.coverage >= 0.94 - 3 * math.sqrt(0.05 * 0.95 / REPEATS)
    assert found.undefined < 0.02
