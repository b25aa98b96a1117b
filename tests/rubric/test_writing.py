"""A rubric that is written reads back as the same rubric, and looks as a person would write it."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings

from judgekit.rubric.model import Rubric
from judgekit.rubric.parse import parse
from judgekit.rubric.writing import rubric_text
from tests.rubric.make import BASES, LOAD, usable
from tests.rubric.strategies import rubrics

QUICK = settings(
    max_examples=30,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


@QUICK
@given(rubrics())
def test_a_written_rubric_reads_back(rubric: Rubric) -> None:
    """To the character, whatever its texts hold."""
    read, problems = parse(rubric_text(rubric), load=LOAD)

    assert [problem for problem in problems if problem.fatal] == []
    assert read == rubric
    assert rubric_text(rubric) == rubric_text(read)


@QUICK
@given(rubrics())
def test_lines_that_can_be_broken_are(rubric: Rubric) -> None:
    """A description of the rubric stands in the file, and changes nothing that is read."""
    text = rubric_text(rubric, description="For the help desk: all of it.")

    assert text.split("\n")[2] == 'description: "For the help desk: all of it."'
    assert parse(text, load=LOAD)[0] == rubric


def test_every_kind_of_base_reads_back() -> None:
    """The rubrics of the other tests, with templates of their own."""
    for text in BASES.values():
        rubric = usable(text)
        assert usable(rubric_text(rubric)) == rubric


LONG = "The answer names a source for every figure in it, and all of the sources have the figure."


def test_it_looks_as_people_write_it() -> None:
    """Best level first, long texts folded, several lines below a bar, quotes where needed."""
    text = BASES["ordinal"].replace("Every claim is supported.", f"{LONG} {LONG}")
    text = text.replace("output: At nine.", 'output: "At nine.\\nNot: before."')
    rubric = usable(text.replace("One claim is not.", "'One claim: wrong.'"))

    assert (
        rubric_text(rubric)
        == f"""\
---
rubric: groundedness
version: 1
inputs: [input, output, context]
criteria:
  - criterion: groundedness
    question: Does the answer claim only what the context supports?
    scale: ordinal
    passes_at: 3
    levels:
      - value: 3
        name: grounded
        definition: >-
          {LONG}
          {LONG}
        drops_when: "One claim: wrong."
        anchors:
          - input: When do you open?
            output: |-
              At nine.
              Not: before.
            reason: The context says so.
      - value: 2
        name: stretched
        definition: One claim is not supported.
        drops_when: Two are not.
      - value: 1
        name: invented
        definition: Most claims are made up.
    not_applicable: Nothing is claimed.
---
{{% extends "judgekit/pointwise@1.jinja" %}}
{{% block task %}}You grade answers.{{% endblock %}}
"""
    )


def test_an_empty_template_stays_empty() -> None:
    """The built-in one is what every rubric has without a body."""
    assert rubric_text(usable(BASES["binary"])).endswith("definition: It is not.\n---\n")
