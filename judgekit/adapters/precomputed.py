"""Inspect AI: scored rows as the file that its ``precomputed_scores`` reads.

::

    inspect score LOG --scorer precomputed_scores -S scores=judgekit_tone.inspect.jsonl

An item without a value has no record there: Inspect leaves such a sample unscored.
"""

from __future__ import annotations

import json
from datetime import datetime

from judgekit.adapters.scored import ScoredSet
from judgekit.errors import InputError


def precomputed_scores(scored: ScoredSet, at: datetime) -> str:  # noqa: ARG001  (forms may tell it)
    """Return a record for each scored item, a line each.

    Raises:
        InputError: the rows are of several criteria; Inspect takes one score a sample.
    """
    if len(scored.certificates) > 1:
        names = ", ".join(scored.certificates)
        raise InputError(
            f"Inspect takes one score a sample, and the rows are of {names}",
            hint="write one file for each: --criterion NAME",
        )
    lines = [
        json.dumps(
            {
                "id": one.item,
                "value": one.outcome.value,
                "explanation": one.outcome.explanation,
                "metadata": one.outcome.facts,
            },
            ensure_ascii=False,
            allow_nan=False,
        )
        for one in scored.items
        if one.outcome.value is not None
    ]
    return "".join(f"{line}\n" for line in lines)
