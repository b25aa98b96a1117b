"""The prompt does not show what the levels are or mean.

## What it does

Renders the prompt and looks for the question, for every level by its name or value, and for every
definition in it, whole and next to the name it belongs to. A body of its own, or one that replaces
the block `scale` or `rubric`, can lose them, mix them up, or run names together. It also looks for
`{{ answer.levels | first }}` and the like, which lists some of the answers for all.

## Why it hurts

The rubric then defines its levels for people and for the file, and the judge never sees it: it
grades by what the names alone, or the definitions of other levels, seem to say. Nothing else would
tell, since every answer still reads.

## Example

```jinja
{% extends "judgekit/pointwise@1.jinja" %}
{% block scale %}Use the levels {{ answer.levels | join(", ") }}.{% endblock %}
```

## Use instead

```jinja
{% extends "judgekit/pointwise@1.jinja" %}
{% block task %}You grade answers of a support desk.{% endblock %}
```

## When to ignore

When the definitions are kept from the judge for a comparison.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from jinja2 import nodes

from judgekit.linting.prompts import lost_at, prompts_of
from judgekit.linting.trees import found_in
from judgekit.rubric.scopes import written

if TYPE_CHECKING:
    from collections.abc import Iterator

    from judgekit.linting.finding import Finding
    from judgekit.linting.prompts import Part, Prompt
    from judgekit.linting.subject import Subject

_HELP = "keep the built-in block, or show criterion.question and each level's name and definition"
_DEFINITION = (r"\.definition\b", r"\bin criterion\.levels\b")
_PICKS = {"first", "last", "max", "min"}
_TIGHT = re.compile(r"\{[{%]-|-[}%]\}")
_GLUE = (r"\bjoin\(\s*(?:(['\"])\1\s*)?\)|\bjoin\s*[}|%]", r"\{[{%]-|-[}%]\}", r"\.name\b")


class _Fault(NamedTuple):
    """What is wrong with a prompt, and how a template names what is lost in it."""

    message: str
    patterns: tuple[str, ...]


def check(subject: Subject) -> Iterator[Finding]:
    """Yield what the prompt of a criterion leaves out or mixes up, where it happens."""
    yield from _some_only(subject)
    for prompt in prompts_of(subject):
        fault = _lost(prompt) or _mixed_up(prompt) or _glued(prompt, subject.body)
        if fault:
            lineno, word = lost_at(subject, fault.patterns, ("scale", "rubric"))
            message = f"the prompt of {prompt.criterion.name!r} {fault.message}"
            yield subject.in_body(lineno, message, word=word, help=_HELP)


def _some_only(subject: Subject) -> Iterator[Finding]:
    """Yield where one of the levels to answer with is shown, or some, instead of all."""
    tree = subject.templates[0].tree if "answer.levels" in subject.body else None
    for node in found_in(tree, nodes.Filter, nodes.Getitem):
        picks = isinstance(node, nodes.Getitem) or getattr(node, "name", "") in _PICKS
        listed = getattr(node, "node", None)
        if picks and listed is not None and written(listed) == "answer.levels":
            message = "not all the levels are shown that the judge may answer with"
            yield subject.in_body(
                node.lineno, message, word="answer.levels", help='{{ answer.levels | join(", ") }}'
            )


def _lost(prompt: Prompt) -> _Fault | None:
    criterion = prompt.criterion
    if " ".join(criterion.question.split()).casefold() not in prompt.text:
        return _Fault("shows no question", (r"\.question\b",))
    for n, level in enumerate(criterion.scale.levels):
        if not prompt.shows("definition", n, level.definition):
            return _Fault(f"shows no definition of level {level.name!r}", _DEFINITION)
        if not prompt.names(n):
            return _Fault(f"does not name level {level.name!r}", (r"\.name\b", r"\.levels\b"))
    return None


def _mixed_up(prompt: Prompt) -> _Fault | None:
    """Tell a definition that stands between two names, neither of which is that of its level.

    Only where definitions have names between them: lists of the one and of the other tell nothing.
    """
    told = [part for part in prompt.parts if part.kind in ("name", "value", "definition")]
    places = [at for at, part in enumerate(told) if part.kind == "definition"]
    if any(later - earlier == 1 for earlier, later in pairwise(places)):
        return None
    for at in places:
        around = [*told[max(at - 1, 0) : at], *told[at + 1 : at + 2]]
        if around and all(part.level != told[at].level for part in around):
            name = prompt.criterion.scale.levels[around[0].level].name
            own = prompt.criterion.scale.levels[told[at].level].name
            said = f"shows the definition of level {own!r} as that of level {name!r}"
            return _Fault(said, _DEFINITION)
    return None


def _glued(prompt: Prompt, body: str) -> _Fault | None:
    """Tell texts with nothing between them, and names that touch a word where blanks are cut."""
    signs = prompt.signs or ""
    for one, other in pairwise(prompt.parts):
        if one.end == other.start:
            levels = prompt.criterion.scale.levels
            first, second = (_called(part, levels[part.level].name) for part in (one, other))
            return _Fault(f"runs {first} and {second} together", _GLUE)
    if not _TIGHT.search(body):
        return None
    for part in prompt.parts:
        if signs[part.start - 1 : part.start].isalpha() or signs[part.end : part.end + 1].isalpha():
            name = _called(part, prompt.criterion.scale.levels[part.level].name)
            return _Fault(f"runs {name} and a word together", _GLUE)
    return None


def _called(part: Part, name: str) -> str:
    if part.kind in ("name", "value"):
        return f"level {name!r}"
    if part.kind == "not_applicable":
        return "not_applicable"
    what = {"anchors": "an example", "reason": "a reason"}.get(part.kind, f"the {part.kind}")
    return f"{what} of level {name!r}"
