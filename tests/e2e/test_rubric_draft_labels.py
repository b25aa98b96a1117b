"""Rubrics drafted from labels: their levels are the scale, and of items only train is shown."""

from __future__ import annotations

import json

import pytest

from judgekit.importers.rubrics import load_rubric
from judgekit.labels.split import part_of_case
from tests.e2e.drafting import Script, draft, serve
from tests.e2e.house import House, spread
from tests.judging.drafts import tone

LEVELS = ["warm", "flat", "rude"]


def labelled() -> dict:
    """A draft that says which of the labels' levels each of its levels is."""
    said = tone()
    for key, name in (("highest", "warm"), ("lowest", "rude")):
        said[key]["level"] = name
    said["between"][0]["level"] = "flat"
    return said


def sent(house: House) -> str:
    """Everything that the model was ever sent."""
    assert house.server is not None
    return "\n".join(r.body.decode() for r in house.server.received)


def test_only_train_is_shown(house: House) -> None:
    """With a split column: a dozen items of train are shown, and no other anywhere, ever."""
    parts = ["train" if i < 20 else "dev" if i < 40 else "test" for i in range(60)]
    house.labels(spread(LEVELS, 60), split=parts)
    with serve(house, Script(labelled())):
        result = draft(house, "--labels", "labels.csv", "--json")
        said = sent(house)

    assert result.code == 0, result.out
    told = result.json["labels"]
    assert (told["levels"], told["split"]) == (["warm", "flat", "rude"], "column")
    assert len(told["items_shown"]) == 12
    assert all(int(name.removeprefix("item-")) < 20 for name in told["train_cases_seen"])
    assert "reply 3 is warm" in said
    assert not [i for i in range(20, 60) if f"reply {i} is" in said]
    text = (house.root / result.json["file"]).read_text("utf-8")
    assert "# Labelled cases it was drafted from (train): 'item-000'" in text


def test_without_a_split_column(house: House) -> None:
    """Train is told by hash, and `judgekit split` puts every case seen there into train."""
    house.labels(spread(LEVELS, 90))
    with serve(house, Script(labelled())):
        result = draft(house, "--labels", "labels.csv", "--json")
        said = sent(house)

    told = result.json["labels"]
    assert told["split"] == "hash"
    assert told["train_cases_seen"]
    assert {part_of_case(case) for case in told["train_cases_seen"]} == {"train"}
    assert not [
        i for i in range(90) if part_of_case(f"item-{i:03}") != "train" and f"reply {i} is" in said
    ]
    assert "judgekit split labels.csv --out labels-split.csv" in result.json["next"]
    assert house.run("split", "labels.csv", "--out", "labels-split.csv").code == 0
    rows = (house.root / "labels-split.csv").read_text("utf-8").splitlines()[1:]
    parts = {row.split(",")[0]: row.split(",")[-1] for row in rows}
    assert {parts[case] for case in told["train_cases_seen"]} == {"train"}


def test_the_next_commands_work(house: House) -> None:
    """What the report says to do can be done as it stands: split, and calibrate on test."""
    house.labels(spread(LEVELS, 120))
    with serve(house, Script(labelled())):
        result = draft(house, "--labels", "labels.csv", "--json")
        for command in result.json["next"]:
            done = house.run(*command.removeprefix("judgekit ").split())
            assert done.code == 0, (command, done.err)
    assert "CALIBRATED" in done.out


def test_trial_items_are_never_of_the_test(house: House) -> None:
    """Items of the test in --items are left alone; those without a label are tried on."""
    house.labels(spread(LEVELS, 30), split=["test"] * 20 + ["train"] * 10)
    rows = [
        {"id": f"item-{i:03}", "input": f"question {i}", "output": f"reply {i} is warm"}
        for i in range(30)
    ]
    rows += [{"id": "free-1", "input": "question", "output": "answer 99 is rude"}]
    house.write("items.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    with serve(house, Script(labelled())):
        result = draft(house, "--labels", "labels.csv", "--items", "items.jsonl", "--json")
        said = sent(house)

    trial = next(step for step in result.json["steps"] if step["step"] == "trial")
    assert [row["item_id"] for row in trial["items"]] == ["free-1"]
    assert not [i for i in range(20) if f"reply {i} is" in said]


def test_anchors_taken_from_labels_are_named(house: House) -> None:
    """One of train is named; one that happens to be of the test is told to be refused later."""
    said = labelled()
    outputs = ["reply 3 is warm for all who write to us", "reply 45 is flat, with no word too many"]
    said["highest"]["anchors"][0]["output"] = outputs[0]
    said["between"][0]["anchors"][0]["output"] = outputs[1]
    parts = ["train"] * 20 + ["test"] * 40
    path = house.labels(spread(LEVELS, 60), split=parts)
    text = path.read_text("utf-8").replace("reply 3 is warm", outputs[0])
    path.write_text(text.replace("reply 45 is warm", f'"{outputs[1]}"'), "utf-8")
    with serve(house, Script(said)):
        result = draft(house, "--labels", "labels.csv", "--json")
        shown = draft(house, "--labels", "labels.csv").out

    assert result.json["labels"]["anchors_taken"] == {"item-003": "warm", "item-045": "flat"}
    assert result.json["labels"]["anchors_outside_train"] == ["item-045"]
    assert "taken from labelled items: item-003 (warm)" in " ".join(shown.split())


@pytest.mark.parametrize(
    ("written", "kind", "names", "values"),
    [
        ([0, 1], "binary", None, (0, 1)),
        ([4, 2, 0], "ordinal", None, (0, 2, 4)),
        (["yes", "no"], "binary", ("no", "yes"), (0, 1)),
    ],
)
def test_levels_of_other_forms(
    house: House, written: list, kind: str, names: tuple | None, values: tuple
) -> None:
    """Numbers are an ordinal scale and get names; 0 and 1, yes and no are a binary one."""
    house.labels(spread(written, 30), split=["train"] * 30)
    best_first = sorted(map(str, written), reverse=True)
    said = tone(scale=kind)
    said["highest"]["level"], said["lowest"]["level"] = best_first[0], best_first[-1]
    said["between"] = said["between"][: len(written) - 2]
    for one in said["between"]:
        one["level"] = best_first[1]
    script = Script(said)
    script.judge = lambda user: '{"reason": "so", "level": "warm"}'
    with serve(house, script):
        result = draft(house, "--labels", "labels.csv", "--out", "x.jinja")

    assert result.code in (0, 1), result.err
    scale = load_rubric(house.root / "x.jinja").criteria[0].scale
    assert (scale.kind, scale.values) == (kind, values)
    if names is not None:
        assert scale.names == names


def test_labels_that_are_no_scale(house: House) -> None:
    """One level, or a hundred, or several criteria: exit 2, told, and nothing asked."""
    with serve(house, Script(tone())) as server:
        house.labels(["warm"] * 5)
        one = draft(house, "--labels", "labels.csv")
        house.labels(list(range(40)))
        many = draft(house, "--labels", "labels.csv")
        house.labels(spread(LEVELS, 6), criterion=["tone", "speed"] * 3)
        several = draft(house, "--labels", "labels.csv")
        assert server.stats.requests == 0
        chosen = draft(house, "--labels", "labels.csv", "--criterion", "tone")

    assert [one.code, many.code, several.code] == [2, 2, 2]
    assert "the labels use 1 levels" in one.err
    assert "--level-map" in many.err
    assert "speed, tone" in several.err
    assert "--criterion" in several.err
    assert chosen.code in (0, 1)
    assert (house.root / "rubrics/tone.jinja").is_file()


def test_raters_who_disagree_and_na(house: House) -> None:
    """Items on which raters differ are not shown; `na` asks for a not_applicable."""
    levels = ["warm", "rude", "flat", "na"] * 10
    house.labels(levels, split=["train"] * 40)
    path = house.root / "labels.csv"
    more = "item-000,question 0,reply 0 is warm,ben,rude,train\n"
    path.write_text(path.read_text("utf-8") + more, "utf-8")
    script = Script(labelled())
    script.judge = lambda user: '{"reason": "so", "level": "warm"}'
    with serve(house, script):
        result = draft(house, "--labels", "labels.csv", "--json")

    assert "item-000" not in result.json["labels"]["items_shown"]
    assert "item-003" not in result.json["labels"]["items_shown"]
    assert "Some outputs they called not applicable" in script.asked[0]
    assert result.json["labels"]["levels"] == ["warm", "rude", "flat"]


def test_an_example_of_the_gallery(house: House) -> None:
    """It is found by its name; an unknown one gets the nearest as a hint."""
    with serve(house, Script(tone())):
        found = draft(house, "--example", "support-tone")
        said = sent(house)
        unknown = draft(house, "--example", "suport-tone")

    assert found.code == 0, found.err
    assert "no sentence blames, lectures or shrugs them off" in said
    assert unknown.code == 2
    assert "support-tone" in unknown.err


def test_an_example_to_start_from(house: House) -> None:
    """A file of the project is shown to the drafter, as material, and named in the report."""
    with serve(house, Script(tone())) as server:
        house.judge()
        script = draft(house, "--example", "tone")
        assert server.stats.requests == 2
        said = sent(house)

    assert script.code == 0
    assert "started from tone" in script.out
    assert "The reply greets or thanks the customer." in said


def test_pairs(house: House) -> None:
    """Items with two outputs make a pairwise rubric, tried in both orders."""
    rows = [{"id": f"p{i}", "input": "q", "output_a": "one", "output_b": "two"} for i in range(3)]
    house.write("pairs.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    said = tone(scale="pairwise")
    for key, name in (("highest", "A"), ("lowest", "B")):
        said[key] |= {"name": name, "anchors": [], "definition": f"Only output {name} greets."}
    said["between"][0] |= {"name": "tie", "anchors": [], "definition": "Both greet, or neither."}
    script = Script(said)
    script.judge = lambda user: '{"reason": "so", "level": "tie"}'
    with serve(house, script):
        result = draft(house, "--items", "pairs.jsonl", "--out", "pairs.jinja", "--json")

    assert result.code in (0, 1), result.err
    assert result.json["usable"], result.json["violations"]
    trial = next(step for step in result.json["steps"] if step["step"] == "trial")
    assert [row["level"] for row in trial["items"]] == ["tie"] * 3
    rubric = load_rubric(house.root / "pairs.jinja")
    assert rubric.inputs == ("input", "output_a", "output_b")
    assert rubric.criteria[0].scale.names == ("A", "tie", "B")
