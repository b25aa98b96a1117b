"""Parts of a result: slices of the items, and several criteria. Each for itself, and no average."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from judgekit.stats.multiplicity import benjamini_hochberg, holm
from tests.e2e.house import House
from tests.e2e.record import (
    FILE,
    TWO,
    calibrate,
    found,
    guessing,
    item_id,
    project,
    record,
    shown,
    verified,
    write_judgments,
    write_rows,
)

N = 240
LANGUAGES = [
    "xh" if i < 10 else None if i < 13 else ("en", "en", "de", "fr")[i // 2 % 4] for i in range(N)
]
TIERS = [("free", "paid")[i // 3 % 2] for i in range(N)]


def written(house: House, **settings: str) -> None:
    """Write a judge that errs much in French and little elsewhere."""
    project(house, **settings)
    [human] = guessing(TWO, (1.0,), N)
    good, poor = guessing(TWO, (0.98, 0.75), N, seed=3)
    judge = [p if name == "fr" else g for g, p, name in zip(good, poor, LANGUAGES, strict=True)]
    languages = [name or "" for name in LANGUAGES]
    record(house, {"ann": human}, judge, language=languages, tier=TIERS)


def adjusted(report: dict[str, Any]) -> tuple[list[float], list[float]]:
    """Return the p-values of the usable slices, and the adjusted ones."""
    tests = [one["test"] for one in report["slices"] if one["usable"]]
    return [test["p"] for test in tests], [test["adjusted"] for test in tests]


# --- Slices --------------------------------------------------------------------------------------


def test_slices_that_are_explored(house: House) -> None:
    """Each slice with its own figures; p-values allow for all of them (Benjamini-Hochberg)."""
    written(house)
    criterion = found(house, "--slice", "language")
    (report,) = criterion["slices"]
    text = shown(house, "--slice", "language")

    assert (report["column"], report["declared"]) == ("language", False)
    assert (report["correction"], report["level"]) == ("benjamini_hochberg", 0.10)
    by_name = {one["value"]: one for one in report["slices"]}
    assert {name: one["items"] for name, one in by_name.items()} == {
        name: LANGUAGES.count(name) for name in ("en", "de", "fr", "xh")
    }
    assert report["unusable"] == ["xh"]
    assert report["unsliced"] == 3
    p, corrected = adjusted(report)
    assert corrected == pytest.approx(list(benjamini_hochberg(p)))
    assert by_name["fr"]["differs"] is True
    assert by_name["fr"]["kappa"]["value"] < 0.75 < by_name["en"]["kappa"]["value"]
    assert by_name["fr"]["sensitivity"]["n"] + by_name["fr"]["specificity"]["n"] == 58
    assert "undefined" not in by_name["fr"]["kappa"]
    assert report["homogeneity"]["p"] < 0.05
    assert "By language (explored;" in text
    assert re.search(r"fr: \d\d points more errors than elsewhere \(.*adjusted <?0\.00\d\)", text)
    assert "Too few items to say anything, 30 are asked: xh." in text
    assert "3 items without language." in text


def test_a_slice_decides_nothing(house: House) -> None:
    """The verdict is that of all items, and the certificate is the same with or without slices."""
    written(house)
    plain, sliced = found(house), found(house, "--slice", "language")

    assert plain["slices"] == []
    assert plain["certificate"] == sliced["certificate"]
    assert plain["agreement"] == sliced["agreement"]
    assert sliced["look"] == 1


def test_two_columns_share_the_correction(house: House) -> None:
    """Whoever looks at more finds more: all explored columns are one family."""
    written(house)
    language, tier = found(house, "--slice", "language", "--slice", "tier")["slices"]

    (p, corrected), (q, _) = adjusted(language), adjusted(tier)
    assert (language["column"], tier["column"]) == ("language", "tier")
    # Of two slices one asks the same as the other: one test.
    assert corrected == pytest.approx(list(benjamini_hochberg([*p, q[0]]))[:3])


def test_slices_named_beforehand(house: House) -> None:
    """Those of judgekit.toml are declared: Holm's correction, and always shown."""
    written(house, judge='slices = ["language"]')
    criterion = found(house, "--slice", "tier", judge="recorded")
    language, tier = criterion["slices"]
    text = shown(house, judge="recorded")

    assert (language["declared"], language["correction"], language["level"]) == (True, "holm", 0.05)
    assert (tier["declared"], tier["correction"]) == (False, "benjamini_hochberg")
    p, corrected = adjusted(language)
    assert corrected == pytest.approx(list(holm(p)))
    assert "By language (named beforehand; the chance of any false alarm is held to 5%)" in text
    assert "By tier" not in text


def test_columns_of_the_item_file(house: House) -> None:
    """Slices may stand with the items instead of the labels."""
    written(house)
    rows = [{"id": item_id(i), "part": ("old", "new")[i % 3 > 0]} for i in range(N)]
    house.write("texts.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    (report,) = found(house, "--items", "texts.jsonl", "--slice", "part")["slices"]

    assert {one["value"]: one["items"] for one in report["slices"]} == {"old": 80, "new": 160}


def test_slices_of_one_level_each(house: House) -> None:
    """Kappa is undefined there; it is said once, and the table fits the screen."""
    written(house)
    [human] = guessing(TWO, (1.0,), N)
    by_level = [f"mostly {level}, as far as we know" for level in human]
    record(house, {"ann": human}, human, kind=by_level)
    text = shown(house, "--slice", "kind")
    (report,) = found(house, "--slice", "kind")["slices"]

    assert "Kappa is undefined (single category): mostly supported, as far as we know" in text
    assert report["slices"][0]["kappa"]["undefined"] == "single_category"


@pytest.mark.parametrize("declared", [False, True])
def test_an_unknown_column_costs_nothing(served: House, *, declared: bool) -> None:
    """It is told with the nearest name, before the first call is made."""
    if declared:
        served.judge(slices=["inptu"])
    before = served.files()
    asked = () if declared else ("--slice", "inptu")
    result = served.run("calibrate", "tone", *asked, "--json")

    assert result.code == 2
    assert result.json["kind"] == "unknown_name"
    assert result.json["hint"] == "Did you mean 'input'?"
    assert served.server.stats.requests == 0
    assert served.files() == before


def test_an_unknown_column_of_bare_labels(house: House) -> None:
    """Labels without text have columns as well."""
    written(house)
    result = calibrate(house, "--slice", "langauge")

    assert result.code == 2
    assert "Did you mean 'language'?" in result.err


# --- Several criteria ----------------------------------------------------------------------------

CRITERION = """
  - criterion: {name}
    question: Is the answer {name}?
    scale: binary
    levels:
      - value: 1
        name: "{name}"
        definition: Every sentence is {name}.
        drops_when: One sentence is not {name}.
      - value: 0
        name: not {name}
        definition: One sentence is not {name}."""
RIGHT = {"grounded": 0.97, "polite": 0.93, "short": 0.70, "kind": 0.88}


def several(house: House, *names: str) -> None:
    """Write the labels of several criteria, and a judge that is better at some than at others."""
    rubric = "".join(CRITERION.format(name=name) for name in names)
    head = "---\nrubric: answers\nversion: 1\ninputs: [input, output]\ncriteria:"
    project(house, f"{head}{rubric}\n---\n")
    labels, judged = [], []
    for seed, name in enumerate(names):
        levels = (f"not {name}", name)
        truth, judge = guessing(levels, (1.0, RIGHT[name]), 120, seed=seed)
        for i in range(120):
            about = {"item_id": item_id(i), "criterion": name}
            labels.append({**about, "rater": "ann", "level": truth[i]})
            judged.append({**about, "level": judge[i]})
    write_rows(house, "labels.csv", labels)
    write_judgments(house, judged)


def test_each_criterion_has_its_own_verdict(house: House) -> None:
    """Two are certified, one is not; the whole is as good as the worst."""
    several(house, "grounded", "polite", "short")
    result = calibrate(house, "--json")
    document = result.json
    verdicts = {c["criterion"]: c["verdict"] for c in document["criteria"]}

    assert result.code == 1
    assert document["verdict"] == "not_calibrated"
    assert verdicts == {"grounded": "calibrated", "polite": "calibrated", "short": "not_calibrated"}
    assert len(document["certificates"]) == 2
    for path in document["certificates"]:
        assert verified(house, path).json["ok"] is True
    score = house.run("score", FILE, "--judgments", "judged.jsonl", "--json")
    assert [reason["code"] for reason in score.json["reasons"]] == ["no_certificate"]


def test_the_best_of_several(house: House) -> None:
    """Picking the best needs a correction (Holm), and has it."""
    several(house, "grounded", "polite", "short", "kind")
    document = calibrate(house, "--json").json
    above = {one["criterion"]: one for one in document["above_the_bar"]}

    p = [one["p"] for one in above.values()]
    assert [one["p_holm"] for one in above.values()] == pytest.approx(list(holm(p)))
    assert above["grounded"]["holds"] is True
    assert above["short"]["holds"] is False
    for one in above.values():
        assert one["holds"] == (one["p_holm"] <= 0.025)
    text = shown(house)
    assert "4 criteria, each on its own; there is no average over them." in text
    holding = [name for name, one in above.items() if one["holds"]]
    assert f"(Holm), above 0.60: {', '.join(holding)}." in text


def test_one_criterion_is_no_pick(house: House) -> None:
    """Nothing to correct for, and nothing said."""
    several(house, "grounded")

    assert calibrate(house, "--json").json["above_the_bar"] == []
    assert "Holm" not in shown(house)


def test_no_average_anywhere(house: House) -> None:
    """Neither the document nor the text holds the mean of the kappas."""
    several(house, "grounded", "polite", "short")
    document = calibrate(house, "--json").json
    text = calibrate(house).out
    kappas = [c["agreement"]["value"] for c in document["criteria"]]
    mean = sum(kappas) / len(kappas)

    assert set(document) == {
        *("format", "judge", "fingerprint", "verdict", "revealed", "criteria", "above_the_bar"),
        *("certificates", "calls", "cost_usd", "notes"),
    }
    assert not any(abs(number - mean) < 1e-6 for number in _numbers(document))
    assert f"{mean:.2f}" not in text


def _numbers(value: Any) -> list[float]:
    """Return every number in a document."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return [number for part in value for number in _numbers(part)]
    return [value] if isinstance(value, float) else []


def test_the_advice_holds(house: House) -> None:
    """Where another criterion failed, the command that is advised scores the one that passed."""
    several(house, "grounded", "short")
    out = calibrate(house).out.replace(" \\\n", " ")
    advice = re.search(r"Next +judgekit (score .*)", out)[1].replace("FILE", "judged.jsonl")
    result = house.run(*advice.split())

    assert "--criterion grounded" in advice
    assert result.code == 0, result.err
    assert "answers, grounded:" in result.out
    assert "short" not in result.out
