"""Drafts written as rubric files: whatever a model says is a value, read back as it was said."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judgekit.importers.rubrics import template_loader
from judgekit.judging.authoring.draft import (
    Draft,
    DraftAnchor,
    DraftLevel,
    Frame,
    line_of,
    lines_of,
)
from judgekit.judging.authoring.reading import read_draft
from judgekit.judging.authoring.writing import write_draft
from judgekit.linting.violations import check
from judgekit.rubric.model import Rubric
from judgekit.rubric.parse import parse
from judgekit.rubric.render import render
from tests.judging.drafts import reply, tone

LOAD = template_loader(Path())
NASTY = st.sampled_from(
    [
        "{{ 7*7 }}",
        "{% include 'x' %}",
        "{% endblock %}{{ mark }}",
        "---\ncriteria: []",
        "a: b # c",
        "- x",
        "'\"",
        "null",
        "*a &b !c",
        "x\u2028y\x85z",
        "\x1b[2J\ud800",
        "{#",
        "#}",
        "trailing \\",
    ]
)
TEXT = st.one_of(NASTY, st.text(max_size=40), st.tuples(NASTY, NASTY).map("".join))


def parsed(draft: Draft) -> Rubric:
    """The rubric that a draft is written as."""
    rubric, problems = parse(write_draft(draft).text, load=LOAD)
    assert rubric is not None, problems
    return rubric


@settings(max_examples=50)
@given(definition=TEXT, output=TEXT, reason=TEXT, question=TEXT, task=TEXT, na=TEXT)
def test_texts_are_inert(
    definition: str, output: str, reason: str, question: str, task: str, na: str
) -> None:
    """Every text comes back as it was said, and none of it is ever run as a template."""
    anchor = DraftAnchor({"output": f"x{output}"}, reason)
    levels = (
        DraftLevel("warm", 2, f"d{definition}", f"w{definition}", passes=True, anchors=(anchor,)),
        DraftLevel("cold", 1, "It has none."),
    )
    draft = Draft("tone", f"q{question}", "ordinal", ("output",), levels, task, na)
    rubric = parsed(draft)
    criterion = rubric.criteria[0]
    level = criterion.scale.levels[1]
    shown = "".join(text for _, text in render(rubric, criterion, {"output": "o"}))

    assert criterion.question == line_of(f"q{question}")
    assert level.definition == line_of(f"d{definition}")
    assert level.drops_when == line_of(f"w{definition}")
    assert level.anchors[0].fields == {"output": lines_of(f"x{output}")}
    assert (level.anchors[0].reason or "") == line_of(reason)
    assert (criterion.not_applicable or "") == line_of(na)
    assert line_of(task).replace("{", "(").replace("}", ")") in shown
    assert rubric.templates.keys() == {"judgekit/pointwise@1.jinja"}


@settings(max_examples=50)
@given(first=TEXT, second=TEXT, note=TEXT)
def test_names_and_comments_are_inert(first: str, second: str, note: str) -> None:
    """Level names, also in the list of those that pass, and comments; cases are named in them."""
    names = (line_of(f"a{first}"), line_of(f"b{second}"))
    levels = tuple(DraftLevel(name, None, "It is.", passes=name == names[0]) for name in names)
    draft = Draft("tone", "What is it?", "nominal", ("output",), levels)
    rubric, problems = parse(write_draft(draft, notes=[note]).text, load=LOAD)

    assert rubric is not None, problems
    assert rubric.criteria[0].scale.names == names
    assert rubric.criteria[0].passes == (True, False)


def test_a_good_draft_is_clean() -> None:
    """What a model writes as it is told, the linter has nothing against."""
    draft = read_draft(reply(tone()), Frame("tone"))
    assert isinstance(draft, Draft)
    text = write_draft(draft, notes=["from a, b"]).text

    assert check(text, file="x.jinja", load=LOAD) == []
    assert parsed(draft).criteria[0].passes_at == 2
    assert text.endswith(
        '---\n{% extends "judgekit/pointwise@1.jinja" %}\n'
        "{% block task %}You read replies of a support desk.{% endblock %}\n"
    )


def test_each_line_knows_what_it_says() -> None:
    """A violation's line leads to the field that has to be written again."""
    draft = read_draft(reply(tone()), Frame("tone"))
    assert isinstance(draft, Draft)
    written = write_draft(draft)
    lines = written.text.split("\n")

    def field(piece: str) -> tuple[str | int, ...]:
        return written.field(next(i for i, line in enumerate(lines, 1) if piece in line))

    assert field("Hello Ann") == ("levels", 0, "anchors", 0)
    assert field("mocks the customer") == ("levels", 2, "definition")
    assert field("question:") == ("question",)
    assert written.field(999) == ()


def test_what_is_missing_is_for_the_linter() -> None:
    """A text that was not written leaves an empty value, and a violation on its line."""
    levels = (DraftLevel("warm", 2), DraftLevel("cold", 1, "It has none."))
    written = write_draft(Draft("tone", "", "ordinal", ("output",), levels))
    found = {written.field(v.line) for v in check(written.text, file="x", load=LOAD)}

    assert {("question",), ("levels", 0, "definition")} <= found


@pytest.mark.parametrize(
    ("flags", "line"),
    [
        ((True, True, False), "    passes_at: 2"),
        ((True, False, True), "    passes_at: 3"),
        ((False, True, True), None),
        ((True, True, True), None),
    ],
)
def test_the_pass_line(flags: tuple[bool, ...], line: str | None) -> None:
    """The lowest of the levels from the top that pass without a gap; none where it says nothing."""
    levels = tuple(
        DraftLevel(f"l{value}", value, passes=flag)
        for value, flag in zip((3, 2, 1), flags, strict=True)
    )
    text = write_draft(Draft("tone", "q", "ordinal", ("output",), levels)).text

    assert next((one for one in text.split("\n") if "passes_at" in one), None) == line
