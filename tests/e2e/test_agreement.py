"""``judgekit agreement``: any table of verdicts and labels, measured in full."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.house import House, Result

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data"
FIVE = ("--levels", "1,2,3,4,5", "--passes", "3")
TWO = ("--human", "ann,bob", "--judge", "judge")
CHANCES = "p1,p2,p3,p4,p5"


def answers(n: int = 60) -> list[dict[str, Any]]:
    """Items of five levels, two raters and a judge that errs upwards, with its probabilities."""
    rows = []
    for i in range(n):
        level = i % 5 + 1
        said = min(level + (i % 7 == 0), 5)
        shares = {f"p{v}": 0.6 if v == said else 0.08 for v in range(1, 6)}
        rows.append(
            {
                "id": f"a{i}",
                "case": f"c{i // 3}",
                "part": "old" if i % 2 else "new",
                "output": "word " * (i % 9 + 1),
                "ann": level,
                "bob": max(level - (i % 11 == 0), 1),
                "judge": said,
                **shares,
            }
        )
    return rows


def write(house: House, rows: list[dict[str, Any]], name: str = "table.csv") -> str:
    """Write a table as CSV or JSONL and return its name."""
    path = house.root / name
    if path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    else:
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, fieldnames=list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
    return name


def document(result: Result) -> dict[str, Any]:
    """The document, which holds neither NaN nor infinity."""

    def refuse(constant: str) -> None:
        raise AssertionError(constant)

    assert result.code == 0, result.out + result.err
    assert result.err == ""
    found: dict[str, Any] = json.loads(result.out, parse_constant=refuse)
    assert found["format"] == "judgekit.agreement/1"
    assert found["certified"] is False
    return found


# --- Ordinary use --------------------------------------------------------------------------------


def test_two_raters(house: House) -> None:
    """Outcome, evidence, what a certificate would need, in this order and within 80 columns."""
    before = house.files() | {write(house, answers()): b""}
    shown = house.run("agreement", "table.csv", *TWO, *FIVE)
    order = [
        r"judge against ann and bob: quadratic kappa 0\.\d\d, 95% interval 0\.\d\d to",
        r"The low end, 0\.\d\d, reaches the 0\.60 that a certificate asks\.",
        r"60 items: 60 judged; 2 raters",
        r"human \\ judge +1 +2 +3 +4 +5",
        r"figure +value +95% interval",
        r"Always the commonest level",
        r"Raters  kappa with each: ann",
        r"several raters +people +people and judge",
        r"agreement \(low end\)",
        r"judgekit calibrate RUBRIC",
        r"This is a measurement, not a certificate",
    ]

    assert shown.code == 0
    assert shown.err.startswith("note: --kind is not said, and ordinal is assumed: ")
    assert shown.err.count("\n") == 1
    places = [re.search(one, shown.out) for one in order]
    assert None not in places
    starts = [place.start() for place in places if place]
    assert starts == sorted(starts)
    assert max(map(len, shown.out.splitlines())) <= 80
    assert "\n\n\n" not in shown.out
    assert set(house.files()) == set(before)


@pytest.mark.parametrize(
    ("wrong", "n", "told"),
    [
        (2, 80, r"Even the high end, 0\.\d\d, is under the 0\.60 that a certificate asks\."),
        (8, 40, r"Undecided: the 0\.60 that a certificate asks lies inside the interval\."),
    ],
)
def test_on_which_side_of_the_bar(house: House, wrong: int, n: int, told: str) -> None:
    """What the figure means for a certificate, in words, before any table."""
    rows = [{"h": i % 2, "j": i % 2 if i % wrong else 1} for i in range(n)]
    write(house, rows)
    shown = house.run("agreement", "table.csv", "--human", "h", "--judge", "j", "--levels", "0,1")

    assert re.search(told, shown.out.partition("\n\n")[0])


def test_the_document(house: House) -> None:
    """The same as JSON: pairs and items told apart, and no probabilities where none are named."""
    write(house, answers(), "table.jsonl")
    found = document(house.run("agreement", "table.jsonl", *TWO, *FIVE, "--json"))

    assert (found["judge"], found["human"]) == ("judge", ["ann", "bob"])
    assert (found["agreement"]["n"], found["agreement"]["pairs"]) == (60, 120)
    assert set(found["raters"]) == {"ann", "bob"}
    assert found["probabilities"] is None
    assert found["reliability"] == []


def test_the_same_file_the_same_figures(house: House) -> None:
    """Dice are seeded by what is measured, not by the clock."""
    write(house, answers())
    asked = ("agreement", "table.csv", *TWO, *FIVE, "--probability", CHANCES, "--json")
    first = document(house.run(*asked))

    assert document(house.run(*asked)) == first


def test_na_and_verdicts_off_the_scale(house: House) -> None:
    """Neither is a level; both are counted, and the second is remarked on."""
    rows = answers()
    rows[0]["judge"], rows[1]["ann"], rows[2]["judge"], rows[3]["judge"] = "na", "na", 9, ""
    write(house, rows)
    shown = house.run("agreement", "table.csv", *TWO, *FIVE, "--na")
    found = document(house.run("agreement", "table.csv", *TWO, *FIVE, "--na", "--json"))

    assert shown.code == 0
    assert 'note: 1 verdict of the judge off the scale, unjudged: "9"' in shown.err
    assert "With what is unjudged as disagreement" in shown.out
    assert "does not apply" in shown.out
    assert found["tally"]["unjudged"] == {"missing": 1, "out_of_scale": 1}
    assert sum(found["confusion"]["na"]) == 2
    assert found["notes"][1:] == ['1 verdict of the judge off the scale, unjudged: "9"']


def test_levels_are_renamed(house: House) -> None:
    """Words of people for numbers of the scale; each rename is remarked on."""
    rows = [{"h": ("good", "bad")[i % 2], "j": 1 - i % 2} for i in range(40)]
    write(house, rows)
    shown = house.run(
        *("agreement", "table.csv", "--human", "h", "--judge", "j", "--levels", "0,1"),
        *("--level-map", "good=1", "--level-map", "bad=0"),
    )

    assert shown.out.startswith("j against h: kappa 1.00")
    assert 'note: human: read "good" as 1 (20 rows)' in shown.err


def test_where(house: House) -> None:
    """Only these rows; what the others say is not even read."""
    rows = answers()
    for row in rows[1::2]:
        row["ann"] = "nonsense"
    write(house, rows)
    asked = ("agreement", "table.csv", *TWO, *FIVE)
    found = document(house.run(*asked, "--where", "part=new", "--json"))
    wrong = house.run(*asked, "--where", "part=nwe")

    assert found["tally"]["items"] == 30
    assert (wrong.code, wrong.out) == (2, "")
    assert "Did you mean part=new?" in wrong.err
    assert house.run(*asked).code == 2


def test_cases(house: House) -> None:
    """Items of one case are no independent evidence: clusters are counted, by name or by option."""
    rows = answers()
    write(house, rows)
    write(house, [{"group": row.pop("case"), **row} for row in rows], "named.csv")
    usual = document(house.run("agreement", "table.csv", *TWO, *FIVE, "--json"))
    named = document(
        house.run("agreement", "named.csv", *TWO, *FIVE, "--case-column", "group", "--json")
    )

    assert usual["agreement"]["clusters"] == named["agreement"]["clusters"] == 20
    assert usual["agreement"] == named["agreement"]


def test_weights_and_strata(house: House) -> None:
    """Columns of these names act on every figure, probabilities included."""
    rows = answers()
    asked = ("agreement", "table.csv", *TWO, *FIVE, "--probability", CHANCES, "--json")
    write(house, rows)
    plain = document(house.run(*asked))
    rows = [
        {**r, "weight": 5 if r["ann"] > 3 else 1, "stratum": "high" if r["ann"] > 3 else "low"}
        for r in rows
    ]
    write(house, rows)
    weighted = document(house.run(*asked))

    for name in ("agreement", "raw_agreement"):
        assert weighted[name]["value"] != plain[name]["value"]
    rates = [found["probabilities"]["rate"]["value"] for found in (plain, weighted)]
    assert rates[1] > rates[0]


def test_one_row_a_rating(house: House) -> None:
    """The long form gives what the wide form gives."""
    rows = answers()
    write(house, rows)
    long = [
        {"id": row["id"], "judge": row["judge"], "who": who, "label": row[who], "case": row["case"]}
        for row in rows
        for who in ("ann", "bob")
    ]
    write(house, long, "long.csv")
    wide = document(house.run("agreement", "table.csv", *TWO, *FIVE, "--json"))
    asked = ("--human", "label", "--rater-column", "who", "--judge", "judge")
    found = document(house.run("agreement", "long.csv", *asked, *FIVE, "--json"))

    assert found["agreement"] == wide["agreement"]
    assert found["raters"] == wide["raters"]


def test_a_scale_of_words(house: House) -> None:
    """Nominal, without a pass line."""
    colours = ["red", "green", "blue"]
    rows = [{"h": colours[i % 3], "j": colours[i % 3 - (i % 8 == 0)]} for i in range(60)]
    write(house, rows)
    shown = house.run(
        "agreement", "table.csv", "--human", "h", "--judge", "j", "--levels", "red,green,blue"
    )

    assert shown.code == 0
    assert "Scale   nominal: red, green, blue" in shown.out


# --- Probabilities -------------------------------------------------------------------------------


def test_probabilities_of_each_level(house: House) -> None:
    """Expected levels, captured mass, trust and the diagram; all of it in the document too."""
    write(house, answers())
    asked = ("agreement", "table.csv", *TWO, *FIVE, "--probability", CHANCES)
    shown, found = house.run(*asked), document(house.run(*asked, "--json"))
    flat = " ".join(shown.out.split())

    assert 'Chances p1 of "1", p2 of "2", p3 of "3"' in flat
    assert "The levels hold 92.0% of the probability on average" in flat
    assert "Trust Not to be taken at their word: the probabilities of a pass are off" in flat
    assert shown.out.index("figure  ") < shown.out.index("Chances") < shown.out.index("Raters")
    assert max(map(len, shown.out.splitlines())) <= 80
    told = found["probabilities"]
    assert (told["items"], told["without"], told["event"]) == (60, 0, "pass")
    assert told["captured_mass"]["mean"]["value"] == pytest.approx(0.92)
    assert told["expected_level"]["pearson"]["pairs"] == 120
    assert told["expected_level"]["pearson"]["clusters"] == 20
    assert [one["labels"] for one in found["reliability"][:10]] != [0] * 10
    assert sum(one["labels"] for one in found["reliability"][:10]) == 120


def test_no_verdicts_but_probabilities(house: House) -> None:
    """The likeliest level is the verdict, and a remark says so."""
    write(house, answers())
    asked = ("agreement", "table.csv", "--human", "ann,bob", *FIVE, "--probability", CHANCES)
    shown, found = house.run(*asked), document(house.run(*asked, "--json"))
    with_verdicts = document(house.run(*asked, "--judge", "judge", "--json"))

    assert shown.out.startswith("The likeliest level against ann and bob: quadratic kappa")
    assert "note: no column of verdicts: the likeliest level is the verdict" in shown.err
    assert found["judge"] is None
    assert found["agreement"] == with_verdicts["agreement"]
    assert found["probabilities"] == with_verdicts["probabilities"]


def test_a_probability_of_passing(house: House) -> None:
    """One column; of a binary scale it makes the verdict too."""
    rows = [{"ok": int(i % 10 < 7), "p": round(0.05 + i % 10 / 11, 3)} for i in range(60)]
    write(house, rows)
    asked = ("agreement", "table.csv", "--human", "ok", "--levels", "0,1", "--probability", "p")
    found = document(house.run(*asked, "--json"))

    assert found["probabilities"]["captured_mass"] is None
    assert found["probabilities"]["expected_level"] == {}
    assert found["tally"]["judged"] == 60
    assert house.run(*asked).out.count("Chances p of passing; usable for 60 of 60") == 1


def test_repeated_options_name_the_columns_too(house: House) -> None:
    """``--probability p1 --probability p2`` is ``--probability p1,p2``."""
    rows = [{"h": i % 2, "p0": 0.7 - 0.4 * (i % 2), "p1": 0.3 + 0.4 * (i % 2)} for i in range(40)]
    write(house, rows)
    asked = ("agreement", "table.csv", "--human", "h", "--levels", "0,1", "--json")
    once = document(house.run(*asked, "--probability", "p0,p1"))
    twice = document(house.run(*asked, "--probability", "p0", "--probability", "p1"))

    assert once == twice
    assert once["agreement"]["value"] == 1.0


# --- Input that cannot be used -------------------------------------------------------------------

HEAD = "id,ann,bob,judge,p0,p1\n"
GOOD = "a,1,1,1,.2,.8\nb,0,0,0,.9,.1\n"
ASKED = (*TWO, "--levels", "0,1")
BAD: dict[str, tuple[str, tuple[str, ...], str]] = {
    "label off the scale": (HEAD + GOOD + "c,2,1,1,.5,.5\n", ASKED, "table.csv:4: "),
    "column misspelt": (HEAD + GOOD, (*ASKED[:3], "jugde", *ASKED[4:]), "Did you mean 'judge'?"),
    "human misspelt": (HEAD + GOOD, ("--human", "an", *ASKED[2:]), "no column 'an'"),
    "item twice": (HEAD + GOOD + GOOD, ASKED, "table.csv:4: item 'a' occurs twice"),
    "no label": (HEAD + "a,,,1,.2,.8\n", ASKED, "no row has a human label"),
    "ragged row": (HEAD + GOOD + "c,1\n", ASKED, "table.csv:4: "),
    "empty": ("", ASKED, "empty"),
    "header only": (HEAD, ASKED, "row"),
    "one level": (HEAD + GOOD, (*TWO, "--levels", "1"), "two different levels"),
    "no such level": (HEAD + GOOD, (*TWO, "--levels", "0,1,2", "--passes", "7"), "7"),
    "no judge": (HEAD + GOOD, ("--human", "ann", "--levels", "0,1"), "--judge COLUMN"),
    "judge is human": (
        HEAD + GOOD,
        ("--human", "ann", "--judge", "ann", "--levels", "0,1"),
        "stands for the judge and for a person",
    ),
    "no human": (HEAD + GOOD, ("--judge", "judge", "--levels", "0,1"), "--human"),
    "blank human": (HEAD + GOOD, ("--human", "", *ASKED[2:]), "no column of human labels"),
    "where": (HEAD + GOOD, (*ASKED, "--where", "nothing"), "COLUMN=VALUE"),
    "level map": (HEAD + GOOD, (*ASKED, "--level-map", "x"), "--level-map"),
    "no probability": (
        HEAD + GOOD + "c,1,1,1,.5,1.5\n",
        (*ASKED, "--probability", "p0,p1"),
        'table.csv:4: p1 "1.5" is no probability',
    ),
    "too much of it": (
        HEAD + GOOD + "c,1,1,1,.9,.9\n",
        (*ASKED, "--probability", "p0,p1"),
        "table.csv:4: the probabilities of the levels add up to 1.8",
    ),
    "too many columns": (
        HEAD + GOOD,
        (*ASKED, "--probability", "p0,p1,id"),
        "3 columns of probabilities, and the scale has 2 levels",
    ),
    "no pass line": (
        HEAD + GOOD,
        (*TWO, "--levels", "0,1,2", "--probability", "p1"),
        "no pass line",
    ),
    "levels out of order": (
        HEAD + GOOD,
        (*TWO, "--levels", "1,0", "--probability", "p1,p0"),
        "lowest first",
    ),
    "probability misspelt": (
        HEAD + GOOD,
        (*ASKED, "--probability", "p0,p11"),
        "Did you mean 'p1'?",
    ),
}


def refused(house: House, *arguments: str) -> Result:
    """The result of a command that must be refused: nothing on stdout, one message, no traceback.

    The same as JSON is one error document.
    """
    before = house.files()
    result, as_json = house.run(*arguments), house.run(*arguments, "--json")

    assert (result.code, result.out) == (2, "")
    assert result.err.count("\n") <= 4
    assert "bug in judgekit" not in result.err
    assert (as_json.code, as_json.err) == (2, "")
    assert as_json.json["format"] == "judgekit.error/1"
    assert house.files() == before
    return result


@pytest.mark.parametrize("case", BAD, ids=str)
def test_bad_input(house: House, case: str) -> None:
    """Exit 2 with one message that names the place and the way out; nothing is written."""
    text, asked, word = BAD[case]
    house.write("table.csv", text)

    assert word in refused(house, "agreement", "table.csv", *asked).err


def test_not_a_table(house: House) -> None:
    """A folder, a picture, and nothing at all."""
    (house.root / "folder.csv").mkdir()
    (house.root / "picture.csv").write_bytes(bytes(range(256)) * 8)
    house.write("table.csv", HEAD + GOOD)

    assert "directory" in refused(house, "agreement", "folder.csv", *ASKED).err
    assert "picture.csv" in refused(house, "agreement", "picture.csv", *ASKED).err
    assert "table.csv" in refused(house, "agreement", "tabel.csv", *ASKED).err


# --- Real data -----------------------------------------------------------------------------------


def recorded(name: str) -> list[dict[str, Any]]:
    """The recorded judgments of a data set, or a skip where it is absent."""
    folder = DATA / name
    if not folder.is_dir():
        pytest.skip(f"the data set {name} is not beside this checkout (../shared/data)")
    text = (folder / "judgments.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def labels(name: str) -> list[dict[str, str]]:
    """Its labels."""
    with (DATA / name / "labels.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_llm_rubric(house: House) -> None:
    """Criterion Q0 out of nine in one table: the published rows of expected levels."""
    said = {r["item_id"]: r["probs"] for r in recorded("llm_rubric_real") if "probs" in r}
    rows = [
        {
            "id": r["item_id"],
            "criterion": r["item_id"].split("|")[1],
            "human": r["label"],
            **{f"p{i}": p for i, p in enumerate(said[r["item_id"]], start=1)},
        }
        for r in labels("llm_rubric_real")
    ]
    write(house, rows)
    found = document(
        house.run(
            *("agreement", "table.csv", "--human", "human", "--levels", "1,2,3,4", "--json"),
            *("--where", "criterion=Q0", "--probability", "p1,p2,p3,p4"),
        )
    )
    meta = json.loads((DATA / "llm_rubric_real" / "meta.json").read_text(encoding="utf-8"))
    wanted = meta["published"]["values"]["Q0"]["expected"]
    figures = found["probabilities"]["expected_level"]

    assert found["probabilities"]["items"] == 223
    assert figures["root_mean_squared_error"]["value"] == pytest.approx(wanted["rmse"], abs=1.5e-6)
    assert figures["kendall_tau_b"]["value"] == pytest.approx(wanted["kendall"], abs=1.5e-6)
    assert figures["mean_level"]["value"] == pytest.approx(wanted["mean"], abs=1.5e-6)
    for name in ("pearson", "spearman"):
        assert figures[name]["value"] == pytest.approx(wanted[name], abs=1.5e-6)


def test_pandalm(house: House) -> None:
    """A wide table of three raters: their published kappas, and the judge's with all of them."""
    verdicts = {r["item_id"]: r["score"] for r in recorded("pandalm") if r["judge"] == "pandalm-7b"}
    people: dict[str, dict[str, str]] = {}
    for r in labels("pandalm"):
        people.setdefault(r["item_id"], {})[r["annotator"]] = r["label"]
    write(house, [{"id": i, "judge": v, **people[i]} for i, v in verdicts.items()])
    asked = ("agreement", "table.csv", "--levels", "1,2,0", "--kind", "pairwise", "--json")
    three = [f"annotator{i}" for i in (1, 2, 3)]
    found = document(house.run(*asked, "--judge", "judge", "--human", ",".join(three)))

    assert (found["agreement"]["n"], found["agreement"]["pairs"]) == (999, 2997)
    for (one, other), kappa in zip([(0, 1), (0, 2), (1, 2)], (0.852, 0.879, 0.862), strict=True):
        pair = document(house.run(*asked, "--judge", three[one], "--human", three[other]))
        assert round(pair["agreement"]["value"], 3) == kappa
