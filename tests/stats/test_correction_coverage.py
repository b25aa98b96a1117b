import math

import numpy as np
import pytest

from benchmarks.correction import SEED, Design, limits, near_nominal, simulate

REPEATS = 500
CLOSE = 3 * math.sqrt(0.05 * 0.95 / REPEATS)


def test_every_line_of_the_specification_is_there() -> None:
    """Three rates, four judges, three sizes; the limits are a tenth above a method that covers."""
    found = limits()

    assert len(found) == 36
    # Where PPI++ covers it sets the limit; at a rate of .95 it does not, and the labels alone do.
    assert found[Design(0.5, 0.85, 0.8, 200)].powered == pytest.approx(1.1 * 0.111)
    assert found[Design(0.95, 0.95, 0.9, 50)].powered == pytest.approx(1.1 * 0.129)
    assert found[Design(0.95, 0.95, 0.9, 50)].rogan_gladen == pytest.approx(1.1 * 0.174)


@pytest.mark.slow
@pytest.mark.parametrize("design", [*limits()][::5], ids=str)
def test_corrected_rates_cover_and_are_no_wider_than_asked(design: Design) -> None:
    """Coverage near nominal, width at most the limit; Rogan-Gladen seldom gives a wrong figure."""
    found = simulate(design, REPEATS, np.random.default_rng(SEED))

    assert near_nominal(found["powered"].coverage, REPEATS)
    assert found["powered"].width <= limits()[design].powered
    assert found["rogan_gladen"].wrong <= 0.065 + CLOSE
    if found["rogan_gladen"].none < 0.9:
        assert found["rogan_gladen"].width <= limits()[design].rogan_gladen


@pytest.mark.slow
@pytest.mark.parametrize("how", ["clustered", "enriched"])
@pytest.mark.parametrize("judge", [(0.5, 0.95, 0.9), (0.95, 0.85, 0.8)], ids=str)
def test_unequal_items_are_no_excuse(judge: tuple[float, float, float], how: str) -> None:
    """Cases of four, and labels spent on what the judge fails."""
    found = simulate(Design(*judge, 100, **{how: True}), REPEATS, np.random.default_rng(SEED))

    assert near_nominal(found["powered"].coverage, REPEATS)
