"""What is wrong with a project's file, in the words of somebody who writes one."""

from __future__ import annotations

import re
import tomllib
from typing import Any, TypeVar

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from judgekit.calibration.policy import Policy
from judgekit.errors import InputError, suggest
from judgekit.rubric.frozen import Frozen
from judgekit.running.secrets import Secrets
from judgekit.storage.configuration import (
    CacheSettings,
    Configuration,
    JudgeEntry,
    PanelEntry,
    Paths,
    Price,
)
from judgekit.storage.configuration_lines import Where, first_line, line_of

T = TypeVar("T", bound=Frozen)

_TABLES: dict[str, type[Frozen]] = {"policy": Policy, "paths": Paths, "cache": CacheSettings}
_INSIDE: dict[str, type[Frozen]] = {"price": Price, "panel": PanelEntry}
_KINDS = {
    "bool_type": "true or false",
    "dict_type": "a table",
    "float_type": "a number",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "list_type": "a list",
    "model_attributes_type": "a table",
    "model_type": "a table",
    "string_type": "text in quotes",
}
"""What a value must be, by pydantic's word for what it is not."""


def checked(table: type[T], data: Any, *, file: str | None = None, text: str | None = None) -> T:
    """Return a table of the configuration.

    Args:
        table: What it must be.
        data: What somebody wrote.
        file: Where it stands, for the error.
        text: The file's text, to find the line in.

    Raises:
        InputError: it cannot be used; one clear problem, and how many more there are.
    """
    try:
        return table.model_validate(data)
    except ValidationError as error:
        problems = error.errors(include_url=False)
    # Outside the except: a traceback of pydantic's would hold what was written there.
    # A misspelt key is told before the right one is missed.
    first = next((p for p in problems if p["type"] == "extra_forbidden"), problems[0])
    where = [part for part in first["loc"] if part != "[key]"]
    message, hint, at = _told(first, where, table)
    others = len(problems) - 1
    if others:
        message += f" (and {others} more problem{'s' * (others > 1)})"
    line = None if text is None else line_of([*where, *at], text)
    raise InputError(message, file=file, line=line, hint=hint)


def load_toml(text: str, file: str) -> dict[str, Any]:
    """Return what a TOML text says.

    Raises:
        InputError: it is none, or says what no program can hold.
    """
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        said = re.match(r"(.*) \(at line (\d+), column \d+\)$", str(error), re.DOTALL)
        message, line = (said[1], int(said[2])) if said else (str(error), None)
        raise InputError(f"not valid TOML: {message}", file=file, line=line) from error
    except RecursionError:
        message, hint = "lists are nested too deeply", "no setting goes deeper than a few levels"
    except ValueError:  # Python's own, of thousands of digits
        message, hint = "a number has too many digits", "write one of 18 digits at most"
    raise InputError(message, file=file, line=first_line(text, _breaks), hint=hint)


def _breaks(text: str) -> bool:
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return False
    except (RecursionError, ValueError):
        return True
    return False


def _told(
    problem: ErrorDetails, where: Where, table: type[Frozen]
) -> tuple[str, str | None, tuple[str, ...]]:
    """Return message and hint of a problem, and where in the value it is."""
    kind, name = problem["type"], _name(where)
    if kind == "extra_forbidden":
        known = _keys_beside(where, table)
        near = suggest(str(where[-1]), known)
        hint = f"Did you mean {near!r}?" if near else f"known: {', '.join(known)}"
        if not near and "params" in known:
            hint += "; parameters of the model stand in params"
        listed = any(isinstance(part, int) for part in where)
        unknown = f"{_name(where[:-1])}: unknown key {where[-1]!r}"
        return unknown if listed else f"unknown key {name!r}", hint, ()
    if kind == "missing":
        return f"{_name(where[:-1])} has no {where[-1]!r}", None, ()
    if kind == "value_error":
        error = problem["ctx"]["error"]
        said = getattr(error, "message", None) or str(error)
        return f"{name}: {said}", getattr(error, "hint", None), getattr(error, "at", ())
    must = f"must be {_KINDS[kind]}" if kind in _KINDS else problem["msg"].lower()
    written = Secrets().brief(repr(problem["input"]), 60)
    return f"{name}: {must}, not {written}", None, ()


def _name(where: Where) -> str:
    """Return how a message calls a value: ``judges.tone.panel, entry 1, price.input``."""
    name, joint = "", ""
    for part in where:
        if isinstance(part, int):
            name, joint = f"{name}, entry {part + 1}", ", "
        else:
            name, joint = f"{name}{joint}{part or repr(part)}", "."
    return name


def _keys_beside(where: Where, table: type[Frozen]) -> list[str]:
    """Return the keys that the table of a key has."""
    tables = [part for part in where[:-1] if isinstance(part, str)]
    model = table
    if table is Configuration and tables:
        model = JudgeEntry if tables[0] == "judges" else _TABLES[tables[0]]
        tables = tables[2:]
    return list((_INSIDE[tables[-1]] if tables and model is JudgeEntry else model).model_fields)
