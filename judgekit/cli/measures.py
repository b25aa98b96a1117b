"""Lengths of time and sizes: read from options, and written as people read them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

from judgekit.errors import InputError
from judgekit.reports.words import count
from judgekit.storage.configuration_measures import SIZES, measured

DURATIONS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}


def seconds(option: str, text: str) -> float:
    """Return the seconds of a duration such as ``30d``."""
    return _measure(option, text, DURATIONS, "a duration", "30d, 12h, 90m or 45s")


def bytes_of(option: str, text: str) -> int:
    """Return the bytes of a size such as ``500MB``."""
    return int(_measure(option, text, SIZES, "a size", "500MB, 2GB, 1.5GiB or 1000000"))


def _measure(option: str, text: str, units: Mapping[str, int], what: str, examples: str) -> float:
    """Return a number with a unit in terms of the smallest one."""
    found = measured(text, units)
    if found is None:
        raise InputError(f"{option} {text!r} is not {what}", hint=f"for example {examples}")
    return found


def size_text(size: int) -> str:
    """Return bytes as people read them."""
    for unit, many in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if size >= 10 * many:
            return f"{size / many:,.0f} {unit}"
    return count(size, "byte")


def day_text(time: float) -> str:
    """Return the day, in UTC, of a time in seconds since 1970."""
    return datetime.fromtimestamp(time, UTC).date().isoformat()
