"""Commands that are advised read the files as the command before them did: they work as printed."""

from __future__ import annotations

import csv
import json
import re
import shlex

import pytest

from tests.e2e.house import RUBRIC, House, Result, spread

LEVELS = ["rude", "cold", "polite", "friendly"]
WIDE = ("--rater-columns", "ann of us,ben", "--item-column", "key", "--where", "lang=en")
MAPPED = (*WIDE, "--level-map", "kind=friendly")


def wide(house: House, said: dict[str, str] | None = None, n: int = 80) -> None:
    """Write two raters' levels and the items' text, each in a file with columns of its own."""
    levels = spread(LEVELS, n)
    with (house.root / "two raters.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["key", "ann of us", "ben"])
        for i, level in enumerate(levels):
            told = (said or {}).get(level, level).replace("friendly", "kind")
            writer.writerow([f"item-{i}", told, told])
    rows = [
        {"key": f"item-{i}", "input": f"question {i}", "output": f"reply {i} is {level}"}
        | {"lang": "en"}
        for i, level in enumerate(levels)
    ]
    house.write("texts.jsonl", "".join(json.dumps(row) + "\n" for row in rows))


def commands(result: Result, verb: str) -> list[list[str]]:
    """Return the words of every command of that name that is advised."""
    whole = re.sub(r" \\\n\s*", " ", result.out + result.err)
    return [shlex.split(found) for found in re.findall(rf"judgekit ({verb} .*)", whole)]


def again(house: House, command: list[str], **instead: str) -> Result:
    """Run an advised command as it stands, but for what only the user knows."""
    return house.run(*(instead.get(word, word) for word in command))


@pytest.fixture
def bare(served: House) -> House:
    """Return a project whose judge names no labels."""
    text = (served.root / "judgekit.toml").read_text()
    served.write("judgekit.toml", text.replace('labels = "labels.csv"\n', ""))
    return served


def test_after_a_judge_that_failed(bare: House) -> None:
    """Another model is tried on the same labels, read the same way."""
    wide(bare, {"rude": "kind", "friendly": "rude", "cold": "polite", "polite": "cold"})
    options = (*MAPPED, "--items", "texts.jsonl", "--sampling", "random")
    measured = bare.run("calibrate", "tone", "--labels", "two raters.csv", *options)

    assert measured.code == 1, measured.err
    (command,) = commands(measured, "calibrate")
    assert again(bare, command, MODEL="openai/other").code == 1
    assert command[4:6] == ["--labels", "two raters.csv"]
    asked = dict(zip(command[6::2], command[7::2], strict=True))
    assert asked == dict(zip(options[::2], options[1::2], strict=True))


def test_after_a_judge_that_passed(bare: House) -> None:
    """New items are read by the same columns; levels and people are not in them."""
    wide(bare)
    options = (*MAPPED, "--items", "texts.jsonl")
    measured = bare.run("calibrate", "tone", "--labels", "two raters.csv", *options)

    assert measured.code == 0, measured.out + measured.err
    (command,) = commands(measured, "score")
    assert command[2:5] == ["ITEMS", "--item-column", "key"]
    assert again(bare, command, ITEMS="texts.jsonl").code == 0


def test_one_criterion_of_several_is_scored_alone(served: House) -> None:
    """The others have no certificate."""
    (head, criterion) = RUBRIC.removesuffix("---\n").split("criteria:\n")
    other = criterion.replace("criterion: tone", "criterion: manner")
    served.judge(f"{head}criteria:\n{criterion}{other}---\n")

    measured = served.run("calibrate", "tone", "--criterion", "tone")

    served.items(["friendly"] * 3)
    (command,) = commands(measured, "score")
    assert again(served, command, ITEMS="items.jsonl").code == 0


def test_a_refusal_reads_the_labels_as_the_certificate_did(bare: House) -> None:
    """Of a model that changed, by `score` and by `status`: the command measures it anew."""
    wide(bare)
    options = (*MAPPED, "--items", "texts.jsonl", "--sampling", "random")
    assert bare.run("calibrate", "tone", "--labels", "two raters.csv", *options).code == 0
    text = (bare.root / "judgekit.toml").read_text()
    bare.write("judgekit.toml", text.replace("stub-2025-01-01", "stub-2025-06-06"))

    for refused in (bare.run("score", "tone", "texts.jsonl"), bare.run("status")):
        (command,) = commands(refused, "calibrate")
        assert "random" in command
        done = again(bare, command)
        assert done.code in (0, 1), done.err
        assert "kappa 1.00" in done.out
        for path in bare.root.glob("certificates/*.json"):
            if "stub-2025-06-06" in path.read_text():
                path.unlink()


def test_items_of_the_project_are_named_with_its_labels(served: House) -> None:
    """Named labels are read without the project's items: the command has to name both."""
    served.labels(spread(LEVELS, 40), name="texts.csv")
    text = (served.root / "texts.csv").read_text()
    served.write("labels.csv", re.sub(r"(?m)^([^,]+),.*?,ann,", r"\1,ann,", text))
    served.write(
        "labels.csv",
        "item_id,rater,level\n" + (served.root / "labels.csv").read_text().partition("\n")[2],
    )
    with (served.root / "judgekit.toml").open("a") as file:
        file.write('items = "texts.csv"\n')

    refused = served.run("status")

    (command,) = commands(refused, "calibrate")
    assert command == ["calibrate", "tone", "--labels", "labels.csv", "--items", "texts.csv"]
    assert again(served, command).code == 0


def test_recorded_judgments_are_named_again(bare: House) -> None:
    """The judge that wrote them, and how they are read."""
    levels = spread(LEVELS, 60)
    rows = [{"key": f"item-{i:03}", "judge": "j1", "verdict": v} for i, v in enumerate(levels)]
    rows += [row | {"judge": "j2"} for row in rows]
    bare.write("said.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    options = ("--judge-id", "j1", "--level-column", "verdict", "--item-column", "key")
    recorded = ("--judgments", "said.jsonl", *options)
    measured = bare.run("calibrate", "tone", "--labels", "labels.csv", *recorded)

    assert measured.code == 0, measured.err
    (command,) = commands(measured, "score")
    assert again(bare, command, FILE="said.jsonl").code == 0
    options = tuple("j2" if word == "j1" else word for word in recorded)
    refused = bare.run("score", "tone", *options, "--labels", "labels.csv")
    (command,) = commands(refused, "calibrate")
    assert command[:6] == ["calibrate", "tone", "--judge-id", "j2", "--judgments", "FILE"]


def test_a_split_file_is_read_as_it_was(served: House) -> None:
    """Raters in columns, and the text in a file of its own."""
    wide(served)
    made = served.run(
        *("split", "two raters.csv", "--out", "split raters.csv", "--items", "texts.jsonl"),
        *WIDE[:4],
    )

    (command,) = commands(made, "calibrate")
    assert made.code == 0, made.err
    done = again(served, [*command, "--level-map", "kind=friendly"], JUDGE="tone")
    assert "kappa 1.00" in done.out, done.err


def test_a_changed_rubric_is_compared_with_the_certified_one(served: House) -> None:
    """As it is called in the certificate; the comparison says how to go on."""
    assert served.run("calibrate", "tone").code == 0
    text = RUBRIC.replace("says nothing kind", "has no kind word").replace(
        "version: 1", "version: 2"
    )
    served.write("rubrics/tone.jinja", text)

    for refused in (served.run("score", "tone", "labels.csv"), served.run("status")):
        (command,) = commands(refused, "rubric diff")
        assert command[3:] == ["rubrics/tone.jinja"]
        compared = again(served, command)
        assert compared.code == 1
        assert "tone, level 2" in compared.out
        (measure,) = commands(compared, "calibrate")
        assert measure == ["calibrate", "tone", "--labels", "labels.csv"]
    assert again(served, measure).code == 0
