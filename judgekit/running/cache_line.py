"""One reply as a line of JSON."""

from __future__ import annotations

import re
from typing import NamedTuple

import orjson

from judgekit.judging.request import ModelReply
from judgekit.running.cache_rows import LAST
from judgekit.running.stored import UnusableEntry, decode, encode, is_complete, loads, reply_of

FORMAT = "judgekit.reply/1"
BEGINS = orjson.dumps({"format": FORMAT})[:-1]
"""How every exported line begins."""
_PARTS = {"format", "key", "stored_at", "reply"}
_KEY = re.compile(r"[0-9a-f]{64}")


class Line(NamedTuple):
    """One reply: its key, when it was kept (seconds since 1970), and the reply."""

    key: str
    stored_at: float
    reply: ModelReply


def written_line(key: bytes, stored_at: float, text: bytes | None) -> str:
    """Return the line of a row of the cache.

    Raises:
        UnusableEntry: the row is no reply; says why.
    """
    if text is None:
        raise UnusableEntry("not plain text")
    name = key.decode(errors="replace")
    if not _KEY.fullmatch(name):
        raise UnusableEntry("its key is no sha256")
    parts = {
        "format": FORMAT,
        "key": name,
        "stored_at": stored_at,
        "reply": orjson.Fragment(encode(decode(text))),
    }
    return orjson.dumps(parts).decode()


def read_line(text: bytes | str) -> Line:
    """Return the reply that a line holds.

    Raises:
        UnusableEntry: it holds none; says why.
    """
    values = loads(text)
    if type(values) is not dict:
        raise UnusableEntry("not a JSON object")
    if values.get("format") != FORMAT:
        raise UnusableEntry(f"its format is not {FORMAT!r}")
    strange = sorted(_PARTS ^ values.keys())
    if strange:
        verb = "lacks" if strange[0] in _PARTS else "has an unknown"
        raise UnusableEntry(f"it {verb} {strange[0][:40]!r}")
    key, stored_at = values["key"], values["stored_at"]
    if type(key) is not str or not _KEY.fullmatch(key):
        raise UnusableEntry("its key is no sha256")
    if type(stored_at) not in (int, float) or not 0 <= stored_at <= LAST:
        raise UnusableEntry("'stored_at' is no time")
    reply = reply_of(values["reply"], strict=True)
    if not is_complete(reply):
        raise UnusableEntry("the reply is empty or truncated, which is not kept")
    return Line(key, float(stored_at), reply)
