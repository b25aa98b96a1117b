"""How a judge is lent, by name: what there is, and what was misspelt."""

from __future__ import annotations

from collections.abc import Iterable

from judgekit.errors import InputError, suggest
from judgekit.storage.configuration import JudgeEntry

LENDING = ("criterion", "project", "on_refused", "max_cost_usd", "certificate", "runner")


def check_options(given: Iterable[str], mine: tuple[str, ...] = LENDING) -> None:
    """Refuse names that neither who lends nor the table of a judge has.

    Args:
        given: The names.
        mine: Those of who lends.

    Raises:
        InputError: there is no such name; with the nearest, or with all that are not of the table.
    """
    known = {*mine, *JudgeEntry.model_fields}
    for name in given:
        if name not in known:
            near = suggest(name, sorted(known))
            told = f"known: {', '.join(mine)}, and the keys of a judge in judgekit.toml"
            way_out = f"did you mean {near!r}?" if near else told
            raise InputError(f"unknown key {name!r}: {way_out}")  # runners show no hints


def names_in(given: object) -> list[str]:
    """Return the names that were given, one or several.

    Raises:
        InputError: it is something else.
    """
    names = [given] if isinstance(given, str) else given or ()
    told = [*names] if isinstance(names, Iterable) else [names]
    texts = [name for name in told if isinstance(name, str)]
    if len(texts) == len(told):
        return texts
    raise InputError(f"{given!r} is no name, and no list of names")
