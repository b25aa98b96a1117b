"""A reply as the text it is stored as, and back."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any

from judgekit.fingerprint import canonical_json
from judgekit.judging.request import ModelReply


class UnusableEntry(Exception):
    """A stored row that is not a reply; says why."""


def _text(value: Any) -> bool:
    return isinstance(value, str)


def _count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _amount(value: Any) -> bool:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return number and math.isfinite(value) and value >= 0


def _names(value: Any) -> bool:
    return isinstance(value, list) and all(map(_text, value))


FIELDS: dict[str, Callable[[Any], bool]] = {
    "text": _text,
    "finish": _text,
    "refusal": _text,
    "reasoning": _text,
    "served": _text,
    "tokens_in": _count,
    "tokens_out": _count,
    "cost_usd": _amount,
    "latency_s": _amount,
    "left_out": _names,
}


def encode(reply: ModelReply) -> str:
    """Return the canonical JSON of ``reply``; fields that say nothing are left out."""
    values = {name: getattr(reply, name) for name in FIELDS}
    kept = {n: v for n, v in values.items() if n == "text" or v not in (None, ())}
    text = canonical_json(kept)
    if not _writable(text):  # half a surrogate pair, which models do send
        text = json.dumps(kept, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return text


def _writable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def decode(raw: bytes) -> ModelReply:
    """Return the reply that ``raw`` holds.

    Raises:
        UnusableEntry: it holds none.
    """
    try:
        values = json.loads(raw)
    except (ValueError, RecursionError):
        raise UnusableEntry("not JSON") from None
    if not isinstance(values, dict) or "text" not in values:
        raise UnusableEntry("not a reply")
    known = {name: value for name, value in values.items() if name in FIELDS}
    for name, value in known.items():
        if not FIELDS[name](value):
            raise UnusableEntry(f"field {name!r} does not hold what it should")
    if "left_out" in known:
        known["left_out"] = tuple(known["left_out"])
    return ModelReply(**known)
