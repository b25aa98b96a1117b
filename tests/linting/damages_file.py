"""Damages of the file and of what its front matter is made of."""

from __future__ import annotations

import re

from tests.linting.patient import Damage, Damaged, Patient


def _no_dash(p: Patient) -> Damaged:
    return Damaged(p.text.replace("---\n", "", 1), frozenset({1}))


def _open_end(p: Patient) -> Damaged:
    lines = p.text.split("\n")
    del lines[p.subject.body_line - 2]
    return Damaged("\n".join(lines), frozenset({1, p.subject.body_line - 2}))


def _question(p: Patient, written: str) -> Damaged:
    """The question as it is written, quotes or none."""
    question = p.criterion.question
    assert question is not None
    begin, end = p.span(question.node)
    tail = p.text[end:].lstrip("\n")
    text = f"{p.text[:begin]}{written.format(question.value)}\n{tail}"
    return Damaged(text, frozenset({p.line(begin)}))


def _twice(p: Patient) -> Damaged | None:
    first = p.inserted(p.criterion.node, "question: Does it name the hour?")
    at = min(first.lines)
    return Damaged(first.text, frozenset({at, at + 1}))


def _inputs(p: Patient, change: str, new: str) -> Damaged | None:
    found = re.search(rf"(?m)^inputs: .*\b{change}\b", p.text)
    if not found:
        return None
    at = found.end() - len(change)
    text = p.text[:at] + new + p.text[found.end() :]
    return Damaged(text, frozenset({p.line(at)}))


def _tab(p: Patient) -> Damaged:
    at = p.text.index("    levels:")
    text = f"{p.text[:at]}\tlevels:{p.text[at + len('    levels:') :]}"
    return Damaged(text, frozenset({p.line(at)}))


def _outdented(p: Patient) -> Damaged:
    at = p.text.index("    scale:")
    return Damaged(p.text[:at] + p.text[at + 3 :], frozenset({p.line(at)}))


FILE: dict[str, Damage] = {
    "no front matter": _no_dash,
    "front matter left open": _open_end,
    "a quote left open": lambda p: _question(p, '"{}'),
    "a colon in a text without quotes": lambda p: _question(p, "Judge this: {}"),
    "a tag of Python": lambda p: _question(p, '!!python/name:os.system "{}"'),
    "a tab for blanks": _tab,
    "a key moved out": _outdented,
    "a key given twice": _twice,
    "delete the version": lambda p: p.without(p.front, "version"),
    "a version in words": lambda p: p.put(p.subject.version, "new"),
    "a version below the first": lambda p: p.put(p.subject.version, "0"),
    "delete the name": lambda p: p.without(p.front, "rubric"),
    "the name emptied": lambda p: p.emptied(p.front, "rubric"),
    "criteria misspelt": lambda p: p.renamed(p.front, "criteria", "critera"),
    "criteria emptied": lambda p: p.emptied(p.front, "criteria", " []"),
    "inputs emptied": lambda p: p.emptied(p.front, "inputs", " []"),
    "an input misspelt": lambda p: _inputs(p, p.shown, "ouptut"),
    "an input listed twice": lambda p: _inputs(p, "input", "input, input"),
    "an input with a name of the template's": lambda p: _inputs(p, p.shown, "criterion"),
    "delete the criterion's name": lambda p: p.without(p.criterion.node, "criterion"),
    "delete the question": lambda p: p.without(p.criterion.node, "question"),
    "the question emptied": lambda p: p.emptied(p.criterion.node, "question"),
    "delete the scale's kind": lambda p: p.without(p.criterion.node, "scale"),
    "the scale's kind emptied": lambda p: p.emptied(p.criterion.node, "scale"),
    "delete all levels": lambda p: p.without(p.criterion.node, "levels"),
    "all levels emptied": lambda p: p.emptied(p.criterion.node, "levels", " []"),
    "a definition misspelt": lambda p: p.renamed(p.levels[0].node, "definition", "defintion"),
    "anchors misspelt": lambda p: p.renamed(p.levels[0].node, "anchors", "anchor"),
    "a key of another tool": lambda p: p.inserted(p.criterion.node, "threshold: 0.5"),
    "ignoring a rule that is none": lambda p: p.inserted(
        p.criterion.node, "# judgekit: ignore[LV99] we know"
    ),
}
