"""A changed rubric as the text of its file: what did not change stays as its author wrote it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

import yaml

from judgekit.judging.improving.edits import Refused
from judgekit.rubric.front import compose
from judgekit.rubric.parse import parse
from judgekit.rubric.source import Mapping, Problems, plain_text, split
from judgekit.rubric.writing import front_text, rubric_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from judgekit.rubric.model import Criterion, Rubric
    from judgekit.rubric.scale import Anchor, Level


class _NotInLinesError(Exception):
    """A part is not laid out in lines of its own, and cannot be edited by itself."""


class _Edit(NamedTuple):
    """New text for the front matter from one position to another."""

    start: int
    end: int
    new: str


def written(
    text: str, before: Rubric, after: Rubric, load: Callable[[str], str | None]
) -> str | Refused:
    """Return the file of a changed rubric, or why there is none.

    Comments and layout stay where the file is laid out in lines; else it is written anew. Either
    way it is read back, and must say what was meant and nothing else.

    Args:
        text: The file of ``before``.
        before: The rubric as it was.
        after: The same rubric with other texts, further anchors or another version.
        load: Returns the source of a template by name, or None.
    """
    made = [_edited(text, before, after), rubric_text(after, description=_description(text))]
    why = "it does not read back as it was meant"
    for one in made:
        if one is None:
            continue
        found, problems = parse(one, load=load)
        if found == after:
            return one
        if found is None:
            first = next(problem for problem in problems if problem.fatal)
            why = f"it makes a rubric that cannot be used: {first.message}"
    return Refused(why)


def _front(text: str) -> tuple[str, str, Mapping] | None:
    problems = Problems()
    parts = split(text, problems)
    node = compose(parts.front, problems) if parts else None
    if parts is None or node is None:
        return None
    return parts.front, parts.body, Mapping(node, problems, what="the rubric")


def _description(text: str) -> str | None:
    found = _front(text)
    return None if found is None else found[2].text("description")


def _edited(text: str, before: Rubric, after: Rubric) -> str | None:
    found = _front(text)
    if found is None:
        return None
    front, body, root = found
    try:
        edits = sorted(_edits(front, root, before, after), reverse=True)
    except _NotInLinesError:
        return None
    for edit in edits:  # from the end, so that positions stay what they are
        front = front[: edit.start] + edit.new + front[edit.end :]
    body = body if before.body == after.body else after.body
    made = f"---\n{front}\n---\n{body}"
    return made.replace("\n", "\r\n") if "\r\n" in text else made


def _edits(front: str, root: Mapping, before: Rubric, after: Rubric) -> Iterator[_Edit]:
    if before.version != after.version:
        yield _entry(front, root, "version", after.version)
    for node, old, new in zip(
        _mappings(root, "criteria"), before.criteria, after.criteria, strict=True
    ):
        for name in ("question", "not_applicable"):
            if getattr(old, name) != getattr(new, name):
                yield _entry(front, node, name, getattr(new, name), behind="levels")
        for level in _mappings(node, "levels"):
            index = _index(level, old)
            yield from _level(front, level, old.scale.levels[index], new.scale.levels[index])


def _level(front: str, node: Mapping, old: Level, new: Level) -> Iterator[_Edit]:
    for name in ("definition", "drops_when"):
        if getattr(old, name) != getattr(new, name):
            yield _entry(front, node, name, getattr(new, name), behind="definition")
    added = [_plain(anchor) for anchor in new.anchors[len(old.anchors) :]]
    if not added:
        return
    anchors = list(_mappings(node, "anchors"))
    if not anchors:
        yield _entry(front, node, "anchors", added, behind="drops_when")
        return
    last = anchors[-1].node
    dash = _line_start(front, _start(last)).index("-")
    lines = [line.removeprefix("  ") for line in _lines("anchors", added)[1:]]
    end = _end(front, last)
    yield _Edit(end, end, "".join(f"\n{' ' * dash}{line}" if line else "\n" for line in lines))


def _entry(front: str, node: Mapping, key: str, value: Any, behind: str = "") -> _Edit:
    """Return the edit that gives a key of a mapping another value.

    Args:
        front: The front matter.
        node: The mapping.
        key: The key; a new one comes behind another.
        value: What it is to say.
        behind: The key it comes behind, where the mapping has that; else it comes last.
    """
    entries = {name: (start, value) for name, start, value in node.entries()}
    if front[_start(node.node)] in "{[":
        raise _NotInLinesError
    place = entries.get(key) or entries.get(behind) or list(entries.values())[-1]
    indent = _start(place[0]) - front.rfind("\n", 0, _start(place[0])) - 1
    lines = _lines(key, value)
    end = _end(front, place[1])
    if isinstance(value, str) and front[end:].split("\n", 1)[0].strip():  # a comment behind it
        lines = [f"{key}: {json.dumps(value, ensure_ascii=False)}"]
    new = f"\n{' ' * indent}".join(lines)
    if key in entries:
        return _Edit(_start(place[0]), end, new)
    return _Edit(end, end, f"\n{' ' * indent}{new}")


def _lines(key: str, value: Any) -> list[str]:
    return front_text({key: value}).split("\n")[1:-2]


def _plain(anchor: Anchor) -> dict[str, Any]:
    return {**anchor.fields, "reason": anchor.reason}


def _mappings(entry: Mapping, key: str) -> Iterator[Mapping]:
    for node in entry.items(key):
        if isinstance(node, yaml.MappingNode):
            yield Mapping(node, entry.problems, what=key)


def _index(entry: Mapping, criterion: Criterion) -> int:
    """Return which level an entry of the file has become."""
    for key in ("name", "value"):
        node = entry.raw(key)
        index = None if node is None else criterion.scale.index(plain_text(node))
        if index is not None:
            return index
    raise _NotInLinesError


def _start(node: yaml.Node) -> int:
    return node.start_mark.index if node.start_mark else 0


def _end(front: str, node: yaml.Node) -> int:
    """Return where the last word of a node ends."""
    if isinstance(node, yaml.MappingNode) and node.value:
        return _end(front, node.value[-1][1])
    if isinstance(node, yaml.SequenceNode) and node.value:
        return _end(front, node.value[-1])
    start, end = _start(node), node.end_mark.index if node.end_mark else _start(node)
    return start + len(front[start:end].rstrip())


def _line_start(front: str, index: int) -> str:
    return front[front.rfind("\n", 0, index) + 1 : index]
