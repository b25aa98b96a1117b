"""Numbers with a unit, as people write them: ``500 MB``, ``30d``."""

from __future__ import annotations

import re
from collections.abc import Mapping

SIZES: Mapping[str, int] = {
    "": 1,
    "B": 1,
    **{f"{letter}B": 1000**n for n, letter in enumerate("KMGT", 1)},
    **{f"{letter}IB": 1024**n for n, letter in enumerate("KMGT", 1)},
}
"""Bytes by unit."""

_MEASURE = re.compile(r"([0-9]{1,15}(?:\.[0-9]{1,9})?) ?([A-Za-z]*)")


def measured(text: str, units: Mapping[str, int]) -> float | None:
    """Return a number with a unit in terms of the smallest one; None for what is none.

    Args:
        text: What somebody wrote: ``1.5 GB``; the case of the unit does not matter.
        units: How much each unit stands for.
    """
    found = _MEASURE.fullmatch(text.strip())
    unit = next((u for u in units if found and u.casefold() == found[2].casefold()), None)
    return None if found is None or unit is None else float(found[1]) * units[unit]
