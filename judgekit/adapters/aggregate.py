"""From the single values a runner has kept to one figure: corrected, with its interval.

A dashboard that averages item values shows the naive rate, judge error and all. What is made of
the same rows here goes through the same gate and the same correction as ``judgekit score``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from judgekit.api.admission import admit_judge
from judgekit.api.score import Scoring
from judgekit.api.setup import JudgeSetup
from judgekit.calibration.gate import CertifiedJudge
from judgekit.calibration.scope import Traits
from judgekit.errors import GateRefusal, InputError, Reason
from judgekit.judging.item import Item
from judgekit.judging.judgment import Cause, Judgment, Unjudged
from judgekit.judging.judgments import Judgments
from judgekit.scoring.corrected import Population
from judgekit.scoring.score import score


class Given(NamedTuple):
    """One outcome a judge gave, as far as a figure over many needs it.

    Attributes:
        criterion: The criterion.
        fingerprint: The judge's on it.
        item: Digest of what was judged; empty for what could not be shown to the judge.
        case: The group it belongs to, or None.
        level: Index of the level in scale order; None for "not applicable" and for no judgment.
        cause: Why there is no judgment; None for one.
        traits: What is known of its text; None where nothing is.
    """

    criterion: str
    fingerprint: str
    item: str
    case: str | None
    level: int | None
    cause: Cause | None = None
    traits: Traits | None = None


def aggregate(
    setup: JudgeSetup,
    given: Iterable[Given],
    *,
    population: Population = "unknown",
    notes: tuple[str, ...] = (),
) -> Scoring:
    """Return what the outcomes come to, criterion by criterion.

    Args:
        setup: The judge that gave them.
        given: The outcomes. An item judged twice counts twice; they share its case.
        population: What the items are, as in :func:`judgekit.score`.
        notes: Remarks for people, handed on.

    Raises:
        GateRefusal: the judge is not certified on one of the criteria, or the outcomes are those of
            another judge.
        InputError: there are no outcomes.
    """
    rows = list(given)
    if not rows:
        raise InputError(f"there is nothing that {setup.judge.name} has judged")
    names = list(dict.fromkeys(row.criterion for row in rows))
    certified = admit_judge(setup, criteria=names)
    _check_same(setup, rows, certified)
    items: dict[str, Item] = {}
    outcomes: dict[str, dict[str, Judgment | Unjudged]] = {name: {} for name in names}
    traits: dict[str, Traits] = {}
    times: Counter[tuple[str, str]] = Counter()
    for row in rows:
        before = times[row.criterion, row.item]
        times[row.criterion, row.item] += 1
        text = row.item or "not shown"
        name = f"{text}#{before + 1}" if before else text
        items.setdefault(name, Item(name, {}, case=row.case or row.item or name))
        if row.traits is not None:
            traits[name] = row.traits
        outcomes[row.criterion][name] = (
            Judgment(name, row.criterion, row.level)
            if row.cause is None
            else Unjudged(name, row.criterion, row.cause)
        )
    said = Judgments(
        judge=setup.judge.name,
        fingerprints={name: certified.certificates[name].judge.fingerprint for name in names},
        items=list(items.values()),
        outcomes=outcomes,
    )
    scores = score(
        said,
        certified,
        policy=setup.project.policy,
        population=population,
        labelled=_labelled(certified, items),
        traits=traits,
    )
    return Scoring(setup, certified, said, scores, notes)


def _check_same(setup: JudgeSetup, rows: Sequence[Given], certified: CertifiedJudge) -> None:
    """Raise where outcomes were given by a judge that is not the certified one."""
    for row in rows:
        certificate = certified.certificates[row.criterion]
        if row.fingerprint != certificate.judge.fingerprint:
            message = (
                f"these results of {row.criterion!r} were given by another judge than "
                f"{setup.judge.name} is now, whose certificate is {certificate.short}."
            )
            raise GateRefusal([Reason("judge_changed", message, None, certificate.id)])


def _labelled(certified: CertifiedJudge, items: Iterable[str]) -> set[str]:
    """Return the items whose text is that of a labelled item of the evidence."""
    texts = {
        row.text
        for rows in certified.evidence.values()
        for row in rows
        if row.human is not None and row.text is not None
    }
    return {name for name in items if name.partition("#")[0] in texts}
