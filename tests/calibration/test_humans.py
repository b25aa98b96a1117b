"""What several raters show of each other and of the judge."""

import csv
import json
from collections import defaultdict
from pathlib import Path

import pytest
from hypothesis import given, settings
from sklearn.metrics import cohen_kappa_score

from judgekit.calibration.align import HumanLevel, Subject, align
from judgekit.calibration.humans import (
    EstimateRecord,
    HumanEvidence,
    human_evidence,
    human_gap,
)
from judgekit.calibration.rows import Row, ScaleSpec
from judgekit.judging.judgment import Judgment, Unjudged
from tests.calibration.make import GOOD, spec
from tests.calibration.raters import crowd, several
from tests.calibration.strategies import calibrations, unhurried

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data"
ALIKE = {"ann": 0.9, "bob": 0.85, "cy": 0.8}


def evidence(rows: tuple[Row, ...] | list[Row], scale: ScaleSpec | None = None) -> HumanEvidence:
    """The evidence, where there must be some."""
    found = human_evidence(rows, scale or spec("binary"))
    assert found is not None
    return found


def ends(found: EstimateRecord) -> tuple[float, float, float]:
    """Value and interval of a figure that must be there."""
    assert found.value is not None
    assert found.low is not None
    assert found.high is not None
    return found.value, found.low, found.high


def test_one_rater_says_nothing_of_people() -> None:
    """With a single rater there is no human agreement."""
    assert human_evidence(GOOD, spec("binary")) is None


def test_pairs_are_scikit_learns_kappas() -> None:
    """Each two humans, the mean of the three, and the judge's mean, by another implementation."""
    humans, judge = crowd(1, 120, ALIKE)
    found = evidence(several(humans, judge))

    def between(a: list[int | None], b: list[int | None] | list[int]) -> float:
        return float(cohen_kappa_score(a, b))

    ann, bob, cy = humans.values()
    among = [between(ann, bob), between(ann, cy), between(bob, cy)]
    beside = [between(h, judge) for h in (ann, bob, cy)]
    assert [(p.first, p.second) for p in found.pairs] == [
        ("ann", "bob"),
        ("ann", "cy"),
        ("bob", "cy"),
    ]
    assert [p.agreement.value for p in found.pairs] == pytest.approx(among)
    assert found.human_agreement.value == pytest.approx(sum(among) / 3)
    assert found.judge_agreement.value == pytest.approx(sum(beside) / 3)
    assert found.gap.value == pytest.approx(sum(beside) / 3 - sum(among) / 3)
    assert (found.items, found.human_agreement.n, found.human_agreement.pairs) == (120, 120, 360)


def test_the_same_items_for_both_sides() -> None:
    """Items of one human level are no ground for comparing judge and humans."""
    humans, judge = crowd(2, 60, ALIKE)
    more, said = crowd(3, 40, {"ann": 0.1}, judge=0.1)
    together = several(
        {**humans, "ann": humans["ann"] + more["ann"]}
        | {name: humans[name] + [None] * 40 for name in ("bob", "cy")},
        judge + said,
    )

    assert evidence(together) == evidence(several(humans, judge))


def test_replies_that_are_no_level_count_against_the_judge() -> None:
    """Unreadable and "not applicable" disagree; what the run never got is left out."""
    humans, judge = crowd(4, 90, ALIKE)
    base = evidence(several(humans, judge))

    for said in ("unreadable", "na"):
        worse = evidence(several(humans, [said] * 9 + judge[9:]))
        assert worse.human_agreement == base.human_agreement
        assert ends(worse.gap)[0] < ends(base.gap)[0]
    lost = evidence(several(humans, ["provider_error"] * 9 + judge[9:]))
    assert lost == evidence(several({n: h[9:] for n, h in humans.items()}, judge[9:])).model_copy(
        update={"items": 81}
    )


def test_a_human_na_takes_no_part() -> None:
    """A rater who says that the criterion does not apply gave no level of that item."""
    humans, judge = crowd(5, 60, ALIKE)
    rows = several(humans, judge)
    aside = tuple(
        Row(r.item, rater=r.rater, judge=r.judge, set_aside="human_na")
        if r.rater == "cy" and r.item < "i0020"
        else r
        for r in rows
    )

    found = evidence(aside)

    assert [p.shared for p in found.people] == [60, 60, 40]


def test_cases_cluster() -> None:
    """Items of one case are alike: the interval knows the cases, and needs ten."""
    humans, judge = crowd(6, 80, ALIKE)
    four = evidence(several(humans, judge, cases=[f"c{i // 4}" for i in range(80)]))
    few = evidence(several(humans, judge, cases=[f"c{i % 9}" for i in range(80)]))

    assert four.human_agreement.clusters == four.gap.clusters == 20
    assert few.gap.undefined == "too_few_clusters"
    assert few.gap.value is None


def test_weights_act() -> None:
    """An item of weight 3 counts like three."""
    humans, judge = crowd(7, 60, ALIKE)
    weighted = several(humans, judge, weights=[3.0] * 20 + [1.0] * 40)
    thrice = several({n: h[:20] * 2 + h for n, h in humans.items()}, judge[:20] * 2 + judge)

    assert evidence(weighted).gap.value == pytest.approx(evidence(thrice).gap.value)


def test_another_confidence() -> None:
    """A later look holds the gap against a harder bar; at 95% it is the printed gap."""
    humans, judge = crowd(8, 100, ALIKE)
    rows, scale = several(humans, judge), spec("binary")
    printed = evidence(rows).gap

    harder = human_gap(rows, scale, confidence=0.975)

    assert human_gap(rows, scale, confidence=0.95) == printed
    assert harder.value == printed.value
    assert ends(harder)[1] < ends(printed)[1]


def test_everybody_of_one_mind() -> None:
    """No disagreement seen is no proof that there is none."""
    level = [i % 2 for i in range(60)]
    found = evidence(several(dict.fromkeys(ALIKE, level), level))

    assert ends(found.human_agreement)[1] < 0.95
    value, low, high = ends(found.gap)
    assert value == 0
    assert -0.2 < low < 0 < high < 0.2
    assert not any(person.outlier for person in found.people)


def test_a_careless_rater_is_found() -> None:
    """One of four guesses: named, with the interval of how far below the others, and n."""
    humans, judge = crowd(9, 100, {**ALIKE, "dan": 0.1})
    people = {p.rater: p for p in evidence(several(humans, judge)).people}

    assert [name for name, person in people.items() if person.outlier] == ["dan"]
    dan = people["dan"]
    assert dan.gap is not None
    assert ends(dan.gap)[2] < 0
    assert dan.p is not None
    assert dan.p < 0.001
    assert dan.shared == 100


def test_a_rater_of_few_items_is_no_outlier() -> None:
    """Bad luck with a dozen items names nobody."""
    humans, judge = crowd(10, 100, ALIKE)
    swapped = [None if h is None else 1 - h for h in humans["cy"]]
    few: list[int | None] = [*humans["cy"][:6], *swapped[6:12], *[None] * 88]

    found = evidence(several({**humans, "cy": few}, judge))

    assert not any(person.outlier for person in found.people)


def test_an_interval_below_the_others_is_not_enough() -> None:
    """One of six that chance alone could have put there: six were looked at, so Holm asks more."""
    humans, judge = crowd(2, 60, {**dict.fromkeys("abcde", 0.8), "f": 0.6})
    low = evidence(several(humans, judge)).people[-1]

    assert low.gap is not None
    assert ends(low.gap)[2] < 0
    assert low.p is not None
    assert low.p > 0.05
    assert not low.outlier


def test_outliers_are_rare_among_equals() -> None:
    """Five raters of one kind: with Holm, few of forty samples name anybody."""
    alike = dict.fromkeys(("a", "b", "c", "d", "e"), 0.7)
    named = 0
    for seed in range(40):
        humans, judge = crowd(seed, 60, alike)
        named += any(person.outlier for person in evidence(several(humans, judge)).people)

    assert named <= 5


def test_two_raters() -> None:
    """Their agreement and the gap are known; who of the two stands out is not."""
    humans, judge = crowd(11, 80, {"ann": 0.9, "bob": 0.8})
    found = evidence(several(humans, judge))

    assert len(found.pairs) == 1
    assert ends(found.human_agreement)[0] == pytest.approx(found.pairs[0].agreement.value)
    assert [(p.gap, p.p, p.outlier) for p in found.people] == [(None, None, False)] * 2


def test_raters_who_share_nothing() -> None:
    """Two raters, half of the items each: the ceiling is not known, and that is said."""
    rows = tuple(
        Row(f"i{i}", rater="ann" if i < 30 else "bob", human=i % 2, judge=i % 2) for i in range(60)
    )
    found = evidence(rows)

    assert found.items == 0
    assert found.human_agreement.undefined == found.gap.undefined == "empty"
    assert (found.pairs, found.people) == ((), ())
    assert [t.advantage.undefined for t in found.stand_in] == ["too_few_raters"] * 3


def test_stand_in_for_each_kind_of_human() -> None:
    """The test is told for experts, skilled annotators and crowd workers, who are not named."""
    humans, judge = crowd(12, 100, ALIKE, judge=0.9)
    rows = several({**humans, "dan": [0] * 20 + [None] * 80}, judge)
    experts, skilled, workers = evidence(rows).stand_in

    assert [t.epsilon for t in (experts, skilled, workers)] == [0.2, 0.15, 0.1]
    assert [one.rater for one in experts.tested] == ["ann", "bob", "cy"]
    assert experts.skipped == {"dan": 20}
    won = [t.winning_rate or 0 for t in (experts, skilled, workers)]
    assert won == sorted(won, reverse=True)
    assert experts.passes
    assert "accuracy" in experts.method
    assert experts.advantage == workers.advantage


def test_ordinal_scales_go_by_level_values() -> None:
    """Distances on the level values decide who is nearer."""
    humans, judge = crowd(13, 60, ALIKE, k=5)

    assert "neg_rmse" in evidence(several(humans, judge), spec("ordinal")).stand_in[0].method


@settings(unhurried, max_examples=50)
@given(calibrations())
def test_any_evidence(made: tuple[ScaleSpec, tuple[Row, ...]]) -> None:
    """Whatever the rows are: a record that survives JSON, the same every time, in any order."""
    scale, rows = made
    found = human_evidence(rows, scale)

    if found is None:
        assert len({row.rater for row in rows if row.set_aside is None}) < 2
        return
    assert HumanEvidence.model_validate_json(found.model_dump_json()) == found
    assert human_evidence(rows, scale) == found


def read(folder: str, judge: str, scale: ScaleSpec, field: str) -> list[Row]:
    """Labels and judgments of one of the public data sets as evidence rows."""
    labels = defaultdict(list)
    with (DATA / folder / "labels.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            labels[row["item_id"]].append(HumanLevel(row["annotator"], int(row["label"])))
    outcomes: dict[str, Judgment | Unjudged] = {}
    for line in (DATA / folder / "judgments.jsonl").read_text(encoding="utf-8").splitlines():
        said = json.loads(line)
        if said["judge"] == judge:
            level = str(said[field]).strip()[:1]
            item = said["item_id"]
            known = level.isdigit() and int(level) < len(scale.values)
            outcomes[item] = (
                Judgment(item, "c", int(level)) if known else Unjudged(item, "c", "unreadable")
            )
    return align([Subject(item) for item in labels], labels, outcomes, {})


@pytest.mark.skipif(not (DATA / "pandalm").is_dir(), reason="../shared/data/pandalm is absent")
def test_pandalm() -> None:
    """Three raters, complete: the published kappas .852, .879, .862, and a judge far below."""
    scale = ScaleSpec(
        kind="pairwise",
        values=("tie", "1", "2"),
        names=("tie", "1", "2"),
        passes=None,
        weights="unweighted",
    )
    found = evidence(read("pandalm", "pandalm-7b", scale, "verdict"), scale)

    assert [round(p.agreement.value or 0, 3) for p in found.pairs] == [0.852, 0.879, 0.862]
    assert ends(found.human_agreement)[0] == pytest.approx(0.8642, abs=5e-4)
    assert ends(found.gap)[2] < -0.3
    assert not any(person.outlier for person in found.people)
    assert [t.winning_rate for t in found.stand_in] == [0, 0, 0]


@pytest.mark.skipif(
    not (DATA / "ice_conala").is_dir(), reason="../shared/data/ice_conala is absent"
)
def test_ice_conala() -> None:
    """Sixteen ragged raters: grader 13 stands out, and people themselves straddle 0.60."""
    scale = ScaleSpec(
        kind="ordinal",
        values=(0, 1, 2, 3, 4),
        names=tuple("01234"),
        passes=None,
        weights="quadratic",
    )
    found = evidence(read("ice_conala", "gpt-3.5-turbo/no_step_no_ref", scale, "raw"), scale)

    assert found.items == 2500
    assert len(found.people) == 16
    assert "grader13" in {person.rater for person in found.people if person.outlier}
    assert 0.55 < ends(found.human_agreement)[0] < 0.65
    assert ends(found.gap)[0] < 0
