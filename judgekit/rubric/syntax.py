"""What a rubric's templates mean: their syntax, without comments, positions and file names."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from jinja2 import nodes

from judgekit.fingerprint import fingerprint
from judgekit.rubric.sandbox import statements_of
from judgekit.rubric.templates import REFERENCES, names_in

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def templates_meaning(body: str, templates: Mapping[str, str]) -> Any:
    """Return the meaning of a body and all it reaches, as plain JSON.

    Two texts with the same meaning show the same for every item. The name of a template stands
    for what is in it, so renaming a file changes nothing. Text that is never shown is left out:
    comments, blanks at either end, and what stands outside the blocks of an extending template.
    """
    return _Reading(templates).meaning(body, outermost=True)


class _Reading:
    """Reads templates, each once.

    Args:
        templates: The sources by name.
    """

    def __init__(self, templates: Mapping[str, str]) -> None:
        self.templates = templates
        self.digests: dict[str, str] = {}

    def meaning(self, source: str, *, outermost: bool = False) -> Any:
        """Return the meaning of one template."""
        body = list(statements_of(source))
        at = next((i for i, node in enumerate(body) if isinstance(node, nodes.Extends)), None)
        if at is not None:
            rest = [node for node in body[at:] if not isinstance(node, nodes.Output)]
            body = body[:at] + rest
        parts = _merged(body)
        if outermost and parts:
            parts[0] = parts[0].lstrip() if isinstance(parts[0], str) else parts[0]
            parts[-1] = parts[-1].rstrip() if isinstance(parts[-1], str) else parts[-1]
        return self.plain([part for part in parts if part != ""])

    def plain(self, value: Any) -> Any:
        """Return syntax as JSON."""
        if isinstance(value, REFERENCES):
            return [type(value).__name__, self._fields(value, but="template"), self._named(value)]
        if isinstance(value, nodes.Node):
            return [type(value).__name__, self._fields(value)]
        if isinstance(value, list | tuple):
            return [self.plain(part) for part in value]
        if isinstance(value, float) and not math.isfinite(value):
            return repr(value)
        return value if isinstance(value, str | int | float | bool | None) else repr(value)

    def _fields(self, node: nodes.Node, but: str = "") -> dict[str, Any]:
        return {
            name: self.plain(_merged(field) if name in ("body", "else_") else field)
            for name, field in node.iter_fields()
            if name not in ("ctx", but)
        }

    def _named(self, node: nodes.Node) -> list[str]:
        """Return the digests of the templates a tag names."""
        for name in names_in(node):
            if name not in self.digests:
                self.digests[name] = name  # for one that is not there, or that names itself
                if name in self.templates:
                    self.digests[name] = fingerprint(self.meaning(self.templates[name]))
        return [self.digests[name] for name in names_in(node)]


def _merged(body: Sequence[nodes.Node]) -> list[Any]:
    """Flatten Output nodes and join text that a comment has cut in two."""
    flat: list[Any] = []
    for node in body:
        if not isinstance(node, nodes.Output):
            flat.append(node)
            continue
        for child in node.nodes:
            if not isinstance(child, nodes.TemplateData):
                flat.append(child)
            elif flat and isinstance(flat[-1], str):
                flat[-1] += child.data
            else:
                flat.append(child.data)
    return [part for part in flat if part != ""]
