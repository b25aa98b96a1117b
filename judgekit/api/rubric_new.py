"""A new rubric file: from what its author says, or from an example of the gallery."""

from __future__ import annotations

import errno
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from judgekit.errors import InputError, StorageError, way_out
from judgekit.importers.gallery import Example
from judgekit.importers.rubrics import template_loader
from judgekit.importers.text import load_text
from judgekit.linting.violations import Violation, check
from judgekit.rubric.model import Rubric
from judgekit.rubric.outline import outline
from judgekit.rubric.parse import parse, parse_rubric
from judgekit.rubric.writing import front_text, rubric_text
from judgekit.storage.disk import encoded, shown
from judgekit.storage.project import Project, open_project

_NAME = re.compile(r"[^\W_][\w.-]{0,63}")
_MOST_BYTES = 200
"""Of a name: a file may have 255, with what stands behind it."""


@dataclass(frozen=True)
class NewLevel:
    """One level as its author says it; what is None is not said.

    Attributes:
        name: Its name.
        definition: What an output of it looks like.
        value: Its value; ordinal and binary levels need one.
        drops_when: What makes an output fall to the next lower level.
        anchor: A worked example: the text of each input.
        reason: Why that example has this level.
    """

    name: str
    definition: str
    value: str | None = None
    drops_when: str | None = None
    anchor: dict[str, str] = field(default_factory=dict)
    reason: str | None = None

    def front(self) -> dict[str, Any]:
        """Return the level as it stands in the front matter."""
        anchor = {**self.anchor, "reason": self.reason} if self.anchor else {}
        told = {
            "value": self.value,
            "name": self.name,
            "definition": self.definition,
            "drops_when": self.drops_when,
            "anchors": [_said(anchor)] if anchor else None,
        }
        return _said(told)


@dataclass(frozen=True)
class NewRubric:
    """A rubric of one criterion, as its author says it.

    Attributes:
        name: The name of the rubric and of its criterion.
        question: What the judge is asked.
        scale: The kind of scale.
        levels: Its levels.
        inputs: What the judge is shown; () for what is usual.
        passes_at: Ordinal: this level and above pass.
        passing: Nominal and pairwise: the levels that pass.
        not_applicable: When the criterion does not apply.
    """

    name: str
    question: str
    scale: str
    levels: Sequence[NewLevel]
    inputs: Sequence[str] = ()
    passes_at: str | None = None
    passing: Sequence[str] = ()
    not_applicable: str | None = None

    def front(self) -> dict[str, Any]:
        """Return the front matter."""
        criterion = {
            "criterion": self.name,
            "question": self.question,
            "scale": self.scale,
            "passes_at": self.passes_at,
            "passing": list(self.passing) or None,
            "levels": [level.front() for level in self.levels],
            "not_applicable": self.not_applicable,
        }
        told = {
            "rubric": self.name,
            "version": "1",
            "inputs": list(self.inputs) or None,
            "criteria": [_said(criterion)],
        }
        return _said(told)


@dataclass(frozen=True)
class Written:
    """A rubric file that was written.

    Attributes:
        file: Where, as people read it.
        rubric: What stands in it.
        violations: What is left to do.
    """

    file: str
    rubric: Rubric
    violations: tuple[Violation, ...]


def _said(told: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in told.items() if value is not None}


def new_text(new: NewRubric) -> str:
    """Return the text of a new rubric file.

    Raises:
        InputError: it would be no rubric; says everything that is in the way.
    """
    load = template_loader(Path())
    rubric, problems = parse(front_text(new.front()), load=load)
    if rubric is None:
        fatal = [problem for problem in problems if problem.fatal]
        hint = next((problem.help for problem in fatal if problem.help), None)
        raise InputError("; ".join(problem.message for problem in fatal), hint=hint)
    return rubric_text(rubric)


def example_text(example: Example, name: str) -> str:
    """Return the text of a rubric of the gallery under another name, as its first version.

    Raises:
        RubricError: the example is broken.
    """
    text = load_text(example.path)
    load = template_loader(example.path.parent)
    rubric = parse_rubric(text, load=load, file=shown(example.path))
    lines = text.split("\n")
    places = outline(text, rubric)
    for key, value in (("rubric", name), ("version", "1")):
        lines[places[key,] - 1] = f"{key}: {value}"
    return "\n".join(lines)


def check_name(name: str) -> str:
    """Return a name a rubric can have, and its file.

    Raises:
        InputError: it cannot.
    """
    if not _NAME.fullmatch(name) or len(name.encode()) > _MOST_BYTES:
        raise InputError(
            f"{name[:64]!r} cannot be the name of a rubric",
            hint="letters, digits, '_', '-' and '.', at most 64, the first a letter or digit",
        )
    return name


def new_place(name: str, out: str | None, project: Project | None = None) -> Path:
    """Return where a new rubric will stand.

    Raises:
        InputError: there is something of that name already, or no file can have it.
    """
    if out is not None and not out.strip():
        raise InputError("--out names no file", hint="leave it out, or name one")
    here = project or open_project()
    path = here.root / "rubrics" / f"{name}.jinja" if out is None else Path(out)
    if _is_there(path):
        raise InputError(
            "is there already; nothing was written",
            file=shown(path),
            hint="name another file: --out FILE",
        )
    return path


def _is_there(path: Path) -> bool:
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except (OSError, ValueError) as error:  # too long a name, or a zero byte in it
        why = error.strerror if isinstance(error, OSError) else error
        raise InputError(f"no file can have this name: {why}", file=shown(path)) from error
    return True


def write_rubric(text: str, path: Path) -> Written:
    """Write a new rubric file, and say what is left to do in it. No file is ever replaced.

    Raises:
        RubricError: the text is no rubric; nothing was written.
        InputError: there is something of that name already.
        StorageError: the disk would not have it.
    """
    name = shown(path)
    load = template_loader(path.parent)
    rubric = parse_rubric(text, load=load, file=name)
    try:
        _make_folder(path.parent)
        create(path, encoded(text))
    except FileExistsError:
        raise InputError("is there already; nothing was written", file=name) from None
    except OSError as error:
        said = f"cannot be written: {error.strerror or error}"
        elsewhere = "name another place: --out FILE"
        raise StorageError(said, file=name, hint=_hint(error, elsewhere)) from error
    return Written(name, rubric, tuple(check(text, file=name, load=load)))


def _hint(error: OSError, elsewhere: str) -> str:
    room = error.errno in (errno.ENOSPC, errno.EDQUOT)
    said = "make room on the disk" if room else way_out(error)
    return f"{said}, or {elsewhere}" if said else elsewhere


def _make_folder(folder: Path) -> None:
    """Make a folder, and those on the way to it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError:  # a file of that name, or a link that leads nowhere
        raise NotADirectoryError(errno.ENOTDIR, f"{shown(folder)} is no folder") from None


def create(path: Path, data: bytes) -> None:
    """Write a file that is not there yet, whole or not at all."""
    file = path.open("xb")
    try:
        with file:
            file.write(data)
    except BaseException:
        path.unlink()
        raise
