"""Levels of a scale, read from the front matter of a rubric."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import yaml

from judgekit.rubric.anchors import read_anchors
from judgekit.rubric.scale import Kind, Level, Value, find_sides, fold, number_text, spelling
from judgekit.rubric.source import NULL, Mapping, Problems, is_one_line, scalar

if TYPE_CHECKING:
    from collections.abc import Sequence

_LEVEL_KEYS = ("value", "name", "definition", "drops_when", "anchors")
TRUE_WORDS, FALSE_WORDS = frozenset(("true", "yes")), frozenset(("false", "no"))
_NUMBERED = ("ordinal", "binary")
_LARGEST = 1e9
NA_WORDS = {"na", "n/a", "not applicable", "not_applicable"}


class _Found(NamedTuple):
    level: Level
    entry: Mapping
    position: int


def read_levels(
    criterion: Mapping, kind: Kind, inputs: Sequence[str], problems: Problems
) -> tuple[Level, ...]:
    """Return the levels of a criterion in scale order, with every problem reported."""
    if criterion.get("levels") is None:
        criterion.missing("levels", "levels-missing", "SC01", "list every level of the scale")
        return ()
    nodes = criterion.items("levels")
    found: list[_Found] = []
    for position, node in enumerate(nodes, start=1):
        what = f"the {_nth(position)} level listed in {criterion.what}"
        if not isinstance(node, yaml.MappingNode):
            message = f"{what} must be a mapping"
            say = "for example: {value: 1, name: poor, definition: ...}"
            problems.add(node, "value-type", "RB05", message, help=say)
            continue
        entry = Mapping(node, problems, what=what)
        value = entry.raw("value")
        written = None if value is None or value.tag == NULL else scalar(value)
        if written not in (None, ""):
            entry.what = f"{_called(written)} of {criterion.what}"
        level = _read_level(entry, kind, inputs, problems)
        if level is not None:
            found.append(_Found(level, entry, position))
    if len(nodes) < 2 and isinstance(criterion.get("levels"), yaml.SequenceNode):
        message = f"{criterion.what} has {'one level' if nodes else 'no level'}"
        key = criterion.key_node("levels")
        problems.add(key, "scale-too-short", "SC02", f"{message}; a scale has two or more")
    _check_distinct(found, problems)
    _check_kind(found, kind, criterion, problems, whole=len(found) == len(nodes) > 1)
    if kind in _NUMBERED:
        found = [f for f in found if not isinstance(f.level.value, str)]
        found.sort(key=lambda f: float(f.level.value))
        _check_drops(found, problems)
    return tuple(one.level for one in found)


def _read_level(
    entry: Mapping, kind: Kind, inputs: Sequence[str], problems: Problems
) -> Level | None:
    entry.known(_LEVEL_KEYS)
    name = entry.word("name")
    value = _value(entry, name, kind, problems)
    if value is not None:
        entry.what = _called(value)
    definition = entry.text("definition", needed=True, help="say what an output of it looks like")
    drops_when = entry.text("drops_when")
    anchors = read_anchors(entry, inputs, problems)
    if name is None and value is not None:
        written = scalar(entry.raw("value") or entry.node)  # `yes` is the level 1, still called yes
        name = written if isinstance(written, str) else number_text(value)
    _check_words(entry, name, value, problems)
    if value is None or definition is None or not name:
        return None
    return Level(
        value=value, name=name, definition=definition, drops_when=drops_when, anchors=anchors
    )


def _nth(position: int) -> str:
    """Return which one of a list; "level 1" would be read as the level with the value 1."""
    words = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
    if position <= len(words):
        return words[position - 1]
    end = {1: "st", 2: "nd", 3: "rd"}.get(position % 10, "th")
    return f"{position}{'th' if position % 100 in (11, 12, 13) else end}"


def _called(value: Value) -> str:
    return f"level {value!r}" if isinstance(value, str) else f"level {number_text(value)}"


def _check_words(entry: Mapping, name: str | None, value: Value | None, problems: Problems) -> None:
    if name is not None and not is_one_line(name):
        message = f"the name of {entry.what} holds line ends or control characters"
        say = "a judge writes the name to give the level: keep it to a word or two"
        problems.add(entry.key_node("name"), "level-name-form", "SC16", message, help=say)
    for key, word in (("name", name), ("value", value)):
        if word is not None and fold(str(word)) in NA_WORDS:
            problems.add(
                entry.key_node(key if key in entry else "name"),
                "level-name-reserved",
                "SC07",
                f"{word!r} is how a rater says that the criterion does not apply",
                help="use the criterion's not_applicable instead of a level",
            )


def _value(entry: Mapping, name: str | None, kind: Kind, problems: Problems) -> Value | None:
    node = entry.raw("value")
    word = entry.word("value") if isinstance(node, yaml.ScalarNode) else None
    if node is None or (word is None and isinstance(node, yaml.ScalarNode)):
        if kind in ("nominal", "pairwise") and name is not None:
            return name
        if kind == "binary" and name is not None and fold(name) in TRUE_WORDS | FALSE_WORDS:
            return int(fold(name) in TRUE_WORDS)
        entry.missing("value", "key-missing", "RB06", _value_help(kind))
        return None
    value = scalar(node)
    if kind == "binary" and isinstance(value, str):
        value = 1 if fold(value) in TRUE_WORDS else 0 if fold(value) in FALSE_WORDS else value
    if value is None:
        problems.add(node, "value-type", "RB05", "a level's value is a number or a word")
    elif not isinstance(value, str) and abs(value) > _LARGEST:
        message = f"a level's value is a number up to {_LARGEST:.0f}, or a word"
        problems.add(node, "value-type", "RB05", message)
        return None
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _value_help(kind: Kind) -> str:
    if kind == "ordinal":
        return "a number: the higher, the better"
    return "1 for yes, 0 for no" if kind == "binary" else "give it a value or a name"


def _check_distinct(found: Sequence[_Found], problems: Problems) -> None:
    seen: dict[str, tuple[_Found, str]] = {}
    for one in found:
        level, entry, _ = one
        for key in ("value", "name"):
            text = number_text(level.value) if key == "value" else level.name
            shown = key if key in entry else "name" if "name" in entry else "value"
            other, its = seen.setdefault(spelling(text), (one, shown))
            if other is not one:
                message = f"{shown} {text!r} is also the {its} of {_besides(other, its)}"
                say = "labels and answers name a level by either: each needs its own"
                problems.add(entry.key_node(shown), "level-repeated", "SC03", message, help=say)
                break


def _besides(found: _Found, shared: str) -> str:
    """Return what to call a level by what it does not share; else which one of the list it is."""
    level = found.level
    if spelling(level.name) == spelling(number_text(level.value)):
        return f"the {_nth(found.position)} level"
    return f"level {level.name!r}" if shared == "value" else _called(level.value)


def _check_kind(
    found: Sequence[_Found], kind: Kind, criterion: Mapping, problems: Problems, *, whole: bool
) -> None:
    numbered = True
    for level, entry, _ in found:
        if kind in _NUMBERED and isinstance(level.value, str):
            message = f"{kind} levels have numbers for values, not {level.value!r}"
            say = f"write value: 1 (or another number) and name: {level.value}"
            node = entry.key_node("value")
            problems.add(node, "level-not-number", "SC04", message, help=say)
            numbered = False
    key = criterion.key_node("levels")
    levels = [one.level for one in found]
    if kind == "binary" and whole and numbered and {lv.value for lv in levels} != {0, 1}:
        message = "a binary scale has exactly the levels 0 and 1"
        problems.add(key, "binary-levels", "SC05", message, help="more levels: ordinal or nominal")
    if kind == "pairwise" and len(found) > 3:
        message = "a pairwise scale has A, B and at most a tie"
        problems.add(key, "pairwise-levels", "SC06", message)
    elif kind == "pairwise" and whole and find_sides(levels) is None:
        problems.add(
            key,
            "pairwise-sides",
            "SC14",
            "it is not clear which level says that A is better and which B",
            help="name the levels A, B and tie, or give them the values 1, 2 and 0",
        )


def _check_drops(found: Sequence[_Found], problems: Problems) -> None:
    for level, entry, _ in found[1:]:  # the lowest level has nothing below it
        if entry.get("drops_when") is None:
            problems.add(
                entry.node,
                "level-drops-undefined",
                "SC08",
                f"{_called(level.value)} does not say what drops an output out of it",
                help="add drops_when: the one thing that makes it the next lower level",
                fatal=False,
            )
