"""Checking rubric files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from judgekit.errors import InputError
from judgekit.importers.rubrics import is_rubric, template_loader
from judgekit.importers.text import load_text
from judgekit.linting.violations import Violation, check
from judgekit.storage.disk import shown
from judgekit.storage.project import open_project

_PATTERNS = ("*.jinja", "*.jinja2", "*.j2")
_NOT_OURS = {"__pycache__", "node_modules", "site-packages"}


@dataclass(frozen=True)
class LintResult:
    """What was found.

    Attributes:
        files: The files that were checked.
        violations: Everything wrong in them, by file and line.
        sources: The text of each file with violations.
        unreadable: Files that could not be read at all.
    """

    files: tuple[str, ...]
    violations: tuple[Violation, ...]
    sources: dict[str, str]
    unreadable: tuple[InputError, ...]


def lint_paths(paths: Sequence[str]) -> LintResult:
    """Check rubric files, folders of them, or without any path the project's.

    In folders, templates that are no rubric (what rubrics include, web pages), and folders
    that are hidden or hold installed packages, are passed over.

    Raises:
        InputError: there is nothing to check.
    """
    wanted, missing = _files(paths)
    files: list[str] = []
    violations: list[Violation] = []
    sources: dict[str, str] = {}
    unreadable = list(missing)
    for name in wanted:
        try:
            text = load_text(name)
        except InputError as error:
            unreadable.append(error)
            continue
        files.append(name)
        found = check(text, file=name, load=template_loader(Path(name).parent))
        violations.extend(found)
        if found:
            sources[name] = text
    return LintResult(tuple(files), tuple(violations), sources, tuple(unreadable))


def _files(paths: Sequence[str]) -> tuple[list[str], list[InputError]]:
    if not paths:
        return _of_project(), []
    found: list[str] = []
    missing: list[InputError] = []
    for name in paths:
        if Path(name).is_dir():
            inside = [str(path) for path in _inside(Path(name))]
            found.extend(inside)
            if not inside:
                missing.append(InputError("no rubric (*.jinja) in this folder", file=name))
        else:
            found.append(name)
    return _once(found), missing


def _inside(folder: Path) -> list[Path]:
    """Return the rubrics in a folder and below it."""
    paths = {path for pattern in _PATTERNS for path in folder.rglob(pattern) if path.is_file()}
    return [p for p in sorted(paths) if _is_ours(p.relative_to(folder)) and is_rubric(p)]


def _is_ours(path: Path) -> bool:
    return not any(part.startswith(".") or part in _NOT_OURS for part in path.parts[:-1])


def _of_project() -> list[str]:
    project = open_project()
    named = [project.path(entry.rubric) for entry in project.configuration.judges.values()]
    found = _once(shown(path) for path in (*named, *_inside(project.root / "rubrics")))
    if not found:
        raise InputError(
            "there is no rubric to check here",
            hint="name a file or folder, or begin with: judgekit init",
        )
    return found


def _once(names: Iterable[str]) -> list[str]:
    """Return each file once, by the name it is first given."""
    found: dict[Path, str] = {}
    for name in names:
        found.setdefault(Path(name).absolute(), name)
    return list(found.values())
