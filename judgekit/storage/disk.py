"""Files written whole or not at all."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from judgekit.errors import InputError, StorageError


def encoded(text: str) -> bytes:
    r"""Return the bytes a text stands for on disk: UTF-8.

    Half a surrogate pair, which UTF-8 cannot hold, is written as its escape (``\ud83d``): in JSON
    that is the same text.
    """
    return text.encode("utf-8", "backslashreplace")


def write_text(path: Path, text: str) -> None:
    """Write a file in one step: a reader sees the old text or the new, never half of it.

    A device or a pipe (``/dev/null``, ``/dev/stdout``) is written to, never replaced by a file.

    Raises:
        StorageError: the disk would not have it; nothing is left behind.
    """
    with writing(path) as write:
        write(encoded(text))


@contextlib.contextmanager
def writing(path: Path) -> Iterator[Callable[[bytes], object]]:
    """Give a function that writes bytes; the file is there, whole, once the block has ended.

    An error inside leaves what was there before. Devices and pipes as in :func:`write_text`.

    Raises:
        StorageError: the disk would not have it; nothing is left behind.
    """
    try:
        if path.exists() and not path.is_file():
            with path.open("wb") as device:
                yield device.write
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "wb") as file:
                yield file.write
                file.flush()
                os.fsync(file.fileno())
            Path(name).chmod(0o644)
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except StorageError:  # of something else, met inside
        raise
    except OSError as error:
        raise StorageError(
            f"cannot be written: {error.strerror or error}", file=str(path)
        ) from error


def check_output(path: str | Path | None, *inputs: str | Path | None) -> None:
    """Refuse an output that would replace a file this run reads, or has no folder to stand in.

    Raises:
        InputError: before anything is asked or written.
    """
    if path is None:
        return
    place = Path(path)
    for name in inputs:
        if name is not None and Path(name).exists() and place.exists() and place.samefile(name):
            raise InputError(
                "labels, a rubric, a record or a file this run reads would be overwritten",
                file=str(path),
                hint="name another file for the output",
            )
    if place.is_dir() or not place.absolute().parent.is_dir():
        what = "is a folder" if place.is_dir() else "has no folder to stand in"
        raise InputError(
            f"the output {what}", file=str(path), hint="name a file in a folder that exists"
        )


def shown(path: Path) -> str:
    """Return a path as people read it: relative to the current folder where it lies inside."""
    try:
        return str(path.resolve().relative_to(Path.cwd()))
    except ValueError:
        return str(path)
