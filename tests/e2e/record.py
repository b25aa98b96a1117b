"""Labels of several raters and recorded judgments on disk, and calibrations that rest on them."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tests.e2e.house import BINARY, House, Result

FILE = "rubrics/recorded.jinja"
TWO = ("unsupported", "supported")
"""The levels of the binary rubric, in scale order."""
Rows = Sequence[Mapping[str, Any]]


def project(house: House, rubric: str = BINARY, *, policy: str = "", judge: str = "") -> None:
    """Write the rubric, and a configuration with a policy and settings of the judge "recorded"."""
    house.write(FILE, rubric)
    told = f'[judges.recorded]\nrubric = "{FILE}"\n{judge}\n[policy]\n{policy}\n'
    house.write("judgekit.toml", told)


def write_rows(house: House, name: str, rows: Rows) -> None:
    """Write rows as CSV; columns that a row lacks are empty."""
    columns = list(dict.fromkeys(column for row in rows for column in row))
    with (house.root / name).open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns, restval="")
        writer.writeheader()
        writer.writerows(rows)


def write_judgments(
    house: House, rows: Rows, name: str = "judged.jsonl", *, judge: str = "elsewhere"
) -> None:
    """Write recorded judgments, all declared to be of one judge."""
    lines = [json.dumps({"judge": judge, **row}) + "\n" for row in rows]
    house.write(name, "".join(lines))


def item_id(i: int) -> str:
    """Return the id of item number i."""
    return f"i{i:03}"


def record(
    house: House,
    humans: Mapping[str, Sequence[Any]],
    judge: Sequence[Any],
    **columns: Sequence[Any],
) -> None:
    """Write labels.csv and judged.jsonl: each rater's level of each item, and the judge's.

    None stands for an item that a rater did not label; ``columns`` are further columns of items.
    """
    rows = [
        {"item_id": item_id(i), "rater": rater, "level": level}
        | {name: values[i] for name, values in columns.items()}
        for rater, levels in humans.items()
        for i, level in enumerate(levels)
        if level is not None
    ]
    write_rows(house, "labels.csv", rows)
    write_judgments(house, [{"item_id": item_id(i), "level": v} for i, v in enumerate(judge)])


def calibrate(
    house: House, *arguments: str, labels: str = "labels.csv", judge: str = FILE
) -> Result:
    """Measure the recorded judgments."""
    given = ("--labels", labels, "--judgments", "judged.jsonl")
    return house.run("calibrate", judge, *given, *arguments)


def found(house: House, *arguments: str, **named: str) -> dict[str, Any]:
    """Calibrate and return the only criterion of the document."""
    result = calibrate(house, "--json", *arguments, **named)
    assert result.code in (0, 1), result.out + result.err
    (criterion,) = result.json["criteria"]
    assert result.code == (criterion["verdict"] != "calibrated")
    assert result.json["verdict"] == criterion["verdict"]
    return criterion


def shown(house: House, *arguments: str, **named: str) -> str:
    """Calibrate and return what a person sees, in one line: text may wrap anywhere."""
    result = calibrate(house, *arguments, **named)
    assert result.code in (0, 1), result.out + result.err
    assert max(map(len, result.out.splitlines())) <= 80
    return " ".join(result.out.split())


def failed(criterion: Mapping[str, Any]) -> dict[str, str]:
    """Return the checks that did not pass, with the reason each gives."""
    return {check["name"]: check["reason"] for check in criterion["checks"] if not check["passed"]}


def verified(house: House, certificate: str) -> Result:
    """Measure every figure of a certificate again."""
    return house.run("certificate", "verify", str(house.root / certificate), "--json")


def guessing(
    levels: Sequence[Any], right: Sequence[float], n: int, seed: int = 1
) -> list[list[Any]]:
    """Return what raters say who know the truth as often as said and else pick another level.

    The truth is each level in turn.
    """
    rng = np.random.default_rng(seed)
    truth = np.arange(n) % len(levels)
    said = []
    for share in right:
        other = (truth + rng.integers(1, len(levels), n)) % len(levels)
        said.append([levels[i] for i in np.where(rng.random(n) < share, truth, other)])
    return said
