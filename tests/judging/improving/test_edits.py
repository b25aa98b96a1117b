"""Edits to a rubric: read strictly, applied to what may change, refused elsewhere."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from judgekit.importers.rubrics import template_loader
from judgekit.judging.improving.applying import (
    MOST_ANCHORS,
    Example,
    applied,
    task_of,
    with_task,
)
from judgekit.judging.improving.edits import Edit, Refused, read_edits
from judgekit.judging.request import ModelReply
from judgekit.rubric.model import Rubric
from judgekit.rubric.parse import parse_rubric
from tests.e2e.house import RUBRIC

LOAD = template_loader(Path())
EXAMPLES = {"i1": Example("cold", {"input": "q", "output": "Seven days."})}


def rubric(text: str = RUBRIC) -> Rubric:
    """Return the rubric of a text."""
    return parse_rubric(text, load=LOAD)


def read(said: object, **more: str) -> tuple[Edit, ...] | Refused:
    """Read a reply on the tone rubric."""
    text = said if isinstance(said, str) else json.dumps(said)
    return read_edits(ModelReply(text, **more), rubric().criteria[0].scale)


def edits(*listed: dict) -> dict:
    """A reply."""
    return {"why": "so", "edits": list(listed)}


def test_a_reply_is_read() -> None:
    """Level names in any case or by value; texts on one line; a fence and prose do not matter."""
    said = edits(
        {"what": "definition", "level": "COLD", "item": "", "text": " No\n thanks. "},
        {"what": "drops_when", "level": "3", "text": "It thanks nobody."},
        {"what": "question", "level": "cold", "text": "Does it thank?"},
        {"what": "anchor", "level": "cold", "item": "i1", "text": "It states a fact."},
    )
    found = read(f"Here it is:\n```json\n{json.dumps(said)}\n```\n")

    assert found == (
        Edit("definition", "No thanks.", "cold"),
        Edit("drops_when", "It thanks nobody.", "polite"),
        Edit("question", "Does it thank?"),
        Edit("anchor", "It states a fact.", "cold", "i1"),
    )


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("I would rather not.", "no list of edits"),
        ("{'edits': []}", "no list of edits"),
        ({"edits": "all"}, "no list of edits"),
        ({"criteria": [{"criterion": "tone"}]}, "no list of edits"),
        (edits(), "0 edits"),
        (edits(*[{"what": "question", "text": "x"}] * 13), "13 edits"),
        (edits({"what": "name", "level": "cold", "text": "icy"}), "changes 'name'"),
        (edits({"what": "scale", "text": "nominal"}), "changes 'scale'"),
        (edits({"what": "inputs", "text": "output"}), "changes 'inputs'"),
        (edits({"what": "passes_at", "text": "2"}), "changes 'passes_at'"),
        (edits({"what": "definition", "level": "icy", "text": "x"}), "a level 'icy'"),
        (edits({"what": "definition", "text": "x"}), "a level ''"),
        (edits({"what": "question", "text": "  "}), "empty"),
        (edits({"what": "question", "text": 7}), "empty"),
        (edits({"what": "question", "text": "x" * 1501}), "1,501 characters"),
        (edits(*[{"what": "question", "text": t} for t in "ab"]), "one place twice"),
        (edits({"what": "question", "text": "Is {{ 7*7 }} it?"}), "'{{' in the text"),
        (edits({"what": "task", "text": "{% include '/etc/passwd' %}"}), "'{%' in the text"),
        (edits({"what": "drops_when", "level": "cold", "text": "{# hm #}"}), "'{#' in the text"),
        (edits({"what": "definition", "level": "cold", "text": "<<<output a1"}), "'<<<' in the"),
        (edits({"what": "not_applicable", "text": "a1 output>>> rude"}), "'>>>' in the text"),
    ],
)
def test_a_reply_is_refused(said: object, why: str) -> None:
    """Whatever is no list of edits to what may change; one bad edit takes all with it."""
    found = read(said)

    assert isinstance(found, Refused)
    assert why in found.why
    if isinstance(said, dict) and isinstance(said.get("edits"), list) and said["edits"]:
        good = {"what": "task", "text": "You read replies."}
        assert isinstance(read(edits(good)), tuple)
        assert isinstance(read({"edits": [good, *said["edits"]]}), Refused)


def test_a_refused_or_cut_reply() -> None:
    """A refusal and a reply that was cut short are no proposals."""
    assert "refused" in read("", refusal="I cannot.").why
    assert "truncated" in read('{"edits": [{"what": "que', finish="length").why


def test_edits_are_applied() -> None:
    """Each kind changes its place and nothing else; anchors are the item's own text."""
    before = rubric()
    after = applied(
        before,
        before.criteria[0],
        [
            Edit("question", "Does it thank?"),
            Edit("definition", "It states facts.", "cold"),
            Edit("drops_when", "It thanks.", "cold"),
            Edit("not_applicable", "There is no reply."),
            Edit("task", "You read {{ 7*7 }} replies."),
            Edit("anchor", "It states a fact.", "cold", "i1"),
        ],
        EXAMPLES,
    )

    assert isinstance(after, Rubric)
    criterion, old = after.criteria[0], before.criteria[0]
    cold = criterion.scale.levels[1]
    assert (criterion.question, criterion.not_applicable) == (
        "Does it thank?",
        "There is no reply.",
    )
    assert (cold.definition, cold.drops_when) == ("It states facts.", "It thanks.")
    assert cold.anchors[0].fields == {"input": "q", "output": "Seven days."}
    assert cold.anchors[0].reason == "It states a fact."
    assert "{% block task %}You read (( 7*7 )) replies.{% endblock %}" in after.body
    others = [lv for lv in criterion.scale.levels if lv.name != "cold"]
    assert others == [lv for lv in old.scale.levels if lv.name != "cold"]
    for name in ("name", "passes_at", "weights", "passes"):
        assert getattr(criterion, name) == getattr(old, name)
    assert criterion.scale.names == old.scale.names
    assert (after.inputs, after.version, after.name) == (before.inputs, before.version, "tone")


@pytest.mark.parametrize(
    ("edit", "why"),
    [
        (Edit("anchor", "so", "cold", "i9"), "'i9' as an example, which is none"),
        (Edit("anchor", "so", "polite", "i1"), "people called it 'cold'"),
        (Edit("question", "How friendly is the reply?"), "changes nothing"),
    ],
)
def test_edits_that_cannot_be(edit: Edit, why: str) -> None:
    """Examples are items of train under the level people gave them; an edit changes something."""
    before = rubric()
    found = applied(before, before.criteria[0], [edit], EXAMPLES)

    assert isinstance(found, Refused)
    assert why in found.why


def test_a_level_has_so_many_examples() -> None:
    """A prompt does not grow for ever."""
    before = rubric()
    for n in range(MOST_ANCHORS):
        examples = {"x": Example("cold", {"input": "q", "output": f"Day {n}."})}
        step = applied(before, before.criteria[0], [Edit("anchor", "so", "cold", "x")], examples)
        assert isinstance(step, Rubric)
        before = step
    full = applied(before, before.criteria[0], [Edit("anchor", "so", "cold", "i1")], EXAMPLES)

    assert isinstance(full, Refused)
    assert str(MOST_ANCHORS) in full.why


OWN = '{% extends "judgekit/pointwise@1.jinja" %}\n'


@pytest.mark.parametrize(
    ("body", "task"),
    [
        ("", ""),
        (OWN, ""),
        (OWN + "{% block task %}You read\n replies.{% endblock %}\n", "You read replies."),
        (OWN + "{%- block task -%}You read.{%- endblock task -%}\n", "You read."),
        (OWN + "{% block task %}You read {{ criterion.name }}.{% endblock %}\n", None),
        ("{{ criterion.question }}\n{{ input }}\n{{ output }}\n", None),
    ],
)
def test_the_task(body: str, task: str | None) -> None:
    """Plain words can be edited; markup, and a template of one's own, stay as they are."""
    one = rubric(RUBRIC + body)
    new = with_task(one.body, "You grade.")

    assert task_of(one) == task
    assert (new is None) == (task is None)
    if new is not None:
        assert task_of(rubric(RUBRIC + new)) == "You grade."


def test_a_task_that_is_shared() -> None:
    """Of several criteria none changes what the others are shown."""
    first = RUBRIC.split("criteria:\n")[1].removesuffix("---\n")
    second = first.replace("criterion: tone", "criterion: manner")
    both = rubric(RUBRIC.replace(first, first + second))
    assert len(both.criteria) == 2
    found = applied(both, both.criteria[0], [Edit("task", "You read.")], {})

    assert isinstance(found, Refused)
    assert "task" in found.why
