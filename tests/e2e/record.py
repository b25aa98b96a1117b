"""Labels of several raters and recorded judgments on disk, and calibrations that rest on them."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tests.e2e.house import House, Result

Rows = Sequence[Mapping[str, Any]]


def write_rows(house: House, name: str, rows: Rows) -> None:
    """Write rows as CSV; columns that a row lacks are empty."""
    columns = list(dict.fromkeys(column for row in rows for column in row))
    with (house.root / name).open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns, restval="")
        writer.writeheader()
        writer.writerows(rows)


def write_judgments(house: House, rows: Rows, name: str = "judged.jsonl") -> None:
    """Write recorded judgments, all declared to be of one judge."""
    told = [{"judge": "elsewhere", **row} for row in rows]
    house.write(name, "".join(json.dumps(row) + "\n" for row in told))


def record(
    house: House,
    humans: Mapping[str, Sequence[Any]],
    judge: Sequence[Any],
    **columns: Sequence[Any],
) -> None:
    """Write labels.csv and judged.jsonl: each rater's level of each item, and the judge's.

    None stands for an item that a rater did not label; ``columns`` are further columns of items.
    """
    labels = [
        {"item_id": f"i{i:03}", "rater": rater, "level": level}
        | {name: values[i] for name, values in columns.items()}
        for rater, levels in humans.items()
        for i, level in enumerate(levels)
        if level is not None
    ]
    write_rows(house, "labels.csv", labels)
    write_judgments(house, [{"item_id": f"i{i:03}", "level": v} for i, v in enumerate(judge)])


def calibrate(house: House, *arguments: str, labels: str = "labels.csv") -> Result:
    """Measure the recorded judgments with the rubric of the project."""
    given = ("--labels", labels, "--judgments", "judged.jsonl")
    return house.run("calibrate", "rubrics/tone.jinja", *given, *arguments)


def found(house: House, *arguments: str, **named: str) -> dict[str, Any]:
    """Calibrate and return the only criterion of the document."""
    result = calibrate(house, "--json", *arguments, **named)
    assert result.code in (0, 1), result.out + result.err
    (criterion,) = result.json["criteria"]
    return criterion


def guessing(levels: Sequence[Any], right: Sequence[float], n: int, seed: int = 1) -> list[list]:
    """Return what raters say who know the truth as often as said and else pick any other level."""
    rng = np.random.default_rng(seed)
    truth = np.arange(n) % len(levels)
    said = []
    for share in right:
        other = (truth + rng.integers(1, len(levels), n)) % len(levels)
        said.append([levels[i] for i in np.where(rng.random(n) < share, truth, other)])
    return said
