"""Several outcomes for one item become one, by the rule the judge declares.

First the two orders in which one member was shown a pair, then everything else it and the others
said. An item without enough usable votes is unjudged, never decided by the few that are left; and
an item that some call never came back for stays open, so that the next run asks again.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from judgekit.errors import InputError
from judgekit.fingerprint import canonical_json
from judgekit.judging.judge import MemberIdentity
from judgekit.judging.judgment import INCOMPLETE, Judgment, Unjudged
from judgekit.rubric.scale import fold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from judgekit.judging.judge import Inconsistent, Judge, Rule
    from judgekit.judging.judgment import Cause
    from judgekit.rubric.model import Criterion
    from judgekit.rubric.scale import Scale

Outcome = Judgment | Unjudged
TIES = frozenset({"tie", "equal", "same", "both", "neither", "draw"})
DISAGREE = "the two orders disagree"


def check_protocol(judge: Judge, *, file: str | None = None) -> None:
    """Refuse a judge whose protocol has no meaning on its scales.

    Args:
        judge: The judge.
        file: Where it is configured, for the message.

    Raises:
        InputError: a median of levels that have no order; a panel that names one member twice.
    """
    seen = set()
    for member in judge.members:
        known = canonical_json(MemberIdentity.of(member).model_dump())
        if known in seen:
            raise InputError(
                f"the panel of {judge.name!r} names {member.model!r} twice",
                file=file,
                hint="to ask one model more than once, set replicates",
            )
        seen.add(known)
    unordered = [c for c in judge.rubric.criteria if c.scale.kind != "ordinal"]
    if judge.rule == "median" and unordered:
        raise InputError(
            f"judge {judge.name!r} takes the median, but the scale of {unordered[0].name!r} is "
            f"{unordered[0].scale.kind}: its levels have no middle",
            file=file,
            hint='rule = "majority" works on every scale',
        )


def combine(votes: Sequence[Outcome], judge: Judge, criterion: Criterion) -> Outcome:
    """Return the one outcome of an item that this judge was asked about once or several times.

    A member's two orders of a pair become one first (:func:`settle_orders`); then each member and
    replicate has one vote (:func:`settle_votes`).

    Args:
        votes: What came of each asking (:meth:`Judge.places`), at least one.
        judge: The judge; its ``rule`` and ``inconsistent`` decide.
        criterion: The criterion.
    """
    if len(votes) == 1:
        return votes[0]
    groups: dict[tuple[int, int], list[Outcome]] = {}
    for vote in votes:
        groups.setdefault((vote.member, vote.replicate), []).append(vote)
    scale, inconsistent = criterion.scale, judge.inconsistent
    units = [settle_orders(group, scale, inconsistent) for group in groups.values()]
    return settle_votes(units, judge.rule)


def settle_orders(votes: Sequence[Outcome], scale: Scale, inconsistent: Inconsistent) -> Outcome:
    """Return the one outcome of the orders in which one member was shown a pair once.

    Orders that agree give their level. Where they disagree it is the scale's tie, or
    ``contradictory`` if it has none, if the judge declares ``unjudged``, or if one of them is "not
    applicable". If an order is unusable so is the outcome; a call that failed is named first.
    """
    if len(votes) == 1:
        return votes[0]
    votes = sorted(votes, key=lambda vote: vote.order == "BA")
    usable = [vote for vote in votes if isinstance(vote, Judgment)]
    if len(usable) < len(votes):
        lost = [vote for vote in votes if isinstance(vote, Unjudged)]
        return _of(next((v for v in lost if v.cause in INCOMPLETE), lost[0]), votes)
    first, levels = usable[0], {vote.level for vote in usable}
    if len(levels) == 1:
        return _given(first, usable, votes)
    tie = None
    if inconsistent == "tie" and scale.kind == "pairwise" and None not in levels:
        tie = tie_level(scale)
    if tie is None:
        return _of(_contradictory(first, DISAGREE), votes)
    return _given(first, usable, votes, level=tie, reason=None, raw=None)


def settle_votes(units: Sequence[Outcome], rule: Rule = "majority") -> Outcome:
    """Return the one outcome of what several members said, or one of them several times.

    The single outcomes behind ``units`` are its ``votes``. "Not applicable" is a vote as any other.

    - More than half of them must be usable; else it is unjudged, with their commonest cause.
    - ``majority``: the level given most often. Two of them are ``contradictory``.
    - ``median``: the middle level; "not applicable" where more than half say so. Two different
      middle levels, or half and half on whether it applies, are ``contradictory``.
    - Where a call failed (:data:`INCOMPLETE`) so is the item, to be asked again, unless the level
      is certain whatever the missing votes say.
    """
    if len(units) == 1:
        return units[0]
    votes = [single for unit in units for single in unit.singles]
    usable = [unit for unit in units if isinstance(unit, Judgment)]
    lost = [unit for unit in units if isinstance(unit, Unjudged)]
    missing = [unit for unit in lost if unit.cause in INCOMPLETE]
    counts = Counter(unit.level for unit in usable)
    if missing and not _certain(counts, len(units), len(missing), rule):
        return _all(missing[0], votes)
    if 2 * len(usable) <= len(units):
        return _all(_too_few(len(usable), len(units), lost), votes)
    found = _majority(counts) if rule == "majority" else _median(counts)
    if isinstance(found, str):
        return _all(_contradictory(usable[0], found), votes)
    for_it = next(unit for unit in usable if unit.level == found[0])
    return _given(for_it, usable, votes, member=0, replicate=0)


def _too_few(usable: int, asked: int, lost: Sequence[Unjudged]) -> Unjudged:
    """Return the commonest cause why votes are not usable, with how many are."""
    ((cause, _),) = Counter(unit.cause for unit in lost).most_common(1)
    first = next(unit for unit in lost if unit.cause == cause)
    told = f"{usable} of {asked} votes are usable, more than half are needed"
    return first._replace(detail=told if first.detail is None else f"{told}: {first.detail}")


def _certain(counts: Counter[int | None], asked: int, missing: int, rule: Rule) -> bool:
    """Tell whether the votes that are there decide, whatever the missing ones would say."""
    (_, most), *others = counts.most_common(2) or [(None, 0)]
    if rule == "median":
        return 2 * most > asked
    second = others[0][1] if others else 0
    return most > second + missing and 2 * counts.total() > asked


def _majority(counts: Counter[int | None]) -> tuple[int | None] | str:
    """Return the level given most often, or in words why there is none."""
    (level, most), *others = counts.most_common(2)
    if others and others[0][1] == most:
        return f"no majority: {counts.total()} votes, and no level has more than {most}"
    return (level,)


def _median(counts: Counter[int | None]) -> tuple[int | None] | str:
    """Return the middle level, or in words why there is none."""
    refrain, votes = counts[None], counts.total()
    if 2 * refrain > votes:
        return (None,)
    given = sorted(level for level in counts.elements() if level is not None)
    if 2 * refrain == votes:
        return f"of {votes} votes half say that it does not apply"
    low, high = given[(len(given) - 1) // 2], given[len(given) // 2]
    return (low,) if low == high else f"no single middle level of {len(given)} votes"


def _contradictory(first: Judgment, detail: str) -> Unjudged:
    cause: Cause = "contradictory"
    return Unjudged(
        first.item, first.criterion, cause, detail, first.raw, first.replicate, first.served,
        member=first.member,
    )  # fmt: skip


def _given(
    told: Judgment, usable: Sequence[Judgment], votes: Sequence[Outcome], **changes: Any
) -> Judgment:
    """Return a level made of these votes, with the mean of their probabilities."""
    return told._replace(
        **changes,
        order=None,
        cached=all(vote.cached for vote in votes),
        probabilities=_mean([vote.probabilities for vote in usable]),
        votes=tuple(votes),
    )


def _of(told: Unjudged, votes: Sequence[Outcome], **changes: Any) -> Unjudged:
    """Return why there is no level, made of these votes."""
    cached = all(vote.cached for vote in votes)
    return told._replace(**changes, order=None, cached=cached, votes=tuple(votes))


def _all(told: Unjudged, votes: Sequence[Outcome]) -> Unjudged:
    """Return why several members or replicates together have no level."""
    return _of(told, votes, member=0, replicate=0)


def _mean(each: Sequence[tuple[float, ...] | None]) -> tuple[float, ...] | None:
    """Return the mean of probabilities, or None where a vote has none."""
    known = [one for one in each if one is not None]
    if not known or len(known) < len(each):
        return None
    return tuple(sum(column) / len(known) for column in zip(*known, strict=True))


def tie_level(scale: Scale) -> int | None:
    """Return the index of a pairwise scale's tie, or None when it has none."""
    rest = [i for i in range(len(scale.levels)) if i not in scale.sides]
    named = [i for i in rest if {fold(scale.names[i]), fold(str(scale.values[i]))} & TIES]
    return named[0] if named else rest[0] if len(rest) == 1 else None
