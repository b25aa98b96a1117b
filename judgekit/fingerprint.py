"""One canonical form of JSON, and the sha256 of it.

Certificates, cache keys and judge identities all rest on this form, so it is fixed for good:
keys sorted, no spaces, UTF-8 text as it is, the shortest float that reads back the same, and
no NaN or infinity. A change here voids every certificate and empties every cache.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any


def canonical_json(value: Any) -> str:
    """Return the canonical JSON text of ``value`` (dicts with string keys, lists, scalars).

    Raises:
        ValueError: ``value`` holds NaN or an infinity.
        TypeError: ``value`` holds something that is not JSON.
    """
    return json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )


def sha256_text(text: str) -> str:
    """Return the hex sha256 of ``text`` in UTF-8; lone surrogates are hashed as they stand."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def fingerprint(value: Any) -> str:
    """Return the hex sha256 of the canonical JSON of ``value``."""
    return sha256_text(canonical_json(value))
