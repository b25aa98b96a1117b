"""One difference of meaning between two rubrics, and what it does."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from judgekit.errors import InputError
from judgekit.rubric.meaning import probes
from judgekit.rubric.render import render
from judgekit.rubric.scale import Scale, number_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from judgekit.rubric.model import Criterion, Rubric
    from judgekit.rubric.outline import Outline
    from judgekit.rubric.scale import Level, Value

Part = Literal[
    "criterion",
    "question",
    "scale",
    "scale order",
    "level",
    "value",
    "name",
    "definition",
    "drops_when",
    "anchors",
    "pass line",
    "not_applicable",
    "weights",
    "inputs",
    "prompt",
]
Effect = Literal["shown", "read", "passes", "counted"]
"""What a change alters: what a model is shown; how its answer is read; which levels pass; how
disagreement is counted."""

Texts = tuple[str | None, str | None]
Lines = tuple[int | None, int | None]


class Change(NamedTuple):
    """One part that means something else.

    Attributes:
        part: Which part.
        level: The value of the level it belongs to, as written before (of a new one, after).
        detail: Which anchor, field or template, where the part has several.
        texts: What it said and what it says; None where there was or is none.
        effects: What that alters; empty where it is part of the rubric's meaning and nothing else.
        lines: Where it stands in the two files.
        known: False where only digests are at hand: it differs, but not known is how.
    """

    part: Part
    level: str | None = None
    detail: str | None = None
    texts: Texts = (None, None)
    effects: tuple[Effect, ...] = ()
    lines: Lines = (None, None)
    known: bool = True


class Side(NamedTuple):
    """One criterion of one of the two rubrics."""

    rubric: Rubric
    criterion: Criterion
    lines: Outline

    def line(self, *paths: tuple[str, ...]) -> int | None:
        """Return the line of the first of these parts of the criterion that the file has."""
        found = (self.lines.get((self.criterion.name, *path)) for path in paths)
        return next((line for line in found if line is not None), None)


class Shown:
    """Tells whether a change of a criterion alters what a model is shown, by rendering it.

    A template need not show every part of a rubric.
    """

    def __init__(self, rubric: Rubric, criterion: Criterion) -> None:
        self.rubric, self.criterion = rubric, criterion
        self._before = self._prompts(criterion)

    def by(self, **update: Any) -> bool:
        """Tell whether the criterion with other values is shown otherwise."""
        return self._prompts(replace(self.criterion, **update)) != self._before

    def by_levels(self, levels: Sequence[Level]) -> bool:
        """Tell whether the criterion with other levels is shown otherwise."""
        scale = self.criterion.scale
        return self.by(scale=Scale(kind=scale.kind, levels=tuple(levels)))

    def by_level(self, level: Level, **update: Any) -> bool:
        """Tell whether the criterion with another value in one of its levels is."""
        levels = self.criterion.scale.levels
        return self.by_levels([replace(v, **update) if v is level else v for v in levels])

    def _prompts(self, criterion: Criterion) -> list[Any] | None:
        try:
            return [render(self.rubric, criterion, one) for one in probes(self.rubric.inputs)]
        except InputError:  # a template may hold for the rubric it was written for only
            return None


def effects(*told: tuple[Effect, bool]) -> tuple[Effect, ...]:
    """Return the effects that hold."""
    return tuple(effect for effect, holds in told if holds)


def level_text(value: Value, name: str) -> str:
    """Return a level as people say it: ``3 grounded``, or just ``english``."""
    text = number_text(value)
    return text if text == name else f"{text} {name}"


def passing_text(
    values: Sequence[Value], names: Sequence[str], passes: Sequence[bool] | None
) -> str | None:
    """Return the levels that pass, or None without a pass line."""
    if passes is None:
        return None
    found = zip(values, names, passes, strict=True)
    return ", ".join(level_text(value, name) for value, name, passing in found if passing)
