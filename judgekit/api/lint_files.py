"""Which files are checked, and what is in them."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path
from shlex import quote
from typing import NamedTuple

from judgekit.errors import InputError
from judgekit.importers.rubrics import is_rubric_text
from judgekit.importers.text import load_text

_ENDINGS = (".jinja", ".jinja2", ".j2")
_NOT_OURS = {"__pycache__", "node_modules", "site-packages"}
_LARGEST = 5_000_000
"""Bytes; a rubric of a hundred long examples has less than a tenth of it."""


class Gathered(NamedTuple):
    """The files to check.

    Attributes:
        texts: What is in each of them, in the order to tell of them.
        unreadable: Files and folders that cannot be read, in the same order.
        names: The files and folders of both.
    """

    texts: dict[str, str]
    unreadable: list[InputError]
    names: list[str]


def gather(paths: Sequence[str]) -> Gathered:
    """Return the files to check: those named, those in folders named, or the project's.

    A file that goes by several names (``a.jinja`` and ``./a.jinja``, a link) has the first of them.

    Raises:
        InputError: there is nothing to check.
    """
    texts: dict[str, str] = {}
    names: dict[str, None] = {}
    seen: set[object] = set()
    unreadable: list[InputError] = []
    of_use: set[str | None] = set()
    for name, folder in _wanted(paths, unreadable):
        which, size = _identity(name)
        if which in seen:
            of_use.add(folder)
            continue
        try:
            text = _text(name, size)
            if folder is not None and not is_rubric_text(text):
                continue
            texts[name] = text
        except InputError as error:
            unreadable.append(_of_judge(error))
        seen.add(which)
        of_use.add(folder)
        names[name] = None
    if not paths and not texts and not unreadable:
        raise InputError(
            "there is no rubric to check here",
            hint="name a file or folder, or begin with: judgekit init",
        )
    told = (*texts, *(error.file or "" for error in unreadable))
    for name in dict.fromkeys(paths):
        idle = name not in of_use and os.path.isdir(name)  # noqa: PTH112
        if idle and not any(Path(one).is_relative_to(name) for one in told):
            unreadable.append(InputError("no rubric (*.jinja) in this folder", file=name))
    return Gathered(texts, unreadable, [*names])


def watched_files(paths: Sequence[str]) -> list[str]:
    """Return the files whose change calls for another look, those that rubrics may extend too."""
    found = {Path(name) for name, _ in _wanted(paths, [])}
    for folder in {path.parent for path in found}:
        with contextlib.suppress(OSError):  # the look itself tells what cannot be read
            found |= {path for path in folder.iterdir() if path.suffix in _ENDINGS}
    return sorted(map(str, found))


def _identity(name: str) -> tuple[object, int]:
    """Return what tells a file from others whatever it is called, and its size."""
    try:
        found = os.stat(name)  # noqa: PTH116  (a thousand files in milliseconds)
    except (OSError, ValueError):  # reading it says why
        return Path(name).absolute(), 0
    return (found.st_dev, found.st_ino), found.st_size if stat.S_ISREG(found.st_mode) else 0


def _text(name: str, size: int) -> str:
    if size > _LARGEST:
        said = f"this file has {size / 1e6:,.1f} MB: a rubric has {_LARGEST / 1e6:.0f} MB at most"
        raise InputError(said, hint="keep items and labels in files of their own", file=name)
    return load_text(name)


def _of_judge(error: InputError) -> InputError:
    """Return the error, with the way out where a judge was named instead of its rubric."""
    name = error.file or ""
    if os.path.exists(name):  # noqa: PTH110  (no error where its folder may not be looked into)
        return error
    from judgekit.storage.project import open_project

    with contextlib.suppress(InputError, OSError):  # a project that cannot be read is no help
        judge = open_project().configuration.judges.get(name)
        if judge is not None:
            error.hint = f"{name!r} is a judge; its rubric: judgekit lint {quote(judge.rubric)}"
    return error


def _wanted(paths: Sequence[str], unreadable: list[InputError]) -> Iterator[tuple[str, str | None]]:
    """Yield the files to look at, each with the folder it was found in.

    One without a folder was named itself: it is meant to be a rubric. Folders that cannot be read
    are added to ``unreadable``.
    """
    if not paths:
        yield from _of_project(unreadable)
    for name in paths:
        if os.path.isdir(name):  # noqa: PTH112  (no error where its folder may not be looked into)
            yield from ((path, name) for path in _inside(Path(name), unreadable))
        else:
            yield name, None


def _inside(folder: Path, unreadable: list[InputError]) -> list[str]:
    """Return the templates in a folder and below it, where no link leads round in circles.

    Text and not ``Path``: so it takes a few milliseconds for a thousand files.
    """
    found: list[str] = []
    places = [str(folder)]
    while places:
        place = places.pop()
        try:
            with os.scandir(place) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        places += [entry.path] if _is_ours(entry.name) else []
                    elif entry.name.endswith(_ENDINGS) and _is_file(entry.path):
                        found.append(entry.path)
        except FileNotFoundError:  # a project may have none, and others remove folders meanwhile
            continue
        except OSError as error:
            reason = f"this folder cannot be read: {error.strerror or error}"
            unreadable.append(InputError(reason, file=place))
    # A separator sorts before every letter, so that a folder's files stay together.
    names = (path.removeprefix(f".{os.sep}") for path in found)
    return sorted(names, key=lambda name: name.replace(os.sep, "\0"))


def _is_ours(folder: str) -> bool:
    return not folder.startswith(".") and folder not in _NOT_OURS


def _is_file(path: str) -> bool:
    """Return whether there is a file; also where nobody may ask, and reading it says so."""
    try:
        return stat.S_ISREG(os.stat(path).st_mode)  # noqa: PTH116
    except PermissionError:
        return True
    except OSError:  # a link to nowhere: so editors mark what is open
        return False


def _of_project(unreadable: list[InputError]) -> Iterator[tuple[str, str | None]]:
    from judgekit.storage.disk import shown
    from judgekit.storage.project import open_project

    project = open_project()
    for entry in project.configuration.judges.values():
        yield shown(project.path(entry.rubric)), None
    folder = project.root / "rubrics"
    for name in _inside(folder, unreadable):
        yield shown(Path(name)), str(folder)
