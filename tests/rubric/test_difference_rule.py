"""The rule of the diff is the fingerprint's: cosmetic exactly where no fingerprint moves."""

from __future__ import annotations

import re
from typing import Any

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from judgekit.judging.judge import Judge
from judgekit.rubric.change import Change
from judgekit.rubric.difference import Difference, RubricText, difference
from judgekit.rubric.meaning import changed_parts, meaning_parts
from judgekit.rubric.model import Rubric
from judgekit.rubric.parse import parse
from judgekit.rubric.writing import rubric_text
from tests.rubric.make import BASES, LOAD
from tests.rubric.strategies import rubrics

UNEXPLAINED = (Change("prompt", effects=("shown",)),)
"""What is said where the fingerprint moves and the comparison does not know why: never."""
WORDS = [
    *("claim", "# a note", "{# a note #}", "'quoted'", "3", "2.0", "ordinal", "linear", "~", "[a]"),
    *("weights: linear", "  ", "", "drops_when: It fails.", "name: other", "value: 7"),
    *("description: For us.", "not_applicable: None is asked.", "{{ criterion.question }}"),
    *("passes_at: 2", "passing: [neutral]", "{% if input %}Look.{% endif %}", "context", "tie"),
]
RELAXED = settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


@st.composite
def edits(draw: st.DrawFn, text: str) -> str:
    """The text of a file after somebody has worked on it."""
    lines = text.split("\n")
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(1, len(lines) - 1))
        line = lines[at]
        indent = re.match(r"[ -]*", line)[0]  # type: ignore[index]
        match draw(st.sampled_from(["drop", "swap", "repeat", "insert", "word", "quote", "end"])):
            case "drop":
                del lines[at]
            case "swap":
                lines[at - 1], lines[at] = lines[at], lines[at - 1]
            case "repeat":
                lines.insert(at, line)
            case "insert":
                lines.insert(at, f"{' ' * len(indent)}{draw(st.sampled_from(WORDS))}")
            case "word":
                words = line.split(" ")
                words[draw(st.integers(0, len(words) - 1))] = draw(st.sampled_from(WORDS))
                lines[at] = " ".join(words)
            case "quote":
                key, colon, value = line.partition(": ")
                lines[at] = f"{key}{colon}'{value}'" if colon and "'" not in value else line
            case _:
                lines[at] = f"{line}{draw(st.sampled_from(['  ', '   # a note', '{# note #}']))}"
        assume(len(lines) > 2)
    return "\n".join(lines)


@st.composite
def edited_bases(draw: st.DrawFn) -> tuple[str, str]:
    """A rubric file, and the same one after an edit that leaves it a rubric."""
    text = BASES[draw(st.sampled_from(sorted(BASES)))]
    return text, draw(edits(text))


def fingerprints(rubric: Rubric) -> dict[str, str]:
    """What one and the same model is known by, criterion by criterion."""
    judge = Judge("any", rubric, "openai/m", {"temperature": 0})
    return {one.name: judge.identity(one).fingerprint for one in rubric.criteria}


def read(text: str) -> RubricText:
    """A text that is a rubric, or no example."""
    rubric, _ = parse(text, load=LOAD)
    assume(rubric is not None)
    assert rubric is not None
    return RubricText(rubric, text)


def check(before: RubricText, after: RubricText) -> Difference:
    """Hold the diff of two rubrics against their fingerprints, part by part."""
    found = difference(before, after)
    old, new = fingerprints(before.rubric), fingerprints(after.rubric)

    assert found.changed == (old != new)
    for one in found.criteria:
        same = one.before is not None and old.get(one.before) == new.get(one.after or "")
        assert bool(one.changes) == (not same)
        assert one.changes != UNEXPLAINED
        if one.before and one.after:
            parts = [
                meaning_parts(side.rubric, side.rubric.criterion(name))
                for side, name in ((before, one.before), (after, one.after))
            ]
            explained(one.changes, parts)
    if not found.changed:
        assert (before.text == after.text) == (not found.cosmetic)
    return found


BY_PART: dict[str, set[str]] = {
    "question": {"question"},
    "not applicable": {"not_applicable"},
    "inputs": {"inputs"},
    "weights": {"weights"},
    "scale": {"scale", "scale order", "level", "value", "name"},
    "pass line": {"pass line", "scale order", "level", "value"},
}
"""A digest of the meaning -> the parts that can have moved it."""


def explained(changes: tuple[Change, ...], parts: list[dict[str, str]]) -> None:
    """Every digest that moved has a change that explains it, and no change is made up."""
    told: set[Any] = {change.part for change in changes}
    moved = set(changed_parts(*parts)) - {"prompt"}
    for part, reasons in BY_PART.items():
        if part in moved:
            assert told & reasons, (part, told)
        elif part != "pass line":
            assert not told & reasons, (part, told)
    levels = {"level", "value", "name", "definition", "drops_when", "anchors"}
    assert bool(told & levels) == any(part.startswith("level") for part in moved)


@RELAXED
@given(edited_bases())
def test_an_edit_is_cosmetic_exactly_when_no_fingerprint_moves(texts: tuple[str, str]) -> None:
    """Random edits of files, from before to after and back."""
    before, after = map(read, texts)

    forth, back = check(before, after), check(after, before)
    assert forth.changed == back.changed


@settings(RELAXED, max_examples=10)
@given(st.data())
def test_rubrics_of_any_kind(data: st.DataObject) -> None:
    """As they are written, against themselves and after an edit."""
    text = rubric_text(data.draw(rubrics()))
    before = read(text)
    assert difference(before, before) == ((*check(before, before).criteria,), ())

    check(before, read(data.draw(edits(text))))


@settings(RELAXED, max_examples=10)
@given(rubrics(), rubrics())
def test_rubrics_that_share_nothing(one: Rubric, other: Rubric) -> None:
    """Whatever stands on the two sides, every digest that moves is explained."""
    check(read(rubric_text(one)), read(rubric_text(other)))
