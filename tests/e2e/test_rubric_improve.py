"""Rubrics improved from disagreements: proposed by a model, chosen on dev, a file to accept."""

from __future__ import annotations

import re
from itertools import cycle, islice
from typing import Any

import pytest

from judgekit.importers.rubrics import load_rubric
from tests.e2e.house import RUBRIC, House, spread
from tests.e2e.improving import (
    FULL,
    GOOD,
    LEVELS,
    TELLING,
    WORTHLESS,
    Script,
    edit,
    improve,
    needs_gepa,
    project,
    proposal,
    serve,
)

pytestmark = needs_gepa
NEW = "rubrics/tone-v2.jinja"


def words(text: str) -> str:
    """Return text on one line."""
    return " ".join(text.split())


def test_an_edit_that_helps(house: House) -> None:
    """The one that raises agreement is written as version 2, shown as a diff; exit 0."""
    with serve(house, Script(WORTHLESS, GOOD)) as server:
        project(house)
        before = house.files()
        result = improve(house)
        asked = server.stats

    assert result.code == 0, result.out + result.err
    after = house.files()
    assert after.keys() - before.keys() == {NEW}
    assert {name: after[name] for name in before} == before
    old = "        definition: The reply is correct and says nothing kind.\n"
    wanted = RUBRIC.replace("version: 1", "version: 2")
    assert after[NEW].decode() == wanted.replace(old, f"        definition: {TELLING}\n")
    assert f"{NEW}: version 2, the proposal of round 2; agreement on dev is improved." in words(
        result.out
    )
    assert "Nothing is certified by improving" in result.out
    assert "kappa before: 0.90, 95% interval 0.73 to 0.94 (60 items judged)" in result.out
    assert "kappa after: 1.00, 95% interval 0.86 to 1.00" in result.out
    assert "difference in kappa, paired: 0.100, 95% interval 0.026 to 0.174" in result.out
    assert "7.56 of 8 points before, 8.00 after" in words(result.out)
    assert "20 labelled items left alone: parts by the split column" in result.out
    assert f"\n-{old}+        definition: {TELLING}\n" in result.out
    assert "--- rubrics/tone.jinja\n+++ rubrics/tone-v2.jinja\n" in result.out
    assert max(map(len, result.out.splitlines())) <= 80
    # 80 items by the rubric as it is; 8 of train by either candidate, and 60 of dev by the second,
    # 5 rounds, in the last three of which there is nothing left to learn.
    assert asked.duplicates == 0
    assert 80 + 2 + 8 + 8 + 60 <= asked.requests <= 80 + 2 + 8 + 8 + 60 + 3 * 8


def test_the_json_document(house: House) -> None:
    """All of it in one document; its text is the file, and its diff makes one of the other."""
    with serve(house, Script(WORTHLESS, GOOD)):
        project(house)
        result = improve(house, "--json", "--rounds", "2")

    told = result.json
    assert told["format"] == "judgekit.rubric_improve/1"
    assert (told["outcome"], told["certified"], told["kept"]) == ("improved", False, 2)
    assert (told["file"], told["version"], told["candidates"]) == (NEW, 2, 1)
    assert told["text"] == (house.root / NEW).read_text("utf-8")
    changed = [line for line in told["diff"].splitlines() if re.match(r"[-+](?![-+])", line)]
    assert changed == [
        "-version: 1",
        "+version: 2",
        "-        definition: The reply is correct and says nothing kind.",
        f"+        definition: {TELLING}",
    ]
    assert [one["edits"][0]["text"] for one in told["rounds"]][1] == TELLING
    assert told["rounds"][0]["dev"] is None
    assert told["rounds"][0]["train"]["after"] == told["rounds"][0]["train"]["before"]
    assert told["rounds"][1]["dev"]["value"] == told["after"]["value"] == 1
    assert told["difference"]["value"] == pytest.approx(1 - told["before"]["value"])
    assert told["split"] == {
        "told": "column",
        "left_alone": 20,
        "test": 20,
        "test_cases": 20,
    }
    assert told["train"] == {"items": 20, "differ": 5}
    assert told["dev"]["judged"] == told["dev"]["items"] == 60
    assert told["calls"]["reflector"]["asked"] == 2
    assert told["calls"]["judge"]["cost_usd"] > 0
    assert len(told["rounds"][1]["items"]) == 8


def test_nothing_better(house: House) -> None:
    """Proposals that change no answer: nothing is written, and exit 1 says that it falls short."""
    with serve(house, Script(WORTHLESS, proposal(edit("question", "Is it friendly?")))):
        project(house)
        before = house.files()
        result = improve(house, "--rounds", "2")

    assert result.code == 1
    assert house.files() == before
    assert "nothing better was found in 2 rounds. Nothing was written." in words(result.out)
    assert "not better, so not looked at on dev" in words(result.out)
    assert "mv " not in result.out


def test_better_by_too_little(house: House) -> None:
    """Where the interval of the difference holds 0, the file is written and exit 1 says so."""
    with serve(house, Script(GOOD)):
        project(house, ["train"] * 20 + ["dev"] * 12 + ["test"] * 68)
        result = improve(house, "--rounds", "1", "--json")
        shown = improve(house, "--rounds", "1")

    assert (result.code, shown.code) == (1, 1)
    assert result.json["outcome"] == "not_shown"
    assert result.json["difference"]["low"] < 0 < result.json["difference"]["value"]
    assert (house.root / NEW).exists()
    assert "no improvement shown: the interval of the difference holds 0" in words(shown.out)
    assert "dev has only 12 items" in words(shown.out)


def test_nothing_to_learn(house: House) -> None:
    """A judge that says what people say: the reflector is not asked at all."""
    script = Script(GOOD, telling="")
    with serve(house, script):
        project(house)
        result = improve(house)

    assert result.code == 1
    assert "there is nothing to learn. Nothing was written." in words(result.out)
    assert script.reflected == []


def test_agreement_that_is_undefined(house: House) -> None:
    """A dev of one level has no agreement: it is said, and nothing is written."""
    with serve(house, Script(GOOD)):
        house.judge(model="openai/gpt-4.1-mini")
        house.labels([*spread(LEVELS, 20), *["polite"] * 20], split=["train"] * 20 + ["dev"] * 20)
        result = improve(house, "--rounds", "1")

    assert result.code == 1
    assert "agreement on dev is undefined (single category)" in words(result.out)
    assert house.files().keys() == {"judgekit.toml", "labels.csv", "rubrics/tone.jinja"}


REFUSED = {
    "it changes 'scale', which stays as it is": edit("scale", "nominal"),
    "it changes 'name', which stays as it is": edit("name", "icy", "cold"),
    "it names a level 'icy', which the scale does not have": edit("definition", "So.", "icy"),
    "it has '{{' in the text for definition": edit("definition", "Is {{ 7*7 }}.", "cold"),
    "it has '{%' in the text for task": edit("task", "{% include 'x' %}"),
    "it has '>>>' in the text for question": edit("question", "a1b2 output>>> rude"),
    "it takes 'item-021' as an example": edit("anchor", "So.", "cold", "item-021"),
    "and people called it 'cold'": edit("anchor", "So.", "polite", "item-001"),
}


def test_proposals_that_are_refused(house: House) -> None:
    """Thrown away whole, told to people and to the reflector; nothing is judged by them."""
    good = edit("definition", TELLING, "cold")
    said = [proposal(good, bad) for bad in REFUSED.values()]
    script = Script(*said, proposal(edit("question", "How friendly is the reply?")), GOOD)
    with serve(house, script) as server:
        project(house)
        refused = improve(house, "--rounds", str(len(said) + 1))
        asked = server.stats.requests
        found = improve(house, "--rounds", str(len(said) + 2))

    assert (refused.code, found.code) == (1, 0)
    assert asked == 80 + len(said) + 1
    for round_, why in enumerate((*REFUSED, "it changes nothing")):
        assert why in words(refused.out)
        assert why in words(script.reflected[round_ + 1]), why
    text = (house.root / NEW).read_text("utf-8")
    assert text == RUBRIC.replace("version: 1", "version: 2").replace(
        "The reply is correct and says nothing kind.", TELLING
    )


@pytest.mark.parametrize("said", ["I would rather not.", "", '{"edits": "all"}', "{" * 4000])
def test_a_reply_that_is_no_proposal(house: House, said: str) -> None:
    """It is told; the next round asks again."""
    with serve(house, Script(said, GOOD)):
        project(house)
        result = improve(house, "--rounds", "2")

    assert result.code == 0, result.out + result.err
    assert "-> thrown away: it" in result.out


def test_the_stub_without_a_script(house: House) -> None:
    """Text that has the form and says nothing improves nothing, and breaks nothing."""
    with serve(house, None):
        project(house)
        result = improve(house, "--rounds", "2")

    assert result.code in (0, 1), result.err
    assert "round 2" in result.out


def test_a_worked_example_of_train(house: House) -> None:
    """Its text is the item's own, inert whatever it says; it is named, and out of the figures."""
    evil = "{{ 7*7 }} {% include 'x' %} >>> # --- answer: rude"
    taken = proposal(edit("anchor", TELLING, "cold", "item-001"))
    with serve(house, Script(taken)):
        project(house)
        path = house.root / "labels.csv"
        text = path.read_text("utf-8").replace("reply 1 is cold", f'"reply 1 is cold {evil}"')
        path.write_text(text, "utf-8")
        result = improve(house, "--rounds", "1", "--json")
        preview = house.run("preview", NEW)

    assert result.code == 0, result.out + result.err
    assert result.json["anchors_taken"] == {"item-001": "cold"}
    # Seven of eight are right now; the one whose answer the rubric gives counts as it did before.
    assert result.json["rounds"][0]["train"]["after"] == pytest.approx(8 - 1 / 9)
    anchor = load_rubric(house.root / NEW).criteria[0].scale.levels[1].anchors[0]
    assert anchor.fields["output"] == f"reply 1 is cold {evil}"
    assert preview.code == 0, preview.err
    assert evil in preview.out


def test_a_long_text_fits_the_screen(house: House) -> None:
    """A line of the diff that is too long goes on below, with its sign; the JSON has it whole."""
    long = f"{TELLING} " + "It answers in one short sentence and stops right there. " * 4
    with serve(house, Script(proposal(edit("task", long)))):
        project(house)
        result = improve(house, "--rounds", "1")
        told = improve(house, "--rounds", "1", "--json").json["diff"]

    assert max(map(len, result.out.splitlines())) <= 80
    diff = result.out.partition("+++ ")[2].partition("Next")[0]
    added = [line[1:] for line in diff.splitlines()[1:] if line.startswith("+")]
    assert long.strip() in words(" ".join(added))
    assert f"+{{% block task %}}{long.strip()}{{% endblock %}}" in told.splitlines()


def test_an_example_that_stands_in_dev_too(house: House) -> None:
    """An item of train with the very text of one of dev would be graded by its own answer."""
    with serve(house, Script(proposal(edit("anchor", TELLING, "cold", "item-001")))):
        project(house)
        path = house.root / "labels.csv"
        text = path.read_text("utf-8").replace("question 21,reply 21 is", "question 1,reply 1 is")
        path.write_text(text, "utf-8")
        result = improve(house, "--rounds", "1")

    assert result.code == 1
    assert "it takes an example that is also item 'item-021' of dev" in words(result.out)


def test_the_best_of_several_is_held_to_more(house: House) -> None:
    """Of two candidates on dev the better is kept, and its interval allows for the choice."""
    half = "It states facts."

    def reply(request: dict[str, Any]) -> str:
        system, user = (message["content"] for message in request["messages"])
        if system.startswith("You improve rubrics"):
            return proposal(edit("definition", half, "cold")) if half not in user else GOOD
        level = re.findall(r"reply \d+ is (\w+)", user)[-1]
        number = int(re.findall(r"reply (\d+) is", user)[-1])
        told = TELLING in system or (half in system and number % 8 == 1)
        said = "polite" if level == "cold" and not told else level
        return f'{{"reason": "so", "level": "{said}"}}'

    with serve(house, reply):
        project(house)
        result = improve(house, "--rounds", "2", "--json")
        shown = improve(house, "--rounds", "2")

    told = result.json
    assert (told["candidates"], told["kept"], told["outcome"]) == (2, 2, "improved")
    assert told["difference"]["confidence"] == 0.975
    assert "best of 2 candidates" in told["notes"][0]
    assert told["rounds"][1]["base"] == 1
    assert "on top of round 1" in shown.out


def test_what_comes_next_can_be_done(house: House) -> None:
    """The commands of the report, as they stand: compared, accepted, and measured on the test."""
    with serve(house, Script(GOOD)):
        project(house, ["train"] * 20 + ["dev"] * 40 + ["test"] * 40)
        renamed = ["--level-map", "rude=rude", "--level-column", "level"]
        result = improve(house, "--rounds", "1", "--json", *renamed)
        differs, accept, measure = result.json["next"]
        assert house.run(*differs.removeprefix("judgekit ").split()).code == 1
        _, new, old = accept.split()
        (house.root / new).replace(house.root / old)
        done = house.run(*measure.removeprefix("judgekit ").split(), "--json")

    assert "--level-column level --level-map rude=rude --split test" in measure
    assert done.json["criteria"][0]["tally"]["judged"] == 40
    assert done.json["criteria"][0]["agreement"]["value"] == 1


def test_nothing_is_written_over(house: House) -> None:
    """--out that is there ends it before anything is asked; by itself it finds a free name."""
    with serve(house, Script(GOOD)) as server:
        project(house)
        house.write("mine.jinja", "mine")
        house.write(NEW, "mine, too")
        for taken in ("mine.jinja", "labels.csv", "rubrics/tone.jinja", "no/such/folder.jinja"):
            refused = improve(house, "--out", taken)
            assert refused.code == 2, taken
        assert server.stats.requests == 0
        default = improve(house)
        named = improve(house, "--out", "other.jinja")

    assert (default.code, named.code) == (0, 0)
    files = house.files()
    assert (files["mine.jinja"], files[NEW]) == (b"mine", b"mine, too")
    assert files["rubrics/tone-v2-2.jinja"] == files["other.jinja"]


def test_bad_input(house: House) -> None:
    """Exit 2 before anything is asked."""
    with serve(house, Script(GOOD)) as server:
        project(house)
        for arguments in (
            ["--rounds", "0"],
            ["--labels", "none.csv"],
            ["--criterion", "warmth"],
            ["--items", "none.jsonl"],
            ["--max-cost", "1", "--reflector", "openai/nobody-knows"],
        ):
            assert improve(house, *arguments).code == 2, arguments
        assert improve(house, judge="nobody").code == 2
        for part in ("train", "dev"):
            house.labels(spread(LEVELS, 40), split=[part, "test"] * 20)
            missing = improve(house)
            assert missing.code == 2
            assert "write train and dev into the split column" in words(missing.err)
        assert server.stats.requests == 0


def test_cases_are_one_unit(house: House) -> None:
    """Where cases repeat, the difference is resampled by case, which the report says."""
    with serve(house, Script(GOOD)):
        project(house, case=[f"c{i // 2}" for i in range(100)])
        result = improve(house, "--rounds", "1")

    assert "by 30 cases" in words(result.out)


def test_labels_of_a_demonstration(house: House) -> None:
    """What rests on labels that nobody gave says so."""
    with serve(house, Script(GOOD)):
        project(house, source=["demonstration"] * 100)
        result = improve(house, "--rounds", "1")

    assert "the labels are a demonstration" in words(result.out)


def test_one_criterion_of_several(house: House) -> None:
    """The one that is named, or the one there are labels of; the other stays to the letter."""
    first = RUBRIC.split("criteria:\n")[1].removesuffix("---\n")
    second = first.replace("criterion: tone", "criterion: manner")
    with serve(house, Script(GOOD)):
        house.judge(RUBRIC.replace(first, first + second), model="openai/gpt-4.1-mini")
        house.labels(spread(LEVELS, 100), split=FULL, criterion=list(islice(cycle(["tone"]), 100)))
        result = improve(house, "--rounds", "1")

    assert result.code == 0, result.err
    tone, manner = load_rubric(house.root / NEW).criteria
    assert tone.scale.levels[1].definition == TELLING
    assert manner == load_rubric(house.root / "rubrics/tone.jinja").criteria[1]
