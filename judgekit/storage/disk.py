"""Files written whole or not at all."""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import secrets
from collections.abc import Callable, Iterator
from pathlib import Path

from judgekit.errors import InputError, StorageError, way_out

READABLE, PRIVATE = 0o644, 0o600
"""Modes of files: for everybody to read, and for their owner only."""
_MARK = ".judgekit-"


def encoded(text: str) -> bytes:
    r"""Return the bytes a text stands for on disk: UTF-8.

    Half a surrogate pair, which UTF-8 cannot hold, is written as its escape (``\ud83d``): in JSON
    that is the same text.
    """
    return text.encode("utf-8", "backslashreplace")


def write_text(path: Path, text: str, mode: int = READABLE) -> None:
    """Write a file in one step: a reader sees the old text or the new, never half of it.

    A device or a pipe (``/dev/null``, ``/dev/stdout``) is written to, never replaced by a file.

    Raises:
        StorageError: the disk would not have it; nothing is left behind.
    """
    with writing(path, mode) as write:
        write(encoded(text))


@contextlib.contextmanager
def writing(path: Path, mode: int = READABLE) -> Iterator[Callable[[bytes], object]]:
    """Give a function that writes bytes; the file is there, whole, once the block has ended.

    An error inside leaves what was there before. Devices and pipes as in :func:`write_text`. What
    a process left that was killed while it wrote the same file is removed.

    Raises:
        StorageError: the disk would not have it; nothing is left behind.
    """
    with disk_trouble(str(path)):
        if (stream := _stream(path)) is not None:
            with os.fdopen(stream, "wb") as device:
                yield device.write
            return
        place = Path(os.path.realpath(path))  # a link stays a link
        place.parent.mkdir(parents=True, exist_ok=True)
        _sweep(place)
        handle, made = _beside(place)
        try:
            with os.fdopen(handle, "wb") as file:
                yield file.write
                file.flush()
                os.fsync(file.fileno())
                made.chmod(mode)
                made.replace(place)
        except BaseException:
            made.unlink(missing_ok=True)
            raise


def is_stream(path: Path) -> bool:
    """Whether what is written there goes to a device, a pipe or this program's own output."""
    return _own_output(path) is not None or (path.exists() and not path.is_file())


def _stream(path: Path) -> int | None:
    """Open what :func:`is_stream` is true of; None for a file."""
    own = _own_output(path)
    if own is not None:  # opened again it would be written from its beginning
        return os.dup(own)
    return os.open(path, os.O_WRONLY) if is_stream(path) else None


def _own_output(path: Path) -> int | None:
    """Return whether a path is where standard output or standard error goes, and which of them.

    So it is for ``/dev/stdout`` where that is sent to a file, which looks like a file to replace.
    """
    for number in (1, 2):
        if stands(path, number):
            return number
    return None


def _beside(place: Path) -> tuple[int, Path]:
    """Make a file that becomes ``place``, and hold it, so that nobody sweeps it away."""
    while True:
        made = place.with_name(f".{place.name}{_MARK}{secrets.token_hex(4)}")
        handle = os.open(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE)
        with contextlib.suppress(OSError):  # a disk without locks
            fcntl.flock(handle, fcntl.LOCK_EX)
        if stands(made, handle):
            return handle, made
        os.close(handle)  # it was swept away before it was held


def stands(path: Path, handle: int) -> bool:
    """Whether an open file is the one of that path: not if it was deleted, moved or replaced."""
    try:
        return os.path.samestat(path.stat(), os.fstat(handle))
    except OSError:
        return False


def _sweep(place: Path) -> None:
    """Remove what processes left that were killed while they wrote ``place``."""
    ours = re.compile(re.escape(f".{place.name}{_MARK}") + r"[0-9a-f]{8}")
    for name in os.listdir(place.parent):  # noqa: PTH208  (there may be very many)
        if ours.fullmatch(name):
            _remove_if_left(place.with_name(name))


def _remove_if_left(path: Path) -> None:
    """Remove a file unless some process holds it, or nobody can tell."""
    with contextlib.suppress(OSError):
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            path.unlink()
        finally:
            os.close(handle)


@contextlib.contextmanager
def disk_trouble(
    file: str, what: str = "cannot be written", setting: str | None = None
) -> Iterator[None]:
    """Turn an error of the disk into one that names the file and the way out.

    Args:
        file: What it is about.
        what: What could not be done.
        setting: The key of ``judgekit.toml`` that names another place, where there is one.
    """
    try:
        yield
    except (StorageError, BrokenPipeError):  # of something else, met inside; or the reader went
        raise
    except OSError as error:
        raise StorageError(
            f"{what}: {error.strerror or error}", file=file, hint=way_out(error, setting)
        ) from error


def check_output(path: str | Path | None, *kept: str | Path | None) -> None:
    """Refuse an output that would replace what must stay, or has no folder to stand in.

    Args:
        path: The output; None writes none.
        kept: Files that it may not replace, and folders that it may not stand in.

    Raises:
        InputError: before anything is asked or written.
    """
    if path is None:
        return
    place = Path(path)
    for name in (Path(one) for one in kept if one is not None):
        if name.is_dir() and _is_within(place, name):
            raise InputError(
                "judgekit keeps files of its own in this folder",
                file=str(path),
                hint="name a file elsewhere for the output",
            )
        if name.exists() and place.exists() and place.samefile(name):
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


def _is_within(place: Path, folder: Path) -> bool:
    """Whether a file stands, or would stand, in a folder, whatever links lead there."""
    return any(p.exists() and p.samefile(folder) for p in Path(os.path.realpath(place)).parents)


def shown(path: Path) -> str:
    """Return a path as people read it: relative to the current folder where it lies inside."""
    try:
        return str(path.resolve().relative_to(Path.cwd()))
    except ValueError:
        return str(path)
