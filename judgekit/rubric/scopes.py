"""What the names of a template stand for where they are used, followed through its loops."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from jinja2 import nodes

from judgekit.errors import suggest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


class Shape(NamedTuple):
    """What something is that a template is given.

    Attributes:
        thing: What it, or each of a list of them, is: a key of :data:`PARTS`, or a text.
        many: Whether it is a list.
    """

    thing: str
    many: bool = False


TEXT, PERHAPS = Shape("a text"), Shape("a text or nothing")

PARTS: dict[str, dict[str, Shape]] = {
    "the criterion": {
        "name": TEXT,
        "question": TEXT,
        "kind": TEXT,
        "not_applicable": PERHAPS,
        "levels": Shape("a level", many=True),
    },
    "a level": {
        "value": TEXT,
        "value_text": TEXT,
        "name": TEXT,
        "definition": TEXT,
        "drops_when": PERHAPS,
        "anchors": Shape("an anchor", many=True),
    },
    "an anchor": {"reason": PERHAPS, "fields": Shape("a field", many=True)},
    "a field": {"name": TEXT, "label": TEXT, "text": TEXT},
    "the answer": {"levels": Shape("a text", many=True), "example": TEXT},
}
"""What the things are made of that every template is given."""

_GIVEN = {
    "criterion": Shape("the criterion"),
    "answer": Shape("the answer"),
    "item": Shape("a field", many=True),
}
_SAME = {"list", "reject", "rejectattr", "reverse", "select", "selectattr", "sort", "unique"}
_ONE = {"first", "last", "max", "min"}
_OR_ELSE = {"d", "default"}
_BY_PART = {"groupby", "map", "rejectattr", "selectattr", "sort", "sum", "unique"}
_ASKS = {"defined", "undefined"}

Known = dict[str, Shape | None]
"""The names that are set, and what they stand for; None where that is not known."""


class Misuse(NamedTuple):
    """A part that is asked of something that has no such part.

    Attributes:
        lineno: 1-based line of the template.
        written: How it is written: ``level.nme``.
        part: The part.
        thing: What is asked for it.
        near: How it was likely meant, written alike; None when nothing is near.
        guarded: Whether the template goes on without it: ``level.nme | default("")``.
    """

    lineno: int
    written: str
    part: str
    thing: str
    near: str | None
    guarded: bool


class Setting(NamedTuple):
    """A place where a template makes a name stand for something.

    Attributes:
        lineno: 1-based line of the template.
        name: The name.
        by: The tag: ``set``, ``for`` or ``with``.
        looped: Whether a loop around it has given the name to each of its turns.
        of_itself: Whether what it stands for comes from what it stood for before.
    """

    lineno: int
    name: str
    by: str
    looped: bool
    of_itself: bool


class Uses(NamedTuple):
    """What a template does with names.

    Attributes:
        free: Each name that is used where nothing sets it, with its first such line.
        misused: Parts that are not there.
        odd: What is shown and is no text, or may be none, as it is written, with its line.
        settings: Where names are set.
    """

    free: dict[str, int]
    misused: tuple[Misuse, ...]
    odd: tuple[tuple[int, str], ...]
    settings: tuple[Setting, ...]


@lru_cache(maxsize=256)
def uses_of(tree: nodes.Template) -> Uses:
    """Return what a template does with names (cached: many rubrics share the same trees)."""
    reading = _Reading()
    reading.all(tree.body, reading.top)
    asked = {use.written for use in reading.misused if use.guarded}
    misused = (use._replace(guarded=use.written in asked) for use in reading.misused)
    return Uses(reading.free, tuple(misused), tuple(reading.odd), tuple(reading.settings))


class _Reading:
    """Reads a template from its first line to its last."""

    def __init__(self) -> None:
        self.top: Known = dict(_GIVEN)
        self.free: dict[str, int] = {}
        self.misused: list[Misuse] = []
        self.odd: list[tuple[int, str]] = []
        self.settings: list[Setting] = []
        self.looped: tuple[str, ...] = ()
        self.guarded = False

    def all(self, parts: Iterable[nodes.Node], known: Known) -> None:
        """Read one part after the other."""
        for part in parts:
            self.one(part, known)

    def one(self, node: nodes.Node, known: Known) -> Shape | None:
        """Read a node; return what it stands for."""
        read = _READ.get(type(node))
        if read is None:
            self.all(node.iter_child_nodes(), known)
            return None
        return read(self, node, known)

    def name(self, node: nodes.Name, known: Known) -> Shape | None:
        if node.ctx == "load" and node.name not in known:
            self.free[node.name] = min(node.lineno, self.free.get(node.name, node.lineno))
        return known.get(node.name)

    def part(self, node: nodes.Getattr, known: Known) -> Shape | None:
        return self._part(node, self.one(node.node, known), node.attr)

    def item(self, node: nodes.Getitem, known: Known) -> Shape | None:
        shape = self.one(node.node, known)
        self.one(node.arg, known)
        if isinstance(node.arg, nodes.Const) and isinstance(node.arg.value, str):
            return self._part(node, shape, node.arg.value)
        if shape is None or not shape.many:
            return None
        return shape if isinstance(node.arg, nodes.Slice) else shape._replace(many=False)

    def filter(self, node: nodes.Filter, known: Known) -> Shape | None:
        before, self.guarded = self.guarded, self.guarded or node.name in _OR_ELSE
        shape = self.one(node.node, known) if node.node else None
        self.guarded = before
        self.all([*node.args, *(kwarg.value for kwarg in node.kwargs)], known)
        if shape is None or not shape.many:
            return None
        if node.name in _BY_PART:
            self._by_part(node, shape)
        if node.name in _SAME:
            return shape
        return shape._replace(many=False) if node.name in _ONE else None

    def test(self, node: nodes.Test, known: Known) -> None:
        before, self.guarded = self.guarded, self.guarded or node.name in _ASKS
        self.one(node.node, known)
        self.guarded = before
        self.all(node.args, known)

    def output(self, node: nodes.Output, known: Known) -> None:
        for child in node.nodes:
            shape = self.one(child, known)
            if shape is not None and shape != TEXT:
                self.odd.append((child.lineno, written(child)))

    def loop(self, node: nodes.For, known: Known) -> None:
        shape = self.one(node.iter, known)
        one = shape._replace(many=False) if shape and shape.many else None
        inner = {**known, "loop": None}
        around = self.looped
        self._set(node, node.target, "for", inner, one, node.iter)
        self.looped += tuple(name.name for name in _names(node.target))
        self.all([node.test] if node.test else [], inner)
        self.all(node.body, inner)
        self.looped = around
        self.all(node.else_, dict(known))

    def block_with(self, node: nodes.With, known: Known) -> None:
        inner = dict(known)
        for target, value in zip(node.targets, node.values, strict=True):
            self._set(node, target, "with", inner, self.one(value, known), value)
        self.all(node.body, inner)

    def assign(self, node: nodes.Assign, known: Known) -> None:
        self._set(node, node.target, "set", known, self.one(node.node, known), node.node)

    def assign_block(self, node: nodes.AssignBlock, known: Known) -> None:
        self.all(node.body, dict(known))
        self._set(node, node.target, "set", known, None, node)

    def macro(self, node: nodes.Macro | nodes.CallBlock, known: Known) -> None:
        self.all(node.defaults, known)
        inner = {**known, **dict.fromkeys(arg.name for arg in node.args)}
        if isinstance(node, nodes.Macro):
            known[node.name] = None
            inner |= dict.fromkeys((node.name, "caller", "varargs", "kwargs"))
        else:
            self.one(node.call, known)
        around, self.looped = self.looped, ()
        self.all(node.body, inner)
        self.looped = around

    def block(self, node: nodes.Block, known: Known) -> None:
        around, self.looped = self.looped, ()
        self.all(node.body, dict(known if node.scoped else self.top))
        self.looped = around

    def imported(self, node: nodes.Import, known: Known) -> None:
        known[node.target] = None

    def imported_names(self, node: nodes.FromImport, known: Known) -> None:
        known |= dict.fromkeys(n if isinstance(n, str) else n[1] for n in node.names)

    def _set(
        self,
        tag: nodes.Node,
        target: nodes.Node,
        by: str,
        known: Known,
        shape: Shape | None,
        value: nodes.Node,
    ) -> None:
        """Give a value to a name, or to several, of which each has a part of it."""
        before = {name.name for name in value.find_all(nodes.Name) if name.ctx == "load"}
        before |= {value.name} if isinstance(value, nodes.Name) else set()
        for name in _names(target):
            known[name.name] = shape if target is name else None
            looped = name.name in self.looped
            self.settings.append(Setting(tag.lineno, name.name, by, looped, name.name in before))

    def _part(self, node: nodes.Node, shape: Shape | None, part: str) -> Shape | None:
        if shape is None or shape.many or shape.thing not in PARTS:
            return None
        parts = PARTS[shape.thing]
        if part not in parts and not hasattr(dict, part):
            near = suggest(part, parts)
            text = written(node)
            meant = text[: -len(part)] + near if near and text.endswith(part) else near
            use = Misuse(node.lineno, text, part, shape.thing, meant, self.guarded)
            self.misused.append(use)
        return parts.get(part)

    def _by_part(self, node: nodes.Filter, shape: Shape) -> None:
        """Look at the part that a filter is told to go by: ``map(attribute="nme")``."""
        told = [kwarg.value for kwarg in node.kwargs if kwarg.key == "attribute"]
        if node.name in ("rejectattr", "selectattr", "groupby"):
            told += node.args[:1]
        if len(told) == 1 and isinstance(told[0], nodes.Const) and isinstance(told[0].value, str):
            first = told[0].value.partition(".")[0]
            self._part(nodes.Const(first, lineno=node.lineno), shape._replace(many=False), first)


_READ: dict[type[nodes.Node], Callable[[_Reading, Any, Known], Shape | None]] = {
    nodes.Name: _Reading.name,
    nodes.Getattr: _Reading.part,
    nodes.Getitem: _Reading.item,
    nodes.Filter: _Reading.filter,
    nodes.Test: _Reading.test,
    nodes.Output: _Reading.output,
    nodes.For: _Reading.loop,
    nodes.With: _Reading.block_with,
    nodes.Assign: _Reading.assign,
    nodes.AssignBlock: _Reading.assign_block,
    nodes.Macro: _Reading.macro,
    nodes.CallBlock: _Reading.macro,
    nodes.Block: _Reading.block,
    nodes.Import: _Reading.imported,
    nodes.FromImport: _Reading.imported_names,
}


def written(node: nodes.Node) -> str:
    """Return an expression as a template most likely writes it: ``criterion.levels[0].name``."""
    if isinstance(node, nodes.Name):
        return str(node.name)
    if isinstance(node, nodes.Getattr):
        return f"{written(node.node)}.{node.attr}"
    if isinstance(node, nodes.Getitem):
        inside = repr(node.arg.value) if isinstance(node.arg, nodes.Const) else "..."
        return f"{written(node.node)}[{inside}]"
    if isinstance(node, nodes.Const):
        return str(node.value)
    return "..."


def _names(target: nodes.Node) -> list[nodes.Name]:
    if isinstance(target, nodes.Name):
        return [target]
    return list(target.find_all(nodes.Name)) if isinstance(target, nodes.Tuple) else []
