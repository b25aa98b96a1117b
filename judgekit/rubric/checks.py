"""What is wrong in a rubric's templates, found before any item is judged."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

import jinja2
from jinja2 import meta, nodes

from judgekit.errors import suggest
from judgekit.rubric.altered import COUNTING, altered
from judgekit.rubric.sandbox import GIVEN
from judgekit.rubric.scopes import PARTS, uses_of, written

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from judgekit.rubric.source import Problems
    from judgekit.rubric.templates import Template

_LAST_WORD = re.compile(r"\w+")
_KEPT = 256
_MOST_NAMES = 500
"""Names of one template; what it takes Jinja to follow them grows with their square."""
_JINJA = {"self", "super", "caller", "loop", "varargs", "kwargs"}


def check_templates(
    templates: Sequence[Template], inputs: Sequence[str], problems: Problems
) -> None:
    """Report every name a template uses that nothing will ever give it, before money is spent.

    Args:
        templates: The body first, then every template it reaches.
        inputs: The rubric's inputs.
        problems: Where problems go.
    """
    by_name = {template.name: template for template in templates}
    for template in templates:
        if template.tree is not None:
            _check_filters(template, template.tree, inputs, problems)
            if _check_variables(template, template.tree, inputs, problems):
                _check_parts(template, template.tree, problems)
            _check_altered(template, template.tree, inputs, problems)
            _check_blocks(template, template.tree, by_name, problems)
            _check_stray(template, template.tree, problems)


def _check_filters(
    template: Template, tree: nodes.Template, inputs: Sequence[str], problems: Problems
) -> None:
    for name, lineno, what, near, filtered in _unknown_filters(tree):
        line, column = template.place(lineno, name)
        say = f"Did you mean {near!r}?" if near else None
        shown = next((part for part in filtered if part in inputs or part.endswith(".text")), None)
        if shown and near not in COUNTING:  # the filter that is near would not do either
            say = f"show it as it is: {{{{ {shown} }}}}"
        problems.at(
            line,
            "template-filter-unknown",
            "TP06",
            f"the template uses {name!r}, which is no {what}{template.inside(lineno)}",
            column=column,
            help=say,
        )


# What follows looks at whole trees, which many rubrics share: each is looked at once.


@lru_cache(maxsize=_KEPT)
def _unknown_filters(
    tree: nodes.Template,
) -> tuple[tuple[str, int, str, str | None, tuple[str, ...]], ...]:
    """Return each filter or test there is not.

    That is: name, line, kind, the nearest known name, and what of an item may be filtered.
    """
    environment = tree.environment
    assert environment is not None  # noqa: S101  (whoever parses sets it)
    tables = {nodes.Filter: environment.filters, nodes.Test: environment.tests}
    names = {kind: tuple(table) for kind, table in tables.items()}
    found = []
    blocks = {id(b.filter): b for b in tree.find_all(nodes.FilterBlock)}
    for node in list(tree.find_all((nodes.Filter, nodes.Test))):
        table = tables[type(node)]
        if node.name not in table:
            near = suggest(node.name, names[type(node)])
            filtered = _shown_in(blocks.get(id(node), node))
            found.append((node.name, node.lineno, type(node).__name__.lower(), near, filtered))
            table[node.name] = str  # once known, it is not in the way of the next check
    return tuple(found)


def _shown_in(node: nodes.Node) -> tuple[str, ...]:
    """Return the names in a part of the syntax, and the texts of what has a text."""
    texts = (part for part in node.find_all(nodes.Getattr) if part.attr == "text")
    names = (name.name for name in node.find_all(nodes.Name))
    return (*names, *(written(text) for text in texts))


@lru_cache(maxsize=_KEPT)
def _variables(tree: nodes.Template) -> tuple[tuple[str, int], ...] | tuple[int, str]:
    """Return each name that is used and not set with its first line; or line and complaint."""
    lines: dict[str, int] = {}
    for node in tree.find_all(nodes.Name):
        lines.setdefault(node.name, node.lineno)
    if len(lines) > _MOST_NAMES:
        return 1, f"it uses more than {_MOST_NAMES} different names"
    try:
        used = meta.find_undeclared_variables(tree)
    except jinja2.TemplateSyntaxError as error:  # a block defined twice, and the like
        return error.lineno, error.message or "it is not valid Jinja"
    lines |= uses_of(tree).free
    return tuple((name, lines.get(name, 1)) for name in sorted(used))


def _check_variables(
    template: Template, tree: nodes.Template, inputs: Sequence[str], problems: Problems
) -> bool:
    """Report names that nothing sets; return whether the names can be followed at all."""
    allowed = {*inputs, *GIVEN}
    used = _variables(tree)
    if used and isinstance(used[0], int):
        lineno, said = used
        message = f"the template cannot be read: {said}{template.inside(lineno)}"
        line, column = template.place(lineno)
        problems.at(line, "template-unreadable", "TP03", message, column=column)
        return False
    looped = {setting.name for setting in uses_of(tree).settings if setting.by == "for"}
    for name, lineno in used:
        if name in allowed or name in _JINJA:
            continue
        near = suggest(name, allowed)
        say = f"this rubric has: {', '.join(inputs)}; to show another, add it to inputs"
        if name in looped:
            say = f"{name!r} is known inside its loop only"
        line, column = template.place(lineno, name)
        problems.at(
            line,
            "template-variable-unknown",
            "TP04",
            f"the template shows {name!r}, which is not one of the rubric's inputs"
            f"{template.inside(lineno)}",
            column=column,
            help=f"Did you mean {near!r}?" if near and name not in looped else say,
        )
    return True


def _check_parts(template: Template, tree: nodes.Template, problems: Problems) -> None:
    """Report parts that nothing has, in whatever branch: ``level.nme``."""
    for use in uses_of(tree).misused:
        if use.guarded and not use.near:
            continue  # it is known to be not there
        line, column = place_of(template, use.lineno, use.written)
        has = f"{use.thing} has: {', '.join(PARTS[use.thing])}"
        problems.at(
            line,
            "template-fails",
            "TP05",
            f"the template uses {use.written!r}: {use.thing} has no part {use.part!r}"
            f"{template.inside(use.lineno)}",
            column=column,
            help=f"Did you mean {use.near!r}?" if use.near else has,
            fatal=not use.guarded,
        )


def place_of(template: Template, lineno: int, expression: str) -> tuple[int, int]:
    """Return where an expression stands; where it is not written like that, its last word."""
    places = [template.place(lineno, w) for w in (expression, _LAST_WORD.findall(expression)[-1])]
    return max(places, key=lambda place: place[1] > 1)


def _check_blocks(
    template: Template,
    tree: nodes.Template,
    by_name: dict[str, Template],
    problems: Problems,
) -> None:
    """Report blocks that no extended template has a place for: they would never be shown."""
    places: set[str] = set()
    parent, seen = template.parent, {template.name}
    if parent is None:
        return
    while parent is not None and parent not in seen:
        seen.add(parent)
        above = by_name.get(parent)
        if above is None or above.tree is None:
            return  # reported already; what it has is not known
        places |= _block_names(above.tree)
        parent = above.parent
    outer = _outer_blocks(tree)
    filled = {block.name for block in outer}
    for block in outer:
        if block.name not in places:
            near = suggest(block.name, sorted(places - filled))
            line, column = template.place(block.lineno, block.name)
            problems.at(
                line,
                "template-block-unknown",
                "TP08",
                f"block {block.name!r} would never be shown: {template.parent!r} has none of "
                f"that name{template.inside(block.lineno)}",
                column=column,
                help=f"Did you mean {near!r}?" if near else f"it has: {', '.join(sorted(places))}",
            )


@lru_cache(maxsize=_KEPT)
def _block_names(tree: nodes.Template) -> frozenset[str]:
    return frozenset(block.name for block in tree.find_all(nodes.Block))


@lru_cache(maxsize=_KEPT)
def _outer_blocks(tree: nodes.Template) -> tuple[nodes.Block, ...]:
    return tuple(_blocks_in(tree))


def _blocks_in(node: nodes.Node) -> Iterator[nodes.Block]:
    for child in node.iter_child_nodes():
        if isinstance(child, nodes.Block):
            yield child
        else:
            yield from _blocks_in(child)


def _check_stray(template: Template, tree: nodes.Template, problems: Problems) -> None:
    """Report text outside the blocks of an extending template: Jinja shows none of it."""
    extends = [i for i, node in enumerate(tree.body) if isinstance(node, nodes.Extends)]
    for node in tree.body[extends[0] + 1 :] if extends else ():
        for part in node.nodes if isinstance(node, nodes.Output) else ():
            text = part.data if isinstance(part, nodes.TemplateData) else "{{"
            if not text.strip():
                continue
            blank = text[: len(text) - len(text.lstrip())]
            lineno = part.lineno + blank.count("\n")
            line, column = template.place(lineno, text.split("\n")[blank.count("\n")].strip())
            problems.at(
                line,
                "template-text-unused",
                "TP09",
                f"text outside the blocks of an extending template is never shown"
                f"{template.inside(lineno)}",
                column=column,
                help="put it inside a block, for example: {% block task %}...{% endblock %}",
                fatal=False,
            )
            break  # the rest of this stretch goes with it


def _check_altered(
    template: Template, tree: nodes.Template, inputs: Sequence[str], problems: Problems
) -> None:
    """Report filters and the like on item text, in whatever branch: the judge needs it whole."""
    for name, lineno in altered(tree, tuple(inputs)):
        line, column = place_of(template, lineno, name)
        problems.at(
            line,
            "template-item-changed",
            "TP07",
            f"the template cuts or changes the text of {name!r}{template.inside(lineno)}",
            column=column,
            help=f"show it as it is: {{{{ {name} }}}}",
        )
