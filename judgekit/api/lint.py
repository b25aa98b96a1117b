"""Checking rubric files, and mending what can be mended."""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple

from judgekit.api.lint_files import Gathered, gather
from judgekit.errors import InputError, JudgekitError, StorageError
from judgekit.importers.earlier import Known, known_states, read_states
from judgekit.importers.rubrics import template_loader
from judgekit.importers.text import load_text
from judgekit.linting.engine import lint
from judgekit.linting.evidence import Evidence
from judgekit.linting.finding import Found
from judgekit.linting.fixing import fixed
from judgekit.linting.rules import RULES
from judgekit.linting.rules.file_unreadable import of_error
from judgekit.linting.selection import EVERYTHING, Selection, selection_of
from judgekit.linting.violations import Fix, Violation, fix_of, violation

__all__ = ["Fix", "LintResult", "Mend", "Violation", "lint_paths", "selection_of"]

_FOR_ONE = 100
"""So many files are no reason for another process."""


class Mend(NamedTuple):
    """One file that was mended.

    Attributes:
        file: The file.
        before: What was in it, byte order mark and line ends included.
        after: What is in it now.
        fixes: Each violation that was mended.
    """

    file: str
    before: str
    after: str
    fixes: tuple[Fix, ...]


@dataclass(frozen=True)
class LintResult:
    """What was found.

    Attributes:
        files: The files that were checked.
        violations: Everything wrong, by file and line; after mending, what is left. What could
            not be read is among it (``file-unreadable``).
        sources: The text of each file with violations.
        unreadable: Files and folders that could not be read, with the reason.
        mends: The files that were mended.
        unwritten: Files that could be mended and not be written, with the reason; they are as
            they were.
        notes: Evidence that was left out, and why.
    """

    files: tuple[str, ...]
    violations: tuple[Violation, ...]
    sources: dict[str, str]
    unreadable: tuple[InputError, ...] = ()
    mends: tuple[Mend, ...] = ()
    unwritten: tuple[StorageError, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def fixes(self) -> tuple[Fix, ...]:
        """Return every violation that was mended."""
        return tuple(fix for mend in self.mends for fix in mend.fixes)

    @property
    def troubles(self) -> tuple[JudgekitError, ...]:
        """Return what the disk would not have: the look is not complete."""
        return (*self.unreadable, *self.unwritten)


def lint_paths(
    paths: Sequence[str],
    *,
    selection: Selection = EVERYTHING,
    fix: bool = False,
    write: bool = True,
    evidence: Sequence[str] = (),
) -> LintResult:
    """Check rubric files, folders of them, or without any path the project's.

    In folders, templates that are no rubric (what rubrics include, web pages), and folders
    that are hidden or hold installed packages, are passed over.

    Args:
        paths: Files and folders.
        selection: Which rules count.
        fix: Mend what can be mended without changing what a rubric means.
        write: Write into the files what was mended; without it only ``mends`` tells of it.
        evidence: Certificates (files, or beginnings of ids) and runs (ids, or ``last``) that show
            how the rubrics do; nothing is asked for it.

    Raises:
        InputError: there is nothing to check, or evidence is about none of it.
        CertificateError: a certificate does not hold.
    """
    gathered = gather(paths)
    texts = gathered.texts
    known = known_states(texts)
    mends, unwritten = _mended(gathered, known, selection, write=write) if fix else ([], [])
    shown, notes = _evidence(evidence, texts)
    looks = [
        _Look(name, text, known[name], selection, tuple(shown.get(name, ())))
        for name, text in texts.items()
    ]
    told: dict[str, list[Violation]] = {name: [] for name in gathered.names}
    told |= dict(zip(texts, _all_checked(looks), strict=True))
    for error in gathered.unreadable:
        told.setdefault(error.file or "", []).append(_unread(error))
    return LintResult(
        files=tuple(texts),
        violations=tuple(v for violations in told.values() for v in violations),
        sources={name: texts[name] for name, found in told.items() if found and name in texts},
        unreadable=tuple(gathered.unreadable),
        mends=tuple(mends),
        unwritten=tuple(unwritten),
        notes=tuple(notes),
    )


def _unread(error: InputError) -> Violation:
    return violation(Found(RULES["RB13"], "RB13", of_error(error)), error.file or "")


def _mended(
    gathered: Gathered, known: Mapping[str, Known], selection: Selection, *, write: bool
) -> tuple[list[Mend], list[StorageError]]:
    """Mend files; the texts become what is in them, and what cannot be read any more is moved."""
    mends: list[Mend] = []
    unwritten: list[StorageError] = []
    for name in list(gathered.texts):
        try:
            mend = _mend(name, known[name], selection)
            if not mend.fixes:
                continue
            if write:
                _write(mend)
        except StorageError as error:
            unwritten.append(error)
        except InputError as error:
            gathered.unreadable.append(error)
            del gathered.texts[name]
        else:
            mends.append(mend)
            gathered.texts[name] = mend.after.removeprefix("\ufeff")
    return mends, unwritten


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


def _mend(name: str, known: Known, selection: Selection) -> Mend:
    """Return a file mended; nothing is written.

    Raises:
        InputError: it is gone by now, or no longer text.
    """
    path = Path(name)
    try:
        text = path.read_bytes().decode("utf-8")  # with its own line ends and byte order mark
    except (OSError, UnicodeDecodeError):
        load_text(name)  # says why
        hint = "run it again"
        raise InputError("the file changed while it was read", hint=hint, file=name) from None
    earlier = read_states(name, text, known)
    look = partial(
        lint, file=name, load=template_loader(path.parent), earlier=earlier, selection=selection
    )
    new, found = fixed(text, look)
    return Mend(name, text, new, tuple(fix_of(one, name) for one in found))


def _write(mend: Mend) -> None:
    """Write a mended file in one step, with the rights it had.

    Raises:
        StorageError: it may not be written, or the disk would not have it; it is as it was.
    """
    from judgekit.storage.disk import disk_trouble, write_text

    path = Path(mend.file)
    with disk_trouble(mend.file):
        mode = path.stat().st_mode & 0o777
        # Another file takes its place, for which only its folder's rights would count.
        if not os.access(path, os.W_OK, effective_ids=os.access in os.supports_effective_ids):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        write_text(path, mend.after, mode)
