"""A rubric file as text: front matter, body, and where in the file each thing stands."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, Any, NamedTuple

import yaml

from judgekit.errors import Problem, suggest

if TYPE_CHECKING:
    from collections.abc import Iterable

    from judgekit.rubric.scale import Value

NULL = "null"
"""The tag of a value that is not there: empty, ``~`` or ``null``."""

_END = re.compile("\n")
_LINE_END = re.compile(r"\r\n?")
_BREAK = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_NUMBER = re.compile(r"[-+]?(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")


class Parts(NamedTuple):
    """The two halves of a rubric file; ``body_line`` is the file line the body begins on."""

    front: str
    body: str
    body_line: int


class Problems:
    """Collects every problem of a file, so that an author sees all of them at once.

    Attributes:
        front: The front matter that nodes are positions in.
    """

    def __init__(self) -> None:
        self.front = ""
        self._lines: tuple[str, list[int]] = ("", [0])
        self._found: dict[tuple[object, ...], Problem] = {}

    @property
    def found(self) -> list[Problem]:
        """Return every problem once, by line."""
        return sorted(self._found.values(), key=lambda p: p[:5])

    @property
    def fatal(self) -> bool:
        """Return whether any of them makes the rubric unusable."""
        return any(problem.fatal for problem in self._found.values())

    def at(
        self,
        line: int,
        rule: str,
        code: str,
        message: str,
        *,
        column: int = 1,
        help: str | None = None,  # noqa: A002  (the word users see in the output)
        fatal: bool = True,
    ) -> None:
        """Add one problem at a 1-based line and column; a second time it is the same problem."""
        problem = Problem(line, column, rule, code, message, help, fatal)
        self._found.setdefault(problem[:5], problem)

    def add(
        self,
        node: yaml.Node | yaml.Event,
        rule: str,
        code: str,
        message: str,
        *,
        help: str | None = None,  # noqa: A002
        fatal: bool = True,
    ) -> None:
        """Add one problem where a YAML node begins."""
        line, column = self.place(node.start_mark.index if node.start_mark else 0)
        self.at(line, rule, code, message, column=column, help=help, fatal=fatal)

    def place(self, index: int) -> tuple[int, int]:
        """Return the file line and column of a position in the front matter.

        YAML counts lines at U+2028 and the like as well, editors do not, so its own line numbers
        are not used. Front matter starts on file line 2.
        """
        counted, begins = self._lines
        if counted is not self.front:
            begins = [0, *(end.end() for end in _END.finditer(self.front))]
            self._lines = (self.front, begins)
        line = bisect_right(begins, index)
        return line + 1, index - begins[line - 1] + 1


def split(text: str, problems: Problems) -> Parts | None:
    """Split a rubric file at its ``---`` lines; None (and a problem) without front matter."""
    lines = (_LINE_END.sub("\n", text) if "\r" in text else text).split("\n")
    if lines[0].rstrip() != "---":
        problems.at(
            1,
            "front-matter-missing",
            "RB01",
            "a rubric file begins with a line '---' and its front matter",
            help="judgekit init writes an example",
        )
        return None
    for number, line in enumerate(lines[1:], start=1):
        if line.rstrip() == "---":
            return Parts("\n".join(lines[1:number]), "\n".join(lines[number + 1 :]), number + 2)
    problems.at(
        1,
        "front-matter-open",
        "RB12",
        "the front matter has no closing line '---'",
        help="put a line '---' between the front matter and the template",
    )
    return None


class Mapping:
    """A YAML mapping read key by key; unknown, doubled and missing keys become problems."""

    def __init__(self, node: yaml.MappingNode, problems: Problems, *, what: str) -> None:
        self.node, self.problems, self.what = node, problems, what
        self._nodes: dict[str, tuple[yaml.Node, yaml.Node]] = {}
        for key, value in node.value:
            if not isinstance(key, yaml.ScalarNode):
                problems.add(key, "value-type", "RB05", f"a key of {what} must be a word")
                continue
            name = str(key.value)
            if name in self._nodes:
                problems.add(key, "key-repeated", "RB03", f"{name!r} is given twice in {what}")
            self._nodes[name] = (key, value)

    def __contains__(self, key: str) -> bool:
        return key in self._nodes

    def entries(self) -> list[tuple[str, yaml.Node, yaml.Node]]:
        """Return every key with its node and its value's node, in file order."""
        return [(name, key, value) for name, (key, value) in self._nodes.items()]

    def known(self, names: Iterable[str]) -> None:
        """Report every key that is not among ``names``."""
        names = tuple(names)
        for name, (key, _) in self._nodes.items():
            if name not in names:
                near = suggest(name, [known for known in names if known not in self._nodes])
                say = f"Did you mean {near!r}?" if near else f"known: {', '.join(names)}"
                message = f"unknown key {name!r} in {self.what}"
                self.problems.add(key, "key-unknown", "RB04", message, help=say)

    def get(self, key: str) -> yaml.Node | None:
        """Return the value node of a key, or None when absent or null."""
        node = self.raw(key)
        return None if node is None or node.tag == NULL else node

    def raw(self, key: str) -> yaml.Node | None:
        """Return the value node of a key, null or not; None when absent."""
        pair = self._nodes.get(key)
        return pair[1] if pair else None

    def key_node(self, key: str) -> yaml.Node:
        """Return the node to point at for a key: the key itself, or the mapping without it."""
        pair = self._nodes.get(key)
        return pair[0] if pair else self.node

    def missing(self, key: str, rule: str, code: str, help: str | None = None) -> None:  # noqa: A002
        """Report that a needed key is absent or empty."""
        message = f"{self.what} has no {key!r}"
        if key in self._nodes:
            message = f"{key!r} of {self.what} is empty"
        self.problems.add(self.key_node(key), rule, code, message, help=help)

    def text(self, key: str, *, needed: bool = False, help: str | None = None) -> str | None:  # noqa: A002
        """Return a key's text as written (``no`` stays "no"), or None."""
        node = self.get(key)
        if isinstance(node, yaml.ScalarNode) and node.value.strip():
            return str(node.value).strip()
        if node is not None and not isinstance(node, yaml.ScalarNode):
            self.problems.add(node, "value-type", "RB05", f"{key!r} of {self.what} must be text")
        elif needed or node is not None:
            self.missing(key, "key-missing", "RB06", help)
        return None

    def word(self, key: str) -> str | None:
        """Return a key's text, with ``null`` as the word it is written with; else as ``text``."""
        node = self.raw(key)
        if isinstance(node, yaml.ScalarNode) and node.tag == NULL and node.value.isalpha():
            return str(node.value)
        return self.text(key)

    def items(self, key: str) -> list[yaml.Node]:
        """Return the nodes of a list; a problem when the value is something else."""
        node = self.get(key)
        if node is None:
            return []
        if not isinstance(node, yaml.SequenceNode):
            self.problems.add(node, "value-type", "RB05", f"{key!r} of {self.what} must be a list")
            return []
        return list(node.value)


def plain(node: yaml.Node) -> Any:
    """Return a node as lists, dicts and text as written; nothing is constructed from its tags."""
    if isinstance(node, yaml.SequenceNode):
        return [plain(value) for value in node.value]
    if isinstance(node, yaml.MappingNode):
        return {plain_text(key): plain(value) for key, value in node.value}
    return None if node.tag == NULL else str(node.value)


def plain_text(node: yaml.Node) -> str:
    """Return a scalar node's text as written, or the kind of node it is."""
    return str(node.value) if isinstance(node, yaml.ScalarNode) else "a list or mapping"


def scalar(node: yaml.Node) -> Value | None:
    """Return a scalar node as int or float where it is written as one, else its text.

    Quotes make no difference: what people write in label files has none. Octal, sexagesimal and
    other numbers of YAML are text here. None for lists and mappings.
    """
    if not isinstance(node, yaml.ScalarNode):
        return None
    text = str(node.value).strip()
    if not _NUMBER.fullmatch(text):
        return text
    number = float(text)
    whole = "." not in text and "e" not in text.lower() and abs(number) < 1e15
    return int(text) if whole else number


def is_one_line(text: str) -> bool:
    """Return whether a text is a line by itself: no line ends, no control characters."""
    return not _BREAK.search(text)
