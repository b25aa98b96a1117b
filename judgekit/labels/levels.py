"""How a level that somebody wrote is matched to a scale, and how ``--level-map`` renames it."""

from __future__ import annotations

import json
import shlex
from collections import Counter
from collections.abc import Mapping
from enum import Enum
from typing import Any, Final, Literal

from judgekit.errors import suggest
from judgekit.rubric.model import Criterion
from judgekit.rubric.scale import NA, Scale, fold, number_text


class _Off(Enum):
    OFF = "off the scale"


OFF: Final = _Off.OFF
"""What was written is neither a level of the scale nor an allowed ``na``."""
Found = int | None | Literal[_Off.OFF]
"""Index of a level in scale order; None for "not applicable"; OFF for neither."""


def written_text(written: object) -> str:
    """Return a written level as text, so that 0, 0.0 and "0" are one key."""
    if isinstance(written, str):
        return written.strip()
    if isinstance(written, int | float) and not isinstance(written, bool):
        return number_text(written)
    return json.dumps(written, ensure_ascii=False, default=str)


def quoted(written: object, limit: int = 60) -> str:
    """Return a written level as messages show it: text in double quotes, cut when long."""
    text = written_text(written)
    text = text if len(text) <= limit else text[: limit - 1] + "…"
    return json.dumps(text, ensure_ascii=False) if isinstance(written, str) else text


def scale_text(scale: Scale) -> str:
    """Return the levels as messages list them: the value, and the name where it adds something."""
    values = [number_text(value) for value in scale.values]
    pairs = zip(values, scale.names, strict=True)
    return ", ".join(v if fold(v) == fold(name) else f"{v} {name}" for v, name in pairs)


class LevelReader:
    """Reads the written levels of one criterion, and remembers which of them were renamed.

    Args:
        criterion: The criterion whose scale counts.
        level_map: Renames: what is written to a level's value or name, or ``na``.
    """

    def __init__(self, criterion: Criterion, level_map: Mapping[str, str]) -> None:
        self.criterion = criterion
        self.renames = {fold(written_text(plain(old))): new for old, new in level_map.items()}
        self.allows_na = criterion.not_applicable is not None or any(
            fold(new) == NA for new in self.renames.values()
        )
        self._known: dict[tuple[type, Any], Found] = {}
        self._rows: Counter[tuple[type, Any]] = Counter()

    def read(self, written: object) -> Found:
        """Return the level's index, None for "not applicable", or OFF."""
        if not isinstance(written, str | int | float):
            return OFF
        key = (type(written), written)
        if key not in self._known:
            self._known[key] = self._find(written)
        self._rows[key] += 1
        return self._known[key]

    @property
    def seen(self) -> Counter[str]:
        """Return how often each written form was read."""
        seen: Counter[str] = Counter()
        for (_, written), rows in self._rows.items():
            seen[written_text(written)] += rows
        return seen

    def rename(self, written: object) -> object:
        """Return the level that ``--level-map`` puts in the place of a written one, or itself."""
        return self.renames.get(fold(written_text(plain(written))), written)

    def _find(self, written: object) -> Found:
        renamed = self.rename(written)
        index = self.criterion.scale.index(renamed)
        if index is None and isinstance(renamed, str) and fold(renamed) == NA and self.allows_na:
            return None
        return OFF if index is None else index

    def suggestion(self, written: object) -> str | None:
        """Return the level name or value a misspelt word comes closest to, or None."""
        if not isinstance(written, str) or isinstance(plain(written), float):
            return None
        scale = self.criterion.scale
        words = [*scale.names, *(number_text(v) for v in scale.values)]
        return suggest(written, [word for word in words if len(word) > 1])

    def notes(self) -> list[str]:
        """Return a remark for each written form that is not literally a level's value or name."""
        scale = self.criterion.scale
        literal = {*scale.names, *(number_text(value) for value in scale.values), NA}
        remarks = []
        for text, rows in self.seen.items():
            mapped = fold(text) in self.renames or fold(written_text(plain(text))) in self.renames
            index = self._find(text)
            if index is not OFF and (mapped or text not in literal):
                level = NA if index is None else scale.names[index]
                remarks.append(f'read "{text}" as {level} ({count(rows, "row")})')
        return remarks


def rename_hint(written: object, near: str | None) -> str:
    """Return the hint that shows how to rename a level that is not on the scale."""
    old = written_text(written)
    pair = f"{old if len(old) <= 40 else 'X'}={near or 'LEVEL'}"
    option = f"--level-map {shlex.quote(pair)}"
    return f"Nothing was read or written. To rename levels while reading: {option}"


def count(number: int, noun: str) -> str:
    """Return ``1 row``, ``2 rows``, ``1,200 rows``."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def plain(written: object) -> object:
    """Return a number for text that is one, so that "0.0" in a file meets "0" in a map."""
    if isinstance(written, str):
        try:
            return float(written)
        except ValueError:
            return written
    return written
