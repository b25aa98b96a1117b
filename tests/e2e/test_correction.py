"""Corrected scores through the command line and the library, with a judge that errs."""

from __future__ import annotations

import json
import re

import pytest

import judgekit as jk
from tests.e2e.house import BINARY, House


def erring(request: dict) -> str:
    """Say what stands in the item, but pass every eleventh of the unsupported answers."""
    text = request["messages"][-1]["content"]
    number, level = re.search(r"(?:reply|answer) (\d+) is (\w+)", text).groups()
    if level == "unsupported" and int(number) % 11 == 0:
        level = "supported"
    return json.dumps({"reason": "as it says", "level": level})


def answer(i: int, level: str, kind: str = "answer") -> str:
    """Return the text of an item, of a length that says nothing of its level."""
    return f"{kind} {i} is {level}".ljust(30 + 7 * i % 23, ".")


def item(i: int, level: str) -> dict:
    """Return a new item."""
    return {"id": f"new-{i:03}", "input": f"question {i}", "output": answer(i, level)}


def labelled(i: int) -> dict:
    """Return a labelled item: every second is supported."""
    output = answer(i, ("supported", "unsupported")[i % 2], "reply")
    return {"id": f"item-{i:03}", "input": f"question {i}", "output": output}


def write(house: House, name: str, rows: list[dict]) -> None:
    """Write rows as JSONL."""
    house.write(name, "".join(json.dumps(row) + "\n" for row in rows))


@pytest.fixture
def house(served: House) -> House:
    """Return a project with 120 labelled items, half of them supported."""
    served.judge(BINARY, name="grounded")
    lines = [
        f"{row['id']},{row['input']},{row['output']},ann,{('supported', 'unsupported')[i % 2]}"
        for i, row in ((i, labelled(i)) for i in range(120))
    ]
    served.write("labels.csv", "\n".join(["item_id,input,output,rater,level", *lines]))
    served.server._model._reply = erring
    return served


def scored(house: House, *arguments: str, sampling: str | None = "random", of_ten: int = 5) -> dict:
    """Calibrate as told, score 250 items, so many of ten supported; return the criterion."""
    stated = () if sampling is None else ("--sampling", sampling)
    result = house.run("calibrate", "grounded", *stated)
    assert result.code == 0, result.out + result.err
    levels = [("supported", "unsupported")[i * 3 % 10 >= of_ten] for i in range(250)]
    write(house, "items.jsonl", [item(i, level) for i, level in enumerate(levels)])
    result = house.run("score", "grounded", "items.jsonl", "--json", *arguments)
    assert result.code == 0, result.out + result.err
    return result.json["criteria"][0]


def test_the_corrected_figure(house: House) -> None:
    """Nearer to the truth of .5 than what the judge says, with the interval around it."""
    criterion = scored(house, "--population", "same")
    corrected, uncorrected = criterion["corrected"], criterion["uncorrected"]

    assert criterion["why"] is None
    assert uncorrected["value"] > 0.53
    assert abs(corrected["value"] - 0.5) < 0.02
    assert corrected["low"] < 0.5 < corrected["high"]
    assert corrected.keys() >= {
        *("value", "low", "high", "confidence", "n", "pairs", "method", "metric"),
        *("n_labels", "effective_labels", "human_only", "assumption", "population", "sampling"),
    }
    assert corrected["human_only"]["value"] == pytest.approx(0.5)
    assert "undefined" not in corrected["human_only"]
    assert corrected["n_labels"] == 120
    assert corrected["effective_labels"] > 150


def test_a_shifted_population(house: House) -> None:
    """Rogan-Gladen, with the mix of the scored items only."""
    criterion = scored(house, "--population", "shifted", of_ten=8)

    assert criterion["corrected"]["method"] == "pass_rate/rogan_gladen"
    assert abs(criterion["corrected"]["value"] - 0.8) < 0.02
    assert criterion["corrected"]["human_only"] is None


@pytest.mark.parametrize(
    ("sampling", "arguments", "told"),
    [
        (None, ("--population", "same"), "--sampling random"),
        ("random", (), "--population same"),
    ],
)
def test_what_is_not_stated_is_asked(
    house: House, sampling: str | None, arguments: tuple[str, ...], told: str
) -> None:
    """Null, and which option to give."""
    criterion = scored(house, *arguments, sampling=sampling)

    assert criterion["corrected"] is None
    assert told in criterion["why"]


def test_text(house: House) -> None:
    """The corrected figure stands first."""
    scored(house)
    lines = house.run("score", "grounded", "items.jsonl", "--population", "same").out.split("\n")

    assert re.match(r"grounded: \d\d\.\d% pass, 95% interval \d\d\.\d to \d\d\.\d \(corr", lines[0])
    assert lines[1] == "  population)."
    assert re.match(r"  uncorrected +5\d\.\d% pass  \(what the judge alone would say\)", lines[2])
    assert re.match(r"  labels alone +50\.0% pass", lines[3])


def test_labelled_items_among_the_scored(house: House) -> None:
    """Of equal id and text they count once; another text under a known id is another item."""
    scored(house)
    items = [item(i, "supported") for i in range(60)]
    same = [labelled(i) for i in range(20)]
    other = [{**row, "output": row["output"] + "."} for row in same]
    found = []
    for rows in (items, items + same, items + other):
        write(house, "mixed.jsonl", rows)
        result = house.run("score", "grounded", "mixed.jsonl", "--population", "same", "--json")
        found.append(result.json["criteria"][0]["corrected"]["n"])

    assert found == [180, 180, 200]


def test_the_library(house: House) -> None:
    """The same from code; an admitted judge carries the rows its certificate rests on."""
    scored(house)
    setup = jk.load_judge("grounded", project=house.root)
    certified = jk.admit_judge(setup)
    scoring = jk.score_items(setup, house.root / "items.jsonl", population="same")

    assert len(certified.evidence["grounded"]) == 120
    assert scoring.scores.criteria[0].corrected is not None
    assert scoring.notes == ()
    with pytest.raises(jk.InputError, match="alike"):
        jk.score_items(setup, house.root / "items.jsonl", population="alike")


def test_there_is_no_other_population(house: House) -> None:
    """Bad usage."""
    assert house.run("score", "grounded", "items.jsonl", "--population", "alike").code == 2


def test_recorded_judgments_of_other_items_are_told(house: House) -> None:
    """Rows about items that are not among the items given are counted and named."""
    rows = [
        {"item_id": f"item-{i:03}", "level": ("supported", "unsupported")[i % 2]}
        for i in range(120)
    ]
    write(house, "recorded.jsonl", rows)
    result = house.run("calibrate", "grounded", "--judgments", "recorded.jsonl")
    assert result.code == 0, result.out + result.err
    more = [*rows[:40], {"item_id": "strange-1", "level": "supported"}]
    more += [{"item_id": "strange-2", "level": "supported"}]
    house.write("scored.jsonl", "".join(json.dumps(row) + "\n" for row in more))
    house.write("some.jsonl", "".join(json.dumps({"id": f"item-{i:03}"}) + "\n" for i in range(40)))
    arguments = ("score", "grounded", "some.jsonl", "--judgments", "scored.jsonl")
    told, document = house.run(*arguments), house.run(*arguments, "--json")

    note = "2 recorded judgments not scored: no item given has the id 'strange-1', 'strange-2'"
    assert told.code == document.code == 0, told.err
    assert f"note: {note}" in told.err
    assert document.json["notes"] == [note]
    assert document.json["criteria"][0]["tally"]["items"] == 40
    without = house.run("score", "grounded", "--judgments", "scored.jsonl", "--json")
    assert without.json["notes"] == []
    assert without.json["criteria"][0]["tally"]["items"] == 42
