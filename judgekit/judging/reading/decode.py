"""Decode JSON as models write it: quotes, commas, Python words and a missing end are forgiven.

Nothing is guessed: a value is taken only where it is complete, so ``"level": 3`` at the very end
of a reply that may go on is no value yet.
"""

from __future__ import annotations

import json
from typing import Any

from judgekit.judging.reading.sloppy import Broken, CutOffError, Decoded, Pairs, Sloppy

__all__ = ["Broken", "CutOffError", "Decoded", "Pairs", "decode_at", "scan", "strict"]


_STRICT = json.JSONDecoder(object_pairs_hook=Pairs, strict=False)


scan = _STRICT.raw_decode
"""Return the JSON value that begins at a place, and where it ends; objects as ``Pairs``."""


def strict(text: str) -> Any:
    """Return what ``text`` is as JSON; objects as ``Pairs``.

    Raises:
        ValueError: It is not JSON, or nested beyond reason.
    """
    try:
        return _STRICT.decode(text)
    except RecursionError as error:
        raise Broken("nested too deeply") from error


def decode_at(text: str, start: int, *, ended: bool) -> Decoded:
    """Return the object that begins at ``start`` of ``text``, which is a brace.

    Args:
        text: A reply.
        start: Where an opening brace stands.
        ended: The model stopped of itself, so the last characters of ``text`` are complete.

    Raises:
        CutOffError: The text ends inside the object, before any pair was complete.
        Broken: It is no object.
    """
    try:
        value, end = _STRICT.raw_decode(text, start)
    except (ValueError, RecursionError):
        return Sloppy(text, ended=ended).object_at(start)
    return Decoded(value, start, end, whole=True)
