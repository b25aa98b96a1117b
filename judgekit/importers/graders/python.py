"""Python source as nodes: read as a syntax tree, never run."""

from __future__ import annotations

import ast
import inspect
import textwrap
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeGuard

from judgekit.errors import InputError
from judgekit.importers.graders.node import MOST, MOST_TEXT, Node, Place, Unread

_TIDY = {"dedent": textwrap.dedent, "cleandoc": inspect.cleandoc, "strip": str.strip}
"""Functions of the standard library people lay out long texts with."""


def read_python(text: str, file: str) -> ast.Module:
    """Return the syntax tree of Python source.

    Raises:
        InputError: it is none; names the line.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what the file does wrong in its strings is its own
            return ast.parse(text)
    except SyntaxError as error:
        raise InputError(
            f"this is not Python: {error.msg}", file=file, line=error.lineno
        ) from error
    except (ValueError, RecursionError, MemoryError) as error:
        raise InputError("this Python source cannot be read", file=file) from error


_DEEPEST = 20


class Reader:
    """Reads the plain values of a module.

    Args:
        tree: The module.
        file: The file it stands in.
        text: Its source, for the columns of what is not ASCII.

    Every way to read one may raise an :class:`InputError`: names stand for one another in a
    circle, or for far more than the file holds.
    """

    def __init__(self, tree: ast.Module, file: str | None = None, text: str = "") -> None:
        self.tree = tree
        self._file = file
        self._lines = text.split("\n")
        self._named = _constants(tree)
        self._open: set[str] = set()
        self._values, self._characters = MOST, MOST_TEXT
        self._read: dict[ast.expr, Node] = {}

    def calls(self, names: Sequence[str], order: Sequence[str]) -> Iterator[tuple[str, Node]]:
        """Yield each call of these functions, by line: its name, and its arguments by name.

        Args:
            names: The functions, with or without their module in front.
            order: What the arguments without a name are called.
        """
        found = [node for node in ast.walk(self.tree) if isinstance(node, ast.Call)]
        for call in sorted(found, key=lambda c: (c.lineno, c.col_offset)):
            name = _last(call.func)
            if name not in names:
                continue
            pairs = [*zip(order, call.args, strict=False)]
            pairs += [(k.arg, k.value) for k in call.keywords if k.arg is not None]
            arguments = {key: self.node(value) for key, value in pairs}
            spread = [k.value for k in call.keywords if k.arg is None]
            if spread:
                arguments["**"] = Node(self._at(spread[0]), Unread(ast.unparse(spread[0])))
            yield name, Node(self._at(call), arguments)

    def dicts(self) -> list[Node]:
        """Return every dict that is written out, by line; outer ones before what is in them.

        An object that is made with a ``type`` by name counts as one.
        """
        found = [node for node in ast.walk(self.tree) if _is_dict(node)]
        return [self.node(d) for d in sorted(found, key=lambda d: (d.lineno, d.col_offset))]

    def texts(self) -> Iterator[tuple[str, Node]]:
        """Yield every text that gets a name in the module: the name, and the text."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Assign) and not isinstance(node.value, ast.Name):
                value = self.node(node.value)
                if value.text is not None:
                    yield _last(node.targets[0]), value

    def node(self, tree: ast.expr, depth: int = 0) -> Node:
        """Return the value of an expression; an :class:`Unread` where it would have to be run."""
        if depth:
            return Node(self._at(tree), self._value(tree, depth))
        if isinstance(tree, ast.Name) and tree.id in self._named:
            return Node(self._at(self._named[tree.id]), self._value(tree, depth))
        if tree not in self._read:  # what stands inside another value is asked for again
            self._read[tree] = Node(self._at(tree), self._value(tree, depth))
        return self._read[tree]

    def _at(self, tree: ast.expr) -> Place:
        """Return where an expression begins; the tree counts bytes, people count characters."""
        line = self._lines[tree.lineno - 1] if tree.lineno <= len(self._lines) else ""
        before = line[: tree.col_offset].encode()[: tree.col_offset].decode(errors="ignore")
        return Place(tree.lineno, (len(before) if line else tree.col_offset) + 1)

    @contextmanager
    def _named_by(self, name: ast.Name) -> Iterator[ast.expr]:
        """Give what a name stands for, which may not lead back to the name."""
        if name.id in self._open:
            message = f"the name {name.id!r} stands for itself, by way of another"
            raise InputError(message, file=self._file, line=name.lineno)
        self._open.add(name.id)
        yield self._named[name.id]
        self._open.remove(name.id)

    def _count(self, tree: ast.expr, depth: int, text: object = "") -> None:
        """Count a value that is had by a name: a few names of names stand for millions."""
        if not depth:
            return
        self._values -= 1
        self._characters -= len(text) if isinstance(text, str) else 0
        if self._values < 0 or self._characters < 0:
            most = f"{MOST:,} values" if self._values < 0 else f"{MOST_TEXT:,} characters"
            message = f"its names stand for more than {most}"
            raise InputError(message, file=self._file, line=tree.lineno)

    def _value(self, tree: ast.expr, depth: int) -> Any:
        self._count(tree, depth, getattr(tree, "value", None))
        value: Any
        match tree:
            case ast.Constant(value=str() | int() | float() | bool() | None as value):
                pass
            case ast.List(elts=elements) | ast.Tuple(elts=elements):
                value = [self.node(element, depth) for element in elements]
            case ast.Dict(keys=keys, values=values):
                pairs = zip(keys, values, strict=True)
                words = [(getattr(k, "value", None), v) for k, v in pairs]
                value = {k: self.node(v, depth) for k, v in words if isinstance(k, str)}
            case ast.Call(args=[], keywords=[_, *_]) if _last(tree.func)[:1].isupper():
                named = [(k.arg, k.value) for k in tree.keywords]  # an object: what it is made of
                value = {name: self.node(v, depth) for name, v in named if name is not None}
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
                value = -value
            case ast.Name(id=name) if name in self._named and depth < _DEEPEST:
                with self._named_by(tree) as held:
                    value = self._value(held, depth + 1)
            case _:
                value = self._text(tree, depth)
        return value

    def _text(self, tree: ast.expr, depth: int) -> str | Unread:
        """Return what is known of a text that is put together, or that it is not known."""
        parts = list(self._parts(tree, depth))
        if all(is_plain for _, is_plain in parts):
            return "".join(part for part, _ in parts)
        source = self._source(tree, depth)
        known = "".join(part if is_plain else f"{{{part}}}" for part, is_plain in parts)
        return Unread(source, known if any(is_plain for _, is_plain in parts) else None)

    def _parts(self, tree: ast.expr, depth: int) -> Iterator[tuple[str, bool]]:
        """Yield the parts of a text, and whether each stands there plainly or is computed."""
        self._count(tree, depth, getattr(tree, "value", None))
        match tree:
            case ast.Constant(value=str(value)):
                yield value, True
            case ast.JoinedStr(values=values):
                for one in values:
                    inner = one.value if isinstance(one, ast.FormattedValue) else one
                    yield from self._parts(inner, depth)
            case ast.BinOp(op=ast.Add(), left=left, right=right):
                yield from self._parts(left, depth)
                yield from self._parts(right, depth)
            case ast.Name(id=name) if name in self._named and depth < _DEEPEST:
                with self._named_by(tree) as held:
                    yield from self._parts(held, depth + 1)
            case ast.Call(func=function) if _last(function) in _TIDY:
                yield self._tidied(tree, depth)
            case _:
                yield self._source(tree, depth), False

    def _source(self, tree: ast.expr, depth: int) -> str:
        source = ast.unparse(tree)
        self._count(tree, depth, source)
        return source

    def _tidied(self, call: ast.Call, depth: int) -> tuple[str, bool]:
        """Return a text that a function lays out, where the text itself stands there plainly."""
        method = isinstance(call.func, ast.Attribute) and not call.args
        held = [call.func.value] if method else call.args[:1]  # type: ignore[attr-defined]
        parts = [part for one in held for part in self._parts(one, depth)]
        if not parts or not all(plain for _, plain in parts):
            return self._source(call, depth), False
        return _TIDY[_last(call.func)]("".join(part for part, _ in parts)), True


def _is_dict(node: ast.AST) -> TypeGuard[ast.Dict | ast.Call]:
    if isinstance(node, ast.Call):
        named = [keyword.arg for keyword in node.keywords]
        return _last(node.func)[:1].isupper() and not node.args and "type" in named
    return isinstance(node, ast.Dict)


def _last(tree: ast.expr) -> str:
    """Return the last name of ``a.b.c``; "" for anything else."""
    if isinstance(tree, ast.Attribute):
        return tree.attr
    return tree.id if isinstance(tree, ast.Name) else ""


def _constants(tree: ast.Module) -> dict[str, ast.expr]:
    """Return what each name stands for that is given a value once, in the whole file.

    One that is made of itself had a value before, which is not known.
    """
    given: dict[str, ast.expr] = {}
    times: Counter[str] = Counter()
    for node in ast.walk(tree):
        targets: list[Any] = []
        if isinstance(node, ast.Assign):
            targets = node.targets
        elif isinstance(node, ast.AnnAssign | ast.AugAssign | ast.For):
            targets = [node.target]
        elif isinstance(node, ast.arg):
            times[node.arg] += 2  # whatever the caller passes
        for target in targets:
            for name in (n.id for n in ast.walk(target) if isinstance(n, ast.Name)):
                times[name] += 1
                value = getattr(node, "value", None)
                if value is not None and target is targets[0] and isinstance(target, ast.Name):
                    given[name] = value
    once = {name: value for name, value in given.items() if times[name] == 1}
    return {name: value for name, value in once.items() if name not in _names(value)}


def _names(tree: ast.expr) -> set[str]:
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
