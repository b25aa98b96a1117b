"""Input that cannot be used: exit 2, one clear message with file and line, nothing written."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.house import RUBRIC, House, spread

LEVELS = ["rude", "cold", "polite", "friendly"]
HEAD = "item_id,input,output,rater,level\n"
ROW = "i1,q,a is rude,ann,rude\n"

CASES = {
    "off-scale": (HEAD + ROW + "i2,q,b,ann,frendly\n", ":3", 'Did you mean "friendly"?'),
    "duplicate": (HEAD + ROW + ROW, ":3", "twice"),
    "misspelt column": (HEAD.replace("item_id", "itme_id") + ROW, ":1", "item_id"),
    "model labels": (
        HEAD.replace("\n", ",source\n") + "i1,q,a,ann,rude,model\n",
        ":2",
        "never calibrate",
    ),
    "ragged row": (HEAD + ROW + "i2,q\n", ":3", "cells"),
    "empty": ("", "", "empty"),
    "header only": (HEAD, "", "row"),
    "no text": (HEAD.replace("output", "outptu") + ROW, ":1", "output"),
}


@pytest.mark.parametrize("case", CASES, ids=str)
def test_bad_labels(house: House, case: str) -> None:
    """Each kind of bad label file is refused before anything is asked."""
    text, line, word = CASES[case]
    house.judge(api_base="http://127.0.0.1:9/v1")
    house.write("labels.csv", text)
    _refused(house, f"labels.csv{line}", word)


def _refused(house: House, where: str, word: str) -> None:
    before = house.files()
    result = house.run("calibrate", "tone")
    as_json = house.run("calibrate", "tone", "--json")

    assert result.code == 2, result.out + result.err
    assert result.out == ""
    assert where in result.err
    assert word in result.err
    assert as_json.code == 2
    assert as_json.json["format"] == "judgekit.error/1"
    assert set(as_json.json) >= {"format", "kind", "message", "file", "line", "hint"}
    assert house.files() == before
    assert not (house.root / ".judgekit").exists()


def test_a_directory(house: House) -> None:
    """A folder in place of the labels."""
    house.judge(api_base="http://127.0.0.1:9/v1")
    (house.root / "labels.csv").mkdir()

    _refused(house, "labels.csv", "directory")


def test_a_binary_file(house: House) -> None:
    """A picture in place of the labels."""
    house.judge(api_base="http://127.0.0.1:9/v1")
    (house.root / "labels.csv").write_bytes(bytes(range(256)) * 8)

    _refused(house, "labels.csv", "")


def test_a_missing_file(house: House) -> None:
    """A file that is not there; the nearest name is offered."""
    house.judge(api_base="http://127.0.0.1:9/v1")
    house.write("label.csv", HEAD + ROW)

    _refused(house, "labels.csv", "label.csv")


def test_good_files_in_odd_dress(house: House) -> None:
    """A byte order mark, quoted newlines, line separators in text and level names in any case."""
    house.judge(model="local/none")
    rows = [f'"i{i}","q\n{i}","a\u2028b {i}",ann,{LEVELS[i % 4].upper()}\n' for i in range(40)]
    path = house.root / "labels.csv"
    path.write_bytes(b"\xef\xbb\xbf" + (HEAD + "".join(rows)).encode())
    judged = "".join(f'{{"item_id": "i{i}", "level": "{LEVELS[i % 4]}"}}\n' for i in range(40))
    house.write("judged.jsonl", judged)
    result = house.run("calibrate", "tone", "--judgments", "judged.jsonl", "--json")

    assert result.code == 0
    assert result.json["criteria"][0]["agreement"]["value"] == 1.0


def test_five_mistakes_in_a_rubric(house: House) -> None:
    """All five are reported at once, each with its line."""
    text = (
        RUBRIC.replace("version: 1", "version: one")
        .replace("scale: ordinal", "scale: ordinl")
        .replace("    question:", "    qestion:")
        .replace("        definition: The reply greets or thanks the customer.\n", "")
        .replace("            reason: It", "            wrong: It")
    )
    house.judge(text)
    house.labels(spread(LEVELS, 40))
    result = house.run("calibrate", "tone")

    assert result.code == 2
    lines = text.split("\n")
    for word in ("version: one", "scale: ordinl", "qestion", "- value: 3", "wrong: It"):
        number = next(i for i, line in enumerate(lines, start=1) if word in line)
        assert f"tone.jinja:{number}:" in result.err
    assert house.run("lint").code == 1


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["calibrate"], "JUDGE"),
        (["calibrate", "tnoe"], "tone"),
        (["calibrat", "tone"], "calibrat"),
        (["calibrate", "tone", "--lables", "x"], "lables"),
        (["calibrate", "tone", "--level-map", "x"], "--level-map"),
        (["calibrate", "tone", "--criterion", "toen"], "tone"),
        (["score", "nothing.jinja", "x", "--model", "m"], "nothing.jinja"),
        (["score"], "JUDGE"),
        (["certificate", "show", "abc"], "abc"),
    ],
)
def test_bad_usage(house: House, arguments: list[str], word: str) -> None:
    """Wrong words on the command line: exit 2, the word is named, no traceback."""
    house.judge()
    house.labels(spread(LEVELS, 40))
    before = house.files()
    result = house.run(*arguments)

    assert result.code == 2
    assert word in result.err
    assert house.files() == before


@pytest.mark.parametrize(
    ("text", "line", "word"),
    [
        ("[judges.tone\n", 1, "TOML"),
        ('[judges.tone]\nrubric = "r"\nmodle = "m"\n', 3, "model"),
        ('[judges.tone]\nrubric = "r"\ntemperature = "hot"\n', 3, "temperature"),
        ("[policy]\nmin_agreement = 7\n", 2, "min_agreement"),
        ('[judges.tone]\nmodel = "m"\n', 1, "rubric"),
    ],
)
def test_bad_configuration(house: House, text: str, line: int, word: str) -> None:
    """A judgekit.toml that cannot be used names its line."""
    house.write("judgekit.toml", text)
    result = house.run("status")

    assert result.code == 2
    assert f"judgekit.toml:{line}" in result.err
    assert word in result.err


def test_nothing_is_half_written(served: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """An output that cannot be written leaves nothing behind."""
    served.run("calibrate", "tone")
    served.items(spread(LEVELS, 12))
    (served.root / "out").write_text("a file, not a folder")
    result = served.run("score", "tone", "items.jsonl", "--out", "out/rows.jsonl")

    assert result.code == 2
    assert "out" in result.err
    assert Path(served.root / "out").read_text() == "a file, not a folder"
