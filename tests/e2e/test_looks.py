"""Which items are measured, and how often: splits, examples of the rubric, and looks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from judgekit.labels.split import part_of_case
from tests.e2e.house import BINARY, RUBRIC, House, spread
from tests.e2e.record import (
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
HASH = {i: part_of_case(item_id(i)) for i in range(300)}
"""The part of each item by the hash of its name."""


def written(house: House, n: int = 200, *, right: float = 0.93, **columns: list) -> list[str]:
    """Write n labelled items and a judge that is right as often as said; return its answers."""
    project(house, RUBRIC)
    [judge] = guessing(FOUR, (right,), n)
    record(house, {"ann": spread(list(FOUR), n)}, judge, **columns)
    return judge


def measured(house: House, certificate: str) -> set[str]:
    """Return the items a certificate rests on, from its evidence."""
    record = json.loads((house.root / certificate).read_text())["evidence_file"]["path"]
    lines = (house.root / "certificates" / record).read_text().splitlines()
    rows = [json.loads(line) for line in lines]
    return {row["item"] for row in rows if "human" in row}


# --- Splits --------------------------------------------------------------------------------------


def test_a_split_column_measures_the_test(house: House) -> None:
    """The items of other parts are set aside, and which part it was is told and kept."""
    part = [("train", "dev", "test", "test")[i // 4 % 4] for i in range(200)]
    written(house, split=part)
    criterion = found(house)
    test = {item_id(i) for i, name in enumerate(part) if name == "test"}

    assert criterion["tally"]["set_aside"] == {"other_split": 200 - len(test)}
    assert criterion["agreement"]["n"] == len(test)
    assert criterion["split"] == "test"
    assert measured(house, criterion["certificate"]) == test
    assert "split 'test'; 200 items: 96 judged, 104 set aside (other split)" in shown(house)
    dev = found(house, "--split", "dev")
    assert (dev["split"], dev["agreement"]["n"]) == ("dev", part.count("dev"))


@pytest.mark.parametrize("name", ["holdout", "tset"])
def test_a_split_nobody_is_in(house: House, name: str) -> None:
    """It is told which there are; nothing is measured."""
    written(house, split=spread(["train", "test"], 200))
    result = calibrate(house, "--split", name)

    assert result.code == 2
    hint = "Did you mean 'test'?" if name == "tset" else "The splits are train, test"
    assert hint in result.err


def test_labels_split_without_a_test(house: House) -> None:
    """A column that names no test does not silently measure something else."""
    written(house, split=spread(["old", "new"], 200))
    result = calibrate(house)

    assert result.code == 2
    assert "no label is in split 'test'" in result.err
    assert "The splits are old, new: say which to measure on, --split NAME" in result.err
    assert found(house, "--split", "new")["agreement"]["n"] == 100


def test_without_a_column_the_hash_decides_and_says_so(house: House) -> None:
    """Items are in the part that the hash of their name tells."""
    written(house)
    result = calibrate(house, "--split", "test", "--json")
    (criterion,) = result.json["criteria"]

    assert any("split by the hash of their name" in note for note in result.json["notes"])
    assert measured(house, criterion["certificate"]) == {
        item_id(i) for i in range(200) if HASH[i] == "test"
    }
    whole = calibrate(house, "--json")
    assert whole.json["criteria"][0]["agreement"]["n"] == 200
    assert not any("hash" in note for note in whole.json["notes"])


def test_more_labels_move_nobody(house: House) -> None:
    """Every item that was in the test still is, and none that was not."""
    written(house, 200)
    before = measured(house, found(house, "--split", "test")["certificate"])
    written(house, 300)
    after = measured(house, found(house, "--split", "test")["certificate"])

    old = {item_id(i) for i in range(200)}
    assert after & old == before
    assert after > before


def test_all_items_of_a_case_are_in_one_part(house: House) -> None:
    """The hash is that of the case."""
    written(house, case=[f"c{i // 2}" for i in range(200)])
    criterion = found(house, "--split", "test")

    numbers = {int(name[1:]) for name in measured(house, criterion["certificate"])}
    assert numbers == {i ^ 1 for i in numbers}
    assert criterion["agreement"]["clusters"] == len(numbers) / 2


def test_split_writes_what_calibrate_measures(house: House) -> None:
    """Those of the test, and still those when labels are added to the written file."""
    written(house)
    house.run("split", "labels.csv", "--out", "split.csv")
    text = (house.root / "split.csv").read_text()
    test = {line.split(",")[0] for line in text.splitlines() if line.endswith(",test")}
    criterion = found(house, labels="split.csv")

    assert 60 < len(test) < 100
    assert measured(house, criterion["certificate"]) == test
    assert criterion["split"] == "test"
    assert verified(house, criterion["certificate"]).json["ok"] is True
    written(house, 300)
    more = (house.root / "labels.csv").read_text().splitlines()[201:]
    house.write("grown.csv", text + "".join(f"{line},\n" for line in more))
    house.run("split", "grown.csv", "--out", "again.csv")
    grown = measured(house, found(house, labels="again.csv")["certificate"])
    assert grown > test
    assert grown & {item_id(i) for i in range(200)} == test


# --- Worked examples -----------------------------------------------------------------------------

EXAMPLE = {
    "input": "Where is my parcel number nine?",
    "output": "Hello and thank you for asking, it arrives tomorrow, may I do more for you?",
}


def with_example(house: House, part: str | None) -> None:
    """Write 160 items of which number 3 is the rubric's worked example, in that part."""
    inputs = [f"question {i}" for i in range(160)]
    outputs = [f"reply {i} ".ljust(40 + i * 7 % 23, ".") for i in range(160)]
    inputs[3], outputs[3] = EXAMPLE["input"], EXAMPLE["output"].upper()
    columns = {"input": inputs, "output": outputs}
    if part is not None:
        split = [("train", "dev", "test", "test")[i // 4 % 4] for i in range(160)]
        columns["split"] = [*split[:3], part, *split[4:]]
    written(house, 160, **columns)


@pytest.mark.parametrize("part", ["dev", "test", ""])
def test_an_example_outside_train(house: House, part: str) -> None:
    """The rubric was written with the test in view: no certificate, and no label mends that."""
    with_example(house, part)
    criterion = found(house)
    text = shown(house)

    assert criterion["verdict"] == "inconclusive"
    assert failed(criterion) == {"leaked_anchors": "leaked_anchors"}
    assert criterion["rubric_examples"] == {"i003": "friendly"}
    assert criterion["certificate"] is None
    assert criterion["labels_needed"] is None
    assert criterion["labels_needed_why"] == "worked examples of the rubric stand outside train"
    assert f"rubric examples in labels from train only i003 ({part or 'none'}) no" in text
    assert "Next Take the worked examples from train" in text


def test_an_example_in_train(house: House) -> None:
    """That is where examples come from."""
    with_example(house, "train")
    criterion = found(house)

    assert criterion["verdict"] == "calibrated"
    assert criterion["rubric_examples"] == {"i003": "friendly"}
    assert "rubric examples in labels from train only i003 (in train) ok" in shown(house)
    assert verified(house, criterion["certificate"]).json["ok"] is True


def test_an_example_where_nothing_is_split(house: House) -> None:
    """The item is set aside: the judge was shown the answer."""
    with_example(house, None)
    criterion = found(house)

    assert criterion["verdict"] == "calibrated"
    assert criterion["tally"]["set_aside"] == {"rubric_example": 1}
    assert "i003" not in measured(house, criterion["certificate"])
    assert "rubric examples in labels none i003 (set aside) ok" in shown(house)


def test_examples_of_labels_without_text(house: House) -> None:
    """Nothing can be compared, and nothing is said to be well."""
    written(house)

    assert "rubric examples in labels none not compared: no text at hand" in shown(house)


def test_an_example_by_hash(house: House) -> None:
    """A split by hash is a split: number 3 is not in train."""
    with_example(house, None)

    assert HASH[3] != "train"
    assert failed(found(house, "--split", "test")) == {"leaked_anchors": "leaked_anchors"}


# --- Looks ---------------------------------------------------------------------------------------


def another(house: House, judge: list[str], k: int) -> None:
    """Write the same answers as those of another judge."""
    rows = [{"item_id": item_id(i), "level": level} for i, level in enumerate(judge)]
    write_judgments(house, rows, judge=f"attempt {k}")


def test_each_changed_judge_faces_a_harder_bar(house: House) -> None:
    """Look k may spend .05 / 2^k; after five there is no certificate on these labels."""
    judge = written(house)
    look, bars = 0, []
    for look in range(1, 7):
        another(house, judge, look)
        criterion = found(house)
        assert (criterion["look"], criterion["looks_revealed"]) == (look, look - 1)
        assert criterion["gate_confidence"] == pytest.approx(1 - 2 * 0.05 / 2**look)
        assert criterion["agreement"]["confidence"] == 0.95
        bars.append(next(c["observed"] for c in criterion["checks"] if c["name"] == "agreement"))
        if look < 6:
            assert criterion["verdict"] == "calibrated"
            assert verified(house, criterion["certificate"]).json["ok"] is True
    text = shown(house)

    assert bars == sorted(bars, reverse=True)
    assert len(set(bars)) == 6
    assert criterion["verdict"] == "inconclusive"
    assert failed(criterion) == {"looks": "look_budget_spent"}
    assert criterion["labels_needed"] is None
    assert "fresh labels" in criterion["labels_needed_why"]
    assert "(look 6: 99.8438% bound)" in text
    assert "6 on this label set (5 earlier looks revealed details)" in text
    another(house, judge, 2)
    assert found(house)["look"] == 2


def test_looking_again_is_no_look(house: House) -> None:
    """The same judge on the same labels keeps its place, and its certificate."""
    written(house)
    first, second = found(house), found(house)

    assert (first["look"], second["look"]) == (1, 1)
    assert first["certificate"] == second["certificate"]
    assert len(list((house.root / "certificates" / "looks").iterdir())) == 1


def test_other_items_are_another_label_set(house: House) -> None:
    """Fresh labels start anew: dev and test do not spend each other's looks."""
    judge = written(house)
    found(house, "--split", "dev")
    another(house, judge, 2)

    assert found(house, "--split", "dev")["look"] == 2
    assert found(house, "--split", "test")["look"] == 1


def test_a_look_is_spent_even_if_nothing_comes_of_it(house: House) -> None:
    """What failed was seen as well."""
    written(house, right=0.5)
    assert found(house)["verdict"] == "not_calibrated"
    judge = written(house)
    another(house, judge, 2)
    criterion = found(house)

    assert (criterion["look"], criterion["verdict"]) == (2, "calibrated")
    certificate = house.root / criterion["certificate"]
    assert json.loads(certificate.read_text())["earlier_looks"] == 1


def test_other_answers_under_the_same_name_are_a_look(house: House) -> None:
    """What is recorded as the same judge and answers otherwise was measured anew."""
    written(house, right=0.85)
    assert found(house)["look"] == 1
    written(house, right=0.93)

    assert found(house)["look"] == 2
    assert found(house)["look"] == 2


def test_found_worse_since(tmp_path: Path) -> None:
    """A judge that was certified and is measured again and found unfit gives no more scores."""
    house = House(tmp_path)
    house.write("r.jinja", BINARY)
    labels = [i % 2 for i in range(120)]
    house.labels(labels)

    def record(name: str, wrong: int) -> None:
        rows = [
            {"item_id": f"item-{i:03}", "level": v if i % wrong else 1 - v, "judge": "x"}
            for i, v in enumerate(labels)
        ]
        house.write(name, "".join(json.dumps(row) + "\n" for row in rows))

    record("good.jsonl", 20)
    record("bad.jsonl", 2)
    score = ("score", "r.jinja", "--judgments", "good.jsonl", "--out", "s.jsonl")
    ask = ("calibrate", "r.jinja", "--labels", "labels.csv", "--judgments")
    assert house.run(*ask, "good.jsonl").code == 0
    assert house.run(*score).code == 0

    assert house.run(*ask, "bad.jsonl", "--json").json["verdict"] == "not_calibrated"

    refused = house.run(*score)
    assert refused.code == 3
    assert "found NOT CALIBRATED" in " ".join(refused.out.split() + refused.err.split())
