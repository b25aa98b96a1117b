"""Checking rubric files, and mending what can be mended."""

from __future__ import annotations

import contextlib
import os
import stat
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple

from judgekit.errors import InputError
from judgekit.importers.earlier import Known, known_states, read_small, read_states
from judgekit.importers.rubrics import is_rubric_text, template_loader
from judgekit.importers.text import load_text
from judgekit.linting.engine import lint
from judgekit.linting.evidence import Evidence
from judgekit.linting.fixing import fixed
from judgekit.linting.selection import EVERYTHING, Selection, selection_of
from judgekit.linting.violations import Violation, violation

__all__ = ["LintResult", "Violation", "lint_paths", "selection_of"]

_ENDINGS = (".jinja", ".jinja2", ".j2")
_PROJECT = "judgekit.toml"
_FOR_ONE = 100
"""So many files are no reason for another process."""
_NOT_OURS = {"__pycache__", "node_modules", "site-packages"}


@dataclass(frozen=True)
class LintResult:
    """What was found.

    Attributes:
        files: The files that were checked.
        violations: Everything wrong in them, by file and line; after mending, what is left.
        sources: The text of each file with violations.
        unreadable: Files and folders that could not be read at all, or not be written.
        fixed: How many violations were mended.
        notes: Evidence that was left out, and why.
    """

    files: tuple[str, ...]
    violations: tuple[Violation, ...]
    sources: dict[str, str]
    unreadable: tuple[InputError, ...]
    fixed: int = 0
    notes: tuple[str, ...] = ()


def lint_paths(
    paths: Sequence[str],
    *,
    selection: Selection = EVERYTHING,
    fix: bool = False,
    evidence: Sequence[str] = (),
) -> LintResult:
    """Check rubric files, folders of them, or without any path the project's.

    In folders, templates that are no rubric (what rubrics include, web pages), and folders
    that are hidden or hold installed packages, are passed over.

    Args:
        paths: Files and folders.
        selection: Which rules count.
        fix: Mend in the files what can be mended without changing what a rubric means.
        evidence: Certificates (files, or beginnings of ids) and runs (ids, or ``last``) that show
            how the rubrics do; nothing is asked for it.

    Raises:
        InputError: there is nothing to check, or evidence is about none of it.
        CertificateError: a certificate does not hold.
    """
    texts, unreadable = _texts(paths)
    known = known_states(texts, _certificates(texts))
    mended = 0
    for name in list(texts) if fix else ():
        try:
            count = _fix(name, known[name], selection)
            mended += count
            if count:
                texts[name] = load_text(name)
        except InputError as error:
            unreadable.append(error)
    shown, notes = _evidence(evidence, texts)
    looks = [
        _Look(name, text, known[name], selection, tuple(shown.get(name, ())))
        for name, text in texts.items()
    ]
    found = dict(zip(texts, _all_checked(looks), strict=True))
    return LintResult(
        tuple(texts),
        tuple(v for violations in found.values() for v in violations),
        {name: texts[name] for name, violations in found.items() if violations},
        tuple(unreadable),
        mended,
        tuple(notes),
    )


def _evidence(
    names: Sequence[str], texts: Mapping[str, str]
) -> tuple[dict[str, list[Evidence]], list[str]]:
    """Return evidence of each file; what is needed for it is loaded only where some is named."""
    if not names:
        return {}, []
    from judgekit.api.lint_evidence import find_evidence

    return find_evidence(names, texts)


class _Look(NamedTuple):
    """One file to check."""

    name: str
    text: str
    known: Known
    selection: Selection
    evidence: tuple[Evidence, ...] = ()


def _checked(look: _Look) -> list[Violation]:
    name, text, known, selection, evidence = look
    load = template_loader(Path(name).parent)
    earlier = read_states(name, text, known)
    found = lint(
        text, file=name, load=load, earlier=earlier, selection=selection, evidence=evidence
    )
    return [violation(one, name) for one in found]


def _all_checked(looks: Sequence[_Look]) -> list[list[Violation]]:
    """Check files, many of them in several processes; in the order given."""
    many = min(os.cpu_count() or 1, len(looks) // _FOR_ONE)
    # A process with other threads cannot be forked without harm, and starting anew costs more.
    if many < 2 or threading.active_count() > 1 or not hasattr(os, "fork"):
        return [_checked(look) for look in looks]
    from multiprocessing import get_context

    first = _checked(looks[0])  # what it loads is then there for all
    with get_context("fork").Pool(many) as pool:
        return [first, *pool.map(_checked, looks[1:], chunksize=25)]


def _fix(name: str, known: Known, selection: Selection) -> int:
    """Mend a file; return how many violations that took away.

    Raises:
        InputError: it is gone by now, or no longer text.
    """
    from judgekit.storage.disk import write_text

    path = Path(name)
    try:
        text = path.read_bytes().decode("utf-8")  # with its own line ends and byte order mark
        mode = path.stat().st_mode & 0o777
    except (OSError, UnicodeDecodeError):
        load_text(name)  # says why
        hint = "run it again"
        raise InputError("the file changed while it was read", hint=hint, file=name) from None
    earlier = read_states(name, text, known)
    look = partial(
        lint, file=name, load=template_loader(path.parent), earlier=earlier, selection=selection
    )
    new, count = fixed(text, look)
    if count:
        write_text(path, new, mode)
    return count


def _texts(paths: Sequence[str]) -> tuple[dict[str, str], list[InputError]]:
    """Return the files to check with what is in them, and those that cannot be read."""
    texts: dict[str, str] = {}
    seen: set[Path] = set()
    unreadable: list[InputError] = []
    for name, certain in _wanted(paths, unreadable):
        where = Path(name).absolute()
        if where in seen:
            continue
        seen.add(where)
        try:
            text = load_text(name)
        except InputError as error:
            unreadable.append(error)
            continue
        if certain or is_rubric_text(text):
            texts[name] = text
    if not paths and not texts and not unreadable:
        raise InputError(
            "there is no rubric to check here",
            hint="name a file or folder, or begin with: judgekit init",
        )
    for name in paths:
        told = (*texts, *(error.file or "" for error in unreadable))
        if os.path.isdir(name) and not any(Path(t).is_relative_to(name) for t in told):  # noqa: PTH112
            unreadable.append(InputError("no rubric (*.jinja) in this folder", file=name))
    return texts, unreadable


def _wanted(paths: Sequence[str], unreadable: list[InputError]) -> Iterator[tuple[str, bool]]:
    """Yield the files to look at, and whether each is certainly meant to be a rubric.

    Folders that cannot be read are added to ``unreadable``.
    """
    if not paths:
        yield from _of_project(unreadable)
    for name in paths:
        if os.path.isdir(name):  # noqa: PTH112  (no error where its folder may not be looked into)
            yield from ((path, False) for path in _inside(Path(name), unreadable))
        else:
            yield name, True


def watched_files(paths: Sequence[str]) -> list[str]:
    """Return the files whose change calls for another look, those that rubrics may extend too."""
    found = {name for name, _ in _wanted(paths, [])}
    for folder in {Path(name).parent for name in found}:
        with contextlib.suppress(OSError):  # the look itself tells what cannot be read
            found |= {str(path) for path in folder.iterdir() if path.suffix in _ENDINGS}
    return sorted(found)


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


def _of_project(unreadable: list[InputError]) -> Iterator[tuple[str, bool]]:
    from judgekit.storage.disk import shown
    from judgekit.storage.project import open_project

    project = open_project()
    for entry in project.configuration.judges.values():
        yield shown(project.path(entry.rubric)), True
    for name in _inside(project.root / "rubrics", unreadable):
        yield shown(Path(name)), False


def _certificates(names: Iterable[str]) -> list[Path]:
    """Return the certificates of the projects that these files belong to."""
    folders = {Path(folder).absolute() for folder in {os.path.dirname(name) for name in names}}  # noqa: PTH120
    roots = {
        next((f for f in (folder, *folder.parents) if os.path.isfile(f / _PROJECT)), None)  # noqa: PTH113
        for folder in folders
    }
    found: list[Path] = []
    for root in sorted(filter(None, roots)):
        with contextlib.suppress(OSError, ValueError):  # no such folder; no name for one
            found += sorted(p for p in _certificate_folder(root).iterdir() if p.suffix == ".json")
    return found


def _certificate_folder(root: Path) -> Path:
    """Return where a project keeps its certificates; the usual place where that is not known."""
    import tomllib

    try:
        document = tomllib.loads(read_small(root / _PROJECT))
        return root / str(document["paths"]["certificates"])
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return root / "certificates"
