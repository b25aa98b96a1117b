import math

import numpy as np
import pytest

from benchmarks.looks import PEEKS, SEED, WORLDS, World, editing, peeking
from judgekit.stats import kappa

REPEATS = 4000


def at_most(share: float) -> float:
    """The share and three standard errors of simulating it."""
    return share + 3 * math.sqrt(share * (1 - share) / REPEATS)


@pytest.mark.parametrize("world", WORLDS, ids=str)
def test_every_judge_is_at_the_bar(world: World) -> None:
    """True kappa 0.6, so that each certificate is a false one."""
    assert kappa(world.shares * 1e6, world.weights) == pytest.approx(0.6, abs=1e-6)
    assert len(PEEKS) == 28


@pytest.mark.slow
@pytest.mark.parametrize("world", WORLDS, ids=str)
def test_peeking_under_the_ledger(world: World) -> None:
    """28 peeks pass at most 5%, the first look at most 2.5%; without a ledger far more."""
    found = peeking(world, REPEATS, np.random.default_rng(SEED))

    assert found["first look only"] <= at_most(0.025)
    assert found["one look, at 300"] <= at_most(0.025)
    assert found["ledger"] <= at_most(0.05)
    assert found["ledger, looks at 60, 120, ... 300"] <= at_most(0.05)
    assert found["no ledger, low end"] > max(0.05, 2 * found["ledger, looks at 60, 120, ... 300"])
    assert found["no ledger, kappa itself"] > 0.8


@pytest.mark.slow
@pytest.mark.parametrize("world", WORLDS, ids=str)
def test_editing_under_the_ledger(world: World) -> None:
    """With the verdict alone twenty edits pass at most 5%; details and no ledger pass most."""
    rng = np.random.default_rng(SEED)
    blind, seen, wrong = (
        editing(world, shown, 20, REPEATS, rng) for shown in ("verdict", "kappa", "errors")
    )

    assert blind["ledger"] <= at_most(0.05)
    assert seen["ledger"] <= at_most(0.05)
    assert blind["no ledger"] > 1.5 * at_most(0.05)
    assert seen["no ledger"] > 0.35
    # no ledger helps against errors put right one by one: fresh labels do
    assert wrong["ledger"] > 0.1
    assert wrong["no ledger"] > 0.9
