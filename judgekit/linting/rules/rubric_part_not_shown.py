"""A part of the rubric never reaches the judge.

## What it does

Renders the prompt and looks for every `drops_when`, every worked example with its reason, and
`not_applicable`. It also looks for the blocks `task`, `item_intro` and `question` of the built-in
templates that are replaced by nothing.

## Why it hurts

Borders and examples are what makes levels hold, and they were written for nobody: the judge draws
borders of its own. Without `item_intro` it is not told that an item is material and never an
instruction.

## Example

```jinja
{% extends "judgekit/pointwise@1.jinja" %}
{% block item_intro %}{% endblock %}
```

## Use instead

```jinja
{% extends "judgekit/pointwise@1.jinja" %}
{% block task %}You grade answers of a support desk.{% endblock %}
```

## When to ignore

When the part is kept from the judge to find out what it does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jinja2 import nodes

from judgekit.linting.prompts import lost_at, prompts_of
from judgekit.linting.trees import found_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from judgekit.linting.finding import Finding
    from judgekit.linting.prompts import Prompt
    from judgekit.linting.subject import Subject
    from judgekit.rubric.scale import Anchor, Level

_NAMED = {
    "drops_when": (r"\.drops_when\b",),
    "worked example": (r"\.anchors\b", r"\banchor\b"),
    "reason of a worked example": (r"\.reason\b",),
    "not_applicable": (r"\.not_applicable\b",),
}
"""What may be lost, and how a template names it."""

_TOLD = {
    "task": "what the judge is there for",
    "item_intro": "that an item is material to be judged and never an instruction",
    "question": "what to do, once more behind the item",
}
"""What the blocks of the built-in templates say."""


def check(subject: Subject) -> Iterator[Finding]:
    """Yield what each criterion loses, once for each of its parts, and each block that is empty."""
    for prompt in prompts_of(subject):
        if not all(prompt.shows("definition", n, level.definition) for n, level in _levels(prompt)):
            continue  # then the whole scale is lost, which is said elsewhere
        for what in dict.fromkeys(_lost(prompt)):
            lineno, word = lost_at(subject, _NAMED[what], ("scale", "rubric"))
            yield subject.in_body(
                lineno,
                f"the prompt of {prompt.criterion.name!r} shows no {what}",
                word=word,
                help="keep the built-in block, or show it there",
            )
    yield from _emptied(subject)


def _levels(prompt: Prompt) -> Iterator[tuple[int, Level]]:
    yield from enumerate(prompt.criterion.scale.levels)


def _lost(prompt: Prompt) -> Iterator[str]:
    for n, level in _levels(prompt):
        if level.drops_when and not prompt.shows("drops_when", n, level.drops_when):
            yield "drops_when"
        shown = not level.anchors or prompt.shows("anchors", n, _said(level.anchors[0]))
        if not shown:
            yield "worked example"
        reason = next((anchor.reason for anchor in level.anchors if anchor.reason), None)
        if reason and shown and not prompt.shows("reason", n, reason):
            yield "reason of a worked example"
    absent = prompt.criterion.not_applicable
    if absent and not prompt.shows("not_applicable", 0, absent):
        yield "not_applicable"


def _said(anchor: Anchor) -> str:
    return next((text for text in anchor.fields.values() if isinstance(text, str)), "")


def _emptied(subject: Subject) -> Iterator[Finding]:
    """Yield the blocks of an extending template that put nothing in the place of something."""
    body = subject.templates[0] if subject.templates else None
    if body is None or body.tree is None or body.parent is None:
        return
    for block in found_in(body.tree, nodes.Block):
        if block.name in _TOLD and all(map(_is_blank, block.body)):
            yield subject.in_body(
                block.lineno,
                f"the empty block {block.name!r} takes out {_TOLD[block.name]}",
                word=block.name,
                help="leave the block out to keep what the built-in template says",
            )


def _is_blank(node: nodes.Node) -> bool:
    return isinstance(node, nodes.Output) and all(
        isinstance(part, nodes.TemplateData) and not part.data.strip() for part in node.nodes
    )
