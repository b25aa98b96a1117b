"""The gallery: rubrics that people really need, each with a small labelled set."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

import yaml

from judgekit.errors import InputError, UnknownName
from judgekit.importers.text import load_text
from judgekit.rubric.front import compose
from judgekit.rubric.source import Mapping, Problems, split

_SUFFIX = ".jinja"


@dataclass(frozen=True)
class Example:
    """One rubric of the gallery.

    Attributes:
        name: Its name: what the file is called.
        description: What it measures, in a line.
        path: The rubric.
        labels: Its labelled set, or None where there is none.
    """

    name: str
    description: str
    path: Path
    labels: Path | None


def gallery_folder() -> Path | None:
    """Return where the gallery stands: in the package, or in the checkout that it is used from."""
    package = Path(str(files("judgekit")))
    checkout = package.parent / "rubrics"
    if (package / "_gallery").is_dir():
        return package / "_gallery"
    is_ours = (package.parent / "pyproject.toml").is_file() and checkout.is_dir()
    return checkout if is_ours else None


def gallery(folder: Path | None = None) -> list[Example]:
    """Return every rubric of the gallery, by name.

    Args:
        folder: Where it stands; by default where it was installed.
    """
    place = gallery_folder() if folder is None else folder
    found = sorted(place.glob(f"*{_SUFFIX}")) if place else []
    return [_example(path) for path in found if path.is_file()]


def find_example(name: str, folder: Path | None = None) -> Example:
    """Return the rubric of the gallery of that name.

    Raises:
        UnknownName: there is none.
    """
    known = {one.name: one for one in gallery(folder)}
    if name not in known:
        hint = None if known else "this installation has no gallery"
        raise UnknownName("example", name, known, hint=hint)
    return known[name]


def _example(path: Path) -> Example:
    labels = path.parent / "labels" / f"{path.stem}.jsonl"
    return Example(path.stem, _described(path), path, labels if labels.is_file() else None)


def _described(path: Path) -> str:
    """Return what a rubric says of itself, or else what its first criterion asks."""
    problems = Problems()
    try:
        parts = split(load_text(path), problems)
    except InputError:
        return ""
    node = compose(parts.front, problems) if parts else None
    if node is None:
        return ""
    front = Mapping(node, problems, what="the rubric")
    text = front.text("description")
    if text is None:
        for first in front.items("criteria")[:1]:
            if isinstance(first, yaml.MappingNode):
                text = Mapping(first, problems, what="the criterion").text("question")
    return " ".join((text or "").split())
