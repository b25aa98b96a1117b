"""Every error judgekit raises, drawn as one tree.

::

    JudgekitError                      message + .hint (the way out)
     +- InputError (ValueError)        a file, a row or an argument is not usable; nothing was done
     |   +- RubricError                .problems: all of them, each with its line
     |   +- LabelError                 .row: the line it stands on
     |   +- AlignmentError             labels, items and judgments do not fit together
     |   +- UnknownName (LookupError)  no such judge, rule, criterion ...
     +- JudgingError                   the model side failed
     |   +- ModelCallError             .transient, .retry_after, .cause
     +- GateRefusal                    .reasons: nothing was scored
     +- CertificateError               unreadable, tampered, from a newer format
     +- StorageError (OSError)         the disk would not have it
     +- MissingExtra (ImportError)     prints the install line

Each class keeps its facts as attributes, so that a program never has to parse a message.
"""

from __future__ import annotations

import errno
from difflib import get_close_matches
from shlex import quote
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


_LINE_ENDS = str.maketrans({"\n": "\\n", "\r": "\\r", "\t": "\\t"})


def suggest(name: str, known: Iterable[str]) -> str | None:
    """Return the known name closest to ``name``, ignoring case, or None when none is close."""
    folded = {candidate.casefold(): candidate for candidate in known}
    near = get_close_matches(name.casefold(), folded, n=1)
    return folded[near[0]] if near else None


def on_one_line(file: str) -> str:
    """Return a file's name without the line ends that names may hold."""
    return file.translate(_LINE_ENDS)


def way_out(error: OSError, setting: str | None = None) -> str | None:
    """Return what to do about an error of the disk, or None when that is not known.

    Args:
        error: The error.
        setting: The key of ``judgekit.toml`` that names another place, where there is one.
    """
    elsewhere = f", or name another place: {setting} in judgekit.toml" if setting else ""
    match error.errno:
        case errno.ENOSPC | errno.EDQUOT:
            return "make room on the disk, and run it again: what was answered is kept"
        case errno.EEXIST | errno.ENOTDIR | errno.EISDIR:
            return f"move away what stands in its place{elsewhere}"
        case errno.EROFS | errno.EACCES | errno.EPERM:
            return f"make it writable{elsewhere}"
    return None


class JudgekitError(Exception):
    """Root of the tree: a message for a person, and a hint that says the way out.

    Attributes:
        hint: What to do about it, or None when the message already says so.
        file: The file it is about, as the user named it, where there is one.
        line: The 1-based line in that file, where there is one.
    """

    kind = "error"

    def __init__(
        self,
        message: str,
        *,
        hint: str | None = None,
        file: str | None = None,
        line: int | None = None,
    ) -> None:
        self.message, self.hint, self.file, self.line = message, hint, file, line
        super().__init__(message)

    @property
    def where(self) -> str:
        """Return ``file:line``, ``file`` or the empty string."""
        if self.file is None:
            return ""
        name = on_one_line(self.file)
        return name if self.line is None else f"{name}:{self.line}"

    def __str__(self) -> str:
        return f"{self.where}: {self.message}" if self.where else self.message


class InputError(JudgekitError, ValueError):
    """What was handed in cannot be used. Nothing was done."""

    kind = "input"


class Problem(NamedTuple):
    """One thing wrong in a rubric file.

    ``fatal`` problems make the rubric unusable; the others are left to the linter.
    """

    line: int
    column: int
    rule: str
    code: str
    message: str
    help: str | None = None
    fatal: bool = True


class RubricError(InputError):
    """A rubric file that cannot be used; carries every problem found, not only the first."""

    kind = "rubric"

    def __init__(self, problems: Sequence[Problem], *, file: str | None = None) -> None:
        self.problems = tuple(sorted(problems))
        name = on_one_line(file or "rubric")
        lines = [f"{name}:{p.line}:{p.column}: {p.message} ({p.code})" for p in self.problems]
        fatal, command = sum(p.fatal for p in self.problems), f"judgekit lint {quote(name)}"
        noun = "problem" if fatal == 1 else "problems"
        first = self.problems[0].line if self.problems else None
        super().__init__(
            "\n".join(lines),
            hint=f"{fatal} {noun} to mend before this rubric can be used: {command}",
            file=file,
            line=first,
        )

    def __str__(self) -> str:
        return self.message


class LabelError(InputError):
    """A label row that cannot be used; ``row`` is the line it begins on."""

    kind = "label"

    @property
    def row(self) -> int | None:
        """Return the 1-based line of the row in its file."""
        return self.line


class AlignmentError(InputError):
    """Labels, items and judgments that do not fit together."""

    kind = "alignment"


class UnknownName(InputError, LookupError):
    """A name that is not in its table; the hint offers the nearest one that is."""

    kind = "unknown_name"

    def __init__(
        self,
        what: str,
        name: str,
        known: Iterable[str],
        *,
        file: str | None = None,
        line: int | None = None,
        hint: str | None = None,
    ) -> None:
        self.what, self.name, self.known = what, name, tuple(known)
        near = suggest(name, self.known)
        if near:
            hint = f"Did you mean {near!r}?"
        elif hint is None and self.known:
            hint = f"Known: {', '.join(self.known)}."
        super().__init__(f"no {what} named {name!r}", hint=hint, file=file, line=line)


class JudgingError(JudgekitError):
    """The model side failed in a way that stopped the run."""

    kind = "judging"


class ModelCallError(JudgingError):
    """One call that gave no reply.

    Attributes:
        transient: True when asking again later may work (rate limit, outage, timeout).
        retry_after: Seconds the provider asked to wait, when it said so.
        cause: ``rate_limit``, ``timeout``, ``connection``, ``server``, ``authentication``,
            ``not_found``, ``filtered``, ``context_length``, ``quota``, ``bad_request``, or
            ``budget`` for a call that was not made because the money set aside is spent.
        asked: False when the client knew that no call could be made: there is no key.
    """

    kind = "model_call"

    def __init__(
        self,
        message: str,
        *,
        cause: str,
        transient: bool = False,
        retry_after: float | None = None,
        hint: str | None = None,
        asked: bool = True,
    ) -> None:
        self.cause, self.transient, self.retry_after = cause, transient, retry_after
        self.asked = asked
        super().__init__(message, hint=hint)


class Reason(NamedTuple):
    """Why the gate refused: a code for programs, a sentence for people, the next command.

    ``certificate`` is the id of the certificate that does not hold, where there is one.
    """

    code: str
    message: str
    next: str | None = None
    certificate: str | None = None


class GateRefusal(JudgekitError):
    """The gate said no. Nothing was scored; ``reasons`` holds every reason at once."""

    kind = "refusal"

    def __init__(self, reasons: Sequence[Reason]) -> None:
        self.reasons = tuple(reasons)
        text = "; ".join(f"{r.code}: {r.message}" for r in self.reasons)
        ways = "; ".join(dict.fromkeys(r.next for r in self.reasons if r.next))
        way_out = f" Next: {ways}" if ways else ""
        super().__init__(f"refused, nothing was scored: {text}{way_out}")


class CertificateError(JudgekitError):
    """A certificate that cannot be trusted: unreadable, tampered with, or of a newer format."""

    kind = "certificate"


class StorageError(JudgekitError, OSError):
    """The disk would not have it."""

    kind = "storage"


class MissingExtra(JudgekitError, ImportError):
    """An optional part is not installed; the hint is the line that installs it."""

    kind = "missing_extra"

    def __init__(self, extra: str, module: str) -> None:
        self.extra, self.module = extra, module
        super().__init__(
            f"this needs {module!r}, which is not installed",
            hint=f"from the checkout or wheel you installed: pip install '.[{extra}]'",
        )
