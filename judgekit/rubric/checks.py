"""What is wrong in a rubric's templates, found before any item is judged."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import jinja2
from jinja2 import meta, nodes

from judgekit.errors import suggest
from judgekit.rubric.sandbox import GIVEN

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from judgekit.rubric.source import Problems
    from judgekit.rubric.templates import Template

_ALTERING = (nodes.Filter, nodes.Getitem, nodes.Getattr, nodes.Call)
_COUNTING = {"count", "length", "wordcount"}
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
            _check_filters(template, template.tree, problems)
            _check_variables(template, template.tree, inputs, problems)
            _check_altered(template, template.tree, inputs, problems)
            _check_blocks(template, template.tree, by_name, problems)
            _check_stray(template, template.tree, problems)


def _check_filters(template: Template, tree: nodes.Template, problems: Problems) -> None:
    for name, lineno, what, near in _unknown_filters(tree):
        line, column = template.place(lineno, name)
        problems.at(
            line,
            "template-filter-unknown",
            "TP06",
            f"the template uses {name!r}, which is no {what}{template.inside(lineno)}",
            column=column,
            help=f"Did you mean {near!r}?" if near else None,
        )


# What follows looks at whole trees, which many rubrics share: each is looked at once.


@lru_cache(maxsize=_KEPT)
def _unknown_filters(tree: nodes.Template) -> tuple[tuple[str, int, str, str | None], ...]:
    """Return name, line, kind and the nearest known name of each filter or test there is not."""
    environment = tree.environment
    assert environment is not None  # noqa: S101  (whoever parses sets it)
    tables = {nodes.Filter: environment.filters, nodes.Test: environment.tests}
    names = {kind: tuple(table) for kind, table in tables.items()}
    found = []
    for node in list(tree.find_all((nodes.Filter, nodes.Test))):
        table = tables[type(node)]
        if node.name not in table:
            near = suggest(node.name, names[type(node)])
            found.append((node.name, node.lineno, type(node).__name__.lower(), near))
            table[node.name] = str  # once known, it is not in the way of the next check
    return tuple(found)


@lru_cache(maxsize=_KEPT)
def _variables(tree: nodes.Template) -> tuple[tuple[str, int], ...] | tuple[int, str]:
    """Return each name that is used and not set with its first line; or line and complaint."""
    lines: dict[str, int] = {}
    for node in tree.find_all(nodes.Name):
        lines[node.name] = min(node.lineno, lines.get(node.name, node.lineno))
    if len(lines) > _MOST_NAMES:
        return 1, f"it uses more than {_MOST_NAMES} different names"
    try:
        used = meta.find_undeclared_variables(tree)
    except jinja2.TemplateSyntaxError as error:  # a block defined twice, and the like
        return error.lineno, error.message or "it is not valid Jinja"
    return tuple((name, lines.get(name, 1)) for name in sorted(used))


def _check_variables(
    template: Template, tree: nodes.Template, inputs: Sequence[str], problems: Problems
) -> None:
    allowed = {*inputs, *GIVEN}
    used = _variables(tree)
    if used and isinstance(used[0], int):
        lineno, said = used
        message = f"the template cannot be read: {said}{template.inside(lineno)}"
        line, column = template.place(lineno)
        problems.at(line, "template-unreadable", "TP03", message, column=column)
        return
    for name, lineno in used:
        if name in allowed or name in _JINJA:
            continue
        near = suggest(name, allowed)
        say = f"this rubric has: {', '.join(inputs)}; to show another, add it to inputs"
        line, column = template.place(lineno, name)
        problems.at(
            line,
            "template-variable-unknown",
            "TP04",
            f"the template shows {name!r}, which is not one of the rubric's inputs"
            f"{template.inside(lineno)}",
            column=column,
            help=f"Did you mean {near!r}?" if near else say,
        )


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
    filled = {block.name for block in _outer_blocks(tree)}
    for block in _outer_blocks(tree):
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


def _outer_blocks(node: nodes.Node) -> Iterator[nodes.Block]:
    for child in node.iter_child_nodes():
        if isinstance(child, nodes.Block):
            yield child
        else:
            yield from _outer_blocks(child)


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
    for name, lineno in _all_altered(tree, tuple(inputs)):
        line, column = template.place(lineno, name)
        problems.at(
            line,
            "template-item-changed",
            "TP07",
            f"the template cuts or changes the text of {name!r}{template.inside(lineno)}",
            column=column,
            help=f"show it as it is: {{{{ {name} }}}}",
        )


@lru_cache(maxsize=_KEPT)
def _all_altered(tree: nodes.Template, inputs: tuple[str, ...]) -> tuple[tuple[str, int], ...]:
    return tuple(_altered(tree, inputs))


def _altered(node: nodes.Node, inputs: Sequence[str]) -> Iterator[tuple[str, int]]:
    """Yield the inputs that are shown through something, with the line; questions are no matter."""
    if isinstance(node, nodes.Filter) and node.name in _COUNTING:
        return
    if isinstance(node, _ALTERING):
        root: nodes.Node | None = node
        while isinstance(root, _ALTERING):
            root = root.node
        if isinstance(root, nodes.Name) and root.name in inputs:
            yield root.name, root.lineno
            return
    for field, value in node.iter_fields():
        if field in ("test", "test1") and isinstance(node, nodes.If | nodes.CondExpr):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, nodes.Node):
                yield from _altered(child, inputs)


def where_altered(templates: Sequence[Template], inputs: Sequence[str]) -> tuple[Template, int]:
    """Return the template and its line that likely alters an item's text in a roundabout way."""
    kinds = (nodes.FilterBlock, nodes.EvalContextModifier, *_ALTERING)
    for template in templates:
        for node in template.tree.find_all(kinds) if template.tree else ():
            if any(name.name in inputs for name in node.find_all(nodes.Name)):
                return template, node.lineno
    return templates[0], 1
