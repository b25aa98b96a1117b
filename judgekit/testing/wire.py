"""HTTP/1.1, as much of it as a model client speaks: standard library only, loopback only."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, cast
from urllib.parse import parse_qsl


class Received(NamedTuple):
    """One request as it came in; header names are in lower case."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes
    query: dict[str, str] = {}  # noqa: RUF012  (never changed)


@dataclass(frozen=True, slots=True)
class Sent:
    """One response, when it goes out, and how it is spoilt on the way.

    Attributes:
        status: HTTP status.
        body: What is sent.
        headers: Further headers.
        delay: Seconds before it is sent.
        cut: ``half`` breaks the connection in the middle of the body, ``reset`` before it.
        done: Called when it is out: with True when it was sent whole to an open connection.
    """

    status: int
    body: bytes
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0.0
    cut: Literal["half", "reset"] | None = None
    done: Callable[[bool], None] | None = None


class Connection(asyncio.Protocol):
    """One client connection; answers each request with what ``handle`` returns."""

    def __init__(self, handle: Callable[[Received], Sent], open_ones: set[Connection]) -> None:
        self._handle, self._open_ones = handle, open_ones
        self._buffer = bytearray()
        self._transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Remember the connection."""
        self._transport = cast("asyncio.Transport", transport)
        self._open_ones.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._open_ones.discard(self)

    def abort(self) -> None:
        """Drop the connection at once."""
        self._transport.abort()

    def data_received(self, data: bytes) -> None:
        """Answer every request that is complete by now."""
        self._buffer += data
        while (received := take_request(self._buffer)) is not None:
            sent = self._handle(received)
            if sent.delay > 0:
                asyncio.get_running_loop().call_later(sent.delay, self._send, sent)
            else:
                self._send(sent)

    def _send(self, sent: Sent) -> None:
        transport = self._transport
        whole = not transport.is_closing() and sent.cut is None
        if not transport.is_closing():
            if sent.cut == "reset":
                transport.abort()
            else:
                raw = _serialize(sent)
                transport.write(raw[: -max(1, len(sent.body) // 2)] if sent.cut else raw)
                if sent.cut:
                    transport.close()
        if sent.done is not None:
            sent.done(whole)


def _serialize(sent: Sent) -> bytes:
    lines = [
        f"HTTP/1.1 {sent.status} Stub",
        "content-type: application/json",
        f"content-length: {len(sent.body)}",
        *(f"{name}: {value}" for name, value in sent.headers.items()),
    ]
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + sent.body


def take_request(buffer: bytearray) -> Received | None:
    """Take the first complete request off ``buffer``, or return None when there is none yet."""
    head_end = buffer.find(b"\r\n\r\n")
    if head_end < 0:
        return None
    first, *rest = buffer[:head_end].decode("latin-1").split("\r\n")
    headers = {n.strip().lower(): v.strip() for n, _, v in (line.partition(":") for line in rest)}
    start = head_end + 4
    if "chunked" in headers.get("transfer-encoding", "").lower():
        taken = _chunked(buffer, start)
        if taken is None:
            return None
        body, end = taken
    else:
        end = start + int(headers.get("content-length") or 0)
        if len(buffer) < end:
            return None
        body = bytes(buffer[start:end])
    del buffer[:end]
    method, _, target = first.partition(" ")
    path, _, query = target.split(" ")[0].partition("?")
    return Received(method, path, headers, body, dict(parse_qsl(query)))


def _chunked(buffer: bytearray, at: int) -> tuple[bytes, int] | None:
    """Return the body that starts at ``at`` and where it ends; None when it is not all there."""
    body = bytearray()
    while (line_end := buffer.find(b"\r\n", at)) >= 0:
        size = int(buffer[at:line_end].split(b";")[0], 16)
        at = line_end + 2
        if len(buffer) < at + size + 2:
            return None
        body += buffer[at : at + size]
        at += size + 2
        if size == 0:
            return bytes(body), at
    return None
