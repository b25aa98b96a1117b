"""How close two column names are."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher


def bare(name: str) -> str:
    """Return a name without case, spaces, dots and dashes: ``Item ID`` is ``item_id``."""
    return "".join(c for c in name.casefold() if c.isalnum())


def looks_like(column: str, name: str) -> bool:
    """Tell whether a column name is a slip of the pen for another name.

    One edit from five letters on and two from nine, the first letter right; in shorter names
    only two neighbours that changed places (``csae``).
    """
    written, meant = bare(column), bare(name)
    if written == meant or written[:1] != meant[:1]:
        return False
    if abs(len(written) - len(meant)) > 2:
        return False
    if any(written == swapped for swapped in _swaps(meant)):
        return True
    allowed = 0 if len(meant) < 5 else 1 if len(meant) < 9 else 2
    return 0 < _edits(written, meant) <= allowed


def likeness(left: str, right: str) -> float:
    """Return how close two names are, from 0 to 1."""
    return SequenceMatcher(None, bare(left), bare(right)).ratio()


def _swaps(word: str) -> Iterator[str]:
    for i in range(len(word) - 1):
        yield word[:i] + word[i + 1] + word[i] + word[i + 2 :]


def _edits(left: str, right: str) -> int:
    """Return how many letters must be put in, left out or changed (Levenshtein)."""
    row = list(range(len(right) + 1))
    for i, one in enumerate(left, 1):
        last, row[0] = row[0], i
        for j, other in enumerate(right, 1):
            last, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, last + (one != other))
    return row[-1]
