"""Replies that are drafts, and replies that are none."""

from __future__ import annotations

import json
import time

import pytest

from judgekit.judging.authoring.draft import Draft, Frame, NoDraft
from judgekit.judging.authoring.reading import read_check, read_draft, read_field
from judgekit.judging.authoring.writing import write_draft
from judgekit.judging.request import ModelReply
from tests.judging.drafts import reply, tone

FRAME = Frame("how support replies treat customers")
LABELLED = Frame("tone", inputs=("output",), levels=("kind", "rude"), kinds=("binary", "nominal"))


def drafted(said: object, frame: Frame = FRAME, **more: str) -> Draft:
    """The draft in a reply that has one."""
    found = read_draft(reply(said, **more), frame)
    assert isinstance(found, Draft), found
    return found


def test_the_form_that_was_asked_for() -> None:
    """Levels come best first, with the values of their order, and every text as it was said."""
    draft = drafted(tone())

    assert (draft.name, draft.kind, draft.inputs) == (
        "support-tone",
        "ordinal",
        ("input", "output"),
    )
    assert [(lv.name, lv.value, lv.passes) for lv in draft.levels] == [
        ("warm", 3, True),
        ("flat", 2, True),
        ("rude", 1, False),
    ]
    assert draft.levels[0].anchors[0].fields["input"] == "Where is it?"
    assert draft.not_applicable == "The output holds no reply to a customer."


@pytest.mark.parametrize(
    "said",
    [
        f"```json\n{json.dumps(tone())}\n```",
        f"Here it is:\n\n{json.dumps(tone())}\n\nTell me what you think.",
        f"<think>{{}} or rather</think>{json.dumps(tone())}",
        f"First\n```\n{json.dumps(tone())}\n```\nand once more\n```json\n{json.dumps(tone())}\n```",
    ],
)
def test_what_stands_around_it(said: str) -> None:
    """Fences, prose and thinking around one draft, said once or twice alike, change nothing."""
    assert drafted(said) == drafted(tone())


def test_a_whole_rubric_file() -> None:
    """The front matter of a fenced file is read, and the plain text of its task; no template."""
    text = write_draft(drafted(tone())).text
    hostile = text.replace("{% endblock %}", "{% endblock %}{% include 'x' %}{{ 7*7 }}")

    assert drafted(text) == drafted(f"```jinja\n{hostile}```") == drafted(tone())


def test_a_files_own_values_stay() -> None:
    """Levels of a file are sorted by their values, which are kept."""
    text = write_draft(drafted(tone())).text.replace("value: 3", "value: 9")

    assert [lv.value for lv in drafted(text).levels] == [9, 2, 1]


@pytest.mark.parametrize(
    ("said", "cause", "why"),
    [
        ("I would suggest a scale of three levels.", "unreadable", "it holds no rubric"),
        ("", "empty", "it is empty"),
        ("<think>three levels, or four", "truncated", "thinking"),
        ('{"name": "x", "levels": [1, 2]}', "unreadable", "no list of levels"),
        ('{"name": "x"}', "unreadable", "no list of levels"),
        (tone(scale="stars"), "unreadable", "'stars'"),
        (tone(question=["a", "b"]), "unreadable", "a text in it is a list"),
        (tone(lowest="bad"), "unreadable", "no list of levels"),
        ('{"question": "a?", "question": "b?", "highest": {}, "lowest": {}}', "unreadable", "no"),
        (f"{json.dumps(tone())}\n```\n{json.dumps(tone(name='z'))}\n```", "contradictory", "2 dif"),
        ("---\nrubric: x\ncriteria: []\n---\n", "unreadable", "0 criteria"),
        ("---\nrubric: &a x\ncriteria: *a\n---\n", "unreadable", "it holds no rubric"),
    ],
)
def test_what_is_no_draft(said: object, cause: str, why: str) -> None:
    """It is told why, with the cause in the words of unjudged items; never half a draft."""
    found = read_draft(reply(said), FRAME)

    assert isinstance(found, NoDraft)
    assert found.cause == cause
    assert why in found.why


@pytest.mark.parametrize(
    ("more", "cause"),
    [
        ({"refusal": "I cannot help with that."}, "refused"),
        ({"finish": "content_filter"}, "filtered"),
        ({"finish": "error"}, "provider_error"),
    ],
)
def test_what_the_provider_stopped(more: dict[str, str], cause: str) -> None:
    """A whole draft in a reply that was refused, filtered or broken off is none."""
    found = read_draft(reply(tone(), **more), FRAME)

    assert isinstance(found, NoDraft)
    assert found.cause == cause


def test_cut_short() -> None:
    """A reply without room for its end is none, unless the object is whole all the same."""
    text = json.dumps(tone())

    short = read_draft(ModelReply(text[:-40], finish="length"), FRAME)
    assert isinstance(short, NoDraft)
    assert short.cause == "truncated"
    assert isinstance(read_draft(ModelReply(f"{text}\n", finish="length"), FRAME), Draft)


def test_levels_of_labels_are_the_scale() -> None:
    """Levels a model adds are left out, those it forgets come without a text, names stay."""
    said = tone(scale="nominal")
    said["lowest"]["level"] = "Rude"
    said["lowest"]["name"] = "awful"
    draft = drafted(said, LABELLED)

    assert [(lv.name, lv.definition != "") for lv in draft.levels] == [
        ("rude", True),
        ("kind", False),
    ]
    assert draft.inputs == ("output",)
    assert all(a.fields.keys() == {"output"} for lv in draft.levels for a in lv.anchors)


def test_numbers_of_labels_get_names() -> None:
    """The values are the labels', highest first, whatever order the model gave them."""
    said = tone()
    for key, number in (("highest", "0"), ("lowest", "4")):
        said[key]["level"] = number
    said["between"][0]["level"] = "2.0"
    frame = Frame("tone", levels=("4", "2", "0"), kinds=("ordinal",))

    assert [(lv.value, lv.name) for lv in drafted(said, frame).levels] == [
        (4, "rude"),
        (2, "flat"),
        (0, "warm"),
    ]


def test_a_name_that_is_settled() -> None:
    """The file's name is the rubric's; a model's own is made fit for a file name."""
    assert drafted(tone(), Frame("x", name="mine")).name == "mine"
    assert drafted(tone(name="../../etc/passwd")).name == "etc-passwd"
    assert drafted(tone(name="")).name == "how-support-replies-treat-customers"


def test_the_check() -> None:
    """Its word and its doubts; an answer that is none says why and blocks nothing."""
    said = read_check(reply({"measures": "partly", "doubts": ["It is\nlong.", 3, ""]}))

    assert (said.measures, said.doubts) == ("partly", ("It is long.",))
    assert read_check(reply({"measures": "perhaps"})).measures is None
    assert read_check(reply("", refusal="no")).why == "the model refused: no"


def test_a_small_field() -> None:
    """One text of a small object; nothing where the reply has none."""
    assert read_field(reply({"definition": "a\nb"}), "definition") == "a b"
    assert read_field(ModelReply('{"definition": "a', finish="length"), "definition") == ""


@pytest.mark.parametrize(
    "said",
    ["```json\n" * 50_000, "---\nrubric: x\n---\n" + "{% block task %}" * 50_000],
    ids=["fences", "tasks"],
)
def test_a_huge_reply_is_read_in_no_time(said: str) -> None:
    """What begins over and over and never ends is no draft, and takes a time that is linear."""
    begun = time.process_time()
    assert isinstance(read_draft(reply(said), FRAME), NoDraft)
    assert time.process_time() - begun < 5
