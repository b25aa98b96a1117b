"""A text is a placeholder that was never filled in.

## What it does

Looks for questions, definitions, `drops_when`, `not_applicable`, reasons and example texts that
are nothing but TODO, TBD, FIXME, dots, *lorem ipsum*, `xxx` or `<a placeholder>`, for texts that
begin with such a mark or stand between dots, and for variables that are never filled in: `{answer}`
in the body, or any in the front matter, which is no template. A text that speaks of variables or
templates may show some.

## Why it hurts

The judge is shown the placeholder. It has to guess what was meant, guesses anew on every call, and
nothing in its answers tells that it did.

## Example

```yaml
- value: 2
  name: stretched
  definition: "TODO: describe"
```

## Use instead

```yaml
- value: 2
  name: stretched
  definition: One claim is neither stated nor follows.
```

## When to ignore

When the words are the real text, such as an example whose output is `TODO`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from judgekit.linting.examples import examples_of, fields_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from judgekit.linting.finding import Finding
    from judgekit.linting.subject import Subject, Text

_PERHAPS = re.compile(
    r"(?i)[\W_]*(?:to ?do|tb[ad]|fixme|placeholder|x{3}|fill|wip|to be|lorem|$)|[<\[]|\.{3}|…"
)
"""How all of them begin; most texts do not."""
_WHOLE = re.compile(
    r"(?i)[\W_]*(?:todo|to do|tbd|tba|fixme|placeholder|x{3,}|fill (?:this|me) in|wip"
    r"|to be (?:defined|done|decided|written))[\W_]*"
)
_BEGINS = re.compile(
    r"[\W_]*(?:(?:TODO|TBD|FIXME|XXX)(?:$|\s*[:!(.–—-]|\s+(?:add|check|decide|define|describe"
    r"|explain|fill|find|finish|replace|say|think|update|write)\b)|[Ll]orem ipsum\b)"
)
_BETWEEN = re.compile(r"(?:\.{3}|…)[^\n]{1,80}(?:\.{3}|…)")
_ANGLE = re.compile(r"<\s*[^\W\d_][^<>=/]*>|\[\s*(?:insert|your|add|describe|fill)\b[^\[\]]*\]")
_VARIABLE = re.compile(
    r"(?<![\w$%{/\\\"'`])(?:\{\{\s*[A-Za-z_][\w.]*\s*\}\}|\{[A-Za-z_]\w{2,}\})(?![\w}/\"'`])"
)
_ON_VARIABLES = re.compile(r"(?i)placeholder|variable|template|braces|latex|format string")
_TAG = re.compile(r"<\s*\w+\s*>")
_MEANT = re.compile(
    r"(?i)\W(?:answer|context|criterion|definition|description|input|level|output"
    r"|placeholder|question|reason|reference|text)s?\W"
)


def check(subject: Subject) -> Iterator[Finding]:
    """Yield each text that is a placeholder."""
    yield from _in_body(subject)
    for criterion in subject.criteria:
        for text in criterion.texts:
            if _unfilled(text.value) or _said_nothing(text.value):
                yield _finding(subject, text)
            elif "{" in text.value and (variable := _variable(text.value)):
                message = f"{variable!r} is never filled in: the front matter is no template"
                yield subject.at(text, message, word=variable, help=_SAY)
        for _, anchor in examples_of(criterion):
            for name, text in fields_of(anchor):
                prose = name == "reason"
                if _unfilled(text.value) or (prose and _said_nothing(text.value)):
                    yield _finding(subject, text)


_SAY = "say in words what is meant; the prompt shows the inputs by itself"


def _in_body(subject: Subject) -> Iterator[Finding]:
    """Yield each line of the body with a variable in single braces, which Jinja leaves alone."""
    for number, line in enumerate(subject.body.split("\n"), start=1):
        variable = _variable(line) if "{" in line else None
        if variable and not variable.startswith("{{"):
            message = f"{variable!r} is never filled in: a variable stands in two pairs of braces"
            yield subject.in_body(number, message, word=variable, help=_SAY)


def _variable(text: str) -> str | None:
    """Return the first variable in a text that nothing fills in."""
    found = _VARIABLE.search(text)
    return found[0] if found and not _ON_VARIABLES.search(text) else None


def _unfilled(text: str) -> bool:
    """Return whether a text, of an example too, was plainly left open."""
    if not _PERHAPS.match(text):
        return False
    text = text.strip()
    if _WHOLE.fullmatch(text) or _BEGINS.match(text) or _is_dots(text) or _BETWEEN.fullmatch(text):
        return True
    if not _ANGLE.fullmatch(text):
        return False
    return not _TAG.fullmatch(text) or _MEANT.search(text) is not None


def _is_dots(text: str) -> bool:
    return not text.strip(" \n.…") and ("..." in text or "…" in text)


def _said_nothing(text: str) -> bool:
    return not any(sign.isalnum() for sign in text)


def _finding(subject: Subject, text: Text) -> Finding:
    shown = " ".join(text.value.split())
    shown = shown if len(shown) <= 30 else f"{shown[:30]}…"
    return subject.at(text, f"{shown!r} is a placeholder", help="write what the judge is to read")
