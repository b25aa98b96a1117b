"""The forms that scored rows can be written in."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import NamedTuple

from judgekit.adapters.formats.junit import junit
from judgekit.adapters.formats.otel import otel
from judgekit.adapters.formats.rows import csv_rows, json_rows
from judgekit.adapters.precomputed import precomputed_scores
from judgekit.adapters.scored import ScoredSet


class Format(NamedTuple):
    """One form.

    Attributes:
        name: What it is called on the command line.
        suffix: How the name of such a file ends.
        told: What it is.
        unscored: How it says that there is no score.
        write: What writes it, told when the rows were scored.
    """

    name: str
    suffix: str
    told: str
    unscored: str
    write: Callable[[ScoredSet, datetime], str]


FORMATS: tuple[Format, ...] = (
    Format("otel", ".otlp.json", "OTLP log records, one an item", "error.type, no value", otel),
    Format("junit", ".xml", "JUnit XML, one test an item", "an error, or skipped", junit),
    Format("csv", ".csv", "CSV, one row an item", "an empty value", csv_rows),
    Format("jsonl", ".jsonl", "JSON lines, one an item", "value null", json_rows),
    Format(
        *("inspect-scores", ".inspect.jsonl", "Inspect's precomputed_scores"),
        *("no record: unscored", precomputed_scores),
    ),
)
