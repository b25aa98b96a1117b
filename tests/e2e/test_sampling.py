"""How labels were drawn: weights, strata, what is kept of it, and agreement in production."""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from tests.e2e.house import RUBRIC, House, spread
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

FOUR = ("rude", "cold", "polite", "friendly")


def enriched(house: House, *, right: int = 90, **columns: Sequence[object]) -> tuple[list, list]:
    """Write 100 labels of each level; the judge meets so many of each."""
    project(house)
    human = [TWO[0]] * 100 + [TWO[1]] * 100
    one = [TWO[0]] * right + [TWO[1]] * (100 - right)
    judge = [*one, *(TWO[1 - TWO.index(level)] for level in one)]
    record(house, {"ann": human}, judge, **columns)
    return human, judge


# --- Weights and strata --------------------------------------------------------------------------


def test_weights_count(house: House) -> None:
    """Every estimate is that of the population the weights stand for."""
    weight = [3.0] * 100 + [0.5] * 100
    human, judge = enriched(house, weight=weight)
    criterion = found(house)

    kappa = cohen_kappa_score(human, judge, sample_weight=weight)
    assert criterion["agreement"]["value"] == pytest.approx(kappa)
    assert criterion["agreement"]["value"] == pytest.approx(0.6621, abs=1e-4)
    assert criterion["agreement"]["n"] == 200
    assert criterion["raw_agreement"]["value"] == pytest.approx(0.9)
    assert criterion["confusion"]["table"] == [[90, 10], [10, 90]]
    assert criterion["baselines"]["majority"]["value"] == pytest.approx(300 / 350)
    assert criterion["agreement"]["design_effect"] > 1
    assert "each estimate counts items by their weights" in shown(house)


def test_weights_of_four_levels(house: House) -> None:
    """Quadratic weights and sampling weights at once; a weight of 2 is an item seen twice."""
    project(house, RUBRIC)
    [judge] = guessing(FOUR, (0.8,), 120)
    weight = np.random.default_rng(1).integers(1, 4, 120).tolist()
    human = spread(FOUR, 120)
    record(house, {"ann": human}, judge, weight=weight)
    criterion = found(house)

    codes = [[FOUR.index(level) for level in levels] for levels in (human, judge)]
    kappa = cohen_kappa_score(*codes, weights="quadratic", sample_weight=weight)
    assert criterion["agreement"]["value"] == pytest.approx(kappa)
    error = np.average(np.subtract(codes[1], codes[0]), weights=weight)
    assert criterion["signed_error"]["value"] == pytest.approx(error)


def test_strata_narrow_the_interval(house: House) -> None:
    """What differs between the strata is no chance."""
    weight = [3.0] * 100 + [0.5] * 100
    stratum = ["long"] * 100 + ["short"] * 100
    enriched(house, weight=weight)
    plain = found(house)["agreement"]
    enriched(house, weight=weight, stratum=stratum)
    by_strata = found(house)["agreement"]

    assert by_strata["value"] == pytest.approx(plain["value"])
    assert by_strata["design_effect"] < plain["design_effect"]
    assert by_strata["high"] - by_strata["low"] < plain["high"] - plain["low"]


def test_weights_of_several_raters(house: House) -> None:
    """The weight is the item's: each of its labels counts with it, and people are weighed alike."""
    project(house)
    ann, bob, judge = guessing(TWO, (0.95, 0.94, 0.93), 120)
    weight = np.random.default_rng(1).choice([0.5, 2.0], 120).tolist()
    record(house, {"ann": ann, "bob": bob}, judge, weight=weight)
    criterion = found(house)

    pooled = cohen_kappa_score(ann + bob, judge + judge, sample_weight=weight * 2)
    assert criterion["agreement"]["value"] == pytest.approx(pooled)
    among = cohen_kappa_score(ann, bob, sample_weight=weight)
    assert criterion["humans"]["human_agreement"]["value"] == pytest.approx(among)


@pytest.mark.parametrize("weight", ["0", "-1", "heavy", "nan"])
def test_a_bad_weight(house: House, weight: str) -> None:
    """It is named with its line; nothing is measured."""
    enriched(house, weight=[1.0, weight, *[1.0] * 198])
    result = calibrate(house)

    assert result.code == 2
    assert "labels.csv:3" in result.err
    assert "not a positive number" in result.err


# --- What is kept --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sampling", "told"),
    [
        (None, "not stated: the figures hold for this mix of items, and scores stay uncorrected"),
        ("random", "Drawn random "),
        ("convenience", "convenience: the figures hold for this mix of items only"),
        ("stratified", "but the labels have no weights"),
    ],
)
def test_sampling_is_kept(house: House, sampling: str | None, told: str) -> None:
    """In the document, in the certificate, and in what a person reads."""
    enriched(house)
    asked = () if sampling is None else ("--sampling", sampling)
    criterion = found(house, *asked)

    assert criterion["verdict"] == "calibrated"
    assert criterion["sampling"] == sampling
    certificate = json.loads((house.root / criterion["certificate"]).read_text())
    assert certificate["labels"]["sampling"] == sampling
    assert told in shown(house, *asked)
    show = house.run("certificate", "show", str(house.root / criterion["certificate"])).out
    assert f"drawn {sampling or 'not stated'}" in " ".join(show.split())


def test_a_sampling_nobody_knows(house: House) -> None:
    """Bad usage."""
    enriched(house)

    assert calibrate(house, "--sampling", "enriched").code == 2


def test_a_certificate_of_weighted_labels_is_verified(house: House) -> None:
    """Weights and strata stand in the evidence: from it alone every figure follows again."""
    weight, stratum = [3.0] * 100 + [0.5] * 100, ["long"] * 100 + ["short"] * 100
    enriched(house, right=97, weight=weight, stratum=stratum)
    criterion = found(house, "--sampling", "stratified")
    for name in ("labels.csv", "judged.jsonl", "judgekit.toml", FILE):
        (house.root / name).unlink()

    assert criterion["verdict"] == "calibrated"
    assert verified(house, criterion["certificate"]).json["faults"] == []
    (evidence,) = (house.root / "certificates" / "evidence").iterdir()
    text = evidence.read_text()
    evidence.write_text(text.replace('"weight":3.0', '"weight":1.0', 1))
    assert evidence.read_text() != text
    assert verified(house, criterion["certificate"]).code == 1


# --- Production ----------------------------------------------------------------------------------


def test_kappa_in_production(house: House) -> None:
    """TPR = TNR = .9 is kappa .80 among as many good as bad, and .43 where 95% are good."""
    enriched(house)
    criterion = found(house, "--prevalence", "0.95")
    there = criterion["production"]["agreement"]
    text = shown(house, "--prevalence", "0.95")

    assert criterion["agreement"]["value"] == pytest.approx(0.80)
    assert there["value"] == pytest.approx(0.4318, abs=1e-4)
    assert there["low"] < there["value"] < there["high"] < 0.80
    assert criterion["production"]["shares"]["supported"] == 0.95
    assert criterion["production"]["labelled"] == {"unsupported": 0.5, "supported": 0.5}
    assert "In use kappa 0.43, 95% interval" in text
    assert '"supported" 95.0%; among the labels "unsupported" 50.0%' in text
    by_level = found(house, "--prevalence", "unsupported=0.05,supported=0.95")["production"]
    assert by_level["agreement"]["value"] == pytest.approx(there["value"])
    assert found(house)["production"] is None


def test_production_of_four_levels(house: House) -> None:
    """The stated share is of what passes; within each side levels are as common as labelled."""
    project(house, RUBRIC)
    [judge] = guessing(FOUR, (0.8,), 120)
    human = spread(FOUR, 120)
    record(house, {"ann": human}, judge)
    there = found(house, "--prevalence", "0.9")["production"]

    assert there["shares"] == pytest.approx(
        {"rude": 0.05, "cold": 0.05} | dict.fromkeys(FOUR[2:], 0.45)
    )
    weight = [0.05 if level in FOUR[:2] else 0.45 for level in human]
    codes = [[FOUR.index(level) for level in levels] for levels in (human, judge)]
    kappa = cohen_kappa_score(*codes, weights="quadratic", sample_weight=weight)
    assert there["agreement"]["value"] == pytest.approx(kappa)


@pytest.mark.parametrize(
    ("stated", "told"),
    [
        ("1.5", "no share from 0 to 1"),
        ("95%", "no share from 0 to 1"),
        ("", "no share from 0 to 1"),
        ("nan", "no share from 0 to 1"),
        ("frendly=0.5,rude=0.5", "Did you mean friendly?"),
        ("friendly=0.5,rude=0.6,cold=0.1,polite=0.1", "must add up to 1"),
        ("friendly=0.5", "must add up to 1"),
    ],
)
def test_a_bad_prevalence_costs_nothing(served: House, stated: str, told: str) -> None:
    """It is told before the first call is made, and nothing is written."""
    before = served.files()
    result = served.run("calibrate", "tone", "--prevalence", stated, "--json")

    assert result.code == 2
    assert result.json["format"] == "judgekit.error/1"
    assert told in f"{result.json['message']} {result.json['hint']}"
    assert served.server.stats.requests == 0
    assert served.files() == before


# --- Scores --------------------------------------------------------------------------------------


def test_a_score_is_corrected_where_labels_were_drawn_at_random(house: House) -> None:
    """Stated once when calibrating and once when scoring, the corrected figure stands first."""
    enriched(house)
    assert found(house, "--sampling", "random")["verdict"] == "calibrated"
    rows = [{"item_id": f"new-{i}", "level": TWO[i % 10 < 8]} for i in range(400)]
    write_judgments(house, rows, "new.jsonl")
    score = ("score", FILE, "--judgments", "new.jsonl")
    same = house.run(*score, "--population", "shifted")
    (criterion,) = house.run(*score, "--population", "shifted", "--json").json["criteria"]

    # Of 80% that the judge passes, (.8 - .1) / (.9 - .1) do.
    assert criterion["corrected"]["value"] == pytest.approx(0.875)
    assert criterion["uncorrected"]["value"] == pytest.approx(0.8)
    assert same.out.startswith("grounded: 87.5% pass, 95% interval")
    assert same.out.index("(corrected with 200 labels") < same.out.index("uncorrected")
    (criterion,) = house.run(*score, "--population", "same", "--json").json["criteria"]
    assert criterion["corrected"]["value"] is not None
    assert criterion["why"] is None


@pytest.mark.parametrize("sampling", [None, "convenience"])
def test_enriched_labels_are_never_read_as_if_random(house: House, sampling: str | None) -> None:
    """Nobody said that they are: there is no corrected figure, and it is said why."""
    enriched(house)
    found(house, *(() if sampling is None else ("--sampling", sampling)))
    write_judgments(house, [{"item_id": f"new-{i}", "level": TWO[i % 2]} for i in range(40)], "new")
    result = house.run("score", FILE, "--judgments", "new", "--population", "same", "--json")
    (criterion,) = result.json["criteria"]

    assert result.code == 0
    assert criterion["corrected"] is None
    assert "how the labels were sampled is" in criterion["why"]
    assert criterion["uncorrected"]["value"] == 0.5


def test_weights_decide(house: House) -> None:
    """A judge that errs where items are common is not certified because rare ones are labelled."""
    project(house)
    human = [TWO[i % 2] for i in range(200)]
    judge = [TWO[1 - TWO.index(h)] if i < 20 else h for i, h in enumerate(human)]
    record(house, {"ann": human}, judge)
    assert found(house)["verdict"] == "calibrated"
    record(house, {"ann": human}, judge, weight=[9.0 if i < 40 else 0.1 for i in range(200)])
    criterion = found(house)

    assert criterion["verdict"] != "calibrated"
    assert failed(criterion)["agreement"] == "agreement_too_low"
    assert item_id(0) in shown(house)
