"""Lengths of time and sizes: read from options, and written as people read them."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from judgekit.errors import InputError

DURATIONS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}
SIZES = {
    "": 1,
    "B": 1,
    **{f"{letter}B": 1000**n for n, letter in enumerate("KMGT", 1)},
    **{f"{letter}IB": 1024**n for n, letter in enumerate("KMGT", 1)},
}


def seconds(option: str, text: str) -> float:
    """Return the seconds of a duration such as ``30d``."""
    return _measure(option, text, DURATIONS, "a duration", "30d, 12h, 90m or 45s")


def bytes_of(option: str, text: str) -> int:
    """Return the bytes of a size such as ``500MB``."""
    return int(_measure(option, text, SIZES, "a size", "500MB, 2GB, 1.5GiB or 1000000"))


def _measure(option: str, text: str, units: dict[str, int], what: str, examples: str) -> float:
    """Return a number with a unit in terms of the smallest one."""
    found = re.fullmatch(r"([0-9]{1,15}(?:\.[0-9]{1,9})?) ?([A-Za-z]*)", text.strip())
    unit = next((u for u in units if found and u.casefold() == found[2].casefold()), None)
    if found is None or unit is None:
        raise InputError(f"{option} {text!r} is not {what}", hint=f"for example {examples}")
    return float(found[1]) * units[unit]


def size_text(count: int) -> str:
    """Return bytes as people read them."""
    for unit, size in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if count >= 10 * size:
            return f"{count / size:,.0f} {unit}"
    return f"{count:,} bytes"


def day_text(time: float) -> str:
    """Return the day, in UTC, of a time in seconds since 1970."""
    return datetime.fromtimestamp(time, UTC).date().isoformat()
