import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from judgekit.calibration import planned_curve, planned_looks, planned_rare
from judgekit.calibration.planned_gate import Gate, gathered, hold
from judgekit.calibration.planned_world import Design, draw
from judgekit.calibration.planning import Plan, plan_labels
from judgekit.calibration.policy import Policy
from judgekit.calibration.rows import ScaleSpec
from judgekit.stats import Pairs, agreement, bounds, critical, identity
from tests.calibration.make import spec

BINARY, NOMINAL, LINE = spec("binary"), spec("nominal"), spec("ordinal", passes_at=4)
PLAIN = ScaleSpec(
    kind="ordinal", values=(1, 2, 4), names=("1", "2", "4"), passes=None, weights="linear"
)
HALF, FIVE = (0.5, 0.5), (0.15, 0.2, 0.2, 0.25, 0.2)


def planned(kappa: float = 0.8, human: tuple[float, ...] = HALF, **more: Any) -> Plan:
    """A plan, binary unless said otherwise; further arguments go where they belong."""
    asked = {name: more.pop(name) for name in ("power", "look", "looks") if name in more}
    policy, scale = more.pop("policy", Policy()), more.pop("spec", BINARY)
    rng = np.random.default_rng(more.pop("seed", 1))
    return plan_labels(Design(scale, kappa, human, **more), policy, rng=rng, **asked)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fewer simulations, where a test asks only which way things go."""
    monkeypatch.setattr(planned_curve, "_SEARCH", 1_000)
    monkeypatch.setattr(planned_curve, "_CONFIRM", 2_000)
    monkeypatch.setattr(planned_rare, "_ALL", 200_000)
    monkeypatch.setattr(planned_looks, "_RUNS", 200)
    monkeypatch.setattr(planned_looks, "_GROUPED_RUNS", 50)
    monkeypatch.setattr(planned_looks, "_LEAST_RUNS", 50)


def one_sided(confidence: float) -> Policy:
    """A policy whose first look is a bound at this two-sided confidence."""

    class Other(Policy):
        def look_confidence(self, look: int) -> float:
            return confidence

    return Other()


@pytest.mark.parametrize(
    ("value", "human", "about", "at_the_gate"),
    [
        (0.8, HALF, 100, 110),
        (0.8, (0.1, 0.9), 300, 330),
        (0.7, HALF, 400, 490),
    ],
)
def test_labels_for_four_chances_in_five(
    value: float, human: tuple[float, ...], about: int, at_the_gate: int
) -> None:
    """About 100, 300 and 400 at the one-sided 5% of the method page.

    The gate asks for the ordinary 95% interval, 2.5% on one side, and for somewhat more labels.
    """
    loose = planned(value, human, policy=one_sided(0.90)).items
    strict = planned(value, human).items

    assert loose == pytest.approx(about, rel=0.15)
    assert strict == pytest.approx(at_the_gate, rel=0.05)


@pytest.mark.parametrize(
    "design",
    [
        Design(BINARY, 0.8, HALF),
        Design(BINARY, 0.85, (0.08, 0.92)),
        Design(NOMINAL, 0.75, (0.7, 0.2, 0.1)),
        Design(LINE, 0.92, FIVE),
    ],
    ids=["binary", "rare", "nominal", "pass line"],
)
def test_that_many_labels_certify_in_four_cases_of_five(design: Design) -> None:
    """Drawn anew and held against whole intervals: at least 80%, and a fifth fewer are too few."""
    items = plan_labels(design, Policy(), rng=np.random.default_rng(5)).items

    enough, fewer = certified(design, items), certified(design, items * 4 // 5)

    # two standard errors of 2,500 sets are 1.6 points
    assert enough >= 0.785
    assert fewer < 0.785


def certified(design: Design, items: int) -> float:
    """Share of 2,500 drawn sets that hold what a certificate asks, by the whole intervals."""
    rng, k = np.random.default_rng(6), len(design.human)
    tables = rng.multinomial(items, design.table.ravel(), size=2_500).reshape(-1, k, k)
    low = bounds(tables, design.weights, z=critical(0.95))[0]
    passed = np.nan_to_num(low, nan=-1.0) >= 0.60
    human = tables.sum(axis=2)
    if design.spec.kind == "ordinal":
        line = list(design.spec.passes).index(True)
        folded = np.add.reduceat(np.add.reduceat(tables, [0, line], axis=1), [0, line], axis=2)
        passed &= np.nan_to_num(bounds(folded, identity(2), z=critical(0.95))[0], nan=-1) >= 0.60
        human = folded.sum(axis=2)
    return float((passed & (human.min(axis=1) >= 10)).mean())


def test_so_many_cases_certify() -> None:
    """With four alike outputs of a case, drawn and measured by the gate's own functions."""
    design = Design(BINARY, 0.85, (0.4, 0.6), per_case=4, icc=0.3)
    items = plan_labels(design, Policy(), rng=np.random.default_rng(7)).items
    human, judge = draw(design, 200, items, np.random.default_rng(8))

    passed = []
    for run in range(200):
        pairs = Pairs(human[run, :, 0], judge[run], 2, clusters=np.arange(items) // 4)
        passed.append(agreement(pairs, identity(2)).low >= 0.60)

    assert items % 4 == 0
    assert float(np.mean(passed)) >= 0.80 - 2 * math.sqrt(0.8 * 0.2 / 200)


@pytest.mark.usefixtures("quick")
def test_what_asks_for_more_labels() -> None:
    """A worse judge, a rarer level, likeness within cases, a larger chance, a later look."""
    usual = planned().items

    assert planned(0.75).items > usual
    assert planned(0.8, (0.1, 0.9)).items > usual
    assert planned(0.8, (0.9, 0.1)).items > usual
    assert planned(per_case=4, icc=0.5).items > usual
    assert planned(power=0.9).items > usual
    assert planned(look=3).items > usual
    assert planned(raters=3, human_agreement=0.75).items < usual
    assert planned(policy=Policy(min_agreement=0.5)).items < usual


@pytest.mark.usefixtures("quick")
def test_a_rater_more_is_worth_less_than_an_item_more() -> None:
    """Three raters write three labels of each item: more labels in all than one rater would."""
    plan = planned(raters=3, human_agreement=0.75)

    assert plan.labels == 3 * plan.items
    assert plan.labels > planned().labels


def test_chances_and_checks() -> None:
    """Half, four fifths and nine tenths rise; the slowest check sets the number."""
    plan = planned(0.8, (0.05, 0.95), policy=Policy(min_per_class=25))
    needs, chances = dict(plan.needs), dict(plan.chances)

    assert list(chances) == [0.5, 0.8, 0.9]
    assert sorted(chances.values()) == list(chances.values())
    assert chances[0.8] == plan.items
    assert needs["labelled_items"] == 30
    # 25 labels of a level of 5%: a mean of 29.5, so that 80% of sets hold 25
    assert needs["labels_per_class"] == pytest.approx(29.5 / 0.05, rel=0.04)
    assert plan.items == pytest.approx(max(needs.values()), rel=0.15)


@pytest.mark.usefixtures("quick")
def test_the_same_dice_give_the_same_number() -> None:
    """And other dice nearly so."""
    assert planned(0.75) == planned(0.75)
    assert planned(0.75, seed=2).items == pytest.approx(planned(0.75).items, rel=0.05)


@pytest.mark.usefixtures("quick")
def test_a_chance_of_ones_own() -> None:
    """It stands in the row with the others."""
    plan = planned(power=0.95)

    assert [chance for chance, _ in plan.chances] == [0.5, 0.8, 0.9, 0.95]
    assert plan.items == plan.chances[-1].items


@pytest.mark.parametrize(
    ("design", "more", "code", "why"),
    [
        (Design(BINARY, 0.55, HALF), {}, "expected_below_bar", "surer"),
        (Design(BINARY, 0.60, HALF), {}, "expected_at_bar", "at most 2.5%"),
        (Design(BINARY, 0.8, HALF), {"look": 6}, "look_budget_spent", "5 looks"),
        (
            Design(BINARY, 0.8, HALF, human_agreement=0.35),
            {},
            "ceiling_below_bar",
            "about 0.59",
        ),
        (
            Design(BINARY, 0.8, HALF, human_agreement=0.5),
            {},
            "expected_above_ceiling",
            "0.70 at most",
        ),
        (
            Design(BINARY, 0.7, HALF, raters=2, human_agreement=0.55),
            {},
            "humans_disagree",
            "agree 0.55 among",
        ),
        (Design(LINE, 0.75, FIVE), {}, "pass_line_below_bar", "passing and failing"),
        (
            Design(LINE, 0.8, FIVE, judge=(0.1, 0.15, 0.15, 0.3, 0.3)),
            {},
            "decision_shifted",
            "+0.15 from",
        ),
        (
            Design(PLAIN, 0.3, (0.3, 0.4, 0.3), judge=(0.05, 0.15, 0.8)),
            {"policy": Policy(min_agreement=0.2)},
            "decision_shifted",
            "mean level would lie +",
        ),
    ],
)
def test_where_no_number_helps_it_says_why(
    design: Design, more: dict[str, Any], code: str, why: str
) -> None:
    """A code, a sentence and a way out, and no number."""
    policy = more.pop("policy", Policy())
    plan = plan_labels(design, policy, rng=np.random.default_rng(1), **more)

    assert plan.items is None
    assert plan.labels is None
    assert plan.obstacle.code == code
    assert why in plan.obstacle.message
    assert plan.obstacle.next


@pytest.mark.usefixtures("quick")
def test_the_kappa_a_pass_line_asks_for() -> None:
    """The advice is right: a little above the kappa it names, there is a number."""
    told = planned(0.75, FIVE, spec=LINE).obstacle.next
    named = float(told.split("above ")[1].split()[0])

    assert planned(named - 0.01, FIVE, spec=LINE).obstacle.code == "pass_line_below_bar"
    above = planned(named + 0.06, FIVE, spec=LINE)
    assert above.obstacle is None
    assert above.items > 100


@pytest.mark.usefixtures("quick")
def test_a_rare_level_that_asks_too_much() -> None:
    """One in a thousand: no sane number at random, one for a mix that holds more of it."""
    plan = planned(0.8, (0.001, 0.999))

    assert plan.items is None
    assert plan.obstacle.code == "too_many_labels"
    assert "0.10% of the items" in plan.obstacle.message
    assert plan.even_mix.items < 200
    assert plan.even_mix.screened == pytest.approx(plan.even_mix.items / 2 / 0.001, rel=0.01)
    assert plan.chances[-1].items is None


@pytest.mark.usefixtures("quick")
def test_too_few_of_a_class_is_said() -> None:
    """Where the labels of a class alone are too many, that is the reason."""
    plan = planned(0.95, (0.0002, 0.9998), policy=Policy(min_agreement=0.2))

    assert "too few labels" in plan.obstacle.message
    assert dict(plan.needs)["labels_per_class"] is None


@pytest.mark.usefixtures("quick")
def test_too_near_the_bar() -> None:
    """Kappa 0.605, asked 0.60."""
    plan = planned(0.605)

    assert "too near the bar" in plan.obstacle.message
    assert plan.even_mix is None


@pytest.mark.usefixtures("quick")
def test_an_even_mix() -> None:
    """The judge's ways with each level stay: what it needs is what a plan of that mix needs."""
    plan = planned(0.8, (0.05, 0.95))
    lenient = planned(0.8, (0.05, 0.95), judge=(0.04, 0.96))
    caught, kept = np.diag(lenient.design.table) / lenient.design.human

    # Sensitivity .81, specificity .99: of both alike, .81 + .99 - 1 = .80
    assert plan.even_mix.kappa == pytest.approx(0.80)
    assert lenient.even_mix.kappa == pytest.approx(caught + kept - 1)
    assert plan.even_mix.items == pytest.approx(planned().items, rel=0.12)
    assert plan.chosen is None  # the interval is what is short, and choosing does not narrow it


def test_choosing_items_finds_a_rare_class_sooner() -> None:
    """Where the count of a class is what is short, and as often as promised."""
    design, policy = Design(BINARY, 0.96, (0.02, 0.98)), Policy()
    plan = plan_labels(design, policy, rng=np.random.default_rng(13))

    each, dice = np.array(plan.chosen.each, dtype=float), np.random.default_rng(12)
    found = hold(gathered(design, each, 400, dice), Gate(BINARY, policy, 0.95))

    assert plan.chosen.items == sum(plan.chosen.each) < 0.75 * plan.items
    assert plan.chosen.screened * 0.02 == pytest.approx(plan.chosen.each[0], abs=1)
    passed = np.all(list(found.values()), axis=0)
    assert float(passed.mean()) == pytest.approx(0.80, abs=0.07)


@pytest.mark.usefixtures("quick")
def test_choosing_is_for_rare_levels() -> None:
    """It is not offered where none is rare, or where outputs come in cases."""
    for plan in (planned(0.8, (0.3, 0.7)), planned(0.8, (0.1, 0.9), per_case=2, icc=0.1)):
        assert plan.chosen is None
        assert plan.even_mix is None


def test_looks_on_the_way() -> None:
    """The figures of the method page: pass rates at a horizon of 400, and mean labels."""
    plan = planned(0.7, looks=(50, 100, 200, 400))
    found = {scheme.name: scheme for scheme in plan.schemes}

    assert found["equal"].chance == pytest.approx(0.668, abs=0.06)
    assert found["equal"].mean_items == pytest.approx(312, rel=0.07)
    assert found["e_process"].chance == pytest.approx(0.459, abs=0.06)
    assert found["e_process"].mean_items == pytest.approx(317, rel=0.07)
    # Look 1 spends more than a quarter, the last look less.
    assert found["ledger"].chance < found["equal"].chance
    assert found["ledger"].looks == (50, 100, 200, 400)


@pytest.mark.usefixtures("quick")
def test_the_default_looks_reach_far_enough() -> None:
    """Doubling, and the last enough for nine chances in ten."""
    plan = planned(0.72)

    (looks,) = {scheme.looks for scheme in plan.schemes[:2]}
    assert [b // a for a, b in pairwise(looks)] == [2, 2, 2]
    assert looks[-1] >= plan.chances[-1].items
    assert plan.schemes[1].chance > 0.85


@pytest.mark.usefixtures("quick")
def test_looks_that_the_policy_does_not_allow() -> None:
    """From look 4 on there are two left: the third and fourth on the way are none."""
    all_of_them = planned(look=1, looks=(50, 100, 200, 400)).schemes[0]
    two_left = planned(look=4, looks=(50, 100, 200, 400)).schemes[0]

    assert all_of_them.chance > 0.95
    assert two_left.chance < 0.7


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("more", [{"raters": 2}, {"per_case": 2, "icc": 0.3}])
def test_the_e_process_asks_for_independent_pairs(more: dict[str, Any]) -> None:
    """Where raters or cases repeat it is not offered, and the reason is given."""
    scheme = planned(**more).schemes[2]

    assert scheme.chance is None
    assert scheme.mean_items is None
    assert "one rater and one output" in scheme.why


@pytest.mark.usefixtures("quick")
def test_looks_fill_whole_cases() -> None:
    """No case is cut in two."""
    scheme = planned(per_case=7, icc=0.1, looks=(50, 100)).schemes[0]

    assert scheme.looks == (56, 105)


@pytest.mark.usefixtures("quick")
def test_a_level_without_pass_line() -> None:
    """An ordinal scale without a line asks for no class, and its looks are planned all the same."""
    plan = planned(0.8, (0.3, 0.3, 0.4), spec=PLAIN)

    assert [name for name, _ in plan.needs] == ["agreement", "labelled_items"]
    assert plan.schemes[2].chance > 0.8


@pytest.mark.usefixtures("quick")
def test_a_bar_below_zero() -> None:
    """Whoever asks nearly nothing needs the least number of items."""
    plan = planned(0.5, policy=Policy(min_agreement=-0.5))

    assert plan.items <= 32
