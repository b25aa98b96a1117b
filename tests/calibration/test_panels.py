from typing import Any

import numpy as np
import pytest

from judgekit.calibration.measure import kappa_of
from judgekit.calibration.pairs import for_the_gate
from judgekit.calibration.panel_members import PanelEvidence
from judgekit.calibration.panels import PanelReport, panel_report
from judgekit.calibration.record import EstimateRecord
from judgekit.calibration.repeats import OrderEvidence, RepeatEvidence
from judgekit.calibration.rows import Row, ScaleSpec
from judgekit.judging.judge import Judge
from judgekit.stats import wilson
from tests.calibration.panelled import outcome, panel_judge, report, together


def panel(found: PanelReport | None) -> PanelEvidence:
    """The part on members, which must be there."""
    assert found is not None
    assert found.panel is not None
    return found.panel


def repeats(found: PanelReport | None) -> RepeatEvidence:
    """The part on replicates, which must be there."""
    assert found is not None
    assert found.repeats is not None
    return found.repeats


def orders(found: PanelReport | None) -> OrderEvidence:
    """The part on orders, which must be there."""
    assert found is not None
    assert found.orders is not None
    return found.orders


def kappa(rows: list[tuple[int, int | None, str | None]], of: Judge) -> EstimateRecord:
    """Kappa of (human, judge, cause), unusable as disagreement."""
    spec = ScaleSpec.of(of.rubric.criteria[0])
    made = [
        Row(f"i{i}", rater="ann", human=h, judge=j, cause=c)  # type: ignore[arg-type]
        for i, (h, j, c) in enumerate(rows)
    ]
    return kappa_of("agreement", for_the_gate(made, spec), spec)


def test_a_judge_asked_once_has_nothing_to_show() -> None:
    """No votes, no report."""
    assert report(panel_judge(), {"a": [1], "b": [0]}, {"a": 1, "b": 0}) is None


def test_six_judges_worth_two() -> None:
    """Complaint 61: six members whose errors correlate by 0.42 are worth 1.9, with an interval."""
    said, labels = together(6, 400)

    found = panel(report(panel_judge(6), said, labels))

    size = found.errors.size
    assert size.value is not None
    assert size.low is not None
    assert size.high is not None
    assert size.low < 6 / 3.1 < size.high
    assert size.value == pytest.approx(6 / 3.1, abs=0.2)
    assert size.n == 400
    assert found.signed_errors is None
    assert not found.errors.capped


def test_members_and_panel_have_their_own_agreement() -> None:
    """Each as if it were the judge, and all together as the judge is."""
    said, labels = together(3, 60)
    of = panel_judge(3)

    found = panel(report(of, said, labels))

    assert [member.model for member in found.members] == ["lab/a", "lab/b", "lab/c"]
    for i, member in enumerate(found.members):
        rows = [(labels[item], votes[i], None) for item, votes in said.items()]
        assert member.agreement == kappa(rows, of)
        assert member.judged == 60
    majority = [(labels[k], int(np.median(votes)), None) for k, votes in said.items()]
    assert found.agreement == kappa(majority, of)


def test_what_a_member_does_not_answer_counts_against_it_alone() -> None:
    """As disagreement in its kappa; and the size rests on items that all answered."""
    said, labels = together(3, 60)
    for item in list(said)[:6]:
        said[item][1] = "unreadable"
    of = panel_judge(3)

    found = panel(report(of, said, labels))

    rows = [
        (labels[k], None, "unreadable") if v[1] == "unreadable" else (labels[k], int(v[1]), None)
        for k, v in said.items()
    ]
    assert found.members[1].agreement == kappa(rows, of)
    assert [member.judged for member in found.members] == [60, 54, 60]
    assert found.items == found.errors.size.n == 54


def test_not_applicable_is_an_error_of_no_size() -> None:
    """Against a human level it is wrong, and has no distance."""
    rng = np.random.default_rng(2)
    labels = {f"i{i}": int(level) for i, level in enumerate(rng.integers(1, 4, 80))}
    said: dict[str, Any] = {
        item: [level + int(step) for step in rng.integers(-1, 2, 3)]
        for item, level in labels.items()
    }
    for item in list(said)[:5]:
        said[item][0] = None

    found = panel(report(panel_judge(3, "ordinal", rule="median"), said, labels))

    assert found.signed_errors is not None
    assert (found.errors.size.n, found.signed_errors.size.n) == (80, 75)


def test_signed_errors_tell_what_right_and_wrong_do_not() -> None:
    """Two wrong on the same items, one too kind and one too harsh: their errors cancel."""
    labels = {f"i{i}": 2 for i in range(60)}
    said = {item: [3, 1] if int(item[1:]) % 3 == 0 else [2, 2] for item in labels}

    found = panel(report(panel_judge(2, "ordinal", rule="median"), said, labels))

    assert found.signed_errors is not None
    assert found.errors.size.value == pytest.approx(1)
    assert found.signed_errors.size.value == 2
    assert found.signed_errors.capped


def test_the_two_that_err_alike_are_named() -> None:
    """The second and third are one model under two names."""
    said, labels = together(3, 80, rho=0.1)
    for votes in said.values():
        votes[2] = votes[1]

    found = panel(report(panel_judge(3), said, labels))

    assert found.closest == ("lab/b", "lab/c", pytest.approx(1))


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ({f"i{i}": [i % 2, i % 2] for i in range(40)}, "zero_variance"),  # nobody errs
        ({f"i{i}": [1, i % 2] for i in range(8)}, "too_few_items"),
        ({f"i{i}": [1, "refused"] for i in range(40)}, "empty"),
    ],
)
def test_a_size_that_cannot_be_told(said: dict[str, Any], reason: str) -> None:
    """A reason and no number."""
    labels = {item: int(item[1:]) % 2 for item in said}

    found = panel(report(panel_judge(2), said, labels))

    assert found.errors.size.value is None
    assert found.errors.size.undefined == reason
    assert found.closest is None


def test_items_of_one_case_widen_the_interval() -> None:
    """Ten cases of the same errors each are ten items."""
    said, labels = together(3, 20)
    copies = {f"{item}-{i}": votes for item, votes in said.items() for i in range(5)}
    named = {f"{item}-{i}": level for item, level in labels.items() for i in range(5)}
    cases = {item: item.split("-")[0] for item in copies}

    apart = panel(report(panel_judge(3), copies, named)).errors.size
    grouped = panel(report(panel_judge(3), copies, named, case=cases)).errors.size

    assert apart.value == pytest.approx(grouped.value)
    assert grouped.clusters == 20
    assert None not in (apart.low, apart.high, grouped.low, grouped.high)
    assert apart.high - apart.low < grouped.high - grouped.low  # type: ignore[operator]


def test_a_flip_rate_with_its_interval() -> None:
    """Complaint 48: scores that move between runs. 12 of 93 items changed: 12.9%, by Wilson."""
    said: dict[str, Any] = {f"i{i}": [1, 1, 0] if i < 12 else [1, 1, 1] for i in range(93)}

    found = repeats(report(panel_judge(replicates=3), said, dict.fromkeys(said, 1)))

    expected = wilson(12, 93)
    assert (found.flips.value, found.flips.low, found.flips.high) == pytest.approx(
        (expected.value, expected.low, expected.high)  # type: ignore[union-attr]
    )
    assert round(100 * 12 / 93, 1) == 12.9
    assert (found.flips.n, found.replicates) == (93, 3)
    # of the 3 pairs of [1, 1, 0] two differ
    assert found.noise.value == pytest.approx(12 * 2 / (93 * 3))
    assert found.noise.n == 93


def test_the_noise_floor_does_not_grow_with_the_number_of_replicates() -> None:
    """The same coin tossed twice or six times: more items flip, as many pairs differ."""
    rng = np.random.default_rng(4)
    tossed = {f"i{i}": (rng.random(6) < 0.3).astype(int).tolist() for i in range(400)}
    labels = dict.fromkeys(tossed, 1)

    six = repeats(report(panel_judge(replicates=6), tossed, labels))
    two = repeats(report(panel_judge(replicates=2), {k: v[:2] for k, v in tossed.items()}, labels))

    assert two.flips.value == pytest.approx(0.42, abs=0.06)
    assert six.flips.value == pytest.approx(1 - 0.7**6 - 0.3**6, abs=0.06)
    assert six.noise.value == pytest.approx(0.42, abs=0.03)
    assert two.noise.value == pytest.approx(0.42, abs=0.06)


def test_how_wide_repetitions_lie_and_what_each_run_would_have_said() -> None:
    """Complaint 49: the spread of repetitions: by how many levels, and kappa run by run."""
    of = panel_judge(kind="ordinal", replicates=2)
    said: dict[str, Any] = {f"i{i}": [i % 5, i % 5] for i in range(40)}
    said |= {"i0": [0, 3], "i1": [1, 2], "i2": [2, 3], "i3": [3, "unreadable"], "i4": [None, 4]}
    labels = {item: int(item[1:]) % 5 for item in said}

    found = repeats(report(of, said, labels))

    assert found.widths == {0: 36, 1: 2, 3: 1}  # i3 was usable once: nothing to compare
    assert found.flips.n == 39
    assert found.flips.value == pytest.approx(4 / 39)  # i4 is no step apart, but not the same
    assert len(found.runs) == 2
    second = [(labels[k], v[1], None) for k, v in said.items()]
    second[3] = (3, None, "unreadable")
    assert found.runs[1] == kappa(second, of)


def test_replicates_are_compared_within_a_member() -> None:
    """Two members that differ from each other, each with itself at one, have not flipped."""
    said: dict[str, Any] = {f"i{i}": [0, 0, 1, 1] for i in range(30)}

    found = repeats(report(panel_judge(2, replicates=2), said, dict.fromkeys(said, 1)))

    assert found.flips.value == 0
    assert (found.flips.n, found.flips.pairs) == (30, 60)
    assert found.widths == {}  # two levels: by one step, or not at all


def test_how_often_two_orders_disagree_and_for_which_place() -> None:
    """Complaint 58: 12.9% of verdicts flip with the order. Here 12 of 93, 9 of 11 to the first.

    In item order A is 0 and B is 1: A shown first, then B shown first, is the first place twice.
    """
    pairs = [[0, 1]] * 9 + [[1, 0]] * 2 + [[0, 2]] + [[0, 0]] * 40 + [[1, 1]] * 40 + [[2, 2]]
    said: dict[str, Any] = {f"i{i}": votes for i, votes in enumerate(pairs)}
    said |= {"none": ["unreadable", 0], "na": [None, None]}

    found = orders(report(panel_judge(kind="pairwise"), said, dict.fromkeys(said, 0)))

    assert found.inconsistent.value == pytest.approx(12 / 94)  # the unreadable one is in no order
    assert found.inconsistent.n == 94
    expected = wilson(9, 11)
    assert (found.first.value, found.first.low) == pytest.approx(
        (expected.value, expected.low)  # type: ignore[union-attr]
    )


def test_pairs_that_never_disagree_prefer_no_place() -> None:
    """An empty share, and a reason."""
    said: dict[str, Any] = {f"i{i}": [i % 2, i % 2] for i in range(30)}

    found = orders(report(panel_judge(kind="pairwise"), said, dict.fromkeys(said, 0)))

    assert found.inconsistent.value == 0
    assert (found.first.value, found.first.undefined) == (None, "empty")


def test_items_that_share_a_case_say_less_of_flips() -> None:
    """The same share from a fifth as many cases has a wider interval."""
    said: dict[str, Any] = {f"i{i}": [1, int(i % 25 < 20)] for i in range(100)}
    labels, cases = dict.fromkeys(said, 1), {item: f"c{int(item[1:]) // 5}" for item in said}
    of = panel_judge(replicates=2)

    apart = repeats(report(of, said, labels)).flips
    grouped = repeats(report(of, said, labels, case=cases)).flips

    assert apart.value == grouped.value == pytest.approx(0.2)
    assert (apart.clusters, grouped.clusters) == (None, 20)
    assert None not in (apart.high, grouped.high)
    assert grouped.high > apart.high + 0.05  # type: ignore[operator]


def test_only_items_that_take_part_count() -> None:
    """Neither those set aside, nor those that nobody labelled."""
    of = panel_judge(replicates=2)
    said = {"a": [1, 1], "b": [1, 1], "out": [1, 0], "unlabelled": [1, 0]}
    outcomes = {item: outcome(of, item, votes) for item, votes in said.items()}
    rows = [
        Row("a", rater="ann", human=1),
        Row("b", rater="ann", human=0),
        Row("out", set_aside="rubric_example"),
    ]

    found = panel_report(rows, outcomes, of, of.rubric.criteria[0], rng=np.random.default_rng(1))

    assert repeats(found).flips.n == 2
    assert repeats(found).flips.value == 0


def test_several_raters_of_an_item_are_one_item() -> None:
    """The interval of the size is that of items, not of labels."""
    said, labels = together(3, 40)
    of = panel_judge(3)
    outcomes = {item: outcome(of, item, votes) for item, votes in said.items()}
    rows = [Row(i, rater=r, human=h) for i, h in labels.items() for r in ("ann", "bob")]

    found = panel(
        panel_report(rows, outcomes, of, of.rubric.criteria[0], rng=np.random.default_rng(5))
    )

    alone = panel(report(of, said, labels)).errors.size
    assert found.errors.size.pairs == 80
    assert (found.errors.size.n, found.errors.size.clusters) == (40, 40)
    assert found.errors.size.low == pytest.approx(alone.low)
    assert found.errors.size.high == pytest.approx(alone.high)
