"""A changed rubric as text: what did not change stays, and it reads back as it was meant."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judgekit.importers.rubrics import template_loader
from judgekit.judging.improving.applying import Example, applied
from judgekit.judging.improving.edits import Edit, Refused
from judgekit.judging.improving.rewriting import written
from judgekit.rubric.model import Rubric
from judgekit.rubric.parse import parse_rubric
from judgekit.rubric.render import render
from tests.e2e.house import RUBRIC

LOAD = template_loader(Path())


def rewrite(text: str, *edits: Edit, **examples: Example) -> tuple[str, Rubric, Rubric]:
    """Return the new text, and the rubric before and after."""
    before = parse_rubric(text, load=LOAD)
    after = applied(before, before.criteria[0], edits, examples)
    assert isinstance(after, Rubric), after
    made = written(text, before, after, LOAD)
    assert isinstance(made, str), made
    return made, before, after


def lines_changed(old: str, new: str) -> tuple[list[str], list[str]]:
    """Return the lines that went and those that came."""
    gone = [line for line in old.splitlines() if line not in new.splitlines()]
    return gone, [line for line in new.splitlines() if line not in old.splitlines()]


def test_one_line_changes_and_no_other() -> None:
    """Comments, order and layout are the author's."""
    text = RUBRIC.replace("    levels:\n", "    # the levels, as agreed in May\n    levels:\n")
    made, _, _ = rewrite(text, Edit("definition", "It states facts.", "cold"))

    assert lines_changed(text, made) == (
        ["        definition: The reply is correct and says nothing kind."],
        ["        definition: It states facts."],
    )


@pytest.mark.parametrize(
    "written_as",
    [
        "definition: >-   # as agreed\n          The reply is\n          so.\n\n        # next",
        'definition: "The reply is\n          correct."',
        "definition: The reply is\n          correct.   # as agreed",
        "definition: |\n          The reply is\n          correct.",
        "definition:   'The reply is correct.'",
    ],
)
def test_however_a_text_is_written(written_as: str) -> None:
    """Block, quoted or running over lines: it is replaced whole, and what follows stays."""
    text = RUBRIC.replace("definition: The reply is correct and says nothing kind.", written_as)
    new = 'It says: "no" # never; it\'s ' + "a long text of very many words " * 5
    made, _, _ = rewrite(text, Edit("definition", new.strip(), "cold"))

    assert made.count("It insults or orders the customer about.") == 1
    assert ("# next" in made) == ("# next" in written_as)
    assert made.split("\n---\n")[0].startswith(text[: text.index("definition: The reply insults")])


def test_new_keys_and_examples() -> None:
    """They come where people would put them."""
    example = Example("cold", {"input": "When?\nNow?", "output": "---\n{{ x }} # c"})
    more = Example("friendly", {"input": [{"role": "user", "content": "hi"}], "output": "Hello!"})
    made, _, _ = rewrite(
        RUBRIC,
        Edit("drops_when", "It hurts.", "rude"),
        Edit("not_applicable", "There is no reply."),
        Edit("anchor", "It states a fact.", "cold", "i1"),
        Edit("anchor", "It greets.", "friendly", "i2"),
        i1=example,
        i2=more,
    )

    gone, came = lines_changed(RUBRIC, made)
    assert gone == []
    assert "        drops_when: It hurts." in came
    assert "    not_applicable: There is no reply." in came
    assert "            reason: It states a fact." in came
    assert made.index("It greets, thanks and offers help.") < made.index("content: hi")


def test_what_is_written_in_braces() -> None:
    """Such a file is written anew; the rubric is what was meant, its description stays."""
    braces = "- {value: 1, name: rude, definition: The reply insults the customer.}"
    old = (
        "- value: 1\n        name: rude\n"
        "        definition: The reply insults or orders the customer about."
    )
    text = RUBRIC.replace(old, braces).replace(
        "version: 1\n", "version: 1\ndescription: For May.\n"
    )
    made, _, after = rewrite(text, Edit("definition", "It scolds.", "rude"))

    assert "{" not in made.split("---")[1]
    assert "description: For May." in made
    assert parse_rubric(made, load=LOAD) == after


def test_windows_line_ends_stay() -> None:
    """A file with them is written with them."""
    text = RUBRIC.replace("\n", "\r\n")
    made, _, _ = rewrite(text, Edit("question", "Does it thank?"))

    assert made.count("\r\n") == made.count("\n") > 10


def test_the_version() -> None:
    """It is one line like others."""
    before = parse_rubric(RUBRIC, load=LOAD)
    made = written(RUBRIC, before, replace(before, version=2), LOAD)

    assert made == RUBRIC.replace("version: 1", "version: 2")


def test_what_does_not_read_back_is_refused() -> None:
    """A rubric that no file says is none: here a text that ends in a space."""
    before = parse_rubric(RUBRIC, load=LOAD)
    criterion = replace(before.criteria[0], question="Is it? ")
    made = written(RUBRIC, before, replace(before, criteria=(criterion,)), LOAD)
    unusable = replace(before, inputs=("output",))
    cannot = written(RUBRIC, before, replace(unusable, version=0), LOAD)

    assert isinstance(made, Refused)
    assert "read back" in made.why
    assert isinstance(cannot, Refused)
    assert "cannot be used" in cannot.why


ITEM = {"input": "a", "output": "b"}
ANY = st.one_of(
    st.text(max_size=60),
    st.sampled_from(
        ["{{ 7*7 }}", "{% include 'x' %}", "---", "'", '"', ": #", "- a\n  - b", "\\", "null", "@"]
    ),
)


@settings(max_examples=60, deadline=None)
@given(output=ANY, reason=ANY, definition=ANY, task=ANY)
def test_any_text_is_inert(output: str, reason: str, definition: str, task: str) -> None:
    """Whatever an item or a reflector says stands in the prompt as it is, or is thrown away."""
    before = parse_rubric(RUBRIC, load=LOAD)
    texts = [" ".join(text.split()) for text in (reason, definition, task)]
    edits = [
        Edit("anchor", texts[0], "cold", "i1"),
        Edit("definition", texts[1], "cold"),
        Edit("task", texts[2]),
    ]
    examples = {"i1": Example("cold", {"input": "q", "output": output})}
    after = applied(before, before.criteria[0], edits, examples)
    assert isinstance(after, Rubric)
    made = written(RUBRIC, before, after, LOAD)
    if isinstance(made, Refused):  # text no rubric can hold, such as none at all
        return
    found = parse_rubric(made, load=LOAD)
    assert found == after
    prompt = "\n".join(said for _, said in render(found, found.criteria[0], ITEM))
    for text in (output, *texts[:2], texts[2].translate(str.maketrans("{}", "()"))):
        assert text in prompt
