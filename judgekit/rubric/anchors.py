"""Worked examples, read from the front matter of a rubric."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import yaml

from judgekit.errors import suggest
from judgekit.rubric.scale import Anchor
from judgekit.rubric.source import Mapping, Problems, plain

if TYPE_CHECKING:
    from collections.abc import Sequence

_OWN = ("reason", "level")


def read_anchors(entry: Mapping, inputs: Sequence[str], problems: Problems) -> tuple[Anchor, ...]:
    """Return the anchors of a level, with every problem reported."""
    found = []
    for position, node in enumerate(entry.items("anchors"), start=1):
        what = f"anchor {position} of {entry.what}"
        if not isinstance(node, yaml.MappingNode):
            message = f"{what} must be a mapping of item fields"
            problems.add(node, "value-type", "RB05", message, help=_shape(inputs))
            continue
        fields = _read_fields(given := Mapping(node, problems, what=what), inputs, problems)
        reason = given.text("reason")
        if "level" in given:
            problems.add(
                given.key_node("level"),
                "anchor-level",
                "AN02",
                "an anchor has the level it stands under; no 'level'",
            )
        if fields:
            found.append(Anchor(fields=fields, reason=reason))
        else:
            message = f"{what} shows no item text"
            problems.add(node, "anchor-empty", "AN03", message, help=_shape(inputs))
    return tuple(found)


def _shape(inputs: Sequence[str]) -> str:
    return f"for example: {', '.join(f'{name}: ...' for name in inputs)}, reason: ..."


def _read_fields(given: Mapping, inputs: Sequence[str], problems: Problems) -> dict[str, Any]:
    """Return the item text of an anchor, in the order of the inputs."""
    fields = {}
    for name, key, value in given.entries():
        if name in inputs:
            text = _text(value)
            if text is None:
                message = f"{name!r} of {given.what} must be text or a list of chat messages"
                say = 'each message is {role: user, content: "..."}'
                problems.add(value, "anchor-field-type", "AN04", message, help=say)
            fields[name] = text
        elif name not in _OWN:
            near = suggest(name, [known for known in (*inputs, "reason") if known not in given])
            problems.add(
                key,
                "anchor-field-unknown",
                "AN01",
                f"{name!r} is not one of this rubric's inputs ({', '.join(inputs)})",
                help=f"Did you mean {near!r}?" if near else None,
            )
            fields[name] = None  # an anchor with nothing else is not empty as well
    return {name: fields[name] for name in (*inputs, *fields) if name in fields}


def _text(node: yaml.Node) -> str | list[Any] | None:
    """Return item text as written, or None when it is none; ``yes`` and ``1.0`` are text here."""
    if isinstance(node, yaml.ScalarNode):
        return str(node.value).strip("\n")  # a '|' block adds one, quotes do not
    messages = plain(node)
    if not isinstance(messages, list) or not messages:
        return None
    good = all(isinstance(m, dict) and isinstance(m.get("role"), str) for m in messages)
    return messages if good else None
