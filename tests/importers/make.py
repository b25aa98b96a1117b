"""What the importer tests share: small rubrics, and files written by the test itself."""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from judgekit.errors import InputError
from judgekit.rubric.model import Criterion
from judgekit.rubric.scale import Kind, Level, Scale, Value

Levels = Sequence[Value] | Mapping[Value, str]


def criterion(
    name: str = "tone",
    levels: Levels = ("rude", "neutral", "friendly"),
    kind: Kind = "nominal",
    not_applicable: str | None = None,
) -> Criterion:
    """A criterion; levels are values, or values with their names."""
    names = levels if isinstance(levels, Mapping) else {value: str(value) for value in levels}
    scale = Scale(
        kind=kind,
        levels=tuple(
            Level(value=v, name=name, definition=f"It is {v}.") for v, name in names.items()
        ),
    )
    return Criterion(name=name, question="Which?", scale=scale, not_applicable=not_applicable)


TONE = criterion()
ONE_TO_THREE = criterion("groundedness", {1: "ungrounded", 2: "partly", 3: "grounded"}, "ordinal")
BINARY = criterion("met", {0: "no", 1: "yes"}, "binary")
PAIR = criterion("better", ("A", "B"), "pairwise")
PAIR_WITH_TIE = criterion("better", ("A", "B", "tie"), "pairwise")


def write(folder: Path, name: str, text: str | bytes) -> Path:
    """A file with exactly this content."""
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def write_jsonl(folder: Path, name: str, rows: Iterable[Any]) -> Path:
    """A file with one object on each line."""
    return write(folder, name, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))


def told(error: InputError) -> str:
    """All that a person is told: message and hint."""
    return f"{error}\n{error.hint}"
