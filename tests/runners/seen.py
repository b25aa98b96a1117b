"""What a runner shows of a judge once it has run, the same for all runners."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Seen:
    """The runner's own results of one run, read back from where it keeps them.

    Attributes:
        values: What the judge gave, by column, for each item in order; no entry, no value.
        kept: All that the runner keeps of the run, as text.
        green: Whether a CI run of the runner passes on it; None where the runner knows no failing.
        figures: What the runner shows over all items, by the judge's column and the figure.
    """

    values: list[dict[str, Any]]
    kept: str
    green: bool | None = None
    figures: dict[str, float] = field(default_factory=dict)


def column(facts: Mapping[str, Any]) -> str:
    """Return what an outcome's judge is called in columns, by the outcome's metadata."""
    judge, criterion = facts.get("judgekit_judge"), facts.get("judgekit_criterion")
    return judge if judge == criterion else f"{judge}_{criterion}"


def present(found: Mapping[str, Any]) -> dict[str, Any]:
    """Return the entries that say something: NaN is how some runners write "none"."""
    return {
        name: value
        for name, value in found.items()
        if value is not None and not (isinstance(value, float) and math.isnan(value))
    }
