"""The reply cache through diskcache's own door, for a database whose inside we do not know.

A diskcache newer than 5.6.3 may arrange its tables otherwise. Then rows are read and written the
slow way, one by one; what looks at the whole table (counting, pruning, exporting) is not on offer.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from judgekit.errors import StorageError
from judgekit.running.cache_files import Standing
from judgekit.running.cache_rows import Found, Row
from judgekit.running.cache_schema import SETTINGS


class DiskcacheRows:
    """Texts by key, kept by diskcache in one folder.

    Args:
        folder: The folder; its schema and settings were checked.
        wait_s: Seconds to wait for another process that is writing.
    """

    def __init__(self, folder: Path, wait_s: float) -> None:
        import diskcache

        from judgekit.running.textdisk import TextDisk

        self._cache: Any = diskcache.Cache(str(folder), timeout=wait_s, disk=TextDisk, **SETTINGS)
        self._locked = diskcache.Timeout
        self._standing = Standing(folder)

    def texts(self, keys: Sequence[str]) -> list[Found]:
        """Return what stands under ``keys``; a row that is no plain text counts as none."""
        found = [(key, self._cache.get(key)) for key in keys]
        return [(key.encode(), text.encode()) for key, text in found if text is not None]

    def replace(self, rows: Sequence[Row]) -> None:
        """Keep texts; what stood under their keys is gone."""
        for key, _, text in rows:
            self._cache.set(key, text)

    def keep_theirs(self, rows: Sequence[Row]) -> list[Found]:
        """Keep the texts under whose key there is nothing; return what stands under the others."""
        found = self.texts([key for key, *_ in rows])
        there = {key.decode() for key, _ in found}
        self.replace([row for row in rows if row[0] not in there])
        return found

    def delete(self, keys: Sequence[str]) -> None:
        """Take out what stands under ``keys``."""
        for key in keys:
            self._cache.delete(key)

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        """Make the changes inside it, all of them or none.

        Raises:
            Replaced: they went to a database that is not in the folder any more.
        """
        try:
            with self._cache.transact():
                yield
            self._standing.check()
        except self._locked:
            raise StorageError("another process has kept it locked") from None

    def close(self) -> None:
        """Let go of what this thread has open."""
        self._cache.close()
