"""The files of requests that are uploaded for batches."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

ENDPOINT = "/v1/chat/completions"
MOST_REQUESTS = 50_000
MOST_BYTES = 190_000_000
"""Providers take 200 MB; some of them may count in another way."""


def request_line(key: str, body: dict[str, Any]) -> bytes:
    """Return the line that asks for one reply, its end included."""
    line = {"custom_id": key, "method": "POST", "url": ENDPOINT, "body": body}
    text = json.dumps(line, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.encode() + b"\n"


def in_files(
    lines: Iterable[tuple[Any, bytes]],
    most_requests: int = MOST_REQUESTS,
    most_bytes: int = MOST_BYTES,
) -> Iterator[list[tuple[Any, bytes]]]:
    """Divide lines, each with what it is about, into files that a provider takes, in order."""
    file: list[tuple[Any, bytes]] = []
    size = 0
    for about, line in lines:
        if file and (len(file) == most_requests or size + len(line) > most_bytes):
            yield file
            file, size = [], 0
        file.append((about, line))
        size += len(line)
    if file:
        yield file
