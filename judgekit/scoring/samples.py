"""The evidence of a certificate and the scored items, as the samples a correction is made of."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from judgekit.judging.judgment import Judgment
from judgekit.stats.samples import Sample

if TYPE_CHECKING:
    from judgekit.calibration.certificate import Certificate
    from judgekit.calibration.rows import Row
    from judgekit.judging.judgment import Unjudged

CaseName = tuple[bool, str]


class Labelled(NamedTuple):
    """The labelled items a correction can use: those with a human level and a judge level.

    Attributes:
        sample: The items.
        names: Their ids; empty when only the table of a certificate is known.
        pairs: How many human labels they have.
        weighted: Whether any label carries a sampling weight.
    """

    sample: Sample
    names: frozenset[str]
    pairs: int
    weighted: bool


@dataclass
class Numbering:
    """Codes for the cases of both samples; an item without a case is one of its own."""

    known: dict[CaseName, int] = field(default_factory=dict)

    def code(self, item: str, case: str | None) -> int:
        """Return the code of an item's case, the same for each item of it."""
        return self.known.setdefault((case is not None, case or item), len(self.known))


def labelled_items(certificate: Certificate, rows: Sequence[Row], cases: Numbering) -> Labelled:
    """Return the labelled items of evidence rows; the raters of an item share its weight."""
    k = len(certificate.scale.values)
    first: dict[str, Row] = {}
    human: dict[str, list[int]] = {}
    for row in rows:
        if row.set_aside is None and row.judge is not None and row.human is not None:
            first.setdefault(row.item, row)
            human.setdefault(row.item, []).append(row.human)
    shares = np.zeros((len(first), k))
    for i, levels in enumerate(human.values()):
        np.add.at(shares[i], levels, 1 / len(levels))
    weight = [1.0 if row.weight is None else row.weight for row in first.values()]
    weighted = any(row.weight is not None for row in first.values())
    strata: dict[str | None, int] = {}
    # Strata of a sample drawn at random are a remark: their sizes were left to chance.
    by_strata = certificate.labels.sampling == "stratified"
    homes = [strata.setdefault(row.stratum, len(strata)) for row in first.values()]
    sample = Sample(
        np.array([row.judge for row in first.values()], dtype=np.int64),
        k,
        shares,
        weight=np.array(weight) if weighted else None,
        clusters=_codes([cases.code(item, row.case) for item, row in first.items()]),
        strata=_codes(homes) if by_strata and None not in strata else None,
    )
    return Labelled(sample, frozenset(first), sum(map(len, human.values())), weighted)


def labelled_table(certificate: Certificate) -> Labelled:
    """Return the labelled items as far as a certificate without its evidence rows tells of them.

    Which pairs belong to one item or case is not known: each case is taken as one answer.
    """
    table = np.array(certificate.evidence.confusion.table, dtype=np.int64)
    k, pairs = len(table), int(table.sum())
    human, judge = (
        np.repeat(cell, table.ravel()) for cell in np.indices(table.shape).reshape(2, -1)
    )
    cases = min(certificate.labels.cases, certificate.labels.items)
    sample = Sample(judge, k, np.eye(k)[human], inflation=max(1.0, pairs / max(cases, 1)))
    return Labelled(sample, frozenset(), pairs, weighted=False)


def fits(certificate: Certificate, rows: Sequence[Row]) -> bool:
    """Whether rows make the table that the certificate states."""
    stated = certificate.evidence.confusion.table
    table = [[0] * len(stated) for _ in stated]
    for row in rows:
        if row.set_aside is None and row.judge is not None and row.human is not None:
            table[row.human][row.judge] += 1
    return tuple(map(tuple, table)) == stated


def scored_items(
    outcomes: Mapping[str, Judgment | Unjudged],
    item_cases: Mapping[str, str | None],
    k: int,
    cases: Numbering,
    *,
    without: Collection[str] = (),
) -> Sample:
    """Return the items the judge gave a level, those in ``without`` left out."""
    judged = {
        item: outcome.level
        for item, outcome in outcomes.items()
        if isinstance(outcome, Judgment) and outcome.level is not None and item not in without
    }
    codes = [cases.code(item, item_cases.get(item)) for item in judged]
    return Sample(np.array([*judged.values()], dtype=np.int64), k, clusters=_codes(codes))


def _codes(values: Sequence[int]) -> np.ndarray:
    return np.array(values, dtype=np.int64)
