"""What is reached without reading, and what the gate makes of it."""

import math
from collections.abc import Sequence
from dataclasses import replace
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from judgekit.calibration.baselines import (
    Baselines,
    _fold,
    _Lengths,
    baselines,
    labels_to_tell,
    length_check,
)
from judgekit.calibration.decide import decide
from judgekit.calibration.measure import measure
from judgekit.calibration.pairs import agreement_weights
from judgekit.calibration.policy import Policy
from judgekit.calibration.record import EstimateRecord
from judgekit.calibration.rows import Row, ScaleSpec
from judgekit.stats import contingency, kappa, length
from judgekit.stats.estimate import Estimate, Undefined
from tests.calibration.make import spec
from tests.calibration.strategies import calibrations

BINARY, FIVE = spec("binary"), spec("ordinal")


def drawn(
    n: int,
    scale: ScaleSpec,
    rng: np.random.Generator,
    *,
    by_length: float = 0.0,
    good: float | None = None,
) -> list[Row]:
    """Items whose quality and log length are correlated, and a judge.

    ``good`` is how often the judge says the human's level, else any level; None for a judge that
    tells all by length.
    """
    k = len(scale.values)
    cuts = [NormalDist().inv_cdf(i / k) for i in range(1, k)]
    quality = rng.normal(size=n)
    size = by_length * quality + math.sqrt(1 - by_length**2) * rng.normal(size=n)
    human, told = np.searchsorted(cuts, quality), np.searchsorted(cuts, size)
    if good is not None:
        told = np.where(rng.random(n) < good, human, rng.integers(0, k, n))
    length = np.exp(6 + 0.7 * size).round()
    return [
        Row(f"i{i}", rater="ann", human=int(h), judge=int(j), length=int(c))
        for i, (h, j, c) in enumerate(zip(human, told, length, strict=True))
    ]


def found_of(rows: Sequence[Row], scale: ScaleSpec = BINARY) -> Baselines:
    """The baselines, which there are."""
    found = baselines(rows, scale)
    assert found is not None
    return found


def record(value: float, low: float, high: float, n: int = 40) -> EstimateRecord:
    """A difference that was measured."""
    return EstimateRecord.of("beats_length", Estimate(value, low, high, n, "made"))


def held(value: float, low: float, high: float, n: int = 40) -> Baselines:
    """Baselines with that difference."""
    kappa = record(0.9, 0.8, 0.95, n)
    return Baselines(
        majority=kappa,
        judge=kappa,
        length=record(0.9 - value, 0.5, 1.0, n),
        beats_length=record(value, low, high, n),
        without_length=0,
    )


@pytest.mark.parametrize("scale", [BINARY, FIVE], ids=["binary", "five levels"])
def test_a_judge_that_counts_characters_is_refused(scale: ScaleSpec) -> None:
    """People like long answers somewhat; the judge says nothing else. Its kappa clears the bar."""
    policy = Policy(min_agreement=0.30)
    refused = ruled_out = cleared = 0
    for seed in range(20):
        rows = drawn(300, scale, np.random.default_rng(seed), by_length=0.7)
        decision = decide(rows, scale, measure(rows, scale), policy)
        check = length_check(baselines(rows, scale))
        assert check is not None
        cleared += decision.checks[0].passed
        refused += not check.passed
        ruled_out += check.ruled_out
        assert check.reason == "below_baseline"

    assert cleared >= 18
    assert refused == 20
    assert ruled_out >= 18


@pytest.mark.parametrize("n", [60, 300, 1000])
def test_a_judge_that_counts_and_cuts_in_the_right_place_is_refused(n: int) -> None:
    """It is ahead of any rule fitted to noisy labels; not of a rule fitted to itself.

    With the rule of the other folds alone, one in three of these was certified at n = 300, and two
    in three at n = 1000.
    """
    for seed in range(8):
        rng = np.random.default_rng(seed)
        size = rng.integers(20, 400, n)
        told = (size > 200).astype(int)
        human = np.where(rng.random(n) < 0.08, 1 - told, told)
        rows = [
            Row(f"s{seed}i{i}", rater="ann", human=int(h), judge=int(j), length=int(c))
            for i, (h, j, c) in enumerate(zip(human, told, size, strict=True))
        ]
        check = length_check(baselines(rows, BINARY))
        assert check is not None
        assert not check.passed
        assert check.ruled_out == (n > 60)


def test_answers_that_are_no_level_teach_the_rule_nothing() -> None:
    """The rule that is fitted to the judge sees its levels only; it answers every item."""
    rows = [
        Row(f"i{i}", rater="ann", human=int(i >= 40), judge=int(i >= 40), length=10 * i + 10)
        for i in range(80)
    ]
    some = [
        replace(row, judge=None, cause="unreadable") if i % 8 == 0 else row
        for i, row in enumerate(rows)
    ]
    every = [replace(row, judge=None, cause="unreadable") for row in rows]

    found = found_of(some)

    assert found.length is not None
    assert found.judge is not None
    assert found.length.value is not None
    assert found.judge.value is not None
    assert found.length.value > 0.94 > found.judge.value
    assert found_of(every).length is not None


def test_the_gate_itself_refuses_it() -> None:
    """The check stands among those of the decision, and the verdict is no certificate."""
    rows = drawn(400, BINARY, np.random.default_rng(1), by_length=0.7)

    decision = decide(rows, BINARY, measure(rows, BINARY), Policy(min_agreement=0.30))

    assert [check.reason for check in decision.failed] == ["below_baseline"]
    assert decision.verdict != "calibrated"


@pytest.mark.long
@pytest.mark.parametrize("scale", [BINARY, FIVE], ids=["binary", "five levels"])
def test_a_strong_judge_is_not_stopped_by_thirty_labels(scale: ScaleSpec) -> None:
    """Kappa .85, length useless, n = 30: a judge that clears the bar is stopped almost never."""
    stopped = stopped_at_the_bar = at_the_bar = 0
    for seed in range(400):
        rows = drawn(30, scale, np.random.default_rng(seed), good=0.85)
        found = baselines(rows, scale)
        check = length_check(found)
        assert found is not None
        assert found.judge is not None
        assert check is not None
        low = found.judge.low
        clears = low is not None and low >= 0.6
        stopped += not check.passed
        at_the_bar += clears
        stopped_at_the_bar += clears and not check.passed
        assert not check.ruled_out

    assert stopped <= 12  # 3% of all
    assert at_the_bar > 80
    assert stopped_at_the_bar <= 2


@pytest.mark.long
@pytest.mark.parametrize(
    ("scale", "by_length", "good", "n"),
    [
        (BINARY, 0.7, 0.75, 60),
        (BINARY, 0.7, 0.75, 150),
        (BINARY, 0.3, 0.75, 150),
        (BINARY, 0.0, 0.75, 150),
        (FIVE, 0.7, 0.7, 150),
        (FIVE, 0.3, 0.6, 150),
    ],
    ids=["two, 60", "two", "two, faint", "two, useless", "five", "five, faint"],
)
def test_coverage_of_the_difference(
    scale: ScaleSpec,
    by_length: float,
    good: float,
    n: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The interval holds the difference from the rules of the folds, asked of fresh items.

    Coverage is that of 95%, to three standard errors of 300 samples and the few points that a
    jackknife owes at such sizes.
    """
    rules: list[Any] = []

    def kept(*arguments: Any) -> Any:
        rules.append(fit(*arguments))
        return rules[-1]

    fit, no_rule = length._fit, Undefined("empty", 0, "length_judge")
    monkeypatch.setattr(length, "_fit", kept)
    monkeypatch.setattr(_Lengths, "fitted_to_judge", lambda *_: no_rule)
    k, weights = len(scale.values), agreement_weights(scale)
    fresh = drawn(20_000, scale, np.random.default_rng(0), by_length=by_length, good=1.0)
    human, size = (np.array([getattr(row, name) for row in fresh]) for name in ("human", "length"))
    missed = []
    for seed in range(300):
        rules.clear()
        rows = drawn(n, scale, np.random.default_rng(seed), by_length=by_length, good=good)
        found = found_of(rows, scale).beats_length
        assert found is not None
        share = np.bincount([_fold(row) for row in rows], minlength=5) / n
        said = [np.zeros(len(size), int) if rule is None else rule(size) for rule in rules]
        tables = [contingency(human, one, k) for one in said]
        rival = kappa(sum(p * t for p, t in zip(share[share > 0], tables, strict=True)), weights)
        assert found.low is not None
        assert found.high is not None
        missed.append((found.low > good - rival, found.high < good - rival))
    low, high = np.mean(missed, axis=0)

    assert low + high <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / 300) + 0.02
    assert low <= 0.025 + 3 * math.sqrt(0.025 * 0.975 / 300) + 0.01


@pytest.mark.parametrize(
    ("difference", "passed", "ruled_out"),
    [
        ((0.05, -0.17, 0.27), False, False),  # .90 against .85 at n = 40
        ((0.86, 0.55, 1.10), True, False),
        ((0.05, 0.01, 0.09), True, False),
        ((0.01, -0.02, 0.04), False, True),
        ((-0.20, -0.35, -0.05), False, True),
        ((0.02, -0.06, 0.10), False, False),
        ((0.02, 0.00, 0.04), False, True),
        ((0.025, 0.01, 0.04), True, False),
    ],
)
def test_what_decides(
    difference: tuple[float, float, float],
    passed: bool,  # noqa: FBT001
    ruled_out: bool,  # noqa: FBT001
) -> None:
    """Ahead for sure; next to nothing left, for sure; or more labels can tell."""
    check = length_check(held(*difference))

    assert check is not None
    assert (check.passed, check.ruled_out) == (passed, ruled_out)
    assert check.observed == {
        "judge": 0.9,
        "length": pytest.approx(0.9 - difference[0]),
        "low": difference[1],
    }


def test_ninety_against_eighty_five_is_open() -> None:
    """Forty labels, length nearly as good as the judge: inconclusive, with labels to ask for."""
    rows = drawn(40, BINARY, np.random.default_rng(2), by_length=0.98, good=0.92)

    check, more = length_check(baselines(rows, BINARY)), labels_to_tell(found_of(rows))

    assert check is not None
    assert (check.passed, check.ruled_out) == (False, False)
    assert more is not None
    assert more > 50


def test_labels_to_tell() -> None:
    """Nothing where it is settled; else what brings one end over, in nine of ten samples."""
    assert labels_to_tell(held(0.86, 0.55, 1.1)) == 0
    assert labels_to_tell(held(-0.2, -0.35, -0.05)) == 0
    assert labels_to_tell(held(0.2, 0.2 - 0.196, 0.396)) == 0
    assert (
        labels_to_tell(held(0.15, 0.15 - 0.196, 0.346))
        == math.ceil(40 * (0.32416 / 0.15) ** 2) - 40
    )
    assert labels_to_tell(found_of([Row("i", rater="a", human=1, judge=1)])) is None


def test_the_majority() -> None:
    """Its raw agreement is the commonest level's share; weights count."""
    rows = [Row(f"i{i}", rater="ann", human=int(i < 30), judge=1, length=i) for i in range(40)]

    assert found_of(rows).majority.value == 0.75
    heavy = [replace(row, weight=9.0 if row.human == 0 else 1.0) for row in rows]
    assert found_of(heavy).majority.value == pytest.approx(90 / 120)
    assert found_of(rows).majority.low == pytest.approx(0.598, abs=1e-3)


def test_without_text_there_is_no_length_baseline() -> None:
    """None is made up, and how many labels lack it is said."""
    rows = drawn(40, BINARY, np.random.default_rng(4), good=0.9)
    bare = [replace(row, length=None) for row in rows]
    half = [row if i % 3 else replace(row, length=None) for i, row in enumerate(rows)]

    nothing, some = found_of(bare), found_of(half)

    assert (nothing.length, nothing.beats_length, nothing.without_length) == (None, None, 40)
    assert length_check(nothing) is None
    assert length_check(None) is None
    assert some.without_length == 14
    assert some.beats_length is not None
    assert (some.beats_length.n, some.judge and some.judge.n) == (26, 26)
    few = [row if i % 3 == 0 else replace(row, length=None) for i, row in enumerate(rows)]
    assert found_of(few).length is None


def test_items_the_run_never_got_to_take_no_part() -> None:
    """Provider errors are nobody's word; unusable replies disagree, as in the gate."""
    rows = drawn(60, BINARY, np.random.default_rng(5), good=1.0)
    lost = [replace(row, judge=None, cause="provider_error") for row in rows[:10]]
    bad = [replace(row, judge=None, cause="unreadable") for row in rows[:10]]

    assert found_of([*lost, *rows[10:]]).judge == found_of(rows[10:]).judge
    worse = found_of([*bad, *rows[10:]]).judge
    assert worse is not None
    assert worse.value is not None
    assert worse.value < 0.9
    assert found_of([*bad, *rows[10:]]).judge == measure([*bad, *rows[10:]], BINARY).gate_agreement
    assert baselines(lost, BINARY) is None


def test_outputs_of_a_case_are_in_one_fold() -> None:
    """Copies of one output under other labels do not teach the rule their own answers."""
    rng = np.random.default_rng(6)
    cases = [(f"c{c}", int(rng.integers(50, 5000)), int(rng.integers(0, 2))) for c in range(60)]
    rows = [
        Row(f"{name}-{i}", name, "ann", level, level, length=length)
        for name, length, level in cases
        for i in range(5)
    ]

    together = found_of(rows).length
    apart = found_of([replace(row, case=None) for row in rows]).length

    assert together is not None
    assert together.value is not None
    assert together.value < 0.25
    assert together.clusters == 60
    assert apart is not None


def test_several_raters_are_pooled() -> None:
    """Two raters of an item are two pairs of one unit."""
    rows = drawn(40, BINARY, np.random.default_rng(7), good=0.9)
    both = [*rows, *(replace(row, rater="bob") for row in rows)]

    found = found_of(both).beats_length

    assert found is not None
    assert (found.n, found.pairs, found.clusters) == (40, 80, 40)


@pytest.mark.parametrize("values", [("A", "B", "tie"), ("tie", "B", "A")])
def test_pairs_go_by_which_is_longer(values: tuple[str, ...]) -> None:
    """The sides are found by their names; lengths may be negative: B is longer."""
    scale = ScaleSpec(
        kind="pairwise", values=values, names=values, passes=None, weights="unweighted"
    )
    rng = np.random.default_rng(8)
    gaps = rng.integers(-900, 900, 90)
    rows = [
        Row(
            f"i{i}",
            rater="ann",
            human=values.index("tie" if abs(gap) < 150 else "A" if gap > 0 else "B"),
            judge=0,
            length=int(gap),
        )
        for i, gap in enumerate(gaps)
    ]

    found = found_of(rows, scale)

    assert found.length is not None
    assert found.length.value is not None
    assert found.length.value > 0.85
    check = length_check(found)
    assert check is not None
    assert check.ruled_out


def test_all_in_one_case_tells_nothing() -> None:
    """There is no other fold to fit a rule to, and fewer than ten cases bear no interval."""
    rows = [replace(row, case="c") for row in drawn(40, BINARY, np.random.default_rng(9), good=0.9)]

    check = length_check(baselines(rows, BINARY))

    assert check is not None
    assert (check.passed, check.ruled_out, check.reason) == (False, False, "agreement_undefined")
    assert check.observed == "too_few_items"


@settings(max_examples=60)
@given(calibrations())
def test_any_rows_have_baselines(made: tuple[ScaleSpec, tuple[Row, ...]]) -> None:
    """Whatever the rows, there is an answer that survives JSON, the same in any order."""
    scale, rows = made
    told = [replace(row, length=len(row.item) * 7 + i % 5) for i, row in enumerate(rows)]

    found = baselines(told, scale)

    if found is None:
        return
    assert Baselines.model_validate_json(found.model_dump_json()) == found
    turned = baselines(told[::-1], scale)
    assert turned is not None
    assert figures(turned) == figures(found)


def figures(found: Baselines) -> list[Any]:
    """Every number, rounded: the order of the rows changes the last digits of sums."""
    records = (found.majority, found.judge, found.length, found.beats_length)
    return [(r and r.value and round(r.value, 9), r and r.low and round(r.low, 9)) for r in records]


@pytest.mark.parametrize(
    ("short", "long", "alike"), [(16, 20, True), (5, 9, True), (3, 14, False), (200, 320, False)]
)
def test_a_word_is_no_verbosity(short: int, long: int, *, alike: bool) -> None:
    """Outputs that differ by a word are all about as long, even if the word tells the level."""
    rows = [
        Row(f"i{i}", rater="ann", human=i % 2, judge=i % 2, length=long if i % 2 else short)
        for i in range(100)
    ]
    found = found_of(rows)

    assert found.length is not None
    assert found.length.value == (0.0 if alike else 1.0)
    check = length_check(found)
    assert check is not None
    assert check.passed is alike
