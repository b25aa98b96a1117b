"""A diskcache ``Disk`` that knows text and nothing else.

diskcache unpickles what it reads (CVE-2025-69872), so whoever can write to the folder could run
code; its JSONDisk does too, because it calls the pickling path first. Here a pickled key or value
is refused both ways, no value lives in a file of its own, and no file is ever opened or deleted on
the say-so of a row.
"""

from __future__ import annotations

import diskcache
from diskcache.core import MODE_RAW

from judgekit.errors import StorageError


class TextDisk(diskcache.Disk):  # type: ignore[misc]  # diskcache ships no types
    """Keys and values are text, kept inside the database."""

    def __init__(self, directory: str, **_settings: object) -> None:
        # Settings are read from the folder itself, so an unknown one must not stop us.
        super().__init__(directory, min_file_size=2**62)

    def put(self, key: object) -> tuple[str, bool]:
        """Return the database form of a key."""
        if type(key) is not str:
            raise StorageError(f"a cache key must be text, not {type(key).__name__}")
        return key, True

    def get(self, key: object, raw: object) -> str:
        """Return a key from its database form."""
        if not raw or type(key) is not str:
            raise StorageError("the cache holds a key that is not text; it was not read")
        return key

    def store(self, value: object, read: object, key: object = None) -> tuple[int, int, None, str]:
        """Return the columns of a value."""
        if type(value) is not str:
            raise StorageError(f"a cached value must be text, not {type(value).__name__}")
        return 0, MODE_RAW, None, value

    def fetch(self, mode: object, filename: object, value: object, read: object) -> str:
        """Return a value from its columns."""
        if mode != MODE_RAW or filename is not None or type(value) is not str:
            raise StorageError("the cache holds a value that is not text; it was not read")
        return value

    def remove(self, file_path: object) -> None:
        """Delete nothing: we store no files, so a row that names one is not ours."""
