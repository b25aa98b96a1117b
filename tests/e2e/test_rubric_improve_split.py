"""Improving never sees the test: no request, no file and no figure holds anything of it."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from judgekit.labels.split import part_of_case
from tests.e2e.house import House, Result, spread
from tests.e2e.improving import (
    FULL,
    GOOD,
    LEVELS,
    WORTHLESS,
    Script,
    edit,
    improve,
    needs_gepa,
    project,
    proposal,
    sent,
    serve,
)

pytestmark = needs_gepa
POISON = "XYZZY-of-the-test"


def rows_of(house: House, name: str = "labels.csv") -> list[dict[str, str]]:
    """Read the labels."""
    with (house.root / name).open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def write(house: House, rows: list[dict[str, str]]) -> None:
    """Write the labels."""
    with (house.root / "labels.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)


def poisoned(house: House, test: set[str]) -> None:
    """Put the marker into every text that these items have."""
    rows = rows_of(house)
    for row in rows:
        if row["item_id"] in test:
            row["input"] += f" {POISON}"
            row["output"] += f" {POISON}"
            row["note"] = POISON
        else:
            row["note"] = "fine"
    write(house, rows)


def everything(house: House, *results: Result) -> bytes:
    """All that was sent, printed or written anywhere, but the labels themselves."""
    files = [p for p in house.root.rglob("*") if p.is_file() and p.name != "labels.csv"]
    said = "".join(result.out + result.err for result in results)
    return b"".join([sent(house).encode(), said.encode(), *map(Path.read_bytes, files)])


SCRIPT = (WORTHLESS, GOOD, proposal(edit("anchor", "It states a fact.", "cold", "item-001")))


def test_a_split_column(house: House) -> None:
    """With a column, the test is what it says: nothing of it goes anywhere."""
    with serve(house, Script(*SCRIPT)):
        project(house)
        poisoned(house, {f"item-{i:03}" for i in range(80, 100)})
        shown = improve(house)
        told = improve(house, "--json", "--rounds", "6")
        found = everything(house, shown, told)

    assert (shown.code, told.code) == (0, 0), told.out
    assert POISON.encode() in (house.root / "labels.csv").read_bytes()
    assert POISON.encode() not in found
    assert b"reply 79 is" in found
    assert not [i for i in range(80, 100) if f"item-{i:03}".encode() in found]


def test_without_a_split_column(house: House) -> None:
    """By the hash, and by what `judgekit split` would write: what either calls test is test."""
    with serve(house, Script(*SCRIPT)):
        project(house, None)
        assert house.run("split", "labels.csv", "--out", "dealt.csv").code == 0
        dealt = {row["item_id"]: row["split"] for row in rows_of(house, "dealt.csv")}
        (house.root / "dealt.csv").unlink()
        test = {i for i, part in dealt.items() if "test" in (part, part_of_case(i))}
        poisoned(house, test)
        result = improve(house, "--json")
        found = everything(house, result)
        said = sent(house)

    assert result.code in (0, 1), result.out
    assert POISON.encode() not in found
    left = result.json["split"]
    by_name = [i for i in test if part_of_case(i) == "test"]  # what `--split test` will measure
    assert (left["told"], left["left_alone"]) == ("hash", len(test))
    assert left["test"] == left["test_cases"] == len(by_name) < len(test)
    assert result.json["dev"]["items"] + result.json["train"]["items"] == 100 - len(test)
    assert len(test) < 50
    learnt = {i for one in result.json["rounds"] for i in one["items"]}
    assert learnt
    assert {(dealt[i], part_of_case(i)) for i in learnt} == {("train", "train")}
    assert all(f"reply {int(i.removeprefix('item-'))} is" in said for i in set(dealt) - test)


def test_items_in_a_file_of_their_own(house: House) -> None:
    """Their text is asked for by train and dev only; items nobody labelled are left alone, too."""
    with serve(house, Script(*SCRIPT)):
        project(house, ["train"] * 20 + ["dev"] * 40 + ["test"] * 40)
        rows = rows_of(house)
        items = [
            {"id": row["item_id"], "input": row["input"], "output": row["output"]} for row in rows
        ]
        for item in items[60:]:
            item["output"] += f" {POISON}"
        items.append({"id": "free", "input": "?", "output": f"reply 0 is {POISON}"})
        house.write("items.jsonl", "".join(json.dumps(item) + "\n" for item in items))
        write(house, [{k: r[k] for k in ("item_id", "rater", "level", "split")} for r in rows])
        result = improve(house, "--items", "items.jsonl", "--json")

    assert result.code == 0, result.out
    assert POISON not in sent(house) + result.out + result.err
    assert "--items items.jsonl" in result.json["next"][-1]


def test_labels_of_the_test_change_nothing(house: House) -> None:
    """Whatever people said of the test, and whoever: every figure and every request is the same."""
    with serve(house, Script(*SCRIPT)) as server:
        project(house)
        first = improve(house, "--json")
        asked = server.stats.requests
        rows = rows_of(house)
        for row in rows[80:]:
            row["level"], row["rater"] = "rude", "somebody else"
        write(house, rows)
        second = improve(house, "--json", "--out", "other.jinja")
        assert server.stats.requests == asked

    same = {k: v for k, v in first.json.items() if k not in ("file", "diff", "calls", "next")}
    assert {name: second.json[name] for name in same} == same


def test_other_parts_are_left_alone(house: House) -> None:
    """A part of another name, and rows without one, are no train and no dev."""
    with serve(house, Script(GOOD)):
        project(house, [*["train"] * 20, *["dev"] * 40, *["holdout"] * 20, *[""] * 20])
        result = improve(house, "--rounds", "1", "--json")

    assert result.json["split"]["left_alone"] == 40
    assert not [i for i in range(60, 100) if f"reply {i} is" in sent(house)]


@pytest.mark.parametrize("unread", [False, True])
def test_the_figures(house: House, unread: bool) -> None:  # noqa: FBT001
    """Both kappas and the paired jackknife of their difference, worked out anew from the answers.

    An answer that cannot be read counts as one more level that agrees with nothing.
    """
    script = Script(GOOD)

    def reply(request: dict[str, Any]) -> str:
        system, user = (message["content"] for message in request["messages"])
        lost = unread and re.search(r"reply (30|41) is", user)
        mine = not system.startswith("You improve")
        return "It depends." if lost and mine else script(request)

    with serve(house, reply):
        project(house)
        told = improve(house, "--rounds", "1", "--json").json

    human = np.array([i % 4 for i in range(20, 80)])
    old, new = np.where(human == 1, 2, human), human.copy()
    if unread:
        old[[10, 21]] = new[[10, 21]] = 4
    weight = np.pad(1 - (np.subtract.outer(range(4), range(4)) / 3) ** 2, (0, 1))

    def kappa(judge: np.ndarray, keep: np.ndarray) -> float:
        if not unread:
            labels = list(range(4))
            return cohen_kappa_score(human[keep], judge[keep], weights="quadratic", labels=labels)
        table = np.zeros((5, 5))
        np.add.at(table, (human[keep], judge[keep]), 1 / keep.sum())
        chance = table.sum(axis=1) @ weight @ table.sum(axis=0)
        return ((table * weight).sum() - chance) / (1 - chance)

    def difference(keep: np.ndarray) -> float:
        return kappa(new, keep) - kappa(old, keep)

    everyone = np.ones(60, dtype=bool)
    left = np.array([difference(np.arange(60) != i) for i in range(60)])
    shares = [np.bincount(x, minlength=5) / 60 for x in (human, new)]
    unseen = 1 / (1 - shares[0] @ shares[1]) / 60
    spread_ = 59 / 60 * ((left - left.mean()) ** 2).sum() + unseen**2
    reach = 2.0009953780882677 * np.sqrt(spread_)  # Student's t, 59 degrees of freedom
    found = told["difference"]
    assert told["before"]["value"] == pytest.approx(kappa(old, everyone))
    assert told["after"]["value"] == pytest.approx(kappa(new, everyone))
    assert (found["low"], found["value"], found["high"]) == pytest.approx(
        (difference(everyone) - reach, difference(everyone), difference(everyone) + reach)
    )
    assert told["dev"]["unjudged"] == ({"unreadable": 2} if unread else {})


def test_several_raters(house: House) -> None:
    """Each rater's word counts; an item on which they differ is no worked example."""
    taken = proposal(edit("anchor", "It states a fact.", "cold", "item-001"))
    with serve(house, Script(taken, GOOD)):
        house.judge(model="openai/gpt-4.1-mini")
        house.labels(spread(LEVELS, 100), split=FULL)
        rows = rows_of(house)
        again = [{**row, "rater": "bob"} for row in rows]
        again[1]["level"] = "polite"
        write(house, [*rows, *again])
        result = improve(house, "--rounds", "2", "--json")

    assert result.code == 0, result.out
    assert "'item-001' as an example, which is none" in result.json["rounds"][0]["thrown_away"]
    assert (result.json["before"]["n"], result.json["before"]["pairs"]) == (60, 120)
