"""What drafting and improving advise: it follows from the outcome, and runs as it is pasted."""

from __future__ import annotations

import re
import shlex
from itertools import count
from typing import Any

import pytest

from judgekit.labels.split import assign, part_of_case
from judgekit.testing import StubServer
from tests.e2e import drafting, improving
from tests.e2e.house import RUBRIC, House, Result, spread
from tests.e2e.improving import FULL, GOOD, LEVELS, TELLING, WORTHLESS, needs_gepa
from tests.judging.drafts import tone

THREE = ["warm", "flat", "rude"]
EASY = "[policy]\nmin_agreement = 0.1\n"
"""A bar that a plan is worked out for in no time."""

READY = ["train"] * 20 + ["dev"] * 40 + ["test"] * 40


def advised(result: Result) -> list[str]:
    """Return the commands under "Next", each of which stands on one line."""
    _, _, below = result.out.partition("\nNext ")
    commands = [line.strip() for line in below.splitlines()]
    assert all(command.startswith(("judgekit ", "mv ")) for command in commands), below
    return commands


def follow(house: House, commands: list[str]) -> list[int]:
    """Run commands as a shell would; return their exit codes."""
    codes = []
    for command in commands:
        program, *arguments = shlex.split(command)
        if program == "mv":
            source, target = (house.root / name for name in arguments)
            source.replace(target)
            codes.append(0)
        else:
            codes.append(house.run(*arguments).code)
    return codes


def kinds(commands: list[str]) -> list[str]:
    """Return what each command does."""
    return [re.sub(r"^judgekit ((?:rubric )?\w+) .*$|^(mv) .*$", r"\1\2", c) for c in commands]


# --- draft ---------------------------------------------------------------------------------------


def labelled() -> dict[str, Any]:
    """A draft that says which of the labels' levels each of its levels is."""
    said = tone()
    for key, name in (("highest", "warm"), ("lowest", "rude")):
        said[key]["level"] = name
    said["between"][0]["level"] = "flat"
    return said


def drafted(house: House, *arguments: str) -> Result:
    """Draft with a model that does it well."""
    result = drafting.draft(house, *arguments)
    assert result.code == 0, result.out + result.err
    return result


def wide(house: House, name: str = "wide.csv", **columns: list) -> None:
    """Write labels of two raters, side by side, in the words of another scale."""
    house.labels(spread(THREE, 120), name=name, **columns)
    path = house.root / name
    text = path.read_text("utf-8").replace("rater,level", "ann,bob")
    text = re.sub(r"(?m)^(item-.*),ann,(\w+)", r"\1,\2,\2", text)
    path.write_text(text.replace("flat,flat", "meh,meh"), "utf-8")


@pytest.mark.parametrize("out", ["-x.jinja", "a b.jinja"])
def test_a_draft_is_tried_and_planned(house: House, out: str) -> None:
    """Without labels there is nothing to calibrate with: `plan` says how many it takes."""
    house.items(spread(THREE, 3), name="my items.jsonl")
    house.write("judgekit.toml", EASY)
    with drafting.serve(house, drafting.Script(tone())):
        commands = advised(drafted(house, "--items", "my items.jsonl", "--out", out))
        assert kinds(commands) == ["try", "plan"]
        assert follow(house, commands) == [0, 0]


def test_labels_are_read_as_they_were(house: House) -> None:
    """Rater columns and renamed levels are said again; no file is in the way of the split."""
    wide(house)
    house.write("wide-split.csv", "mine")
    how = ("--labels", "wide.csv", "--rater-columns", "ann,bob", "--level-map", "meh=flat")
    with drafting.serve(house, drafting.Script(labelled())):
        commands = advised(drafted(house, *how))
        assert kinds(commands) == ["split", "calibrate"]
        assert 2 not in follow(house, commands)
    assert (house.root / "wide-split.csv").read_text() == "mine"


def test_a_test_too_small_for_a_verdict(house: House) -> None:
    """`plan` in place of `calibrate`, and why."""
    house.labels(spread(THREE, 60), split=["train", "dev", "test"] * 20)
    house.write("judgekit.toml", EASY)
    with drafting.serve(house, drafting.Script(labelled())):
        result = drafted(house, "--labels", "labels.csv")
        assert kinds(advised(result)) == ["plan"]
        assert follow(house, advised(result)) == [0]
    assert "the test has 20 labelled items, and 30 are asked" in " ".join(result.out.split())


def test_few_cases_are_no_test_either(house: House) -> None:
    """However many items they have."""
    parts = {"split": ["train"] * 40 + ["test"] * 80, "case": [f"c{i // 10}" for i in range(120)]}
    house.labels(spread(THREE, 120), **parts)
    with drafting.serve(house, drafting.Script(labelled())):
        result = drafted(house, "--labels", "labels.csv")
    assert kinds(advised(result)) == ["plan"]
    assert "the test is of 8 cases, and 10 are needed" in " ".join(result.out.split())


def test_a_draft_that_is_no_rubric_is_linted_only(house: House) -> None:
    """It cannot be tried, and the report says that it was not."""
    house.items(spread(THREE, 3))
    broken = tone()
    broken["lowest"]["name"] = broken["highest"]["name"]
    with drafting.serve(house, drafting.Script(broken)):
        result = drafting.draft(house, "--items", "items.jsonl")
        told = drafting.draft(house, "--items", "items.jsonl", "--json").json
    assert kinds(advised(result)) == ["lint"]
    assert "trial    never ran: no draft can be judged with as it is" in result.out
    assert (told["untried"], told["unjudged"]) == ("no draft can be judged with as it is", None)


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ((), "no items were given (--items FILE)"),
        (("--items", "empty.jsonl"), "no item has an output"),
        (("--labels", "bare.csv"), "no item without a label, and none of train, has its text here"),
    ],
)
def test_a_trial_that_never_ran_is_told(house: House, arguments: tuple[str, ...], why: str) -> None:
    """With the reason; a trial that ran has none."""
    house.write("empty.jsonl", '{"id": "a", "input": "Hello?"}\n')
    rows = "".join(f"i{n},{level}\n" for n, level in enumerate(spread(THREE, 60)))
    house.write("bare.csv", f"item_id,level\n{rows}")
    house.items(THREE)
    with drafting.serve(house, drafting.Script(labelled())):
        result = drafted(house, *arguments)
        tried = drafting.draft(house, "--items", "items.jsonl", "--json").json
    assert f"trial never ran: {why}" in " ".join(result.out.split())
    assert tried["untried"] is None


# --- improve -------------------------------------------------------------------------------------


class OneReply(improving.Script):
    """Judges one item of train and one of dev better by the right words, and no other."""

    def __call__(self, request: dict[str, Any]) -> str:
        """Return the reply to a request."""
        user = request["messages"][-1]["content"]
        said = super().__call__(request)
        rightly = re.search(r"reply (1|21) is cold", user)
        return said if rightly or "cold" not in said else said.replace("cold", "polite")


@needs_gepa
def test_improved_and_ready(house: House) -> None:
    """Compared, accepted, and measured on the test."""
    with improving.serve(house, improving.Script(GOOD)):
        improving.project(house, READY)
        result = improving.improve(house, "--rounds", "1")
        assert kinds(advised(result)) == ["rubric diff", "mv", "calibrate"]
        assert follow(house, advised(result)) == [1, 0, 0]


@needs_gepa
def test_improved_with_a_test_too_small(house: House) -> None:
    """`plan`, told what was found on dev, says how many labels it takes."""
    with improving.serve(house, improving.Script(GOOD)):
        improving.project(house, FULL)
        result = improving.improve(house, "--rounds", "1")
        commands = advised(result)
        assert kinds(commands) == ["rubric diff", "mv", "plan"]
        assert follow(house, commands) == [1, 0, 0]
    assert commands[-1] == "judgekit plan tone --expect 1 --prevalence 0.25,0.25,0.25,0.25"
    assert "the test has 20 labelled items, and 30 are asked" in " ".join(result.out.split())


@needs_gepa
@pytest.mark.parametrize(
    ("every", "next_", "why"),
    [
        (8, "rubric improve", "no number of labels would certify a judge like this: "),
        (40, "plan", "with the 30 labelled items of the test, a judge that agrees with people"),
    ],
)
def test_improved_and_not_good_enough(house: House, every: int, next_: str, why: str) -> None:
    """A test of any size decides nothing yet where the judge agrees too little on dev."""
    script = improving.Script(WORTHLESS, GOOD)

    def half(request: dict[str, Any]) -> str:
        said = script(request)
        found = re.search(r"reply (\d+) is (?:polite|friendly)", request["messages"][-1]["content"])
        wrong = found and int(found[1]) % every < 4
        return re.sub("polite|friendly", "rude", said) if wrong else said

    with improving.serve(house, half):
        improving.project(house, ["train"] * 20 + ["dev"] * 50 + ["test"] * 30)
        result = improving.improve(house, "--rounds", "4", "--json")
    told = result.json
    assert (told["outcome"], kinds(told["next"])[-1]) == ("improved", next_), told["difference"]
    assert any(note.startswith(why) for note in told["notes"]), told["notes"]


@needs_gepa
def test_not_shown_is_not_put_in_place(house: House) -> None:
    """Read it, and go on with more rounds; no look is spent."""
    with improving.serve(house, OneReply(GOOD)):
        improving.project(house, READY)
        result = improving.improve(house, "--rounds", "2", "--max-cost", "3")
        commands = advised(result)
        assert kinds(commands) == ["rubric diff", "rubric improve"]
        assert follow(house, commands) == [1, 1]
    assert "--rounds 7 --max-cost 3" in commands[-1]
    assert "is no better as far as dev can tell" in " ".join(result.out.split())


@needs_gepa
def test_not_shown_on_a_small_dev(house: House) -> None:
    """More rounds would not help: the note says what would."""
    with improving.serve(house, improving.Script(GOOD)):
        improving.project(house, ["train"] * 20 + ["dev"] * 12 + ["test"] * 68)
        result = improving.improve(house, "--rounds", "1")
        assert kinds(advised(result)) == ["rubric diff"]
    assert "dev has only 12 items" in result.out


@needs_gepa
def test_nothing_better_goes_on_with_more_rounds(house: House) -> None:
    """By the words that named the judge, the files and the reflector."""
    judge = "rubrics/tone.jinja"
    with improving.serve(house, improving.Script(WORTHLESS)) as server:
        improving.project(house, READY)
        words = ["--model", "openai/gpt-4.1-nano", "--api-base", server.base_url]
        words += ["--reflector", "openai/gpt-4.1", "--rater-column", "rater"]
        result = improving.improve(house, "--rounds", "1", *words, judge=judge)
        (command,) = advised(result)
        assert follow(house, [command]) == [1]
    assert shlex.split(command)[:4] == ["judgekit", "rubric", "improve", judge]
    for word in words:
        assert word in shlex.split(command)


@needs_gepa
def test_nothing_to_learn_is_measured(house: House) -> None:
    """Where judge and people agree, the test tells; or how many labels it would take."""
    with improving.serve(house, improving.Script(GOOD)):
        improving.project(house, READY)
        house.write("rubrics/tone.jinja", RUBRIC.replace("The reply is correct and", TELLING))
        ready = improving.improve(house)
        improving.project(house, FULL)
        house.write("rubrics/tone.jinja", RUBRIC.replace("The reply is correct and", TELLING))
        small = improving.improve(house)
        assert (kinds(advised(ready)), kinds(advised(small))) == (["calibrate"], ["plan"])
        assert follow(house, [*advised(small)]) == [0]


def parted(names: list[str]) -> tuple[set[str], set[str]]:
    """Return the parts that a written split has, and those of train by name as well."""
    dealt = assign(dict(zip(names, spread(LEVELS, len(names)), strict=True)), balanced=True)
    return set(dealt.values()), {n for n in names if dealt[n] == "train" == part_of_case(n)}


@needs_gepa
def test_too_few_cases_to_part(house: House) -> None:
    """Where a written split would have all parts, the hint is the command that writes it."""
    groups = ([f"{n}-{i}" for i in range(16)] for n in count())
    names = next(g for g in groups if parted(g) == ({"train", "dev", "test"}, set()))
    with improving.serve(house, improving.Script(GOOD)):
        improving.project(house, None)
        head, *rows = (house.root / "labels.csv").read_text("utf-8").splitlines()
        renamed = [row.replace(row[:8], name) for name, row in zip(names, rows, strict=False)]
        house.write("labels.csv", "\n".join([head, *renamed, ""]))
        refused = improving.improve(house)
        (command,) = re.findall(r"judgekit split .*", refused.err)
        assert follow(house, [command]) == [0]
        again = house.run("rubric", "improve", "tone", "--labels", shlex.split(command)[-1])
        house.write("labels.csv", "\n".join([head, *rows[:2], ""]))
        hopeless = improving.improve(house)

    assert (refused.code, hopeless.code) == (2, 2)
    assert again.code in (0, 1), again.err
    assert "label more items" in hopeless.err


def test_the_stub_can_draft(house: House) -> None:
    """Without a script it drafts what can be tried, so that every step can be seen."""
    house.items(spread(THREE, 5))
    with StubServer() as house.server:
        found = [
            drafting.draft(house, "--items", "items.jsonl", "--json", wish=wish).json["usable"]
            for wish in ("tone", "how replies treat customers", "is it grounded")
        ]
    assert any(found)
