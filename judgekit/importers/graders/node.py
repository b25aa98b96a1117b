"""JSON and YAML as values that know the place they stand at."""

from __future__ import annotations

import json
import math
import re
from bisect import bisect_left
from dataclasses import dataclass
from typing import Any, NamedTuple

import yaml

from judgekit.errors import InputError

_Loader: type[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_SPACE = re.compile(r"[ \t\n\r]*")
_MERGE = "tag:yaml.org,2002:merge"
MOST = 200_000
"""The values a file may stand for, where it names one value in several places."""
MOST_TEXT = 2_000_000
"""The characters that may be had by such names, beyond those the file holds."""
_DEEPEST = 500
_DEEP = "it is nested too deeply, or refers to itself"


class Place(NamedTuple):
    """Where something stands in a file: the 1-based line, and the 1-based column in it."""

    line: int
    column: int = 1


START = Place(1)


class Unread(NamedTuple):
    """A value that only running the file would give.

    Attributes:
        source: The code.
        known: The text that stands there plainly, each computed part as its code in braces; None
            where the value is no text.
    """

    source: str
    known: str | None = None


@dataclass(frozen=True, slots=True)
class Node:
    """One value of a file.

    Attributes:
        at: Where it begins.
        value: Text, a number, a truth value, None, a list of nodes, a dict from text to node, or
            an :class:`Unread`.
    """

    at: Place
    value: Any

    def get(self, *keys: str) -> Node | None:
        """Return the value of the first of these keys that is there and not null."""
        if isinstance(self.value, dict):
            for key in keys:
                found = self.value.get(key)
                if found is not None and found.value is not None:
                    return found if isinstance(found, Node) else None
        return None

    @property
    def text(self) -> str | None:
        """Return the value when it is text with something in it."""
        return self.value if isinstance(self.value, str) and self.value.strip() else None

    @property
    def number(self) -> int | float | None:
        """Return the value when it is a number; NaN and the infinite ones are none."""
        plain = isinstance(self.value, int | float) and not isinstance(self.value, bool)
        try:
            return self.value if plain and math.isfinite(self.value) else None
        except OverflowError:  # a whole number no float holds
            return None

    @property
    def items(self) -> list[Node]:
        """Return the elements of a list; none when it is something else."""
        return self.value if isinstance(self.value, list) else []

    @property
    def entries(self) -> dict[str, Node]:
        """Return the keys and values of a mapping; none when it is something else."""
        return self.value if isinstance(self.value, dict) else {}

    def walk(self) -> list[Node]:
        """Return this node and all nodes below it, from the top."""
        found, waiting = [], [self]
        while waiting:
            node = waiting.pop()
            found.append(node)
            waiting.extend(reversed([*node.items, *node.entries.values()]))
        return found

    def plain(self) -> Any:
        """Return the value without its places."""
        if isinstance(self.value, list):
            return [node.plain() for node in self.value]
        if isinstance(self.value, dict):
            return {key: node.plain() for key, node in self.value.items()}
        return self.value.source if isinstance(self.value, Unread) else self.value


def read_json(text: str, file: str) -> Node:
    """Return a JSON document.

    Raises:
        InputError: it is none; names the line.
    """
    try:
        json.loads(text)
        return _Json(text).value(0)[0]
    except json.JSONDecodeError as error:
        raise InputError(f"this is not JSON: {error.msg}", file=file, line=error.lineno) from error
    except RecursionError as error:
        raise InputError(_DEEP, file=file) from error
    except ValueError as error:  # a number of thousands of digits
        raise InputError(f"this is not JSON: {error}", file=file) from error


class _Json:
    """JSON that is known to be right, read once more for its places."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._ends = [found.start() for found in re.finditer("\n", text)]
        self._decoder = json.JSONDecoder()

    def value(self, start: int) -> tuple[Node, int]:
        """Return the value that begins at or after a position, and where it ends."""
        at = self._skip(start)
        if self.text[at] == "{":
            return self._mapping(at)
        if self.text[at] == "[":
            return self._list(at)
        value, end = self._decoder.raw_decode(self.text, at)
        return Node(self._place(at), value), end

    def _place(self, at: int) -> Place:
        above = bisect_left(self._ends, at)
        return Place(above + 1, at - (self._ends[above - 1] if above else -1))

    def _skip(self, at: int) -> int:
        found = _SPACE.match(self.text, at)
        return found.end() if found else at

    def _mapping(self, at: int) -> tuple[Node, int]:
        place = self._place(at)
        entries: dict[str, Node] = {}
        at = self._skip(at + 1)
        while self.text[at] != "}":
            key, at = self.value(at + (self.text[at] == ","))
            entries[key.value], at = self.value(self._skip(at) + 1)
            at = self._skip(at)
        return Node(place, entries), at + 1

    def _list(self, at: int) -> tuple[Node, int]:
        place = self._place(at)
        items: list[Node] = []
        at = self._skip(at + 1)
        while self.text[at] != "]":
            item, at = self.value(at + (self.text[at] == ","))
            items.append(item)
            at = self._skip(at)
        return Node(place, items), at + 1


def read_yaml(text: str, file: str) -> Node:
    """Return a YAML document; aliases and merge keys are followed, nothing is constructed.

    Raises:
        InputError: it is none, or far longer than it looks; names the line.
    """
    loader = _Loader(text)
    try:
        _check_depth(text, file)
        tree = loader.get_single_node()
        if tree is None:
            raise InputError("there is nothing in this file", file=file)
        return _Yaml(loader, file, len(text) + MOST_TEXT).node(tree)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        said = getattr(error, "problem", None) or "it cannot be read"
        line = None if mark is None else mark.line + 1
        raise InputError(f"this is not YAML: {said}", file=file, line=line) from error
    except RecursionError as error:
        raise InputError(_DEEP, file=file) from error
    finally:
        loader.dispose()


def _check_depth(text: str, file: str) -> None:
    """Refuse what would be nested deeper than the library can build it: it would end the program.

    Raises:
        InputError: it is.
        YAMLError: this is no YAML.
    """
    depth = 0
    for event in yaml.parse(text, Loader=_Loader):
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        if depth > _DEEPEST:
            raise InputError(_DEEP, file=file)


class _Yaml:
    def __init__(self, loader: Any, file: str, most_text: int) -> None:
        self._loader, self._file, self._made = loader, file, 0
        self._room = most_text

    def node(self, tree: yaml.Node) -> Node:
        self._made += 1
        if self._made > MOST:  # a few aliases of aliases stand for millions of values
            raise InputError(f"it stands for more than {MOST:,} values", file=self._file)
        at = Place(tree.start_mark.line + 1, tree.start_mark.column + 1)
        if isinstance(tree, yaml.SequenceNode):
            return Node(at, [self.node(item) for item in tree.value])
        if isinstance(tree, yaml.MappingNode):
            return Node(at, self._mapping(tree))
        return Node(at, self._scalar(tree))

    def _mapping(self, tree: yaml.MappingNode) -> dict[str, Node]:
        """Return the entries of a mapping; those it says itself go before those it merges."""
        entries: dict[str, Node] = {}
        merged: list[dict[str, Node]] = []
        for key, value in tree.value:
            if key.tag == _MERGE:
                node = self.node(value)
                merged += [one.entries for one in node.items or [node]]
            elif isinstance(key, yaml.ScalarNode):
                entries[str(key.value)] = self.node(value)
        whole: dict[str, Node] = {}
        for given in reversed(merged):  # the first goes before the others
            whole.update(given)
        return {**whole, **entries}

    def _scalar(self, tree: yaml.Node) -> Any:
        self._room -= len(tree.value)
        if self._room < 0:
            raise InputError(
                f"its aliases stand for more than {MOST_TEXT:,} characters", file=self._file
            )
        kind = tree.tag.rpartition(":")[2]
        if kind in ("int", "float", "bool", "null"):
            try:
                return self._loader.construct_object(tree)
            except ValueError:
                return str(tree.value)
        return str(tree.value)  # dates and tags of a tool's own are text here
