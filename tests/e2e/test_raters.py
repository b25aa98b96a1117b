"""Several raters through the command line: pooled, adjudicated, by majority, and human level."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from sklearn.metrics import cohen_kappa_score

from judgekit.calibration.certificate import Certificate
from tests.e2e.house import BINARY, House
from tests.e2e.record import (
    FILE,
    TWO,
    calibrate,
    failed,
    found,
    guessing,
    item_id,
    project,
    record,
    shown,
    verified,
    write_judgments,
)

HUMAN_LEVEL = 'route = "human-level"'
PEOPLE = (0.88, 0.87, 0.86)
"""How often people are right on a matter of taste: they agree too little for a bar of 0.60."""


@pytest.fixture
def pair(house: House) -> tuple[House, list[list[str]]]:
    """Two careful raters and a judge, on 120 items."""
    project(house)
    said = guessing(TWO, (0.97, 0.96, 0.94), 120)
    record(house, {"ann": said[0], "bob": said[1]}, said[2])
    return house, said


# --- Pooled --------------------------------------------------------------------------------------


def test_every_label_is_a_pair_and_the_item_is_the_unit(
    pair: tuple[House, list[list[str]]],
) -> None:
    """Kappa of the pooled table; n counts items, pairs counts labels, intervals go by item."""
    house, (ann, bob, judge) = pair
    criterion = found(house)
    agreed = criterion["agreement"]

    assert (agreed["n"], agreed["pairs"], agreed["clusters"]) == (120, 240, 120)
    assert agreed["value"] == pytest.approx(cohen_kappa_score(ann + bob, judge + judge))
    assert agreed["low"] < agreed["value"] < agreed["high"]
    assert agreed["design_effect"] > 1
    assert sum(map(sum, criterion["confusion"]["table"])) == 240
    assert criterion["tally"]["items"] == criterion["tally"]["paired"] == 120
    for name, levels in (("ann", ann), ("bob", bob)):
        own = criterion["raters"][name]
        assert (own["n"], own["pairs"]) == (120, 120)
        assert own["value"] == pytest.approx(cohen_kappa_score(levels, judge))


def test_a_copied_rater_adds_no_certainty(house: House) -> None:
    """Two raters who say the same are as much evidence as one."""
    project(house)
    [ann], [judge] = guessing(TWO, (0.96,), 90), guessing(TWO, (0.93,), 90, seed=2)
    record(house, {"ann": ann}, judge)
    one = found(house)["agreement"]
    record(house, {"ann": ann, "bob": ann}, judge)
    both = found(house)["agreement"]

    assert both["value"] == pytest.approx(one["value"])
    width = both["high"] - both["low"]
    assert width == pytest.approx(one["high"] - one["low"], rel=0.03)


def test_cases_are_the_unit_where_they_repeat(pair: tuple[House, list[list[str]]]) -> None:
    """Three items of one case are one unit, whoever labelled them."""
    house, (ann, bob, judge) = pair
    record(house, {"ann": ann, "bob": bob}, judge, case=[f"c{i // 3}" for i in range(120)])
    agreed = found(house)["agreement"]

    assert (agreed["n"], agreed["pairs"], agreed["clusters"]) == (120, 240, 40)


def test_how_people_agree(pair: tuple[House, list[list[str]]]) -> None:
    """The ceiling, the judge beside it, and the gap with its interval, in both forms."""
    house, (ann, bob, judge) = pair
    humans = found(house)["humans"]
    among = cohen_kappa_score(ann, bob)
    beside = (cohen_kappa_score(ann, judge) + cohen_kappa_score(bob, judge)) / 2

    assert humans["items"] == 120
    assert humans["human_agreement"]["value"] == pytest.approx(among)
    assert humans["judge_agreement"]["value"] == pytest.approx(beside)
    gap = humans["gap"]
    assert gap["value"] == pytest.approx(beside - among)
    assert gap["low"] < gap["value"] < gap["high"]
    assert "undefined" not in gap
    assert [(p["first"], p["second"]) for p in humans["pairs"]] == [("ann", "bob")]
    text = shown(house)
    assert f"People agree with each other {among:.2f}, 95% interval" in text
    assert f"The judge agrees with people {beside:.2f}: {among - beside:.2f} less than" in text
    assert "Raters kappa with each: ann 0." in text


def test_one_rater_has_no_ceiling(house: House) -> None:
    """Nothing is said of people among themselves, and the certificate is stamped."""
    project(house)
    [ann], [judge] = guessing(TWO, (0.97,), 90), guessing(TWO, (0.95,), 90, seed=2)
    record(house, {"ann": ann}, judge)
    criterion = found(house)

    assert criterion["humans"] is None
    assert "single-rater" in criterion["stamps"]
    assert "People" not in shown(house)


# --- Adjudicated, and by majority ----------------------------------------------------------------


@pytest.mark.parametrize("name", ["adjudicated", "chief"])
def test_adjudicated_rows_are_the_reference(pair: tuple[House, list[list[str]]], name: str) -> None:
    """Where an item was settled, the settled label alone counts; how many is said."""
    house, (ann, bob, judge) = pair
    apart = [i for i in range(120) if ann[i] != bob[i]]
    final = [ann[i] if i in apart else None for i in range(120)]
    record(house, {"ann": ann, "bob": bob, name: final}, judge)
    asked = () if name == "adjudicated" else ("--adjudicator", name)
    result = calibrate(house, "--json", *asked)
    (criterion,) = result.json["criteria"]

    assert apart
    assert criterion["agreement"]["pairs"] == 240 - len(apart)
    assert criterion["raters"][name]["n"] == len(apart)
    assert criterion["raters"]["ann"]["n"] == 120 - len(apart)
    told = f"adjudicated: {len(apart)} items, in place of {2 * len(apart)} labels of other raters"
    assert any(told in note for note in result.json["notes"])
    # What was settled is what people disagreed on: without it they seem to agree throughout.
    assert criterion["humans"]["human_agreement"]["value"] == 1
    assert f"two levels or more). The {len(apart)} adjudicated items are not" in shown(
        house, *asked
    )


def test_an_adjudicator_nobody_knows(pair: tuple[House, list[list[str]]]) -> None:
    """A typing error never silently pools what was settled."""
    result = calibrate(pair[0], "--adjudicator", "anne")

    assert result.code == 2
    assert "Did you mean 'ann'?" in result.err


def test_a_majority_says_what_it_threw_away(house: House) -> None:
    """Items decided against somebody, and items without a majority, each by name."""
    project(house)
    [judge] = guessing(TWO, (0.95,), 60)
    ann, bob, cyd, dan = ([TWO[i % 2] for i in range(60)] for _ in range(4))
    ann[3] = TWO[0]
    ann[8] = bob[8] = TWO[1]
    ann[20] = cyd[20] = TWO[1]
    record(house, {"ann": ann, "bob": bob, "cyd": cyd, "dan": dan}, judge)
    result = calibrate(house, "--reference", "majority", "--json")
    (criterion,) = result.json["criteria"]
    (note,) = (n for n in result.json["notes"] if n.startswith("majority"))

    assert "58 items by vote, 1 not unanimous (i003)" in note
    assert "2 without a majority, set aside (i008, i020)" in note
    assert criterion["ties"] == ["i008", "i020"]
    assert criterion["tally"]["set_aside"] == {"tied_majority": 2}
    assert criterion["agreement"]["pairs"] == criterion["agreement"]["n"] == 58
    assert "majority" in criterion["stamps"]
    assert criterion["humans"] is None
    assert "i003" in calibrate(house, "--reference", "majority").err
    assert "the raters' majority" in shown(house, "--reference", "majority")


def test_two_raters_have_no_majority(pair: tuple[House, list[list[str]]]) -> None:
    """With two, every disagreement is a tie: the vote flatters the judge, and says so."""
    house, (ann, bob, _) = pair
    apart = [item_id(i) for i in range(120) if ann[i] != bob[i]]
    criterion = found(house, "--reference", "majority")

    assert criterion["ties"] == apart
    assert criterion["agreement"]["value"] > found(house)["agreement"]["value"]


# --- Below the bar, and human level --------------------------------------------------------------


def taste(house: House, *, judge: float, raters: int = 3, policy: str = HUMAN_LEVEL) -> None:
    """Write a matter of taste: so many raters, and a judge that is right as often as said."""
    project(house, policy=policy)
    *people, said = guessing(TWO, (*PEOPLE[:raters], judge), 160)
    record(house, dict(zip(("ann", "bob", "cyd"), people, strict=False)), said)


def test_people_below_the_bar(house: House) -> None:
    """No judge can be held to what people do not reach: the rubric is at fault; no label helps."""
    project(house)
    ann, bob, judge = guessing(TWO, (0.80, 0.75, 0.90), 120)
    record(house, {"ann": ann, "bob": bob}, judge)
    criterion = found(house)
    text = shown(house)

    assert criterion["humans"]["human_agreement"]["high"] < 0.60
    assert criterion["verdict"] == "inconclusive"
    assert failed(criterion)["human_agreement"] == "humans_disagree"
    assert criterion["labels_needed"] is None
    assert criterion["labels_needed_why"]
    assert criterion["certificate"] is None
    assert "people do not reach the 0.60 asked of the judge" in text
    assert "The fault is the rubric's" in text
    assert 'Next Sharpen what tells "unsupported" from "supported"' in text


def test_as_good_as_three_people(house: House) -> None:
    """Certified on the human-level route, and stamped so; on the other route it is not."""
    taste(house, judge=0.92, policy="")
    assert found(house)["verdict"] != "calibrated"
    project(house, policy=HUMAN_LEVEL)
    criterion = found(house)
    text = shown(house)

    assert criterion["verdict"] == "calibrated"
    assert criterion["humans"]["human_agreement"]["low"] < 0.60
    assert criterion["stamps"] == ["recorded", "human-level"]
    checks = {check["name"]: check for check in criterion["checks"]}
    assert checks["agreement"]["required"] == 0.40
    assert checks["human_raters"]["observed"] == 3
    assert checks["human_gap"]["observed"] == criterion["humans"]["gap"]["low"] > -0.10
    assert "asked 0.40 or more on the human-level route." in text
    assert "human level is asked, not a fixed bar" in text
    certificate = criterion["certificate"]
    assert json.loads((house.root / certificate).read_text())["stamps"] == criterion["stamps"]
    assert verified(house, certificate).json["ok"] is True


def test_two_people_are_no_human_level(house: House) -> None:
    """With two, one careless rater is half of the ceiling: a third is needed, not more items."""
    taste(house, judge=0.92, raters=2)
    criterion = found(house)

    assert criterion["verdict"] == "inconclusive"
    assert failed(criterion) == {"human_raters": "below_human_ceiling"}
    assert criterion["labels_needed"] is None
    assert "three raters" in criterion["labels_needed_why"]
    assert "needs three raters" in shown(house)


def test_clearly_worse_than_people(house: House) -> None:
    """Careful people and a judge that agrees with them far less than they do: ruled out."""
    project(house, policy=HUMAN_LEVEL)
    *people, judge = guessing(TWO, (0.98, 0.98, 0.98, 0.86), 160)
    record(house, dict(zip(("ann", "bob", "cyd"), people, strict=True)), judge)
    criterion = found(house)

    assert criterion["gate_agreement"]["low"] > 0.40
    assert criterion["verdict"] == "not_calibrated"
    assert failed(criterion) == {"human_gap": "below_human_ceiling"}
    assert "clearly less than they do with each other" in shown(house)


@pytest.fixture
def certified(house: House) -> tuple[House, Path]:
    """A judge certified at human level, its certificate, and 40 items judged by it."""
    taste(house, judge=0.92)
    path = house.root / found(house)["certificate"]
    rows = [{"item_id": f"n{i}", "level": TWO[i % 4 > 0]} for i in range(40)]
    write_judgments(house, rows, "new.jsonl")
    return house, path


def refused(house: House) -> list[str]:
    """Score, expect a refusal, and return its reasons."""
    result = house.run("score", FILE, "--judgments", "new.jsonl", "--json")
    assert result.code == 3
    return [reason["code"] for reason in result.json["reasons"]]


def test_score_at_human_level(certified: tuple[House, Path]) -> None:
    """It scores, and whoever reads the figure reads what it rests on."""
    house, path = certified
    told = house.run("score", FILE, "--judgments", "new.jsonl")
    document = house.run("score", FILE, "--judgments", "new.jsonl", "--json").json

    assert told.code == 0, told.err
    assert document["criteria"][0]["uncorrected"]["value"] == 0.75
    assert document["criteria"][0]["stamps"] == ["recorded", "human-level"]
    assert "human-level: held to how far people agree" in " ".join(told.out.split())
    show = house.run("certificate", "show", str(path)).out
    assert "certified (recorded, human-level)" in show
    assert "on the human-level route" in show


def test_a_fixed_bar_is_stricter(certified: tuple[House, Path]) -> None:
    """A certificate of human level does not pass where a fixed bar is asked."""
    house, _ = certified
    project(house)

    assert set(refused(house)) == {"policy_stricter"}


@pytest.mark.parametrize(("right", "holds"), [(0.99, True), (0.91, False)])
def test_human_level_where_a_fixed_bar_was_met(house: House, right: float, *, holds: bool) -> None:
    """The figures of the certificate say whether the judge would pass the other route, too."""
    project(house)
    *people, judge = guessing(TWO, (0.98, 0.98, 0.97, right), 300)
    record(house, dict(zip(("ann", "bob", "cyd"), people, strict=True)), judge)
    assert found(house)["verdict"] == "calibrated"
    rows = [{"item_id": f"n{i}", "level": TWO[i % 4 > 0]} for i in range(40)]
    write_judgments(house, rows, "new.jsonl")
    project(house, policy=HUMAN_LEVEL)

    if holds:
        assert house.run("score", FILE, "--judgments", "new.jsonl").code == 0
    else:
        assert refused(house) == ["policy_stricter"]


def test_what_people_agreed_on_cannot_be_edited(certified: tuple[House, Path]) -> None:
    """A nicer gap, or people who agree less, is found: by the id, and with a new id by the rows."""
    house, path = certified
    text = path.read_text()
    data = json.loads(text)
    for figure in ("gap", "human_agreement", "judge_agreement"):
        forged = json.loads(text)
        forged["evidence"]["humans"][figure]["value"] += 0.01
        path.write_text(json.dumps(forged))
        assert refused(house) == ["certificate_invalid"]

        forged["id"] = Certificate.model_validate_json(json.dumps(forged)).computed_id()
        assert forged["id"] != data["id"]
        path.write_text(json.dumps(forged))
        assert refused(house) == ["certificate_invalid"]
        faults = verified(house, str(path)).json["faults"]
        assert any(f"humans.{figure}.value" in fault for fault in faults)
    path.write_text(text)
    assert house.run("score", FILE, "--judgments", "new.jsonl").code == 0


# --- Does the criterion apply at all? ------------------------------------------------------------

NA = BINARY.replace(
    "    levels:\n", "    not_applicable: The answer makes no claim.\n    levels:\n"
)


def test_not_applicable(house: House) -> None:
    """A human's "na" takes the pair out, a judge's against a level disagrees; a 2 x 2 tells."""
    project(house, NA)
    [ann] = guessing(TWO, (1.0,), 120)
    bob, judge = list(ann), list(ann)
    for i in range(12):
        ann[i] = "na"  # six of them for both raters, so that six items are set aside
        bob[i] = "na" if i < 6 else bob[i]
        judge[i] = "na" if i < 9 else judge[i]
    judge[40] = judge[41] = "na"
    record(house, {"ann": ann, "bob": bob}, judge)
    criterion = found(house)
    text = shown(house)

    # Of 18 labels "na" the judge meets 9 of Ann's and 6 of Bob's; it says so of 7 others.
    table = [[215, 7], [3, 15]]
    assert criterion["applicability"]["table"] == table
    answers = [[answer, said] for answer in (0, 1) for said in (0, 1)]
    counts = [n for row in table for n in row]
    kappa = cohen_kappa_score(*zip(*answers, strict=True), sample_weight=counts)
    assert criterion["applicability"]["agreement"]["value"] == pytest.approx(kappa)
    assert criterion["applicability"]["agreement"]["pairs"] == 240
    assert criterion["tally"]["set_aside"] == {"human_na": 6}
    assert criterion["tally"]["judged"] == 114
    assert criterion["agreement"]["pairs"] == 222
    assert sum(criterion["confusion"]["na"]) == 7
    assert criterion["agreement"]["value"] < 1
    assert "human \\ judge applies does not apply" in text
    assert "applies 215 7 does not apply 3 15" in text
    assert f"Applies kappa {kappa:.2f}, 95% interval" in text


def test_nobody_says_na(house: House) -> None:
    """No table of applicability where nobody ever said that the criterion does not apply."""
    project(house, NA)
    [ann], [judge] = guessing(TWO, (1.0,), 60), guessing(TWO, (0.97,), 60)
    record(house, {"ann": ann}, judge)

    assert found(house)["applicability"] is None


def test_na_without_a_rule_for_it(house: House) -> None:
    """Where the rubric has no "not applicable", a label "na" is an error with a way out."""
    project(house)
    [ann] = guessing(TWO, (1.0,), 60)
    record(house, {"ann": ["na", *ann[1:]]}, ann)
    result = calibrate(house)

    assert result.code == 2
    assert "not_applicable" in result.err
    assert "--level-map na=na" in result.err
