"""A panel against its members, each on its own."""

from __future__ import annotations

import numpy as np

from judgekit.calibration.panel_errors import (
    SizeEvidence,
    closest_pair,
    errors_of,
    size_evidence,
    size_of,
)
from judgekit.calibration.record import EstimateRecord
from judgekit.calibration.votes import Votes
from judgekit.judging.judgment import Judgment
from judgekit.rubric.frozen import Frozen


class MemberEvidence(Frozen):
    """One member of a panel on its own.

    Attributes:
        model: The model.
        judged: Items it gave a level, or said "not applicable" of.
        agreement: Its kappa with the labels, unusable replies counted as disagreement.
    """

    model: str
    judged: int
    agreement: EstimateRecord


class PanelEvidence(Frozen):
    """A panel against its members.

    Attributes:
        members: Each on its own, in the order of the judge.
        agreement: Kappa of the panel with the labels, unusable items counted as disagreement.
        errors: By whether members are wrong.
        signed_errors: By how far they are off and in which direction; ordinal scales only.
        closest: The two members whose errors correlate most, and by how much; None where that is
            undefined.
        items: Items of which every member said something, which is what the sizes rest on.
    """

    members: tuple[MemberEvidence, ...]
    agreement: EstimateRecord
    errors: SizeEvidence
    signed_errors: SizeEvidence | None
    closest: tuple[str, str, float] | None
    items: int


def panel_evidence(votes: Votes, rng: np.random.Generator) -> PanelEvidence:
    """Return what the votes of a panel show of it and of its members."""
    names = [member.model for member in votes.judge.members]
    each = [votes.only(lambda v, i=i: v.member == i) for i in range(len(names))]  # type: ignore[misc]
    errors, signed, rows = errors_of(votes, [one.outcomes for one in each])
    members = tuple(
        MemberEvidence(
            model=name,
            judged=sum(isinstance(outcome, Judgment) for outcome in said.outcomes.values()),
            agreement=said.agreement(),
        )
        for name, said in zip(names, each, strict=True)
    )
    wrong = size_of(errors, rows, rng)
    ordinal = votes.spec.kind == "ordinal"
    kept = np.flatnonzero(~np.isnan(signed).any(axis=1))
    far = [rows[i] for i in kept]
    return PanelEvidence(
        members=members,
        agreement=votes.agreement(),
        errors=size_evidence(wrong, rows),
        signed_errors=size_evidence(size_of(signed[kept], far, rng), far) if ordinal else None,
        closest=closest_pair(wrong, names),
        items=len({row.item for row in rows}),
    )
