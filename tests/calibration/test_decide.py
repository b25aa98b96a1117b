import pytest

from judgekit.calibration.check import Check
from judgekit.calibration.decide import Decision
from judgekit.calibration.measure import measure
from judgekit.calibration.policy import Policy
from judgekit.calibration.rows import Row
from judgekit.judging.judgment import INCOMPLETE
from tests.calibration.make import GOOD, needed, spec, table_rows, verdict

BINARY = spec("binary")


def check(found: Decision, name: str) -> Check:
    """The one check of that name."""
    (one,) = (c for c in found.checks if c.name == name)
    return one


def too_kind(each: int) -> tuple[Row, ...]:
    """A judge one level too kind throughout: 1 becomes 2, ..., 4 becomes 5, and 5 stays."""
    return table_rows([[each if j == min(i + 1, 4) else 0 for j in range(5)] for i in range(5)])


def test_a_good_judge_is_calibrated() -> None:
    """110 items, 8 disagreements: every check passes."""
    found = verdict(GOOD, BINARY)

    assert found.verdict == "calibrated"
    assert found.failed == ()
    assert [c.name for c in found.checks] == [
        "agreement",
        "labelled_items",
        "labels_per_class",
        "items_judged",
        "better_than_chance",
    ]


def test_a_bad_judge_is_ruled_out() -> None:
    """Even the high end is under the bar."""
    found = verdict(table_rows([[30, 20], [25, 35]]), BINARY)

    assert found.verdict == "not_calibrated"
    assert check(found, "agreement").ruled_out


def test_an_interval_over_the_bar_decides_nothing() -> None:
    """The bar lies inside: neither verdict."""
    found = verdict(table_rows([[18, 3], [4, 25]]), BINARY)

    assert found.verdict == "inconclusive"


def test_a_constant_judge_is_not_calibrated() -> None:
    """Kappa is exactly 0, and so is what it knows: sensitivity + specificity is 1."""
    found = verdict(table_rows([[0, 50], [0, 50]]), BINARY)

    assert found.verdict == "not_calibrated"
    assert check(found, "better_than_chance").observed == 1
    assert check(found, "better_than_chance").ruled_out


@pytest.mark.parametrize(
    ("kind", "more", "table", "missing"),
    [
        ("binary", {}, [[0, 0], [0, 50]], "bad"),
        ("binary", {}, [[50, 0], [0, 0]], "good"),
        ("nominal", {}, [[40, 0, 0], [0, 0, 0], [0, 0, 0]], "green, blue"),
        (
            "ordinal",
            {"passes_at": 3},
            [[0] * 5, [0] * 5, [0] * 5, [0, 0, 0, 50, 0], [0] * 5],
            "below 3",
        ),
        ("ordinal", {}, [[0] * 5, [0] * 5, [0] * 5, [0, 0, 0, 50, 0], [0] * 5], "1, 2, 3, 5"),
    ],
)
def test_one_level_throughout_decides_nothing(
    kind: str, more: dict[str, int], table: list[list[int]], missing: str
) -> None:
    """Kappa is undefined, the verdict open, and the level that needs labels is named."""
    rows, scale = table_rows(table), spec(kind, **more)
    found = verdict(rows, scale)

    assert found.verdict == "inconclusive"
    assert check(found, "agreement").observed == "single_category"
    assert check(found, "agreement").reason == "agreement_undefined"
    assert needed(rows, scale).items is None
    assert needed(rows, scale).why == f"no label at all for {missing}: label such items first"


def test_one_human_level_rules_nothing_out() -> None:
    """Kappa is 0 whatever the judge says when people gave one level: more labels may tell."""
    found = verdict(table_rows([[0, 0], [10, 90]]), BINARY)

    assert check(found, "agreement").observed == pytest.approx(0)
    assert found.verdict == "inconclusive"


def test_eight_perfect_labels() -> None:
    """Agreement without a flaw, and far too little of it; how many more would do is told."""
    rows = table_rows([[4, 0], [0, 4]])
    found = verdict(rows, BINARY)

    assert found.verdict == "inconclusive"
    assert not check(found, "labelled_items").passed
    assert check(found, "labelled_items").reason == "too_few_items"
    assert needed(rows, BINARY).items >= 22


@pytest.mark.parametrize(("n", "expected"), [(29, "inconclusive"), (30, "calibrated")])
def test_thirty_items(n: int, expected: str) -> None:
    """At 29 nothing is decided, at 30 a perfect judge passes."""
    assert verdict(table_rows([[n - 15, 0], [0, 15]]), BINARY).verdict == expected


@pytest.mark.parametrize(("n", "expected"), [(29, "inconclusive"), (30, "not_calibrated")])
def test_thirty_items_to_be_turned_down(n: int, expected: str) -> None:
    """Nor is a judge turned down on 29."""
    assert verdict(table_rows([[0, n - 15], [15, 0]]), BINARY).verdict == expected


def test_raters_do_not_make_up_for_items() -> None:
    """Fifteen items with three raters are 45 pairs and 15 items."""
    rows = [Row(f"i{n}", None, rater, n % 2, n % 2) for n in range(15) for rater in ("a", "b", "c")]

    found = verdict(rows, BINARY)

    assert check(found, "labelled_items").observed == 15
    assert found.verdict == "inconclusive"


@pytest.mark.parametrize(("rare", "passed"), [(9, False), (10, True)])
@pytest.mark.parametrize("kind", ["binary", "nominal", "pairwise"])
def test_ten_labels_in_each_class(kind: str, rare: int, *, passed: bool) -> None:
    """Binary, nominal and pairwise: each level."""
    scale = spec(kind)
    k = len(scale.values)
    table = [[(60 if i else rare) if i == j else 0 for j in range(k)] for i in range(k)]

    found = verdict(table_rows(table), scale)

    assert check(found, "labels_per_class").passed is passed
    assert found.verdict == ("calibrated" if passed else "inconclusive")


@pytest.mark.parametrize(("below", "passed"), [((4, 5), False), ((5, 5), True)])
def test_ten_labels_on_each_side_of_the_line(below: tuple[int, int], *, passed: bool) -> None:
    """Ordinal with a pass line: the sides count, not the levels."""
    each = [*below, 20, 20, 20]
    table = [[n if i == j else 0 for j in range(5)] for i, n in enumerate(each)]

    found = verdict(table_rows(table), spec("ordinal", passes_at=3))

    assert check(found, "labels_per_class").observed == {"below 3": sum(below), "3 and above": 60}
    assert check(found, "labels_per_class").passed is passed


def test_no_line_no_classes() -> None:
    """Ordinal without a pass line asks for no number of labels by level."""
    table = [[0] * 5, [0] * 5, [0, 0, 30, 0, 0], [0, 0, 0, 30, 0], [0, 0, 0, 0, 4]]

    found = verdict(table_rows(table), spec("ordinal"))

    assert "labels_per_class" not in [c.name for c in found.checks]
    assert found.verdict == "calibrated"


@pytest.mark.parametrize("passes_at", [None, 2, 3, 4, 5])
@pytest.mark.parametrize("each", [6, 8, 10, 20, 40, 100, 1000])
def test_one_level_too_kind(passes_at: int | None, each: int) -> None:
    """Quadratic kappa 0.80, exact agreement 0.20: never certified, whatever the pass line."""
    scale = spec("ordinal") if passes_at is None else spec("ordinal", passes_at=passes_at)
    rows = too_kind(each)
    evidence = measure(rows, scale)

    assert evidence.agreement.value == pytest.approx(0.80, abs=0.005)
    assert evidence.raw_agreement.value == pytest.approx(0.20)
    assert verdict(rows, scale).verdict != "calibrated"
    if each >= 20:
        assert verdict(rows, scale).verdict == "not_calibrated"


def test_one_level_too_harsh() -> None:
    """The other way round as well."""
    rows = table_rows([[20 if j == max(i - 1, 0) else 0 for j in range(5)] for i in range(5)])

    assert verdict(rows, spec("ordinal")).verdict == "not_calibrated"
    assert check(verdict(rows, spec("ordinal")), "level_shift").observed == pytest.approx(-0.8)


def test_a_shift_that_may_be_small_passes() -> None:
    """Only an interval wholly outside refuses."""
    table = [
        [20, 4, 0, 0, 0],
        [0, 20, 4, 0, 0],
        [0, 0, 20, 4, 0],
        [0, 0, 0, 20, 4],
        [0, 0, 0, 0, 20],
    ]
    found = verdict(table_rows(table), spec("ordinal"))

    assert check(found, "level_shift").observed == pytest.approx(16 / 116)
    assert check(found, "level_shift").passed


def test_half_a_level_is_half_a_step() -> None:
    """On 0, 50, 100 half a level is 25."""
    levels = [
        {"value": v, "name": f"n{v}", "definition": "d", "drops_when": "x"} for v in (0, 50, 100)
    ]
    rows = table_rows([[20, 0, 0], [0, 20, 0], [0, 0, 20]])

    assert check(verdict(rows, spec("ordinal", levels=levels)), "level_shift").required == 25


def test_five_of_a_hundred_unreadable() -> None:
    """By rule 4: five disagreements, not five extremes; a good judge survives them."""
    found = verdict(table_rows([[46, 1], [1, 47]], {"unreadable": 5}), BINARY)

    assert found.verdict == "calibrated"
    assert check(found, "items_judged").observed == 0.95
    assert check(found, "items_judged").passed


def test_six_of_a_hundred_unreadable() -> None:
    """94% judged is less than asked, and more labels do not mend it."""
    rows = table_rows([[46, 1], [1, 46]], {"unreadable": 6})
    found = verdict(rows, BINARY)

    assert found.verdict == "inconclusive"
    assert check(found, "items_judged").reason == "too_many_unjudged"
    assert needed(rows, BINARY).items is None
    assert "unusable" in needed(rows, BINARY).why


@pytest.mark.parametrize("n", [20, 40, 60, 100, 140, 180, 200, 1000])
def test_exactly_95_percent_is_enough(n: int) -> None:
    """The share is compared as it is, at every size."""
    lost = n // 20
    half = (n - lost) // 2
    rows = table_rows([[half, 0], [0, n - lost - half]], {"refused": lost})

    assert check(verdict(rows, BINARY), "items_judged").passed


@pytest.mark.parametrize("cause", sorted(INCOMPLETE))
def test_a_run_with_holes_has_no_verdict(cause: str) -> None:
    """Up to 5% never answered a verdict stands; above there is none, whatever the checks say."""
    five = verdict(table_rows([[47, 1], [1, 46]], {cause: 5}), BINARY)  # type: ignore[dict-item]
    six = verdict(table_rows([[46, 1], [1, 46]], {cause: 6}), BINARY)  # type: ignore[dict-item]

    assert five.verdict == "calibrated"
    assert six.verdict is None


def test_nothing_measured_is_inconclusive() -> None:
    """No rows, or only set-aside ones."""
    rows = [Row("i", set_aside="unlabelled")]

    assert verdict((), BINARY).verdict == verdict(rows, BINARY).verdict == "inconclusive"


def test_few_cases_leave_the_coin_check_standing() -> None:
    """Too few cases for an interval of a rate still have the rate."""
    rows = [
        Row(f"i{n}", f"c{n // 4}", "ann", n // 24, n // 24 if n % 9 else 1 - n // 24)
        for n in range(48)
    ]
    found = verdict(rows, BINARY)

    assert measure(rows, BINARY).sensitivity.undefined == "too_few_clusters"  # type: ignore[union-attr]
    # 24 of each kind; every ninth item is wrong: 0, 9, 18 and 27, 36, 45
    assert check(found, "better_than_chance").observed == pytest.approx(21 / 24 + 21 / 24)


def low(found: Decision, name: str = "agreement") -> float:
    """The low end a check looked at."""
    observed = check(found, name).observed
    assert isinstance(observed, float)
    return observed


def test_at_the_bar_is_enough() -> None:
    """A low end, a share and a shift that are exactly what is asked pass; a hair more does not."""
    first = verdict(GOOD, BINARY)
    at = verdict(GOOD, BINARY, Policy(min_agreement=low(first)))
    above = verdict(GOOD, BINARY, Policy(min_agreement=low(first) + 1e-9))

    assert at.verdict == "calibrated"
    assert above.verdict == "inconclusive"
    assert verdict(GOOD, BINARY, Policy(min_items=110)).verdict == "calibrated"
    assert verdict(GOOD, BINARY, Policy(min_items=111)).verdict == "inconclusive"
    assert verdict(GOOD, BINARY, Policy(min_per_class=55)).verdict == "calibrated"
    assert verdict(GOOD, BINARY, Policy(min_per_class=56)).verdict == "inconclusive"


def test_a_shift_at_its_limit_is_allowed() -> None:
    """Outside means outside."""
    rows, scale = too_kind(40), spec("ordinal", passes_at=3)
    shift = measure(rows, scale).pass_shift
    assert shift is not None
    assert shift.low is not None

    at = verdict(rows, scale, Policy(max_pass_shift=shift.low))
    inside = verdict(rows, scale, Policy(max_pass_shift=shift.low - 1e-9))

    assert check(at, "pass_rate_shift").passed
    assert not check(inside, "pass_rate_shift").passed


def test_later_looks_face_a_lower_low_end() -> None:
    """The bound of look k is that of confidence 1 - 0.1 / 2^k; the printed interval stays."""
    lows = [low(verdict(GOOD, BINARY, look=k)) for k in range(1, 6)]

    assert lows == sorted(lows, reverse=True)
    assert len(set(lows)) == 5
    assert lows[0] == measure(GOOD, BINARY).gate_agreement.low
    assert [verdict(GOOD, BINARY, look=k).confidence for k in (1, 2, 3)] == [0.95, 0.975, 0.9875]


def test_a_later_look_can_cost_the_certificate() -> None:
    """What passes at first sight need not pass at the third."""
    rows = table_rows([[46, 5], [5, 46]])

    assert verdict(rows, BINARY, look=1).verdict == "calibrated"
    assert verdict(rows, BINARY, look=4).verdict == "inconclusive"


def test_the_pass_decision_faces_the_same_bar() -> None:
    """Both kappas are held at the look's confidence."""
    table = [
        [20, 1, 0, 0, 0],
        [1, 20, 1, 0, 0],
        [0, 1, 20, 1, 0],
        [0, 0, 1, 20, 1],
        [0, 0, 0, 1, 20],
    ]
    scale = spec("ordinal", passes_at=3)

    first, third = (verdict(table_rows(table), scale, look=k) for k in (1, 3))

    assert low(third, "pass_agreement") < low(first, "pass_agreement")


def test_five_looks_and_no_more() -> None:
    """The sixth fails whatever it shows, and says that fresh labels are needed."""
    perfect = table_rows([[500, 0], [0, 500]])

    assert verdict(perfect, BINARY, look=5).verdict == "calibrated"
    sixth = verdict(perfect, BINARY, look=6)
    assert sixth.verdict == "inconclusive"
    assert [c.reason for c in sixth.failed] == ["look_budget_spent"]
    assert "fresh labels" in needed(perfect, BINARY, look=6).why


@pytest.mark.parametrize("look", [21, 60, 1100])
def test_any_number_of_looks_can_be_counted(look: int) -> None:
    """Somebody who measures a hundred times gets a refusal, not a crash."""
    assert verdict(GOOD, BINARY, look=look).verdict == "inconclusive"


def test_all_looks_together_spend_five_percent() -> None:
    """Look k may err with probability 0.05 / 2^k, one-sided."""
    spent = [(1 - Policy().look_confidence(k)) / 2 for k in range(1, 21)]

    assert spent[:3] == pytest.approx([0.025, 0.0125, 0.00625])
    assert sum(spent) < 0.05
