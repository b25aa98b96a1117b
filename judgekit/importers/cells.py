"""Single cells: item ids, optional text, weights, case."""

from __future__ import annotations

import json
from typing import Any

from judgekit.rubric.scale import number_text


def is_blank(value: Any) -> bool:
    """Tell whether a cell says nothing: absent, null, empty or blanks only."""
    return value is None or (isinstance(value, str) and not value.strip())


def as_text(value: Any) -> str | None:
    """Return a cell as text without outer blanks, None for a blank one; 7 and 7.0 are "7"."""
    if isinstance(value, str):
        return value.strip() or None
    if value is None:
        return None
    if isinstance(value, int | float) and not isinstance(value, bool):
        return number_text(value)
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def as_id(value: Any) -> str | None:
    """Return an id as text, or None when the cell is blank or no id (true, a list, an object)."""
    return None if isinstance(value, bool | list | dict) else as_text(value)


def as_weight(value: Any) -> float | None:
    """Return a positive number that still adds up with others: from 1e-9 to 1e9.

    Raises:
        ValueError: it is none.
    """
    text = as_text(value)
    if text is None:
        return None
    number = float(text)
    if not 1e-9 <= number <= 1e9:  # nan is refused as well
        raise ValueError(value)
    return number
