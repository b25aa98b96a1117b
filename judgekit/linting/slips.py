"""Slips of the pen."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


_USUAL = ("input", "output", "output_a", "output_b", "context", "reference")
_WORDS = {"content", "contest", "contexte", "deference", "impute", "outputs", "preference"}
"""Names of their own that are as near."""


def usual_input(name: str) -> str | None:
    """Return the usual name of an input that another is, but for one slip, or None."""
    return None if name in _USUAL or name in _WORDS else slip_of(name, _USUAL)


def slip_of(said: str, known: Iterable[str]) -> str | None:
    """Return the known word that another is, but for one slip, or None.

    A letter is left out, too many, changed over with its neighbour or, behind the first, another
    one. Letters alone: ``output_b`` is no slip of ``output_a``, and ``outputs`` none of ``output``.
    """
    return next((word for word in known if _is_slip(said, word)), None)


def _is_slip(said: str, meant: str) -> bool:
    head, _, tail = said.partition("_")
    known, _, known_tail = meant.partition("_")
    if tail != known_tail or head == known or not head.isalpha() or head == f"{known}s":
        return False
    same = next((at for at, (a, b) in enumerate(zip(head, known, strict=False)) if a != b), -1)
    same = min(len(head), len(known)) if same < 0 else same
    one, other = head[same:], known[same:]
    swapped = one[1:2] + one[:1] + one[2:]
    replaced = same > 0 and len(one) > 1 and one[1:] == other[1:]
    return other in (one[1:], swapped) or one == other[1:] or replaced
