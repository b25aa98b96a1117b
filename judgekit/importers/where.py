"""``--where COLUMN=VALUE``: which items a command is about."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from judgekit.errors import InputError, UnknownName, suggest
from judgekit.importers.cells import as_text
from judgekit.judging.item import Item


class Where(NamedTuple):
    """One condition: the column says exactly this, compared as text."""

    column: str
    value: str


def parse_where(texts: Iterable[str]) -> tuple[Where, ...]:
    """Return the conditions of repeated ``--where COLUMN=VALUE``; the value may hold ``=``.

    Raises:
        InputError: a text is not of that form.
    """
    found = []
    for text in texts:
        column, equals, value = text.partition("=")
        if not (equals and column.strip()):
            raise InputError(
                f"--where {text!r} is not of the form COLUMN=VALUE", hint="--where agent=alpha"
            )
        found.append(Where(column.strip(), value.strip()))
    return tuple(found)


def select(items: Sequence[Item], where: Iterable[Where]) -> list[Item]:
    """Return the items that meet all conditions; several values of one column are alternatives.

    Columns are the item's metadata, text fields, ``id`` and ``case``. Numbers compare as people
    write them (3, not 3.0), true and false as ``true`` and ``false``, null as nothing.

    Raises:
        UnknownName: no item has such a column.
        InputError: no item meets the conditions; the hint lists the values there are.
    """
    wanted: dict[str, list[str]] = {}
    for column, value in where:
        wanted.setdefault(column, []).append(value)
    left = list(items)
    for column, values in wanted.items():
        known = dict.fromkeys(name for item in items for name in _names(item))
        if column not in known:
            raise UnknownName("column", column, known)
        kept = [item for item in left if _value(item, column) in values]
        if not kept:
            raise _none_left(left, column, values)
        left = kept
    return left


def _names(item: Item) -> Iterable[str]:
    yield from item.metadata
    yield from item.fields
    yield from ("id", "case")


def _value(item: Item, column: str) -> str:
    if column in item.metadata:
        return as_text(item.metadata[column]) or ""
    if column in item.fields:
        return as_text(item.fields[column]) or ""
    return (item.id if column == "id" else item.case if column == "case" else None) or ""


def _none_left(items: Sequence[Item], column: str, values: Sequence[str]) -> InputError:
    there = dict.fromkeys(_value(item, column) for item in items)
    near = suggest(values[0], [value for value in there if value])
    listed = ", ".join(value or "(blank)" for value in list(there)[:10])
    more = ", ..." if len(there) > 10 else ""
    hint = f"Did you mean {column}={near}?" if near else f"{column} is one of: {listed}{more}"
    return InputError(f"no item has {column}={' or '.join(values)}", hint=hint)
