"""No output replaces what people made: labels, rubrics, certificates, the ledger."""

import json
from pathlib import Path

import pytest

from tests.e2e.house import BINARY, House


@pytest.fixture
def certified(tmp_path: Path) -> House:
    """A recorded judge with a certificate, of a project that names its labels."""
    house = House(tmp_path)
    house.judge(BINARY, "grounded")
    levels = [i % 2 for i in range(120)]
    house.labels(levels)
    rows = [
        {"item_id": f"item-{i:03}", "level": v if i % 20 else 1 - v, "judge": "x"}
        for i, v in enumerate(levels)
    ]
    house.write("j.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    rubric = "rubrics/grounded.jinja"
    done = house.run("calibrate", rubric, "--labels", "labels.csv", "--judgments", "j.jsonl")
    assert done.code == 0
    return house


def test_score_replaces_nothing_of_value(certified: House) -> None:
    """By a rubric file, so that only the project and the certificate know the labels."""
    before = certified.files()
    for place in before:
        result = certified.run(
            *("score", "rubrics/grounded.jinja", "--judgments", "j.jsonl", "--out", place)
        )
        assert result.code == 2, place
    assert certified.files() == before


def test_disagreements_replace_nothing_of_value(certified: House) -> None:
    """Neither does the list of disagreements."""
    before = certified.files()
    for place in before:
        result = certified.run(
            *("calibrate", "rubrics/grounded.jinja", "--labels", "labels.csv"),
            *("--judgments", "j.jsonl", "--disagreements", place),
        )
        assert result.code == 2, place
    assert certified.files() == before


@pytest.fixture
def worked(served: House) -> House:
    """A project in which things were done: replies, records, a batch, a certificate."""
    served.items(["friendly"] * 3)
    assert served.run("calibrate", "tone").code == 0
    assert served.run("try", "tone", "items.jsonl", "--out", "levels.jsonl").code == 0
    served.items(["polite"] * 3, "more.jsonl")
    assert served.run("batch", "submit", "tone", "more.jsonl").code == 0
    return served


def everything(house: House) -> dict[str, bytes]:
    """Return every file of a project; the log and the locks of the cache change as it is read."""
    return {
        str(path.relative_to(house.root)): path.read_bytes()
        for path in sorted(house.root.rglob("*"))
        if path.is_file() and path.suffix not in {".db-wal", ".db-shm", ".lock"}
    }


@pytest.mark.slow
def test_no_output_replaces_what_judgekit_keeps(worked: House) -> None:
    """Replies, records, batches, certificates; nor what people made; nor stands among them."""
    before = everything(worked)
    kept = [place for place in before if place not in {"items.jsonl", "levels.jsonl", "more.jsonl"}]
    assert {place.split("/")[1] for place in kept if place.startswith(".judgekit")} == {
        *("cache", "runs", "batches")
    }
    for place in (*kept, ".judgekit/runs/new", ".judgekit/batches/new", "certificates/new"):
        for command in (
            ("try", "tone", "items.jsonl", "--out", place),
            ("score", "tone", "items.jsonl", "--out", place),
            ("calibrate", "tone", "--disagreements", place),
            ("cache", "export", place),
        ):
            result = worked.run(*command)
            assert (result.code, result.out) == (2, ""), (command, result.err)
            assert "for the output" in result.err
    for place in (".judgekit/runs/new.csv", "certificates/new.csv"):
        assert "for the output" in worked.run("split", "labels.csv", "--out", place).err
    assert everything(worked) == before


@pytest.mark.slow
def test_an_export_replaces_an_export_only(worked: House) -> None:
    """And not by nothing."""
    for name in ("items.jsonl", "levels.jsonl", "more.jsonl"):
        refused = worked.run("cache", "export", name)
        assert refused.code == 2
        assert "is no export of replies" in refused.err
    worked.write("empty", "")
    assert worked.run("cache", "export", "empty").code == 0
    exported = (worked.root / "empty").read_bytes()
    assert exported.count(b"\n") == 63
    worked.run("cache", "prune", "--older-than", "0s")

    refused = worked.run("cache", "export", "empty")

    assert refused.code == 2
    assert "would be lost" in refused.err
    assert (worked.root / "empty").read_bytes() == exported
    assert worked.run("cache", "export", "empty", "--since", "1h").code == 0


def test_items_with_one_text_are_told(certified: House) -> None:
    """Copies under other ids look like evidence and are none."""
    text = (certified.root / "labels.csv").read_text()
    header, *rows = text.splitlines()
    copies = [row.replace("item-", "copy-", 1) for row in rows[:30]]
    certified.write("more.csv", "\n".join([header, *rows, *copies]) + "\n")
    done = certified.run(
        *("calibrate", "rubrics/grounded.jinja", "--labels", "more.csv"),
        *("--judgments", "j.jsonl", "--json"),
    )

    assert any("30 items repeat the text of another" in note for note in done.json["notes"])


def test_weights_hide_nothing(certified: House) -> None:
    """What kappa is with every item counted once stands beside the weighted figure."""
    levels = [i % 2 for i in range(120)]
    weights = [0.001 if i % 20 == 0 else 1 for i in range(120)]
    certified.labels(levels, name="weighted.csv", weight=weights)
    ask = ("calibrate", "rubrics/grounded.jinja", "--labels", "weighted.csv")
    ask = (*ask, "--judgments", "j.jsonl")
    found = certified.run(*ask, "--json").json["criteria"][0]

    assert found["agreement"]["value"] > 0.99
    assert found["unweighted"]["value"] == pytest.approx(0.9)
    assert "each counted once, kappa is 0.90" in " ".join(certified.run(*ask).out.split())
