"""The templates a rubric is made of, gathered from its body and from what that extends."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import jinja2
from jinja2 import nodes

from judgekit.errors import InputError, suggest
from judgekit.rubric.sandbox import fresh_environment
from judgekit.rubric.unclosed import unclosed_at

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from judgekit.rubric.source import Parts, Problems

POINTWISE, PAIRWISE = "judgekit/pointwise@1.jinja", "judgekit/pairwise@1.jinja"
REFERENCES = (nodes.Extends, nodes.Include, nodes.Import, nodes.FromImport)
"""The tags that name another template."""

_DEEPEST = 60
_LOOKING = "looking for"
"""Jinja's words where a tag is not closed: it points at where it noticed."""

_WORD = re.compile(r"\w+")
_WORDS_ONLY = {"task", "answer_form", "item_intro", "question"}
"""Blocks of the built-in templates that show no item."""


class Template(NamedTuple):
    """One template and where the rubric file leads to it.

    Attributes:
        name: Its name; "" for the body of the rubric itself.
        source: Its text.
        tree: Its syntax tree, or None when it cannot be read.
        line: The file line that names it; for the body the line it begins on.
    """

    name: str
    source: str
    tree: nodes.Template | None
    line: int

    def place(self, lineno: int, word: str = "") -> tuple[int, int]:
        """Return the line and column of the rubric file to point at for a line of this template.

        Args:
            lineno: 1-based line in the template.
            word: What to look for in that line, for the column.
        """
        if self.name:
            return self.line, 1
        lines = _lines(self.source)
        text = lines[lineno - 1] if 0 < lineno <= len(lines) else ""
        at = _columns(text).get(word)
        return self.line + lineno - 1, max(text.find(word) if at is None else at, 0) + 1

    def inside(self, lineno: int) -> str:
        """Return where in another file a line is, for messages; "" for the rubric's own body."""
        return f" (line {lineno} of {self.name!r})" if self.name else ""

    @property
    def parent(self) -> str | None:
        """Return the name of the template this one extends, or None."""
        return None if self.tree is None else _parent(self.tree)


# A template may have thousands of problems: its lines, and the words of each, are found once.


@lru_cache(maxsize=8)
def _lines(source: str) -> list[str]:
    return source.split("\n")


@lru_cache(maxsize=8)
def _columns(line: str) -> dict[str, int]:
    """Return where each word of a line first stands."""
    return {found[0]: found.start() for found in reversed(list(_WORD.finditer(line)))}


@lru_cache(maxsize=256)
def _parent(tree: nodes.Template) -> str | None:
    return next((name for tag in tree.find_all(nodes.Extends) for name in names_in(tag)), None)


@lru_cache(maxsize=256)
def _references(tree: nodes.Template) -> tuple[nodes.Node, ...]:
    """Return the tags of a template that name others."""
    return tuple(tree.find_all(REFERENCES))


_COMMENTS = re.compile(r"\s*+(?>\{#.*?#\}\s*+)*+", re.DOTALL)


def collect(
    parts: Parts, *, pairwise: bool, load: Callable[[str], str | None], problems: Problems
) -> list[Template]:
    """Return the body (the built-in one when empty) and every template it reaches, body first.

    A body of comments is empty: comments ignore rules.
    """
    body = parts.body
    if _COMMENTS.fullmatch(body):
        body = f'{{% extends "{PAIRWISE if pairwise else POINTWISE}" %}}'
    start = Template("", body, None, parts.body_line)
    found = {"": start._replace(tree=_tree(start, problems))}
    waiting = [found[""]]
    while waiting:
        owner = waiting.pop()
        for node in _references(owner.tree) if owner.tree else ():
            line = owner.place(node.lineno)[0]
            for name in names_in(node) or _dynamic(line, problems):
                if name not in found and (text := _load(name, line, load, problems)) is not None:
                    new = Template(name, text, None, line)
                    found[name] = new._replace(tree=_tree(new, problems))
                    waiting.append(found[name])
    _refuse_circles(found, problems)
    return list(found.values())


def names_in(node: nodes.Node) -> list[str]:
    """Return the template name in an ``extends``, ``include`` or ``import``; none if computed."""
    target = node.template  # type: ignore[attr-defined]
    fixed = isinstance(target, nodes.Const) and isinstance(target.value, str)
    return [target.value] if fixed else []


def _dynamic(line: int, problems: Problems) -> list[str]:
    problems.at(
        line,
        "template-dynamic",
        "TP02",
        "the name of an extended or included template must be a plain string",
        help="what the judge is shown may not depend on the item's text",
    )
    return []


def _load(
    name: str, line: int, load: Callable[[str], str | None], problems: Problems
) -> str | None:
    say = f"built in: {POINTWISE}, {PAIRWISE}; others stand beside the rubric"
    try:
        text = load(name)
    except InputError as error:
        message = f"template {name!r} cannot be used: {error.message}"
        problems.at(line, "template-not-found", "TP01", message, help=error.hint or say)
        return None
    if text is None:
        near = suggest(name, (POINTWISE, PAIRWISE))
        say = f"Did you mean {near!r}?" if near else say
        problems.at(line, "template-not-found", "TP01", f"no template named {name!r}", help=say)
        return None
    if text.split("\n", 1)[0].rstrip() == "---":
        message = f"template {name!r} cannot be used: it is a rubric of its own"
        problems.at(line, "template-not-found", "TP01", message, help=say)
        return None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _tree(template: Template, problems: Problems) -> nodes.Template | None:
    tree, lineno, said = _syntax(template.source)
    if tree is None:
        message = f"the template cannot be read: {said}{template.inside(lineno)}"
        line, column = template.place(lineno)
        problems.at(line, "template-unreadable", "TP03", message, column=column)
    return tree


@lru_cache(maxsize=256)
def _syntax(source: str) -> tuple[nodes.Template | None, int, str]:
    """Return a template's tree, to be read only; or None, and the line and what is wrong.

    Most rubrics extend the same few templates (cached).
    """
    try:
        tree = fresh_environment().parse(source)
        if _depth(tree) <= _DEEPEST:
            return tree, 1, ""
    except jinja2.TemplateSyntaxError as error:
        said = error.message or "it is not valid Jinja"
        lineno = unclosed_at(source) if _LOOKING in said else None
        return None, lineno or error.lineno, said
    except RecursionError:
        pass
    return None, 1, "it is nested too deeply"


def only_fills(templates: Sequence[Template]) -> bool:
    """Return whether a body does no more than put plain text into places of a built-in template.

    Such a template shows every input, and cannot fail.
    """
    body, *others = templates
    if body.tree is None or [t.name for t in others] not in ([POINTWISE], [PAIRWISE]):
        return False
    said = [node for node in body.tree.body if not _is_blank(node)]
    return isinstance(said[0], nodes.Extends) and all(map(_is_plain_block, said[1:]))


def _is_blank(node: nodes.Node) -> bool:
    return isinstance(node, nodes.Output) and all(
        isinstance(part, nodes.TemplateData) and not part.data.strip() for part in node.nodes
    )


def _is_plain_block(node: nodes.Node) -> bool:
    if not isinstance(node, nodes.Block) or node.name not in _WORDS_ONLY:
        return False
    return all(
        isinstance(inner, nodes.Output)
        and all(isinstance(part, nodes.TemplateData) for part in inner.nodes)
        for inner in node.body
    )


def _depth(tree: nodes.Node) -> int:
    """Return how deep a tree is, without recursion, which a deep one would exhaust."""
    depth, floor = 0, [tree]
    while floor:
        depth += 1
        floor = [child for node in floor for child in node.iter_child_nodes()]
    return depth


def _refuse_circles(found: dict[str, Template], problems: Problems) -> None:
    """Report templates that extend or include themselves, by whatever way round."""
    links = {name: _links(template) & found.keys() for name, template in found.items()}
    while ends := [name for name, to in links.items() if not to & links.keys()]:
        for name in ends:
            del links[name]
    for name, to in links.items():
        reached, waiting = set[str](), to
        while waiting:
            reached |= waiting
            waiting = {next_ for one in waiting for next_ in links.get(one, ())} - reached
        if name in reached:
            line = found[name].line
            problems.at(
                line,
                "template-circle",
                "TP10",
                f"template {name!r} extends or includes itself",
                help=f"in a circle: {', '.join(sorted(repr(n) for n in reached & links.keys()))}",
            )


def _links(template: Template) -> set[str]:
    nodes_found = _references(template.tree) if template.tree else ()
    return {name for node in nodes_found for name in names_in(node)}
