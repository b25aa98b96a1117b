import math

import numpy as np
import pytest

from judgekit.calibration.decide import decide
from judgekit.calibration.measure import measure
from judgekit.calibration.planned_gate import Gate, Sets, clustered, gathered, hold, independent
from judgekit.calibration.planned_world import Design, draw
from judgekit.calibration.policy import Policy
from judgekit.calibration.rows import Row, ScaleSpec
from judgekit.stats import Pairs, agreement, kappa
from judgekit.stats.arrays import FloatArray, IntArray
from tests.calibration.make import spec

BINARY, NOMINAL, LINE = spec("binary"), spec("nominal"), spec("ordinal", passes_at=4)
PLAIN = ScaleSpec(
    kind="ordinal", values=(1, 2, 4), names=("1", "2", "4"), passes=None, weights="linear"
)
HALF, FIVE = (0.5, 0.5), (0.15, 0.2, 0.2, 0.25, 0.2)


def rows_of(human: IntArray, judge: IntArray, per_case: int) -> list[Row]:
    """The evidence rows of one drawn set."""
    return [
        Row(
            f"i{i}",
            case=f"c{i // per_case}" if per_case > 1 else None,
            rater=f"r{r}",
            human=int(level),
            judge=int(judge[i]),
        )
        for i, levels in enumerate(human)
        for r, level in enumerate(levels)
    ]


DESIGNS = {
    "binary": Design(BINARY, 0.75, (0.25, 0.75)),
    "rare": Design(BINARY, 0.9, (0.14, 0.86)),
    "lenient": Design(BINARY, 0.6, HALF, judge=(0.4, 0.6)),
    "nominal": Design(NOMINAL, 0.75, (0.5, 0.3, 0.2), raters=2, human_agreement=0.8),
    "pass line": Design(LINE, 0.9, FIVE, raters=2, human_agreement=0.85),
    "kind judge": Design(LINE, 0.7, FIVE, judge=(0.05, 0.1, 0.15, 0.3, 0.4)),
    "no pass line": Design(PLAIN, 0.75, (0.3, 0.3, 0.4), per_case=3, icc=0.4),
    "harsh judge": Design(PLAIN, 0.3, (0.2, 0.3, 0.5), judge=(0.6, 0.2, 0.2)),
    "cases": Design(BINARY, 0.8, (0.3, 0.7), per_case=4, icc=0.3),
    "both": Design(BINARY, 0.8, (0.3, 0.7), raters=3, human_agreement=0.75, per_case=2, icc=0.5),
    "few cases": Design(BINARY, 0.8, HALF, per_case=12, icc=0.3),
}


@pytest.mark.parametrize("look", [1, 3])
@pytest.mark.parametrize("name", DESIGNS)
def test_simulated_sets_meet_the_gate_itself(name: str, look: int) -> None:
    """Each check of each drawn set comes out as the gate decides on its rows."""
    design, policy = DESIGNS[name], Policy()
    human, judge = draw(design, 6, 72, np.random.default_rng(2))
    gate = Gate(design.spec, policy, policy.look_confidence(look))

    found = hold(clustered(human, judge, design.spec, design.per_case), gate)

    seen = set()
    for run in range(6):
        rows = rows_of(human[run], judge[run], design.per_case)
        decision = decide(rows, design.spec, measure(rows, design.spec), policy, look=look)
        known = {check.name: check.passed for check in decision.checks}
        told = {check: bool(flags[run]) for check, flags in found.items()}
        assert told == {check: known[check] for check in found}
        seen |= set(told.items())
    assert {check for check, _ in seen} >= {"agreement", "labelled_items"}


@pytest.mark.parametrize("name", DESIGNS)
def test_drawn_sets_are_what_was_planned(name: str) -> None:
    """Margins, kappa of judge and human, kappa of two humans, likeness within cases."""
    design = DESIGNS[name]
    human, judge = draw(design, 400, 600, np.random.default_rng(3))
    k = len(design.human)

    def table(a: IntArray, b: IntArray) -> FloatArray:
        return np.bincount((a * k + b).ravel(), minlength=k * k).reshape(k, k).astype(float)

    for rater in range(design.raters):
        pairs = table(human[..., rater], judge)
        assert np.allclose(pairs / pairs.sum(), design.table, atol=0.006)
        assert kappa(pairs, design.weights) == pytest.approx(design.kappa, abs=0.01)
    if design.raters > 1:
        people = table(human[..., 0], human[..., 1])
        assert kappa(people, design.weights) == pytest.approx(design.human_agreement, abs=0.01)
    if design.per_case > 1:
        cell = (human[..., 0] * k + judge).reshape(400, -1, design.per_case)
        same, by_chance = np.mean(cell[..., 0] == cell[..., 1]), (design.table**2).sum()
        assert (same - by_chance) / (1 - by_chance) == pytest.approx(design.icc, abs=0.015)


# statistics of the method page, table of pass chances: one-sided 95%, which is a 90% interval
PASSED = [
    (HALF, 50, 0.8, 0.591),
    (HALF, 100, 0.8, 0.871),
    (HALF, 200, 0.7, 0.546),
    (HALF, 400, 0.7, 0.825),
    (HALF, 100, 0.6, 0.048),
    ((0.1, 0.9), 100, 0.8, 0.421),
    ((0.1, 0.9), 200, 0.8, 0.699),
    ((0.1, 0.9), 400, 0.8, 0.930),
    ((0.1, 0.9), 200, 0.9, 0.974),
]


@pytest.mark.parametrize(("human", "n", "value", "passed"), PASSED)
def test_chances_are_those_of_the_method_page(
    human: tuple[float, ...], n: int, value: float, passed: float
) -> None:
    """The chance that the low end reaches 0.60, at the one-sided 5% of that table."""
    design, rng = Design(BINARY, value, human), np.random.default_rng(4)
    tables = rng.multinomial(n, design.table.ravel(), size=10_000).reshape(-1, 2, 2).astype(float)

    found = hold(independent(tables, n), Gate(BINARY, Policy(), 0.90))["agreement"]

    assert float(found.mean()) == pytest.approx(passed, abs=0.035)


@pytest.mark.parametrize(
    ("scale", "human"), [(BINARY, (0.3, 0.7)), (NOMINAL, (0.2, 0.3, 0.5)), (LINE, FIVE)]
)
def test_the_ceiling_is_what_a_judge_of_the_truth_reaches(
    scale: ScaleSpec, human: tuple[float, ...]
) -> None:
    """It is found again in draws of a judge that needs no noise, and none can be planned above."""
    ceiling = Design(scale, 0.5, human, human_agreement=0.7).ceiling
    best = Design(scale, ceiling, human, raters=2, human_agreement=0.7)

    drawn, judge = draw(best, 200, 1_000, np.random.default_rng(9))

    k = len(human)
    pairs = np.bincount((drawn[..., 0] * k + judge).ravel(), minlength=k * k).reshape(k, k)
    assert kappa(pairs, best.weights) == pytest.approx(ceiling, abs=0.01)
    assert ceiling == pytest.approx(math.sqrt(0.7), abs=0.02)
    if scale.kind != "ordinal":
        assert ceiling == pytest.approx(math.sqrt(0.7))


def test_a_ceiling_that_is_not_known() -> None:
    """Nothing said of the humans, nothing claimed."""
    assert Design(BINARY, 0.8, HALF).ceiling is None


def stratified(design: Design, each: FloatArray, runs: int) -> Sets:
    """Sets of so many items of each of the judge's levels."""
    return gathered(design, each, runs, np.random.default_rng(12))


@pytest.mark.parametrize("name", ["binary", "nominal"])
def test_chosen_sets_are_measured_as_weighted_pairs_are(name: str) -> None:
    """Table and design effect are those of `agreement` with the same weights and strata."""
    design, runs = DESIGNS[name], 20
    each = np.array([30.0, 50.0, 25.0][: len(design.human)])
    share, strata = design.table.sum(axis=0), np.repeat(np.arange(each.size), each.astype(int))

    sets = stratified(design, each, runs)

    for run in range(runs):
        counts = sets.tables[run] * each / (share * each.sum())
        human = np.concatenate(
            [np.repeat(np.arange(each.size), np.rint(column).astype(int)) for column in counts.T]
        )
        pairs = Pairs(human, strata, each.size, weight=(share / each)[strata], strata=strata)
        found = agreement(pairs, design.weights)
        assert np.allclose(pairs.table(), sets.tables[run])
        assert found.design_effect == pytest.approx(sets.agreement[run])
        assert np.bincount(human, minlength=each.size).tolist() == sets.labels[run].tolist()


def test_chosen_sets_speak_of_the_population() -> None:
    """However they are chosen, their mean table is the planned one."""
    design = DESIGNS["nominal"]

    tables = stratified(design, np.array([300.0, 50.0, 90.0]), 500).tables

    assert np.allclose(tables.mean(axis=0) / tables[0].sum(), design.table, atol=0.003)
