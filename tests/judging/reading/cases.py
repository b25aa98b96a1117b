"""The table of replies, read from tests/cases/replies, and the scales they are read on."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from judgekit.judging.reading import Reading
from judgekit.judging.request import ModelReply
from judgekit.rubric.scale import Kind, Level, Scale, Value

FOLDER = Path(__file__).parents[2] / "cases" / "replies"


def scale(kind: Kind, *levels: tuple[Value, str]) -> Scale:
    """Return a scale of ``levels``, each a value and a name."""
    return Scale(
        kind=kind,
        levels=tuple(Level(value=v, name=n, definition=f"what {n} means") for v, n in levels),
    )


def _load(name: str) -> Any:
    return yaml.safe_load((FOLDER / name).read_text(encoding="utf-8"))


SCALES: dict[str, Scale] = {
    name: scale(entry["kind"], *((value, label) for value, label in entry["levels"]))
    for name, entry in _load("scales.yml").items()
}


@dataclass(frozen=True)
class Case:
    """One reply and what it must be read as."""

    file: str
    number: int
    entry: dict[str, Any]

    def __str__(self) -> str:
        return f"{self.file}:{self.number} {self.entry['why']}"

    @property
    def scale(self) -> Scale:
        """Return the scale it is read on."""
        return SCALES[self.entry["scale"]]

    @property
    def reply(self) -> ModelReply:
        """Return the reply as a model client would hand it over."""
        return ModelReply(
            text=self.entry["reply"],
            finish=self.entry.get("finish"),
            refusal=self.entry.get("refusal"),
            reasoning=self.entry.get("reasoning"),
        )

    @property
    def allow_na(self) -> bool:
        """Return whether the criterion may not apply."""
        return bool(self.entry.get("allow_na", False))

    @property
    def expected(self) -> tuple[Any, bool, str | None]:
        """Return the expected level's value, "not applicable", and cause."""
        return (
            self.entry.get("level"),
            self.entry.get("not_applicable", False),
            self.entry.get("cause"),
        )


def said(reading: Reading, on: Scale) -> tuple[Any, bool, str | None]:
    """Return a reading in the form of ``Case.expected``."""
    value = None if reading.level is None else on.values[reading.level]
    return value, reading.not_applicable, reading.cause


CASES: list[Case] = [
    Case(path.stem, number, entry)
    for path in sorted(FOLDER.glob("*.yml"))
    if path.name != "scales.yml"
    for number, entry in enumerate(_load(path.name), start=1)
]
