"""``--level-map``: which written level means which level of the scale."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence

from judgekit.errors import InputError
from judgekit.labels.levels import LevelReader, plain, quoted, scale_text, written_text
from judgekit.rubric.model import Criterion
from judgekit.rubric.scale import NA, fold


def parse_level_map(texts: Iterable[str]) -> dict[str, str]:
    """Return the renames of ``--level-map pass=1,fail=0`` (repeatable; quotes protect a comma).

    Raises:
        InputError: a part is no ``X=Y``, or one level is renamed to two.
    """
    renames: dict[str, str] = {}
    for text in texts:
        for part in next(csv.reader([text], skipinitialspace=True), []):
            old, equals, new = (piece.strip() for piece in part.rpartition("="))
            if not (equals and old and new):
                raise InputError(
                    f"--level-map {text!r}: {part!r} is not of the form X=Y",
                    hint="Write what the file says, then the level: --level-map pass=1,fail=0",
                )
            if renames.setdefault(old, new) != new:
                raise InputError(f"--level-map renames {old!r} to {renames[old]!r} and to {new!r}")
    return renames


def check_level_map(level_map: Mapping[str, str], criteria: Sequence[Criterion]) -> None:
    """Refuse a rename to something that is on none of the scales.

    Raises:
        InputError: with the scale and the nearest level.
    """
    for old, new in level_map.items():
        if fold(new) == NA or any(c.scale.index(new) is not None for c in criteria):
            continue
        reader = LevelReader(criteria[0], {})
        near = reader.suggestion(new)
        known = "; ".join(dict.fromkeys(scale_text(c.scale) for c in criteria))
        raise InputError(
            f"--level-map {old}={new}: level {quoted(new)} is not on the scale ({known})"
            + (f'. Did you mean "{near}"?' if near else ""),
            hint="Write what the file says first: --level-map pass=1,fail=0",
        )


def unused_renames(level_map: Mapping[str, str], readers: Iterable[LevelReader]) -> list[str]:
    """Return a remark when ``--level-map`` names something the file never says."""
    said = {fold(written_text(plain(text))) for reader in readers for text in reader.seen}
    unused = [old for old in level_map if fold(written_text(plain(old))) not in said]
    return [f"the file never says {', '.join(unused)} (--level-map)"] if unused else []
