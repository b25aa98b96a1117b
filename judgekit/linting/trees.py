"""The nodes of a template's syntax tree, gathered once for all the rules that look through it."""

from __future__ import annotations

from functools import lru_cache
from typing import TypeVar

from jinja2 import nodes

N = TypeVar("N", bound=nodes.Node)


def found_in(tree: nodes.Template | None, *kinds: type[N]) -> list[N]:
    """Return the nodes of these kinds in a template, in its order; none of one without a tree."""
    return [] if tree is None else [node for node in _all(tree) if isinstance(node, kinds)]


@lru_cache(maxsize=64)
def _all(tree: nodes.Template) -> tuple[nodes.Node, ...]:
    return tuple(tree.find_all(nodes.Node))
