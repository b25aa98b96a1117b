"""Rubrics drafted by a model: written, linted, tried, mended, checked; never certified."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from judgekit.api.rubric_draft import DraftOptions, draft_rubric
from judgekit.importers.rubrics import load_rubric
from judgekit.reports.rubric_draft_story import Step
from judgekit.testing import StubServer
from tests.e2e.drafting import MODEL, WISH, Script, bare, draft, serve
from tests.e2e.house import House, spread
from tests.judging.drafts import tone

LEVELS = ["warm", "flat", "rude"]


def vague() -> dict[str, Any]:
    """A draft with a flaw: no level says what drops an output out of it."""
    said = tone()
    said["highest"]["drops_when"] = ""
    return said


def test_from_words_to_a_clean_file(house: House) -> None:
    """Drafted, linted, tried, mended and checked; each step and its cost is shown; exit 0."""
    house.items(spread(LEVELS, 9))
    script = Script(vague(), tone())
    with serve(house, script) as server:
        result = draft(house, "--items", "items.jsonl")
        asked = server.stats.requests

    assert result.code == 0, result.out + result.err
    rubric = load_rubric(house.root / "rubrics/support-tone.jinja")
    assert rubric.criteria[0].scale.names == ("rude", "flat", "warm")
    assert rubric.inputs == ("input", "output")
    assert asked == 2 + 5 + 5 + 1
    assert "rubrics/support-tone.jinja: drafted, no violations." in result.out
    assert "Nothing is certified by drafting" in result.out
    assert "level-drops-undefined" in result.out
    assert "new-001: flat" in result.out
    assert "as it says" in result.out
    assert "doubt: It says nothing of speed." in result.out
    assert "\n         judgekit plan rubrics/support-tone.jinja\n" in result.out
    assert not any(word in result.out for word in ("agreement", "%", "mean"))
    assert "level-drops-undefined" not in house.run("lint", "rubrics/support-tone.jinja").out


def test_what_the_linter_found_goes_back(house: House) -> None:
    """The author sees its own text again, and each violation with its line."""
    script = Script(vague(), tone())
    with serve(house, script):
        draft(house)

    assert len(script.asked) == 2
    assert "does not say what drops an output out of it" in script.asked[1]
    assert "name: warm" in script.asked[1]
    assert WISH in script.asked[0]


def test_the_json_document(house: House) -> None:
    """All of it in one document, with what each call cost."""
    house.items(spread(LEVELS, 2))
    with serve(house, Script(vague(), tone())):
        result = draft(house, "--items", "items.jsonl", "--json")

    document = result.json
    assert document["format"] == "judgekit.rubric_draft/1"
    assert document["certified"] is False
    assert (document["violations"], document["unjudged"], document["kept"]) == ([], 0, 1)
    assert document["check"]["measures"] == "partly"
    steps = [step["step"] for step in document["steps"]]
    assert steps == ["draft", "lint", "trial", "mend", "lint", "trial", "check"]
    assert document["calls"]["asked"] == 7
    assert document["calls"]["cost_usd"] == pytest.approx(
        sum(call["cost_usd"] for call in document["calls"]["each"])
    )
    assert document["calls"]["cost_usd"] > 0
    assert document["text"] == (house.root / document["file"]).read_text("utf-8")


def test_violations_that_stay(house: House) -> None:
    """Mended three times without end, the best draft is written, and exit 1 says so."""
    said = [vague() for _ in range(4)]
    for turn, one in enumerate(said):
        one["task"] = f"You read replies, turn {turn}."
    said[2]["between"][0]["definition"] = ""
    script = Script(*said)
    with serve(house, script):
        result = draft(house)

    assert result.code == 1
    assert len(script.asked) == 4
    assert "level-drops-undefined (SC08)" in result.out
    assert "judgekit lint rubrics/support-tone.jinja" in result.out
    assert "turn 3" in (house.root / "rubrics/support-tone.jinja").read_text("utf-8")


def test_an_author_that_changes_nothing(house: House) -> None:
    """It is not asked a third time."""
    script = Script(vague())
    with serve(house, script):
        result = draft(house)

    assert result.code == 1
    assert len(script.asked) == 2
    assert "it wrote nothing new" in result.out


def test_a_worse_draft_is_not_kept(house: House) -> None:
    """Of several, the one with the fewest complaints is written."""
    worse = vague()
    worse["question"] = ""
    with serve(house, Script(vague(), worse)):
        result = draft(house)

    assert result.code == 1
    assert load_rubric(house.root / "rubrics/support-tone.jinja").criteria[0].question


def test_the_stub_without_a_script(house: House) -> None:
    """Text that has the form and says nothing is written with its violations: exit 1."""
    with StubServer() as house.server:
        result = draft(house, "--out", "tone.jinja")

    assert result.code == 1, result.err
    assert "level-definition-bare" in result.out
    assert house.run("lint", "tone.jinja").code == 1


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("I would rather talk about the weather.", "it begins 'I would rather talk"),
        ('{"name": "x"}', "no list of levels"),
        ("", "it is empty"),
        ("<think>hm", "thinking"),
    ],
)
def test_a_reply_that_is_no_rubric(house: House, said: str, told: str) -> None:
    """It is told, with what to do; nothing is written; exit 4."""
    with serve(house, Script(said)):
        result = draft(house)

    assert result.code == 4
    assert "the model wrote no rubric" in result.err
    assert told in " ".join(result.err.split())
    assert "--model MODEL" in result.err
    assert house.files() == {}


def test_a_refusal_is_not_asked_again(house: House) -> None:
    """Refused by the provider: one call, and its words are told."""
    with serve(house, Script(tone()), faults={"refusal": 1.0}) as server:
        result = draft(house)

        assert server.stats.requests == 1
    assert result.code == 4
    assert "refused" in result.err
    assert house.files() == {}


def test_a_bad_reply_is_mended(house: House) -> None:
    """A first reply that is no rubric goes back with the reason, and the second counts."""
    script = Script("Sure! Here are three levels.", tone())
    with serve(house, script):
        result = draft(house)

    assert result.code == 0
    assert "the reply was no rubric" in script.asked[1]
    assert "no rubric (unreadable)" in result.out


def test_what_the_trial_showed_goes_back(house: House) -> None:
    """Items without a level are named to the author, and shown."""
    house.items(spread(LEVELS, 3))
    other = tone(task="You read letters of a support desk.")
    script = Script(tone(), other)
    script.judge = lambda user: "It depends." if "new-" not in user else ""
    with serve(house, script):
        result = draft(house, "--items", "items.jsonl")

    assert "item 'new-000' got no level from the judge: unreadable" in script.asked[1]
    assert "new-000: unjudged (unreadable)" in result.out
    assert result.code == 0
    assert "3 items of its trial got no level" in " ".join(result.out.split())


def test_a_check_that_cannot_be_read(house: House) -> None:
    """It is told and blocks nothing."""
    script = Script(tone())
    script.check = "Looks fine to me."
    with serve(house, script):
        result = draft(house)

    assert result.code == 0
    assert "no answer: the reply does not say yes, partly or no" in " ".join(result.out.split())


def test_nothing_is_written_over(house: House) -> None:
    """A file that is there ends it before anything is asked; another default name is found."""
    house.write("tone.jinja", "mine")
    house.write("rubrics/support-tone.jinja", "mine, too")
    with serve(house, Script(tone())) as server:
        refused = draft(house, "--out", "tone.jinja")

        assert server.stats.requests == 0
        second = draft(house)
    assert refused.code == 2
    assert "already" in refused.err
    assert second.code == 0
    assert (house.root / "rubrics/support-tone.jinja").read_text("utf-8") == "mine, too"
    assert load_rubric(house.root / "rubrics/support-tone-2.jinja").name == "support-tone"


def test_the_file_names_the_rubric(house: House) -> None:
    """--out says where and what it is called; what it would replace, or lack, is refused."""
    with serve(house, Script(tone())):
        assert draft(house, "--out", "manner.jinja").code == 0
        assert draft(house, "--out", "nowhere/x.jinja").code == 2
        assert draft(house, "--out", ".").code == 2
    assert load_rubric(house.root / "manner.jinja").criteria[0].name == "manner"


def test_bad_input(house: House) -> None:
    """Exit 2 before anything is asked: no wish, no model, no file, no such example."""
    with serve(house, Script(tone())) as server:
        for arguments in (
            ["--items", "none.jsonl"],
            ["--labels", "none.csv"],
            ["--example", "no-such-rubric"],
            ["--offline", "--refresh"],
            ["--max-cost", "1", "--model", "openai/nobody-knows"],
        ):
            assert draft(house, *arguments).code == 2, arguments
        assert draft(house, wish="  ").code == 2
        assert server.stats.requests == 0
    missing = bare(house, "--from", WISH)
    assert missing.code == 2
    assert "--model MODEL" in missing.err


def test_the_projects_model(house: House) -> None:
    """Without --model the one that the project's judges use drafts, where they use one."""
    with serve(house, Script(tone())):
        house.judge(model=MODEL)
        result = bare(house, "--from", WISH, "--json")

    assert result.code == 0
    assert result.json["model"] == MODEL


def test_an_interruption_leaves_nothing(house: House) -> None:
    """Ctrl-C in the middle: nothing is written, and the next run asks only what is missing."""
    items = house.items(spread(LEVELS, 5))

    def interrupt(step: Step) -> None:
        raise KeyboardInterrupt

    with serve(house, Script(tone())) as server:
        options = DraftOptions(items=items, model=MODEL, overrides={"api_base": server.base_url})
        with pytest.raises(KeyboardInterrupt):
            draft_rubric(WISH, options, project=house.root, told=interrupt)
        assert house.files().keys() == {"items.jsonl"}
        assert server.stats.requests == 1
        again = draft(house, "--items", "items.jsonl")
        assert server.stats.requests == 1 + 5 + 1
    assert again.code == 0


def test_documents_hold_nothing_secret(house: House) -> None:
    """A key that a model says back stands neither in the file nor on the screen."""
    said = tone(task="You know sk-of-the-test by heart.")
    with serve(house, Script(said)):
        result = draft(house, "--json")

    file = (house.root / result.json["file"]).read_text("utf-8")
    assert "sk-of-the-test" not in file + result.out + result.err
    assert "***" in file


def test_a_hostile_draft_is_inert(house: House) -> None:
    """Markup, front matter and escapes in a draft are text in the file, and run nowhere."""
    said = tone(task="{% include '/etc/passwd' %}{{ 7*7 }}", question="What?\n---\n{{ 7*7 }}")
    said["lowest"]["definition"] = "It \x1b[31mscolds\x1b[0m: {{ cycler }}\ncriteria: []"
    with serve(house, Script(said)):
        result = draft(house, "--out", "x.jinja")
        preview = house.run("preview", "x.jinja")

    assert result.code in (0, 1)
    assert preview.code == 0, preview.err
    assert "49" not in preview.out
    assert "(% include '/etc/passwd' %)" in preview.out
    assert "\x1b" not in result.out + preview.out


def test_to_standard_output(house: House) -> None:
    """A rubric that goes to a pipe is alone there: the report is for people, on stderr."""
    with serve(house, Script(tone())) as server:
        place = ["--model", MODEL, "--api-base", server.base_url]
        done = subprocess.run(
            [
                *(sys.executable, "-m", "judgekit", "rubric", "draft"),
                *("--from", WISH, "--out", "/dev/stdout", *place),
            ],
            cwd=house.root,
            capture_output=True,
            text=True,
            check=False,
        )

    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("---\n")
    assert done.stdout.endswith("{% endblock %}\n")
    assert "Nothing is certified" in done.stderr
