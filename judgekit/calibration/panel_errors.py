"""Whether the members of a panel err together, measured against labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from judgekit.calibration.record import EstimateRecord
from judgekit.calibration.rows import Row
from judgekit.calibration.votes import Outcome, Votes, case_codes
from judgekit.judging.judgment import Judgment
from judgekit.rubric.frozen import Frozen
from judgekit.stats.panel import PanelSize, effective_panel_size

if TYPE_CHECKING:
    from judgekit.stats.arrays import FloatArray


class SizeEvidence(Frozen):
    """How many independent members err as this panel does.

    Attributes:
        size: In [1, number of members].
        correlation: Mean correlation of two members' errors.
        capped: The errors cancel: the size is the number of members, and the formula gives more.
    """

    size: EstimateRecord
    correlation: EstimateRecord
    capped: bool


def errors_of(
    votes: Votes, each: Sequence[Mapping[str, Outcome]]
) -> tuple[FloatArray, FloatArray, list[Row]]:
    """Return the members' errors on the rows of which all said something, and these rows.

    Errors are 1 or 0, and in level values; a "does not apply" is wrong, and nan in value.
    """
    numbers, wrong, signed, rows = votes.spec.numbers, [], [], []
    for row in votes.rows:
        said = [one.get(row.item) for one in each]
        given = [one for one in said if isinstance(one, Judgment)]
        if row.set_aside is not None or row.human is None or len(given) < len(each):
            continue
        rows.append(row)
        wrong.append([float(vote.level != row.human) for vote in given])
        signed.append(
            [
                float("nan") if v.level is None else numbers[v.level] - numbers[row.human]
                for v in given
            ]
        )
    shape = (len(rows), len(each))
    return np.array(wrong).reshape(shape), np.array(signed).reshape(shape), rows


def size_of(errors: FloatArray, rows: Sequence[Row], rng: np.random.Generator) -> PanelSize:
    """Return what a panel with these errors, a row for each of ``rows``, is worth."""
    weighted = any(row.weight is not None for row in rows)
    return effective_panel_size(
        errors,
        rng=rng,
        clusters=case_codes(rows),
        weight=[1.0 if row.weight is None else row.weight for row in rows] if weighted else None,
    )


def size_evidence(found: PanelSize, rows: Sequence[Row]) -> SizeEvidence:
    """Return what a panel is worth as it stands in a certificate, with the items it rests on."""
    n = len({row.item for row in rows})
    size, correlation = (
        replace(one, n=n, pairs=len(rows)) for one in (found.size, found.correlation)
    )
    return SizeEvidence(
        size=EstimateRecord.of("effective_panel_size", size),
        correlation=EstimateRecord.of("error_correlation", correlation),
        capped=found.capped,
    )


def closest_pair(found: PanelSize, names: Sequence[str]) -> tuple[str, str, float] | None:
    """Return the two members whose errors correlate most, with how much; None where undefined."""
    if found.pairs is None:
        return None
    table = found.pairs
    most, i, j = max((table[i][j], i, j) for i, j in combinations(range(len(names)), 2))
    return names[i], names[j], most
