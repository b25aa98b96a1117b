"""Where in a rubric file each part of its meaning stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

import yaml

from judgekit.rubric.front import compose
from judgekit.rubric.scale import number_text
from judgekit.rubric.source import Mapping, Problems, plain_text, split

if TYPE_CHECKING:
    from collections.abc import Iterator

    from judgekit.rubric.model import Criterion, Rubric
    from judgekit.rubric.scale import Level

Outline = dict[tuple[str, ...], int]
"""Path of a part -> 1-based line of the file. The paths:

``("rubric",)``, ``("inputs",)`` and the like, ``("body",)`` for the template's first line;
``(CRITERION,)`` and ``(CRITERION, "question")`` and the like; ``(CRITERION, "level", VALUE)``,
``(CRITERION, "level", VALUE, "definition")`` and the like, and for the n-th anchor, from 1,
``(CRITERION, "level", VALUE, "anchors", n)`` and below it the name of the field.
"""


def outline(text: str, rubric: Rubric) -> Outline:
    """Return the line of every part of a rubric in its file.

    Args:
        text: The file's text.
        rubric: What was parsed from it.
    """
    problems = Problems()
    parts = split(text.removeprefix("\ufeff"), problems)
    node = compose(parts.front, problems) if parts else None
    if parts is None or node is None:
        return {}
    found: Outline = {("body",): parts.body_line}
    front = Mapping(node, problems, what="the rubric")
    found |= {(name,): problems.place(_index(key))[0] for name, key, _ in front.entries()}
    for criterion, entry in zip(rubric.criteria, _mappings(front, "criteria"), strict=False):
        for path, at in _of_criterion(entry, criterion):
            found[criterion.name, *path] = problems.place(_index(at))[0]
    return found


def _index(node: yaml.Node) -> int:
    return node.start_mark.index if node.start_mark else 0


def _mappings(entry: Mapping, key: str) -> Iterator[Mapping]:
    for node in entry.items(key):
        if isinstance(node, yaml.MappingNode):
            yield Mapping(node, entry.problems, what=key)


def _of_criterion(
    entry: Mapping, criterion: Criterion
) -> Iterator[tuple[tuple[str, ...], yaml.Node]]:
    yield (), entry.node
    for name, key, _ in entry.entries():
        yield (name,), key
    for level in _mappings(entry, "levels"):
        found = _level(level, criterion)
        if found is None:
            continue
        path = ("level", number_text(found.value))
        yield path, level.node
        for name, key, _ in level.entries():
            yield (*path, name), key
        for n, anchor in enumerate(_mappings(level, "anchors"), start=1):
            yield (*path, "anchors", str(n)), anchor.node
            for name, key, _ in anchor.entries():
                yield (*path, "anchors", str(n), name), key


def _level(entry: Mapping, criterion: Criterion) -> Level | None:
    """Return which level an entry of the file has become."""
    for key in ("name", "value"):  # `value: yes` is a level that its name alone leads to
        node = entry.raw(key)
        index = None if node is None else criterion.scale.index(plain_text(node))
        if index is not None:
            return criterion.scale.levels[index]
    return None
