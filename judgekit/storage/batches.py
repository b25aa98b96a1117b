"""What is known of the batches that providers work on: all that is needed to go on after days.

Each batch has one state file, ``ID.json``, written whole before and after each step at the
provider, and beside it ``ID.places.jsonl`` (which requests are in it, and what they are about),
``ID.input.jsonl`` (what is uploaded; gone once the batch exists) and, in the end,
``ID.failed.jsonl``. No key ever stands in any of them.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import json
import os
import secrets
from collections.abc import AsyncIterator, Iterable, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from judgekit.errors import InputError, StorageError, UnknownName
from judgekit.running.batch_record import BatchRecord, Place, Trouble
from judgekit.storage.disk import PRIVATE, disk_trouble, encoded, shown, write_text, writing


class BatchStore:
    """The batches of a project.

    Args:
        folder: Where they stand; made, readable by the owner only, with the first batch.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @contextlib.asynccontextmanager
    async def lock(self, *, make: bool = False) -> AsyncIterator[None]:
        """Be the only process at work on these batches; wait until that is so.

        The lock is the operating system's: it goes with the process, however that ends.

        Args:
            make: Make the folder where there is none; else there is nothing to be alone with.
        """
        if not make and not self.folder.is_dir():
            yield
            return
        self._make_folder()
        with _trouble(self.folder):
            handle = os.open(self.folder / "lock", os.O_RDWR | os.O_CREAT, PRIVATE)
        try:
            while True:
                try:
                    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except BlockingIOError:
                    await asyncio.sleep(0.05)
            yield
        finally:
            os.close(handle)

    def all(self) -> list[BatchRecord]:
        """Return every batch, the oldest first.

        Raises:
            InputError: a state file is not one.
        """
        found = [r for path in self.folder.glob("*.json") if (r := self._read(path)) is not None]
        return sorted(found, key=lambda record: (record.created_at, record.id))

    def some(self, ids: Sequence[str]) -> list[BatchRecord]:
        """Return the batches of these ids, or all when none is named.

        Raises:
            UnknownName: there is none of that id.
        """
        records = self.all()
        by_id = {record.id: record for record in records}
        for name in ids:
            if name not in by_id:
                hint = None if by_id else "no batch was submitted from this project"
                raise UnknownName("batch", name, by_id, hint=hint)
        return [by_id[name] for name in dict.fromkeys(ids)] if ids else records

    def plan(
        self, record: BatchRecord, places: Iterable[Place], lines: Iterable[bytes]
    ) -> BatchRecord:
        """Write a new batch down: its state file last, so that it is there whole or not at all."""
        self._make_folder()
        self._write(self.input(record.id), lines)
        self._write(self._places(record.id), (_row(place) for place in places))
        return self.save(record)

    def save(self, record: BatchRecord) -> BatchRecord:
        """Write a batch's state, and return it; the file to upload goes once it is not needed."""
        text = json.dumps(record.model_dump(mode="json"), indent=1, allow_nan=False)
        write_text(self.folder / f"{record.id}.json", text + "\n", PRIVATE)
        if not record.interrupted:
            _remove(self.input(record.id))
        return record

    def input(self, name: str) -> Path:
        """Return the file that is uploaded for a batch."""
        return self.folder / f"{name}.input.jsonl"

    def places(self, name: str) -> list[Place]:
        """Return what the requests of a batch are about."""
        rows = self._rows(self._places(name))
        return [Place(*row)._replace(notes=tuple(row[-1])) for row in rows]

    def open_keys(self) -> dict[str, str]:
        """Return the keys in batches from which replies are still to come, with their batch."""
        return {
            place.key: record.id
            for record in self.all()
            if not record.over
            for place in self.places(record.id)
        }

    def save_troubles(self, name: str, troubles: Iterable[Trouble]) -> None:
        """Write down which requests of a batch have no reply, and why."""
        self._write(self._failed(name), (_row(trouble) for trouble in troubles))

    def troubles(self, name: str) -> list[Trouble]:
        """Return which requests of a batch have no reply, and why."""
        path = self._failed(name)
        return [Trouble(*row) for row in self._rows(path)] if path.exists() else []

    def forget(self, name: str) -> None:
        """Remove what is known of a batch, its state file first."""
        state = self.folder / f"{name}.json"
        for path in (state, self.input(name), self._places(name), self._failed(name)):
            _remove(path)

    def sweep(self) -> None:
        """Remove what a process left that was ended before its batch was written down.

        To be called under the lock.
        """
        known = {path.stem for path in self.folder.glob("*.json")}
        for path in self.folder.glob("*.jsonl"):
            if path.name.partition(".")[0] not in known:
                _remove(path)
        for path in self.folder.glob(".*"):
            _remove(path)

    def _places(self, name: str) -> Path:
        return self.folder / f"{name}.places.jsonl"

    def _failed(self, name: str) -> Path:
        return self.folder / f"{name}.failed.jsonl"

    def _read(self, path: Path) -> BatchRecord | None:
        try:
            return BatchRecord.model_validate_json(path.read_bytes())
        except FileNotFoundError:  # forgotten just now
            return None
        except ValidationError as error:
            first = error.errors()[0]
            field = ".".join(map(str, first["loc"])) or "the file"
            raise InputError(
                f"this is not the state of a batch: {field}: {first['msg'].lower()}",
                file=shown(path),
                hint="move it away; the batch itself is at the provider and unharmed",
            ) from None
        except OSError as error:
            raise StorageError(f"cannot be read: {error.strerror}", file=shown(path)) from error

    def _rows(self, path: Path) -> list[list[Any]]:
        try:
            return [json.loads(line) for line in path.read_bytes().splitlines()]
        except (OSError, ValueError) as error:
            raise StorageError(
                f"cannot be read: {error}",
                file=shown(path),
                hint=f"judgekit batch forget {path.name.partition('.')[0]} gives it up",
            ) from error

    def _make_folder(self) -> None:
        with _trouble(self.folder, "cannot be made"):
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)

    def _write(self, path: Path, lines: Iterable[bytes]) -> None:
        """Write a file of lines, whole or not at all."""
        with writing(path, PRIVATE) as write:
            for line in lines:
                write(line)


def _trouble(
    path: Path, what: str = "cannot be written"
) -> contextlib.AbstractContextManager[None]:
    return disk_trouble(shown(path), what, "paths.batches")


def _remove(path: Path) -> None:
    with _trouble(path, "cannot be taken out"):
        path.unlink(missing_ok=True)


def new_id() -> str:
    """Return a name for a batch that no other has."""
    return secrets.token_hex(5)


def _row(values: tuple[Any, ...]) -> bytes:
    return encoded(json.dumps(list(values), ensure_ascii=False)) + b"\n"
