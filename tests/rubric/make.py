"""What the rubric tests share: the base rubrics, edits of them, and templates kept in memory."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from judgekit.errors import Problem
from judgekit.importers.rubrics import template_loader
from judgekit.rubric.model import Rubric
from judgekit.rubric.parse import parse
from judgekit.rubric.render import render

CASES = Path(__file__).parents[1] / "cases" / "rubrics"
BASES = {path.stem: path.read_text("utf-8") for path in (CASES / "bases").glob("*.jinja")}
LOAD = template_loader(CASES)

ITEM = {"input": "When do you open?", "output": "At nine.", "context": "Open from nine to five."}


def edited(base: str, swaps: Mapping[str, str] | None = None, *, body: str | None = None) -> str:
    """A base rubric with each text of ``swaps`` in the place of another, and another body."""
    text = BASES[base]
    for old, new in (swaps or {}).items():
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {base}"
        text = text.replace(old, new)
    if body is not None:
        front = text.split("\n---\n")[0]
        text = f"{front}\n---\n{body}"
    return text


def problems(text: str, **files: str) -> list[Problem]:
    """Every problem of a rubric text."""
    return list(parse(text, load=in_memory(files))[1])


def usable(text: str, files: Mapping[str, str] | None = None) -> Rubric:
    """The rubric in a text that has nothing fatal."""
    rubric, found = parse(text, load=in_memory(files or {}))
    assert rubric is not None, found
    return rubric


def in_memory(files: Mapping[str, str]) -> Any:
    """A loader of templates that are not on disk; the built-in ones are there as well."""
    return lambda name: files.get(name) or LOAD(name)


def shown(rubric: Rubric, item: Mapping[str, Any] = ITEM) -> str:
    """The whole prompt of the first criterion for an item, messages under their roles."""
    messages = render(rubric, rubric.criteria[0], item)
    return "".join(f"=== {role}\n{content}\n" for role, content in messages)
