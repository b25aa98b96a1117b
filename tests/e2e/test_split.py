"""``judgekit split``: the same file with one column more, and what calibrate makes of it."""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path

import pytest

from judgekit.labels.split import part_of_case
from tests.e2e.house import House, spread

LEVELS = ["rude", "cold", "polite", "friendly"]
HEAD = "item_id,case,rater,level\n"


def rows_of(path: Path) -> list[dict[str, str]]:
    """The rows of a CSV file."""
    with path.open(newline="", encoding="utf-8-sig") as file:
        return list(csv.DictReader(file))


def test_each_row_gets_its_part(house: House) -> None:
    """Nearly all by the hash of the case, evened out in each level; everything else stays."""
    house.labels(spread(LEVELS, 200))

    result = house.run("split", "labels.csv", "--out", "split.csv")

    assert result.code == 0
    before, after = (rows_of(house.root / name) for name in ("labels.csv", "split.csv"))
    assert [{k: v for k, v in row.items() if k != "split"} for row in after] == before
    moved = [row["split"] != part_of_case(row["item_id"]) for row in after]
    assert sum(moved) < 40
    assert Counter((row["level"], row["split"]) for row in after) == {
        (level, part): n
        for level in LEVELS
        for part, n in (("train", 10), ("dev", 20), ("test", 20))
    }
    counts = Counter(row["split"] for row in after)
    told = ", ".join(f"{counts[part]} {part}" for part in ("train", "dev", "test"))
    assert f"Split 200 cases (200 items): {told}." in " ".join(result.out.split())
    assert "Next    judgekit calibrate JUDGE --labels split.csv" in result.out


def test_json(house: House) -> None:
    """One document, with the labels of each level in each part."""
    house.labels(spread(LEVELS, 200))

    result = house.run("split", "labels.csv", "--out", "split.csv", "--json")

    document = result.json
    assert document["format"] == "judgekit.split/1"
    assert (document["file"], document["out"], document["column"]) == (
        "labels.csv",
        "split.csv",
        "split",
    )
    assert document["shares"] == {"train": 0.2, "dev": 0.4, "test": 0.4}
    assert sum(document["cases"].values()) == sum(document["items"].values()) == 200
    assert document["kept"] == 0
    counts = Counter((r["level"], r["split"]) for r in rows_of(house.root / "split.csv"))
    for level in document["levels"]:
        assert level["labels"] == {p: counts[level["level"], p] for p in level["labels"]}
    assert [level["level"] for level in document["levels"]] == LEVELS
    assert result.err == ""


def test_thin_levels_are_warned_of(house: House) -> None:
    """Fewer than ten labels in the test, and fewer than thirty."""
    house.labels(["rude"] * 5 + ["cold"] * 60 + ["polite"] * 200)

    result = house.run("split", "labels.csv", "--out", "split.csv")

    said = " ".join(result.out.split())
    assert result.code == 0
    assert "Warning fewer than 10 labels in test: rude (" in said
    assert "fewer than the 30 recommended in test: cold (" in said
    assert "polite (" not in said


def test_a_case_is_never_torn(house: House) -> None:
    """All items of a case go together, and another item file may name the case."""
    house.write("labels.csv", HEAD + "".join(f"i{i},c{i // 4},ann,x\n" for i in range(80)))
    house.write("bare.csv", "item_id,level\n" + "".join(f"i{i},x\n" for i in range(80)))
    house.write(
        "items.jsonl",
        "".join(json.dumps({"id": f"i{i}", "case": f"c{i // 4}"}) + "\n" for i in range(80)),
    )

    house.run("split", "labels.csv", "--out", "one.csv")
    house.run("split", "bare.csv", "--items", "items.jsonl", "--out", "two.csv")

    one, two = ([r["split"] for r in rows_of(house.root / n)] for n in ("one.csv", "two.csv"))
    assert one == two == [part_of_case(f"c{i // 4}") for i in range(80)]


def test_more_labels_move_nobody(house: House) -> None:
    """Labels that are added to the file with the split even the shares out."""
    house.labels(spread(LEVELS, 60))
    house.run("split", "labels.csv", "--out", "split.csv")
    old = rows_of(house.root / "split.csv")

    grown = (house.root / "split.csv").read_text()
    grown += "".join(f"new-{i},q,a,ann,{LEVELS[i % 4]},\n" for i in range(100))
    house.write("grown.csv", grown)
    result = house.run("split", "grown.csv", "--out", "grown-split.csv", "--json")

    after = rows_of(house.root / "grown-split.csv")
    assert [r["split"] for r in old] == [r["split"] for r in after[:60]]
    assert result.json["kept"] == 60
    for level in result.json["levels"]:
        assert level["labels"] == pytest.approx({"train": 8, "dev": 16, "test": 16}, abs=1)


def test_a_finished_split_stays_byte_for_byte(house: House) -> None:
    """Line ends, quotes, the byte order mark and blank rows are the user's."""
    text = '\ufeffitem_id;level;note\r\n1;good;"x; ""y"""\r\n;;\r\n2;bad;"two\r\nlines"'
    house.write("labels.csv", "")
    (house.root / "labels.csv").write_bytes(text.encode())

    house.run("split", "labels.csv", "--out", "split.csv")
    house.run("split", "split.csv", "--out", "again.csv")

    first, second = ((house.root / n).read_bytes() for n in ("split.csv", "again.csv"))
    assert first == second
    assert (
        first.decode()
        == text.replace("note\r", "note;split\r").replace(
            '"x; ""y"""\r', f'"x; ""y""";{part_of_case("1")}\r'
        )
        + f";{part_of_case('2')}"
    )


def test_json_lines(house: House) -> None:
    """The key is added at the end of each row."""
    house.write("l.jsonl", '{"item_id": "a", "level": 1.50}\n\n{"item_id":"b","level":2}\n')

    house.run("split", "l.jsonl", "--out", "s.jsonl", "--seed-name", "x", "--shares", "0,1,0")

    first, blank, second, _ = (house.root / "s.jsonl").read_text().split("\n")
    assert first == '{"item_id": "a", "level": 1.50, "split": "dev"}'
    assert (blank, second) == ("", '{"item_id":"b","level":2,"split":"dev"}')


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["labels.csv"], "out"),
        (["labels.csv", "--out", "labels.csv"], "would be overwritten"),
        (["labels.csv", "--out", "split.jsonl"], "name the output split.csv"),
        (["labels.csv", "--out", "nowhere/split.csv"], "no folder to stand in"),
        (["labels.csv", "--out", "s.csv", "--shares", "1,2"], "three shares"),
        (["nothing.csv", "--out", "s.csv"], "no such file"),
        (["labels.csv", "--out", "s.csv", "--level-column", "leve"], "no column 'leve'"),
    ],
)
def test_bad_usage_writes_nothing(house: House, arguments: list[str], said: str) -> None:
    """Exit 2, the reason, and the folder as it was."""
    house.labels(spread(LEVELS, 20))
    before = house.files()

    result = house.run("split", *arguments)

    assert result.code == 2
    assert said in " ".join(result.err.split())
    assert house.files() == before


def test_other_names_of_parts_are_kept_and_told(house: House) -> None:
    """A holdout of the user's own stays what it is."""
    house.write("labels.csv", "item_id,level,split\na,x,holdout\nb,x,\n")

    result = house.run("split", "labels.csv", "--out", "s.csv", "--json")

    assert rows_of(house.root / "s.csv")[0]["split"] == "holdout"
    assert result.json["cases"]["holdout"] == 1
    assert "kept as it is" in result.json["notes"][0]


def test_calibrate_measures_on_the_test(served: House) -> None:
    """The rows of the other parts are set aside, and the record says which part it was."""
    served.labels(spread(LEVELS, 240))
    served.run("split", "labels.csv", "--out", "split.csv")
    tested = sum(row["split"] == "test" for row in rows_of(served.root / "split.csv"))

    result = served.run("calibrate", "tone", "--labels", "split.csv", "--json")

    (criterion,) = result.json["criteria"]
    assert criterion["tally"]["paired"] == tested
    assert criterion["tally"]["set_aside"] == {"other_split": 240 - tested}
