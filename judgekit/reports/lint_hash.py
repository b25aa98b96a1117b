"""The hash of a line by which GitHub knows a violation again when lines above it come or go.

Source: github/codeql-action, ``src/fingerprints.ts`` (``primaryLocationLineHash``). The action
computes it for files that have none; what is sent to the service by itself needs it.
"""

from __future__ import annotations

import struct
from collections import Counter
from operator import mul

_SPAN = 100
"""A line is known by so many signs from its beginning, those of later lines among them."""
_END = 65535
_MASK = 2**64 - 1
_POWERS = [pow(37, _SPAN - 1 - i, 2**64) for i in range(_SPAN)]


def line_hashes(text: str) -> list[str]:
    """Return the hash of each line, with the number of lines so far that have the same."""
    plain = text.replace("\r\n", "\n").replace("\r", "\n").replace(" ", "").replace("\t", "")
    data = plain.encode("utf-16-le", "surrogatepass")
    units = [*struct.unpack(f"<{len(data) // 2}H", data), _END]
    starts = [0, *(at + 1 for at, unit in enumerate(units) if unit == 0x0A)]
    seen: Counter[str] = Counter()
    hashes = []
    for start in starts:
        digest = f"{sum(map(mul, units[start : start + _SPAN], _POWERS)) & _MASK:x}"
        seen[digest] += 1
        hashes.append(f"{digest}:{seen[digest]}")
    return hashes
