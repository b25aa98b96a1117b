"""Rubric files, and the templates they may extend."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from pathlib import Path

from judgekit.errors import InputError, Problem
from judgekit.importers.text import load_text
from judgekit.rubric.model import Rubric
from judgekit.rubric.parse import parse, parse_rubric

_BUILT_IN = "judgekit/"
_RUBRIC_LINE = re.compile(r"\A---[ \t]*$|^(?:rubric|criteria):", re.MULTILINE)


def template_loader(folder: Path) -> Callable[[str], str | None]:
    """Return a function from template name to source, or None when there is none of that name.

    ``judgekit/...`` is built in and never changes under its number; other names are files beside
    the rubric or in a folder below it. For one that stands elsewhere, or cannot be read, the
    function raises :class:`InputError`.
    """

    def load(name: str) -> str | None:
        if name.startswith(_BUILT_IN):
            return _built_in().get(name.removeprefix(_BUILT_IN))
        try:
            path = (folder / name).resolve()
            inside = path.is_relative_to(folder.resolve())
            there = path.is_file()
        except (OSError, ValueError, RuntimeError):  # a NUL in the name, a loop of links
            return None
        if not inside:
            raise InputError("it is outside the rubric's folder")
        return load_text(path) if there else None

    return load


@cache
def _built_in() -> dict[str, str]:
    """Return the built-in templates by name."""
    folder = files("judgekit") / "_templates"
    return {template.name: template.read_text("utf-8") for template in folder.iterdir()}


def load_rubric(path: str | os.PathLike[str]) -> Rubric:
    """Return the rubric in a file.

    Raises:
        RubricError: with every problem in it.
        InputError: the file cannot be read.
    """
    name = os.fspath(path)
    return parse_rubric(load_text(name), load=template_loader(Path(name).parent), file=name)


def check_rubric(path: str | os.PathLike[str]) -> tuple[Problem, ...]:
    """Return every problem of a rubric file; usable or not.

    Raises:
        InputError: the file cannot be read at all.
    """
    name = os.fspath(path)
    _, problems = parse(load_text(name), load=template_loader(Path(name).parent))
    return problems


def is_rubric(path: str | os.PathLike[str]) -> bool:
    """Return whether a file is meant to be a rubric: it has front matter, or what stands in it.

    Other templates may share a rubric's folder: what it includes, or a web page's. A file that
    cannot be read counts, so that somebody says so.
    """
    try:
        return is_rubric_text(load_text(path))
    except InputError:
        return True


def is_rubric_text(text: str) -> bool:
    """Return whether a template's text is meant to be a rubric, as :func:`is_rubric` has it."""
    return bool(_RUBRIC_LINE.search(text))
