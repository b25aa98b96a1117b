"""What a run leaves behind: who was asked, and one line for each answer, as they come.

A run is a folder, named by the time it began: ``run.json`` says what it is, ``judgments.jsonl``
holds one row for each answer. The rows are only ever appended, whole lines at a time, and the
process holds a lock on them: a run that was killed is known by its lock being free. Reading is in
:mod:`judgekit.storage.runs_read`.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import json
import math
import os
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self

import orjson

from judgekit.errors import InputError, StorageError
from judgekit.running.secrets import Secrets, known_secrets
from judgekit.storage.disk import PRIVATE, disk_trouble, shown, stands, write_text

RUN_FORMAT = "judgekit.run/1"
ABOUT, ROWS = "run.json", "judgments.jsonl"
State = Literal["done", "failed", "stopped"]

_AT_ONCE = 1 << 20
"""Bytes that are written together; more is written in several goes."""


class RunRecorder:
    """Writes the record of one run; a context manager.

    Known secrets (:mod:`judgekit.running.secrets`) are hidden in all that it writes. A run that
    ends without :meth:`finish` is recorded as ``stopped`` when it was interrupted, else as
    ``failed``.

    Args:
        folder: The folder of all runs; made, for its owner only, where it is missing.
        command: What was run: ``calibrate``.
        now: When it began.
        about: Whatever else is known of it: judge, fingerprints, model, parameters, rubric ...
        tally: Returns what it has come to so far, for one that ends without :meth:`finish`.

    Attributes:
        id: The name of the run; known once it is entered.
        folder: Where the run stands.
    """

    def __init__(
        self,
        folder: Path,
        *,
        command: str,
        now: datetime,
        about: Mapping[str, Any],
        tally: Callable[[], Mapping[str, Any]] | None = None,
    ) -> None:
        if now.tzinfo is None:
            raise InputError("the time of a run needs a time zone: datetime.now(UTC)")
        self._all, self._now = folder, now.astimezone(UTC)
        self._command, self._about, self._tally = command, about, tally
        self.id, self.folder, self._told = "", folder, ""
        self._file: int | None = None
        self._finished = False

    def __enter__(self) -> Self:
        with _trouble(shown(self._all)):
            self._all.mkdir(mode=0o700, parents=True, exist_ok=True)
            self.folder = _new_folder(self._all, f"{self._now:%Y-%m-%dT%H-%M-%S}")
            self.id, self._told = self.folder.name, shown(self.folder)
            try:
                self._begin()
            except OSError:  # what could not be begun leaves nothing
                self._close()
                with contextlib.suppress(OSError):
                    for name in (ABOUT, ROWS):
                        (self.folder / name).unlink(missing_ok=True)
                    self.folder.rmdir()
                raise
        return self

    def _begin(self) -> None:
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_EXCL
        self._file = os.open(self.folder / ROWS, flags, PRIVATE)
        with contextlib.suppress(OSError):  # a disk without locks
            fcntl.flock(self._file, fcntl.LOCK_EX)
        self._describe(state="running", ended_at=None, tally=None)

    def _close(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if not self._finished:
                stopped = isinstance(error, KeyboardInterrupt | asyncio.CancelledError)
                tally = None if self._tally is None else self._tally()
                with contextlib.suppress(*(() if error is None else (StorageError,))):
                    self.finish("stopped" if stopped else "failed", tally)
        finally:
            self._close()

    def write(self, rows: Iterable[Mapping[str, Any]]) -> None:
        """Append one line for each row; on return they survive the end of this process.

        Raises:
            StorageError: the disk would not have them.
        """
        secrets = known_secrets()
        dumps, option = orjson.dumps, orjson.OPT_APPEND_NEWLINE
        data = bytearray()  # a list of lines costs several times as much: pages, not bytes
        for row in rows:
            try:
                data += dumps(row, None, option)
            except TypeError:  # half a surrogate pair, which models do send
                data += _spelt_out(row, secrets.hide_values)
            if len(data) >= _AT_ONCE:
                self._append(data, secrets)
                data = bytearray()
        if data:
            self._append(data, secrets)

    def finish(self, state: State, tally: Mapping[str, Any] | None) -> None:
        """Say how the run ended and what it came to.

        Args:
            state: ``done``, or ``failed`` or ``stopped`` before its end.
            tally: Every item accounted for: ``items``, ``judged``, ``unjudged`` by cause, the
                requests ``asked`` (those that ``failed`` among them), ``cached`` and
                ``not_asked``, ``cost_usd`` (None when unknown), ``known_usd``, ``unpriced``,
                ``tokens_in``, ``tokens_out``, ``seconds``, rows of the cache ``set_aside``. None
                when not counted.
        """
        self._finished = True
        ended = datetime.now(UTC)  # noqa: TID251  (the shell has the clock)
        if not (self.folder / ABOUT).exists():
            raise self._gone()
        try:
            self._describe(state=state, ended_at=_time(ended), tally=tally)
        except StorageError:
            self._mark("failed" if state == "done" else state)
            raise

    def _gone(self) -> StorageError:
        return StorageError(
            "the record of this run was deleted while it was being written",
            file=shown(self.folder),
            hint="run it again: the cache has what was answered",
        )

    def _mark(self, state: State) -> None:
        """Say how the run ended where it stands, which a full disk allows too."""
        running, ended = (f'"state": "{name}",'.encode() for name in ("running", state))
        with contextlib.suppress(OSError), (self.folder / ABOUT).open("r+b") as file:
            place = file.read().find(running)
            if place >= 0:
                file.seek(place)
                file.write(ended.ljust(len(running)))

    def _describe(self, **how: Any) -> None:
        secrets = Secrets()
        told = {
            "format": RUN_FORMAT,
            "id": self.id,
            "command": secrets.hide(self._command),
            "started_at": _time(self._now),
            **how,
        }
        document = {**told, **{k: v for k, v in self._about.items() if k not in told}}
        plain = _plain(document, secrets.hide_values)
        text = json.dumps(plain, indent=1, ensure_ascii=False, allow_nan=False)
        write_text(self.folder / ABOUT, text + "\n", PRIVATE)

    def _append(self, data: bytearray, secrets: Secrets) -> None:
        if any(form in data for form in secrets.forms):
            rows = [_load(line) for line in data.split(b"\n") if line]
            data = bytearray().join(_spelt_out(row, secrets.hide_values) for row in rows)
        if self._file is None:
            raise StorageError(
                "this run has ended; nothing more is recorded", file=str(self.folder)
            )
        with _trouble(self._told):
            if not stands(self.folder / ROWS, self._file):
                raise self._gone()
            rest = memoryview(data)
            while rest:
                rest = rest[os.write(self._file, rest) :]


def is_held(file: Path) -> bool:
    """Whether some process is still writing the rows in ``file``."""
    try:
        handle = os.open(file, os.O_RDONLY | os.O_NONBLOCK)  # it may be a pipe
    except OSError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:  # a disk without locks: nobody can tell
        return False
    else:
        return False
    finally:
        os.close(handle)


def _new_folder(folder: Path, name: str) -> Path:
    """Make a folder that no other run has, not even one that began in the same second."""
    for n in count(1):
        place = folder / (name if n == 1 else f"{name}-{n}")
        with contextlib.suppress(FileExistsError):
            place.mkdir(mode=0o700)
            return place
    raise AssertionError  # pragma: no cover  (there is always another number)


def _time(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds")


def _load(line: bytes | bytearray) -> Any:
    try:
        return orjson.loads(line)
    except ValueError:
        return json.loads(line)


def _spelt_out(row: Any, hide: Callable[[str], str]) -> bytes:
    """Return the line of a row that needs care: secrets in it, or text that UTF-8 cannot hold."""
    return json.dumps(_plain(row, hide), allow_nan=False).encode() + b"\n"


def _plain(value: Any, hide: Callable[[str], str]) -> Any:
    """Return plain JSON without secrets; what is not a finite number is null."""
    match value:
        case str():
            return hide(value)
        case dict() | Mapping():
            return {hide(str(key)): _plain(part, hide) for key, part in value.items()}
        case list() | tuple():
            return [_plain(part, hide) for part in value]
        case float():
            return value if math.isfinite(value) else None
        case None | bool() | int():
            return value
    return hide(str(value))


def _trouble(folder: str) -> contextlib.AbstractContextManager[None]:
    return disk_trouble(folder, "the record of this run cannot be written", "paths.runs")
