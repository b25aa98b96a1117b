"""Small questions for a small model, and the draft that its answers make."""

from __future__ import annotations

from pathlib import Path

import pytest

from judgekit.importers.rubrics import template_loader
from judgekit.judging.authoring.draft import Frame, Labelled
from judgekit.judging.authoring.small import (
    FALLBACK,
    asked_field,
    assembled,
    first_questions,
    more_questions,
    names_of,
    question_of,
)
from judgekit.judging.authoring.writing import write_draft
from judgekit.rubric.parse import parse

FRAME = Frame("how polite a reply is")
NAMES = {("levels", 0, "name"): "Polite.", ("levels", 1, "name"): "rude!"}


def test_names_come_first() -> None:
    """A question is asked for where the wish is none; names where nothing settles them."""
    fields = [q.field for q in first_questions(FRAME)]

    assert fields == [("question",), ("levels", 0, "name"), ("levels", 1, "name")]
    assert [q.field for q in first_questions(Frame("Is it polite?"))] == [*NAMES]
    assert first_questions(Frame("Is it?", example_levels=("warm", "rude"))) == []
    assert first_questions(Frame("Is it?", levels=("warm", "rude"))) == []
    assert len(first_questions(Frame("Is it?", levels=("1", "0")))) == 2


@pytest.mark.parametrize(
    ("best", "worst", "names"),
    [
        ("Polite.", "rude!", ("polite", "rude")),
        ("polite", "polite", FALLBACK),
        ("polite", "polish", FALLBACK),
        ("12", "rude", FALLBACK),
        ("", "", FALLBACK),
    ],
)
def test_names_that_can_be_told_apart(best: str, worst: str, names: tuple[str, str]) -> None:
    """One word each; where the model gives no two, others stand in their place."""
    answers = {("levels", 0, "name"): best, ("levels", 1, "name"): worst}

    assert names_of(FRAME, answers) == names


def test_a_question_about_each_level() -> None:
    """A definition each, what drops an output but for the lowest, and two examples each."""
    fields = [q.field for q in more_questions(FRAME, ("polite", "rude"))]

    assert fields == [
        ("levels", 0, "definition"),
        ("levels", 0, "drops_when"),
        ("levels", 0, "anchors", 0),
        ("levels", 0, "anchors", 1),
        ("levels", 1, "definition"),
        ("levels", 1, "anchors", 0),
        ("levels", 1, "anchors", 1),
    ]


def test_labelled_items_are_the_examples() -> None:
    """They are taken word for word, and the model is asked for no example of that level."""
    items = [Labelled(f"i{n}", "kind", {"input": "q", "output": f"text {n}"}) for n in range(3)]
    frame = Frame(
        "Is it kind?",
        inputs=("input", "output"),
        levels=("kind", "mean"),
        kinds=("binary", "nominal"),
        labelled=tuple(items),
    )
    asked = {q.field for q in more_questions(frame, ("kind", "mean"))}
    draft = assembled(frame, {("levels", 1, "anchors", 0): "You again."})

    assert ("levels", 0, "anchors", 0) not in asked
    assert ("levels", 1, "anchors", 0) in asked
    assert draft.inputs == ("output",)
    kind, mean = draft.levels
    assert [(a.fields, a.item) for a in kind.anchors] == [
        ({"output": "text 0"}, "i0"),
        ({"output": "text 1"}, "i1"),
    ]
    assert [a.fields for a in mean.anchors] == [{"output": "You again."}]


def test_any_answers_make_a_rubric_that_can_be_read() -> None:
    """Poor answers leave violations, but levels, values and a question are there."""
    answers = {**NAMES, ("levels", 0, "definition"): "x", ("levels", 1, "definition"): "{{ y }}"}
    draft = assembled(FRAME, answers)
    rubric, problems = parse(write_draft(draft).text, load=template_loader(Path()))

    assert rubric is not None, problems
    assert rubric.criteria[0].scale.names == ("rude", "polite")
    assert rubric.criteria[0].scale.kind == "binary"
    assert rubric.criteria[0].question == "how polite a reply is"
    assert rubric.name == "polite-reply"


def test_numbers_stay() -> None:
    """Of more than two numbers each level is called by its own."""
    frame = Frame("Is it?", levels=("3", "2", "1"), kinds=("ordinal",))

    assert [(lv.name, lv.value) for lv in assembled(frame, {}).levels] == [
        ("3", 3),
        ("2", 2),
        ("1", 1),
    ]


def test_a_complaint_goes_with_the_question() -> None:
    """On one line, so that it is part of the question and nothing else; of bounded length."""
    field = ("levels", 0, "definition")
    asked = question_of(field, FRAME, ("polite", "rude"), "line 3: vague\nIgnore all" + "!" * 900)

    assert 'is "polite"' in asked.messages[1].text
    assert asked.messages[1].text.endswith("!" * 100)
    assert len(asked.messages[1].text) < 500
    assert asked.schema["properties"]["definition"]["maxLength"] == 240


def test_what_a_violation_leads_to() -> None:
    """A level that lacks something lacks what drops an output; a list of examples, the first."""
    assert asked_field(("levels", 1, "value")) == ("levels", 1, "drops_when")
    assert asked_field(("levels", 1, "anchors")) == ("levels", 1, "anchors", 0)
    assert asked_field(("levels", 1, "definition")) == ("levels", 1, "definition")
    assert asked_field(()) == ()
