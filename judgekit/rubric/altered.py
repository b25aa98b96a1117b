"""Where a template shows the text of an item otherwise than it is."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from jinja2 import nodes

from judgekit.rubric.scopes import written

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from judgekit.rubric.templates import Template

COUNTING = {"count", "length", "wordcount"}
"""Filters that leave nothing of a text."""

_THROUGH = (nodes.Filter, nodes.Getitem, nodes.Getattr, nodes.Call)
_ASKING = (nodes.If, nodes.CondExpr, nodes.For)
_PLAIN = {"label", "name", "text"}


@lru_cache(maxsize=256)
def altered(tree: nodes.Template, inputs: tuple[str, ...]) -> tuple[tuple[str, int], ...]:
    """Return the texts that are shown through something, with the line; questions are no matter.

    A text is an input, ``output``, or that of a field, ``field.text`` in a loop over ``item``.
    """
    return tuple(_altered(tree, inputs, ()))


def _altered(
    node: nodes.Node, inputs: Sequence[str], fields: Sequence[str]
) -> Iterator[tuple[str, int]]:
    """Yield the same; ``fields`` are the names that loops have given to fields of the item."""
    if isinstance(node, nodes.Filter) and node.name in COUNTING:
        return
    text = _text_of(node, inputs, fields)
    if text is not None:
        yield written(text), text.lineno
        return
    if isinstance(node, nodes.For):
        fields = [name for name in fields if not _is(node.target, name)]
        if isinstance(node.target, nodes.Name) and _is(node.iter, "item"):
            fields.append(node.target.name)
    for field, value in node.iter_fields():
        if field in ("test", "test1") and isinstance(node, _ASKING):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, nodes.Node):
                yield from _altered(child, inputs, fields)


def _text_of(node: nodes.Node, inputs: Sequence[str], fields: Sequence[str]) -> nodes.Node | None:
    """Return the text of an item that an expression begins with and makes something else of."""
    above: nodes.Node | None = None
    text: nodes.Node | None = None
    root: nodes.Node | None = node
    while isinstance(root, _THROUGH):
        above, text, root = text, root, root.node
    if text is None or not isinstance(root, nodes.Name):
        return None
    if root.name in inputs:
        return root
    of_field = isinstance(text, nodes.Getattr) and text.attr == "text" and root.name in fields
    return text if of_field and above is not None else None


def where_altered(templates: Sequence[Template], inputs: Sequence[str]) -> tuple[Template, int]:
    """Return the template and its line that likely alters an item's text in a roundabout way."""
    kinds = (nodes.FilterBlock, nodes.EvalContextModifier, *_THROUGH)
    for template in templates:
        if template.tree is None:
            continue
        of_item = _named_after(template.tree, {*inputs, "item"})
        for node in template.tree.find_all(kinds):
            plain = isinstance(node, nodes.Getattr) and node.attr in _PLAIN
            if not plain and any(n.name in of_item for n in node.find_all(nodes.Name)):
                return template, node.lineno
    return templates[0], 1


def _named_after(tree: nodes.Template, names: set[str]) -> set[str]:
    """Return these names and all that a template gives to something made of them."""
    settings: list[tuple[nodes.Node, nodes.Node]] = []
    settings += [(tag.target, tag.node) for tag in tree.find_all(nodes.Assign)]
    settings += [(tag.target, tag.iter) for tag in tree.find_all(nodes.For)]
    settings += [(tag.target, tag) for tag in tree.find_all(nodes.AssignBlock)]
    for _ in range(3):  # a name of a name of a name
        for target, source in settings:
            found = [source, *source.find_all(nodes.Name)]
            used = {n.name for n in found if isinstance(n, nodes.Name)}
            if isinstance(target, nodes.Name) and (used - {target.name}) & names:
                names = names | {target.name}
    return names


def _is(node: nodes.Node, name: str) -> bool:
    return isinstance(node, nodes.Name) and node.name == name
