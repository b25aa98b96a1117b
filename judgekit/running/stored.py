"""A reply as the text it is stored as, and back.

The text is JSON with an entry for each field of :class:`ModelReply` that says something. What the
fast encoder and decoder refuse (half a surrogate pair, which models do send) goes through those of
the standard library; the two differ in form here and there (``1e-7``, ``1e-07``), not in meaning.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any

import orjson

from judgekit.judging.reading.finish import broke_off, ends_whole
from judgekit.judging.request import ModelReply, TokenLogprobs

_NAMES = ModelReply._fields
_EMPTY = ModelReply("")._asdict()
_NOTHING: tuple[()] = ()
_INFINITE = math.inf


class UnusableEntry(Exception):
    """A stored row that is not a reply; says why."""


def is_complete(reply: ModelReply) -> bool:
    """Whether a reply is worth keeping: an empty or truncated one is asked for again."""
    if reply.finish != "stop" and _is_half(reply):
        return False
    said_something = bool(reply.text.strip() or reply.refusal)
    return said_something or reply.finish == "content_filter"


def _is_half(reply: ModelReply) -> bool:
    """Whether it ended before its answer did."""
    cut = reply.finish == "length" and not ends_whole(reply.text)
    return cut or broke_off(reply.finish)


def encode(reply: ModelReply) -> str:
    """Return the JSON of ``reply``, keys sorted; fields that say nothing are left out.

    Raises:
        ValueError: an amount or a log-probability is no finite number.
    """
    pairs = zip(_NAMES, reply, strict=True)
    kept = {name: value for name, value in pairs if value is not None and value is not _NOTHING}
    if not all(map(math.isfinite, _numbers(reply))):  # orjson would write null
        raise ValueError("a reply with a number that is not finite cannot be kept")
    try:
        return orjson.dumps(kept, option=orjson.OPT_SORT_KEYS).decode()
    except TypeError:
        return json.dumps(kept, sort_keys=True, separators=(",", ":"), allow_nan=False)


def _numbers(reply: ModelReply) -> list[float]:
    """Return the numbers that may have gone wrong."""
    numbers = [n for n in (reply.cost_usd, reply.latency_s) if n is not None]
    for _, logprob, others in reply.logprobs or ():
        numbers += [logprob, *(other for _, other in others)]
    return numbers


def decode(raw: bytes | str) -> ModelReply:
    """Return the reply that ``raw`` holds; fields that this version does not know are left out.

    Raises:
        UnusableEntry: it holds none.
    """
    return reply_of(loads(raw))


def loads(raw: bytes | str) -> Any:
    """Return what the JSON text ``raw`` says.

    Raises:
        UnusableEntry: it is no JSON; NaN and infinity are none.
    """
    try:
        return orjson.loads(raw)
    except ValueError:
        pass
    try:
        text = raw.decode() if isinstance(raw, bytes) else raw  # json would guess an encoding
        return json.loads(text, parse_constant=_refuse, parse_float=_finite)
    except (ValueError, RecursionError):
        raise UnusableEntry("not JSON") from None


def reply_of(values: Any, *, strict: bool = False) -> ModelReply:
    """Return the reply whose fields are ``values``, which are used up.

    Args:
        values: What a JSON text said.
        strict: Refuse a field that this version does not know, instead of leaving it out.

    Raises:
        UnusableEntry: they make none.
    """
    if type(values) is not dict or "text" not in values:
        raise UnusableEntry("not a reply")
    for name, value in values.items():
        kind = type(value)
        if kind is not _PLAIN.get(name) or not (kind is str or 0 <= value < _INFINITE):
            values[name] = _other(name, value, strict=strict)
    fields = tuple((_EMPTY | values).values())
    # Known fields come first, in their order; what else there is falls off the end.
    return tuple.__new__(ModelReply, fields[: len(_NAMES)])  # half the price of a call of it


_PLAIN: dict[str, type] = {
    **dict.fromkeys(("text", "finish", "refusal", "reasoning", "served"), str),
    **dict.fromkeys(("tokens_in", "tokens_out", "tokens_cached", "tokens_reasoning"), int),
    **dict.fromkeys(("cost_usd", "latency_s"), float),
}
"""Fields that hold a plain value, and its type; numbers are finite and not negative."""


def _other(name: str, value: Any, *, strict: bool) -> Any:
    """Return the value of a field that is not plain, in the form a reply has it."""
    if name not in _EMPTY:
        if strict:
            raise UnusableEntry(f"field {name[:40]!r} is not known")
        return value
    read = _READ.get(name)
    try:
        if read is None:
            raise ValueError(name)  # noqa: TRY301
        return read(value)
    except (TypeError, ValueError):
        raise UnusableEntry(f"field {name!r} does not hold what it should") from None


def _whole_amount(value: Any) -> int:
    if type(value) is not int or value < 0:
        raise ValueError(value)
    return value


def _texts(value: list[Any]) -> tuple[str, ...]:
    return tuple(map(_text, _listed(value)))


def _pairs(value: list[Any]) -> tuple[tuple[str, Any], ...]:
    return tuple((_text(name), sent) for name, sent in map(_listed, _listed(value)))


def _tokens(value: list[Any]) -> tuple[TokenLogprobs, ...]:
    return tuple(
        (_text(token), _number(logprob), _likely(others))
        for token, logprob, others in map(_listed, _listed(value))
    )


def _likely(value: list[Any]) -> tuple[tuple[str, float], ...]:
    return tuple((_text(token), _number(p)) for token, p in map(_listed, _listed(value)))


def _listed(value: Any) -> list[Any]:
    if type(value) is not list:
        raise TypeError(value)
    return value


def _text(value: Any) -> str:
    if type(value) is not str:
        raise TypeError(value)
    return value


def _number(value: Any) -> float:
    if type(value) not in (float, int):
        raise TypeError(value)
    return float(value)


_READ: dict[str, Callable[[Any], Any]] = {
    "cost_usd": _whole_amount,
    "latency_s": _whole_amount,
    "left_out": _texts,
    "notes": _texts,
    "adjusted": _pairs,
    "logprobs": _tokens,
}


def _refuse(constant: str) -> float:
    raise ValueError(constant)


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise ValueError(text)
    return number
