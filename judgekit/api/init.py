"""A working project, written into an empty corner of a folder."""

from __future__ import annotations

from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from judgekit.errors import InputError
from judgekit.storage.disk import write_text

_PLACES = {
    "judgekit.toml": "judgekit.toml",
    "rubrics/language.jinja": "rubrics/language.jinja",
    "labels/language.csv": "labels/language.csv",
    "items/language-fresh.jsonl": "items/language-fresh.jsonl",
    "workflows/judgekit.yml": ".github/workflows/judgekit.yml",
}
_IGNORED = ".judgekit/"


def init_project(folder: str | Path = ".") -> list[str]:
    """Write a project: configuration, one rubric, a small labelled set, items, a CI workflow.

    Returns:
        The files written, relative to the folder.

    Raises:
        InputError: a file of that name is there already; nothing was written.
    """
    root = Path(folder)
    taken = [place for place in _PLACES.values() if (root / place).exists()]
    if taken:
        raise InputError(
            f"{taken[0]} is there already; nothing was written",
            hint="go to an empty folder, or move that file away",
        )
    starter = files("judgekit") / "_starter"
    for source, place in _PLACES.items():
        write_text(root / place, _text(starter, source))
    _ignore_cache(root / ".gitignore")
    return [*_PLACES.values(), ".gitignore"]


def _text(starter: Traversable, name: str) -> str:
    return starter.joinpath(*name.split("/")).read_text("utf-8")


def _ignore_cache(path: Path) -> None:
    """Keep the reply cache out of git without touching what else is ignored."""
    before = path.read_text("utf-8") if path.exists() else ""
    if _IGNORED not in before.split("\n"):
        glue = "" if not before or before.endswith("\n") else "\n"
        write_text(path, f"{before}{glue}{_IGNORED}\n")
