"""One row of a table."""

from __future__ import annotations

from typing import Any, NamedTuple


class Row(NamedTuple):
    """One row: the 1-based line it begins on, and its values by column."""

    line: int
    values: dict[str, Any]
