"""Criteria, read from the front matter of a rubric."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, cast, get_args

import yaml

from judgekit.errors import suggest
from judgekit.rubric.levels import read_levels
from judgekit.rubric.model import Criterion
from judgekit.rubric.scale import Kind, Level, Scale, Value, Weights, fold, number_text, spelling
from judgekit.rubric.source import Mapping, Problems, plain_text

if TYPE_CHECKING:
    from collections.abc import Sequence

POINTWISE_INPUTS, PAIRWISE_INPUTS = ("input", "output"), ("input", "output_a", "output_b")
"""What a rubric shows when it does not say."""

_KEYS = (
    "criterion",
    "question",
    "scale",
    "levels",
    "passes_at",
    "passing",
    "not_applicable",
    "weights",
)
_NAME = re.compile(r"[^\W_][\w.-]{0,63}")
_SLIP = 0.8
"""How much a word has in common with the kind of scale that it stands for."""


def read_criteria(front: Mapping, inputs: Sequence[str], problems: Problems) -> list[Criterion]:
    """Return the usable criteria of a rubric, with every problem reported.

    Args:
        front: The front matter.
        inputs: The inputs it declares; () for the default ones.
        problems: Where problems go.
    """
    nodes = front.items("criteria")
    if not nodes and isinstance(front.get("criteria"), yaml.SequenceNode | None):
        front.missing("criteria", "criteria-missing", "CR01", "list at least one criterion")
    found: list[Criterion] = []
    names: set[str] = set()
    for position, node in enumerate(nodes, start=1):
        what = f"criterion {position}"
        if not isinstance(node, yaml.MappingNode):
            message = f"{what} must be a mapping"
            say = "for example: - criterion: NAME, and below it question, scale and levels"
            problems.add(node, "value-type", "RB05", message, help=say)
            continue
        entry = Mapping(node, problems, what=what)
        name = _name(entry, problems)
        if name is not None and fold(name) in names:
            message = f"criterion {name!r} is defined twice"
            problems.add(entry.key_node("criterion"), "criterion-repeated", "CR02", message)
        names.add(fold(name or ""))
        criterion = _criterion(entry, name, inputs, problems)
        if criterion is not None:
            found.append(criterion)
    if len({c.scale.kind == "pairwise" for c in found}) > 1:
        problems.add(
            front.key_node("criteria"),
            "criteria-mixed",
            "CR03",
            "pairwise and pointwise criteria cannot share a rubric: they see other items",
            help="give each its own rubric file",
        )
    return found


def _criterion(
    entry: Mapping, name: str | None, inputs: Sequence[str], problems: Problems
) -> Criterion | None:
    entry.known(_KEYS)
    question = entry.text("question", needed=True, help="what the judge is asked")
    not_applicable = entry.text("not_applicable")
    known = _kind(entry, problems)
    kind = known or "nominal"  # the levels are read all the same, to report their problems
    usual = PAIRWISE_INPUTS if kind == "pairwise" else POINTWISE_INPUTS
    levels = read_levels(entry, kind, inputs or usual, problems)
    # Where a level could not be read, a pass line that names it is not wrong as well.
    sure = levels if len(levels) == len(entry.items("levels")) else ()
    passes_at = _passes_at(entry, known, sure, problems)
    passing = _passing(entry, known, sure, problems)
    weights = _weights(entry, known, problems)
    if name is None or question is None or known is None or len(levels) < 2:
        return None
    return Criterion(
        name=name,
        question=question,
        scale=Scale(kind=kind, levels=levels),
        passes_at=passes_at,
        passing=passing,
        not_applicable=not_applicable,
        weights=weights,
    )


def _name(entry: Mapping, problems: Problems) -> str | None:
    name = entry.text("criterion", needed=True, help="the criterion's name")
    if name is None:
        return None
    entry.what = f"criterion {name!r}" if len(name) <= 64 else entry.what
    if not _NAME.fullmatch(name):
        problems.add(
            entry.get("criterion") or entry.node,
            "criterion-name",
            "CR04",
            f"criterion name {name[:64]!r} may hold letters, digits, '_', '-' and '.' only, "
            "begins with a letter or digit and has at most 64 characters",
            help="certificates are files named after it",
        )
    return name


def kind_of(text: str) -> Kind | None:
    """Return the kind of scale that is written, or misspelt by a letter or two; else None."""
    if text in get_args(Kind):
        return cast("Kind", text)
    near = suggest(text, get_args(Kind))
    slip = near and SequenceMatcher(None, near, text.casefold()).ratio() >= _SLIP
    return cast("Kind", near) if slip else None


def _kind(entry: Mapping, problems: Problems) -> Kind | None:
    """Return the kind of scale; of one that is misspelt, which is a problem, what is meant."""
    text = entry.text("scale", needed=True, help="binary, nominal, ordinal or pairwise")
    if text is None:
        return None
    if text not in get_args(Kind):
        near = suggest(text, get_args(Kind))
        problems.add(
            entry.get("scale") or entry.node,
            "scale-kind",
            "SC09",
            f"scale {text!r} is not one of {', '.join(get_args(Kind))}",
            help=f"Did you mean {near!r}?" if near else None,
        )
    return kind_of(text)


def _listed(levels: Sequence[Level]) -> str:
    words = [
        v if spelling(v) == spelling(level.name) else f"{v} {level.name}"
        for level in levels
        for v in (number_text(level.value),)
    ]
    return ", ".join(words)


def _find(node: yaml.Node, levels: Sequence[Level], problems: Problems, key: str) -> Value | None:
    """Return the value of the level a node names, or None and a problem."""
    if not isinstance(node, yaml.ScalarNode):
        message = f"{key} names one level, not a list or a mapping"
        shape = "the lowest level that passes: passes_at: LEVEL"
        if key == "passing":
            message, shape = f"each entry of {key} must be a level", "passing: [LEVEL, LEVEL]"
        problems.add(node, "value-type", "RB05", message, help=shape)
        return None
    written = spelling(plain_text(node))
    for level in levels:
        if written in (spelling(number_text(level.value)), spelling(level.name)):
            return level.value
    if levels:
        near = suggest(plain_text(node), [level.name for level in levels])
        message = f"{key} {plain_text(node)!r} is not a level of the scale ({_listed(levels)})"
        say = f"Did you mean {near!r}?" if near else None
        problems.add(node, "passes-off-scale", "SC11", message, help=say)
    return None


def _passes_at(
    entry: Mapping, kind: Kind | None, levels: Sequence[Level], problems: Problems
) -> Value | None:
    node = entry.get("passes_at")
    if node is None:
        return None
    if kind == "binary" and plain_text(node).strip() == "1":
        return None
    if kind not in ("ordinal", None):
        message = f"passes_at belongs to ordinal scales, not {kind} ones"
        say = "nominal scales list the levels that pass: passing: [names]"
        if kind == "binary":
            say = "on a binary scale the level 1 passes: leave passes_at out"
        problems.add(entry.key_node("passes_at"), "passes-kind", "SC10", message, help=say)
        return None
    value = _find(node, levels, problems, "passes_at")
    if kind and len(levels) > 1 and value == levels[0].value:
        message = f"every output passes: {number_text(value)} is the lowest level"
        problems.add(node, "passes-all", "SC15", message, help="name the lowest level that passes")
    return value


def _passing(
    entry: Mapping, kind: Kind | None, levels: Sequence[Level], problems: Problems
) -> tuple[Value, ...]:
    nodes = entry.items("passing")
    if nodes and kind not in ("nominal", "pairwise", None):
        message = f"passing belongs to nominal scales, not {kind} ones"
        say = "ordinal scales name the lowest level that passes: passes_at: LEVEL"
        if kind == "binary":
            say = "on a binary scale the level 1 passes: leave passing out"
        problems.add(entry.key_node("passing"), "passes-kind", "SC10", message, help=say)
        return ()
    found = [_find(node, levels, problems, "passing") for node in nodes]
    values = tuple(level.value for level in levels if level.value in found)
    if len(levels) > 1 and len(values) == len(levels):
        message = "every output passes: all levels are listed"
        problems.add(entry.key_node("passing"), "passes-all", "SC15", message)
    return values


def _weights(entry: Mapping, kind: Kind | None, problems: Problems) -> Weights:
    text = entry.text("weights")
    if text is None:
        return "quadratic" if kind == "ordinal" else "unweighted"
    node = entry.get("weights") or entry.node
    if text not in get_args(Weights):
        message = f"weights {text!r} is not one of {', '.join(get_args(Weights))}"
        near = suggest(text, get_args(Weights))
        say = f"Did you mean {near!r}?" if near else None
        problems.add(node, "weights-unknown", "SC12", message, help=say)
    elif text != "unweighted" and kind in ("nominal", "pairwise"):
        message = f"a {kind} scale has no order for {text} weights"
        problems.add(node, "weights-kind", "SC13", message, help="leave weights out")
    else:
        return cast("Weights", text)
    return "unweighted"
