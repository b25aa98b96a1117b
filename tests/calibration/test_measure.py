import math
from collections.abc import Callable
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given

from judgekit.calibration.evidence import EstimateRecord
from judgekit.calibration.measure import measure
from judgekit.calibration.pairs import agreement_weights, for_the_gate, worst_case
from judgekit.calibration.rows import Row, ScaleSpec
from judgekit.judging.judgment import CAUSES, INCOMPLETE, Cause
from judgekit.rubric.frozen import Frozen
from judgekit.stats import kappa
from tests.calibration.make import renamed, spec, table_rows
from tests.calibration.strategies import calibrations, unhurried

UNUSABLE = [cause for cause in CAUSES if cause not in INCOMPLETE]


def simple_kappa(
    human: list[float], judge: list[float], agree: Callable[[float, float], float]
) -> float:
    """Kappa by its definition: observed and chance agreement, pair by pair."""
    n = len(human)
    seen = sum(agree(h, j) for h, j in zip(human, judge, strict=True)) / n
    chance = sum(agree(h, j) for h, j in product(human, judge)) / n**2
    return (seen - chance) / (1 - chance)


def same(h: float, j: float) -> float:
    """Agreement of unordered levels."""
    return float(h == j)


def near(h: float, j: float) -> float:
    """Quadratic agreement on 1 to 5; an answer that is no level (0) agrees with nothing."""
    return 0.0 if 0 in (h, j) else 1 - (h - j) ** 2 / 16


def numbers(found: Frozen) -> list[float]:
    """Every number in a record, at any depth."""
    return [n for n in _leaves(found.model_dump()) if isinstance(n, float | int)]


def _leaves(value: object) -> list[object]:
    if isinstance(value, dict):
        return [leaf for v in value.values() for leaf in _leaves(v)]
    if isinstance(value, list | tuple):
        return [leaf for v in value for leaf in _leaves(v)]
    return [value]


def test_binary_by_hand() -> None:
    """Of 100 items 85 agree; chance would give half: kappa is (.85 - .5) / .5 = .7."""
    found = measure(table_rows([[45, 5], [10, 40]]), spec("binary"))

    assert found.agreement.value == pytest.approx(0.7)
    assert found.raw_agreement.value == pytest.approx(0.85)
    assert found.sensitivity is not None
    assert found.sensitivity.value == pytest.approx(0.8)
    assert found.specificity is not None
    assert found.specificity.value == pytest.approx(0.9)
    assert found.pass_shift is not None
    assert found.pass_shift.value == pytest.approx(-0.05)
    assert found.signed_error is None
    assert [level.recall.value for level in found.levels] == pytest.approx([0.9, 0.8])
    assert [level.precision.value for level in found.levels] == pytest.approx([45 / 55, 40 / 45])
    assert (found.agreement.n, found.agreement.pairs, found.agreement.confidence) == (
        100,
        100,
        0.95,
    )


def test_nominal_is_all_or_nothing() -> None:
    """Levels without order: how far apart they stand in the list does not matter."""
    table = [[10, 2, 3], [1, 12, 2], [4, 1, 9]]
    cells = [(i, j) for i, r in enumerate(table) for j, n in enumerate(r) for _ in range(n)]

    found = measure(table_rows(table), spec("nominal"))

    expected = simple_kappa([i for i, _ in cells], [j for _, j in cells], same)
    assert found.agreement.value == pytest.approx(expected)
    assert found.pass_agreement is found.pass_shift is found.sensitivity is None


def test_pairwise_is_nominal_with_sides() -> None:
    """A tie is a third answer."""
    table = [[10, 2, 3], [1, 12, 2], [4, 1, 9]]

    assert measure(table_rows(table), spec("pairwise")).agreement == (
        measure(table_rows(table), spec("nominal")).agreement
    )


def test_ordinal_goes_by_level_values() -> None:
    """On 1 to 5 a step costs (step / 4) squared; the mean error is in level values."""
    table = [[5, 2, 0, 0, 0], [1, 5, 2, 0, 0], [0, 1, 5, 1, 0], [0, 0, 2, 5, 1], [0, 0, 0, 2, 6]]
    cells = [(i, j) for i, r in enumerate(table) for j, n in enumerate(r) for _ in range(n)]

    found = measure(table_rows(table), spec("ordinal"))

    expected = simple_kappa([i + 1 for i, _ in cells], [j + 1 for _, j in cells], near)
    assert found.agreement.value == pytest.approx(expected)
    assert found.signed_error is not None
    # up: 2 + 2 + 1 + 1 = 6 steps, down: 1 + 1 + 2 + 2 = 6
    assert found.signed_error.value == pytest.approx(0.0)


def test_values_decide_not_positions() -> None:
    """With levels 1, 2 and 10 the step from 2 to 10 is nearly the whole scale."""
    levels = [
        {"value": v, "name": f"n{v}", "definition": "d", "drops_when": "x"} for v in (1, 2, 10)
    ]
    rows = table_rows([[10, 0, 0], [0, 10, 3], [0, 0, 10]])

    apart = measure(rows, spec("ordinal", levels=levels)).agreement.value
    levels[2]["value"] = 3
    even = measure(rows, spec("ordinal", levels=levels)).agreement.value

    assert apart is not None
    assert even is not None
    assert apart < even - 0.05


def test_a_pass_line_makes_two_levels() -> None:
    """The pass decision has a kappa and a shift of its own."""
    rows = table_rows(
        [[10, 0, 4, 0, 0], [0, 10, 0, 0, 0], [0, 0, 10, 0, 0], [0, 0, 0, 10, 0], [0, 1, 0, 0, 9]]
    )

    found = measure(rows, spec("ordinal", passes_at=3))

    human = [0] * 24 + [1] * 30
    judge = [0] * 10 + [1] * 4 + [0] * 10 + [1] * 20 + [0] + [1] * 9
    assert found.pass_agreement is not None
    assert found.pass_agreement.value == pytest.approx(simple_kappa(human, judge, same))
    assert found.pass_shift is not None
    assert found.pass_shift.value == pytest.approx((4 - 1) / 54)


def test_the_table_has_the_whole_scale_in_order() -> None:
    """Levels nobody used have a row and a column; rows are the human's."""
    rows = table_rows([[0] * 5, [0, 3, 0, 1, 0], [0] * 5, [0] * 5, [0] * 5])

    found = measure(rows, spec("ordinal")).confusion

    assert found.levels == (1, 2, 3, 4, 5)
    assert found.table == ((0,) * 5, (0, 3, 0, 1, 0), (0,) * 5, (0,) * 5, (0,) * 5)


def test_scale_order_is_the_rubrics_for_words() -> None:
    """Nominal levels keep the order of the rubric, not the alphabet's."""
    assert measure((), spec("nominal")).confusion.levels == ("red", "green", "blue")


def test_levels_never_used_are_undefined_not_zero() -> None:
    """No label of a level: no recall of it, with the reason."""
    recall = (
        measure(table_rows([[5, 0, 0], [0, 5, 0], [0, 0, 0]]), spec("nominal")).levels[2].recall
    )

    assert (recall.value, recall.undefined) == (None, "no_positive")


def test_a_constant_judge_has_kappa_zero() -> None:
    """Exactly 0, however often it is right by luck."""
    for kind, table in (
        ("binary", [[0, 10], [0, 90]]),
        ("nominal", [[0, 9, 0], [0, 30, 0], [0, 2, 0]]),
        ("ordinal", [[0, 0, 9, 0, 0]] * 5),
    ):
        assert measure(table_rows(table), spec(kind)).agreement.value == pytest.approx(0, abs=1e-15)


def test_one_level_throughout_is_undefined() -> None:
    """Everybody used one level: kappa is not 1 and not 0."""
    found = measure(table_rows([[0, 0], [0, 40]]), spec("binary"))

    assert found.agreement.value is None
    assert found.agreement.undefined == "single_category"


def test_judge_na_disagrees() -> None:
    """The judge's "not applicable" is an answer, and agrees with no human level."""
    found = measure(table_rows([[20, 0], [0, 20]], na={0: 5}), spec("binary"))

    human, judge = [1] * 20 + [2] * 20 + [1] * 5, [1] * 20 + [2] * 20 + [0] * 5
    assert found.agreement.value == pytest.approx(simple_kappa(human, judge, same))
    assert found.gate_agreement.value == found.agreement.value
    assert found.raw_agreement.value == pytest.approx(40 / 45)
    assert found.confusion.na == (5, 0)
    assert found.levels[0].recall.value == pytest.approx(20 / 25)


@pytest.mark.parametrize("cause", UNUSABLE)
def test_the_gate_counts_the_unusable_as_disagreement(cause: Cause) -> None:
    """One more judge column that agrees with nothing; the plain agreement leaves them out."""
    whole = measure(table_rows([[45, 5], [5, 45]]), spec("binary"))
    found = measure(table_rows([[45, 5], [5, 45]], {cause: 4}, human=1), spec("binary"))

    human = [1] * 50 + [2] * 50 + [2] * 4
    judge = [1] * 45 + [2] * 5 + [1] * 5 + [2] * 45 + [0] * 4
    assert found.agreement == whole.agreement
    assert found.gate_agreement.value == pytest.approx(simple_kappa(human, judge, same))
    assert found.gate_agreement.n == 104
    assert found.confusion.unjudged == (0, 4)


def test_the_unusable_disagree_fully_on_ordinal_scales() -> None:
    """Not as a near level: the weight of the extra column is 0 with every level."""
    table = [[9, 1, 0, 0, 0], [1, 9, 1, 0, 0], [0, 1, 9, 1, 0], [0, 0, 1, 9, 1], [0, 0, 0, 1, 9]]
    cells = [(i, j) for i, r in enumerate(table) for j, n in enumerate(r) for _ in range(n)]

    found = measure(table_rows(table, {"unreadable": 3}, human=2), spec("ordinal"))

    human = [i + 1 for i, _ in cells] + [3] * 3
    judge = [j + 1 for _, j in cells] + [0] * 3
    assert found.gate_agreement.value == pytest.approx(simple_kappa(human, judge, near))


def test_the_pass_decision_counts_the_unusable_too() -> None:
    """Its kappa is the gate's; rates and shift speak of what was judged."""
    table = [[12, 0, 0, 0, 0], [0, 12, 2, 0, 0], [0, 1, 12, 0, 0], [0] * 5, [0] * 5]
    scale = spec("ordinal", passes_at=3)
    whole = measure(table_rows(table), scale)
    found = measure(table_rows(table, {"unreadable": 3}, human=2), scale)

    human, judge = [1] * 26 + [2] * 13 + [2] * 3, [1] * 24 + [2] * 2 + [1] + [2] * 12 + [0] * 3
    assert found.pass_agreement is not None
    assert found.pass_agreement.value == pytest.approx(simple_kappa(human, judge, same))
    assert (found.pass_shift, found.sensitivity) == (whole.pass_shift, whole.sensitivity)


@pytest.mark.parametrize("cause", sorted(INCOMPLETE))
def test_what_was_never_answered_stays_out(cause: Cause) -> None:
    """Provider errors, a spent budget and missing records are no word of the judge."""
    whole = measure(table_rows([[45, 5], [5, 45]]), spec("binary"))
    found = measure(table_rows([[45, 5], [5, 45]], {cause: 4}), spec("binary"))

    assert found == whole


@unhurried
@given(calibrations())
def test_unusable_answers_lift_nobody_over_a_bar(run: tuple[ScaleSpec, tuple[Row, ...]]) -> None:
    """From 0.5 up the gate's kappa is never above the paired one; below, never above 0.5."""
    scale, rows = run
    found = measure(rows, scale)
    assume(found.agreement.value is not None and found.gate_agreement.value is not None)
    assert found.agreement.value is not None
    assert found.gate_agreement.value is not None

    assert found.gate_agreement.value <= max(found.agreement.value, 0.5) + 1e-9


@unhurried
@given(calibrations())
def test_the_worst_case_is_the_worst(run: tuple[ScaleSpec, tuple[Row, ...]]) -> None:
    """Never above the gate's kappa, which is one of the cases."""
    scale, rows = run
    found = measure(rows, scale)
    assume(found.worst_case.value is not None and found.gate_agreement.value is not None)
    assert found.worst_case.value is not None
    assert found.gate_agreement.value is not None

    assert found.worst_case.value <= found.gate_agreement.value + 1e-12


@pytest.mark.parametrize("kind", ["binary", "nominal", "ordinal"])
def test_no_answers_are_worse_than_the_worst_case(kind: str) -> None:
    """Every way to fill the gaps, one level for all gaps of a human level, is tried."""
    scale, rng = spec(kind), np.random.default_rng(3)
    k = len(scale.values)
    weights = agreement_weights(scale, 2)
    for _ in range(6):
        table = rng.integers(0, 9, (k, k)) + np.eye(k, dtype=int) * 5
        rows = [*table_rows(table.tolist())]
        for level in range(min(k, 3)):
            rows += table_rows([], {"unreadable": 3}, human=level, first=1000 + 10 * level)

        found = kappa(worst_case(rows, scale).table(), weights)

        gate = for_the_gate(rows, scale)
        lost = gate.judge == k + 1
        tried = [
            kappa(_filled(gate.human, gate.judge, lost, fill, k), weights)
            for fill in product(range(k + 1), repeat=min(k, 3))
        ]
        assert found == pytest.approx(min(t for t in tried if isinstance(t, float)))


def _filled(
    human: np.ndarray, judge: np.ndarray, lost: np.ndarray, fill: tuple[int, ...], k: int
) -> np.ndarray:
    answers = np.array([*fill, *[0] * k])[human]
    table = np.zeros((k + 2, k + 2))
    np.add.at(table, (human, np.where(lost, answers, judge)), 1)
    return table


def raters(agreeing: int, first: int, second: int) -> tuple[Row, ...]:
    """Three raters of ``agreeing`` items; on some of them the first or second dissents."""
    rows = []
    for n in range(agreeing):
        judge = n % 2
        for name, wrong in (("ann", n < first), ("bob", n < second), ("cy", False)):
            row = Row("", rater=name, human=1 - judge if wrong else judge, judge=judge)
            rows.append(renamed(row, f"i{n}"))
    return tuple(rows)


def test_several_raters_are_pooled() -> None:
    """Kappa is that of all pairs; n counts items, pairs counts pairs; each rater has its own."""
    found = measure(raters(60, 6, 12), spec("binary"))

    # 180 pairs, 18 dissents, margins balanced: (.9 - .5) / .5
    assert found.agreement.value == pytest.approx(0.8, abs=0.001)
    assert (found.agreement.n, found.agreement.pairs) == (60, 180)
    assert found.raters["ann"].value == pytest.approx(0.8)
    assert found.raters["bob"].value == pytest.approx(0.6)
    assert found.raters["cy"].value == pytest.approx(1.0)
    assert (found.raters["ann"].n, found.raters["ann"].pairs) == (60, 60)


def test_the_interval_of_pooled_raters_is_clustered_by_item() -> None:
    """Three copies of one rater are worth one: the same value, the interval of 60 items at most."""
    one = table_rows([[27, 3], [6, 24]])
    rows = [Row(r.item, None, name, r.human, r.judge) for r in one for name in ("ann", "bob", "cy")]

    alone, pooled = (measure(found, spec("binary")).agreement for found in (one, rows))

    assert pooled.value == pytest.approx(alone.value)
    assert pooled.clusters == 60
    assert pooled.design_effect == pytest.approx(3, rel=0.05)
    assert pooled.low is not None
    assert alone.low is not None
    assert pooled.low <= alone.low + 1e-9


def test_repeated_cases_widen_every_interval() -> None:
    """Three outputs of a case that stand and fall together count as little more than one."""
    rows = table_rows([[42, 3], [6, 39]])
    cased = [Row(r.item, f"c{n // 3}", r.rater, r.human, r.judge) for n, r in enumerate(rows)]
    alone, clustered = measure(rows, spec("binary")), measure(cased, spec("binary"))

    for name in ("agreement", "raw_agreement", "pass_shift", "sensitivity", "specificity"):
        one: EstimateRecord = getattr(alone, name)
        many: EstimateRecord = getattr(clustered, name)
        assert many.value == pytest.approx(one.value)
        assert _width(many) > _width(one), name
        assert many.n == one.n


def _width(found: EstimateRecord) -> float:
    assert found.high is not None
    assert found.low is not None
    return found.high - found.low


def test_raw_agreement_counts_items_and_weights() -> None:
    """Items are n, pairs are pairs, and a sampling weight weighs here as it does in kappa."""
    pooled = measure(raters(60, 6, 12), spec("binary")).raw_agreement
    rows = [
        *(Row(f"a{n}", None, "ann", 1, 1, weight=3.0) for n in range(10)),
        *(Row(f"b{n}", None, "ann", 0, 1, weight=1.0) for n in range(10)),
        *(Row(f"c{n}", None, "ann", 0, 0, weight=1.0) for n in range(10)),
    ]

    assert (pooled.n, pooled.pairs) == (60, 180)
    assert pooled.value == pytest.approx(0.9)
    assert measure(rows, spec("binary")).raw_agreement.value == pytest.approx(40 / 50)


def test_nothing_at_all() -> None:
    """No rows: every estimate is undefined and says so."""
    found = measure((), spec("ordinal", passes_at=3))

    assert found.agreement.undefined == found.gate_agreement.undefined == "empty"
    assert found.worst_case.undefined == found.raw_agreement.undefined == "empty"
    assert all(
        value is None or isinstance(value, int)
        for value in found.agreement.model_dump(include={"value", "low", "high", "n"}).values()
    )


@unhurried
@given(calibrations())
def test_no_number_is_nan_or_infinite(run: tuple[ScaleSpec, tuple[Row, ...]]) -> None:
    """Whatever the rows: a number is a number, or there is none and a reason."""
    scale, rows = run

    assert all(math.isfinite(n) for n in numbers(measure(rows, scale)))


@unhurried
@given(calibrations())
def test_values_lie_in_their_intervals(run: tuple[ScaleSpec, tuple[Row, ...]]) -> None:
    """Low, value, high in this order; all three or none, and then a reason."""
    scale, rows = run
    found = measure(rows, scale)

    for record in (
        found.agreement,
        found.gate_agreement,
        found.worst_case,
        found.raw_agreement,
        *found.raters.values(),
        *(level.recall for level in found.levels),
    ):
        if record.value is None:
            assert record.undefined
            assert record.low is record.high is None
        else:
            assert record.undefined is None
            assert record.low is not None
            assert record.high is not None
            assert record.low - 1e-9 <= record.value <= record.high + 1e-9
