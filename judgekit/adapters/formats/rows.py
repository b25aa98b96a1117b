"""CSV and JSON lines: each row with the certificate beside its value."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from judgekit.adapters.scored import ScoredSet
from judgekit.adapters.seal import PREFIX

COLUMNS = (
    *("item_id", "criterion", "status", "level", "value", "passed", "cause", "reason"),
    *("judge", "certificate", "expires"),
)


def json_rows(scored: ScoredSet, at: datetime) -> str:  # noqa: ARG001  (forms may tell the time)
    """Return an object a line, with all the metadata that adapters put beside a value."""
    rows = (
        {**row, **{k: v for k, v in facts.items() if v is not None}} for row, facts in _rows(scored)
    )
    return "".join(json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n" for row in rows)


def csv_rows(scored: ScoredSet, at: datetime) -> str:  # noqa: ARG001  (as above)
    """Return a table; what is not known is an empty cell.

    A text that a spreadsheet would take for a formula has a ``'`` in front: others wrote it.
    """
    text = io.StringIO()
    table = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    table.writeheader()
    for row, facts in _rows(scored):
        known = {name: facts.get(f"{PREFIX}{name}") for name in COLUMNS[-3:]}
        row |= {name: _no_formula(row[name]) for name in ("item_id", "reason")}
        row["passed"] = None if row["passed"] is None else str(row["passed"]).lower()
        table.writerow(row | known)
    return text.getvalue()


def _rows(scored: ScoredSet) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Yield what became of each item, and what is known of the judge that said so."""
    for one in scored.items:
        outcome = one.outcome
        row = {
            "item_id": one.item,
            "criterion": outcome.criterion,
            "status": outcome.status,
            "level": outcome.level,
            "value": outcome.value,
            "passed": outcome.passed,
            "cause": outcome.reason_code,
            "reason": outcome.explanation,
        }
        yield row, outcome.facts


def _no_formula(text: str | None) -> str | None:
    return f"'{text}" if text is not None and text[:1] in tuple("=+-@\t\r") else text
