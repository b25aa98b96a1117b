"""The rows of a run, read one at a time; lines that are none are named and passed over."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

import orjson

from judgekit.errors import suggest
from judgekit.storage.disk import shown

_NAMED = 5
"""Broken lines that are named one by one."""


@dataclass
class Rows:
    """The rows of a run, one at a time; iterate it as often as needed.

    Attributes:
        file: The file they stand in.
        item: Only the rows of this item; None for all.
        problems: Lines that could not be used, named by the last iteration.
    """

    file: Path
    item: str | None = None
    problems: list[str] = field(default_factory=list)
    _unusable: int = 0

    def __iter__(self) -> Iterator[dict[str, Any]]:
        self.problems.clear()
        self._unusable = 0
        if not self.file.is_file():
            self.problems.append(f"{shown(self.file)} is missing")
            return
        wanted = None if self.item is None else _spellings(self.item)
        try:
            with self.file.open("rb") as lines:
                for number, line in enumerate(lines, 1):
                    if wanted is None or any(text in line for text in wanted):
                        row = self._row(number, line)
                        if row is not None and self.item in (None, row["item"]):
                            yield row
        except OSError as error:
            self.problems.append(f"{shown(self.file)} cannot be read: {error.strerror}")
        more = self._unusable - _NAMED
        if more > 0:
            are = "line of it is no row" if more == 1 else "lines of it are no rows"
            self.problems.append(f"{more:,} more {are}")

    def _row(self, number: int, line: bytes) -> dict[str, Any] | None:
        row = load_line(line)
        if isinstance(row, dict) and isinstance(row.get("item"), str) and "status" in row:
            return row
        self._unusable += 1
        if self._unusable <= _NAMED:
            cut = "is not a row" if line.endswith(b"\n") else "was cut short while it was written"
            self.problems.append(f"{shown(self.file)}:{number} {cut}")
        return None

    def count(self) -> int:
        """Return how many lines there are, without reading them."""
        if not self.file.is_file():
            return 0
        with self.file.open("rb") as lines:
            return sum(chunk.count(b"\n") for chunk in iter(lambda: lines.read(1 << 20), b""))

    def nearest(self, item: str) -> str | None:
        """Return the item most like ``item``, of the first ten thousand; None when none is."""
        known: set[str] = set()
        for row in Rows(self.file):
            known.add(row["item"])
            if len(known) >= 10_000:
                break
        return suggest(item, known)


def _spellings(item: str) -> tuple[bytes, ...]:
    """Return the ways an id may be written in a line of JSON."""
    plain = json.dumps(item, ensure_ascii=False).encode("utf-8", "surrogatepass")
    return plain, json.dumps(item).encode()


def load_line(line: bytes) -> Any:
    """Return what a line of JSON holds; None when it is none."""
    try:
        return orjson.loads(line)
    except ValueError:
        pass
    try:
        return strict_json(line)  # half a surrogate pair
    except (ValueError, RecursionError):
        return None


def strict_json(text: bytes) -> Any:
    """Return what a text of JSON holds.

    Raises:
        ValueError: it is not JSON, or holds NaN or an infinity.
    """

    def refuse(word: str) -> NoReturn:
        raise ValueError(f"{word} is no JSON number")

    return json.loads(text, parse_constant=refuse)
