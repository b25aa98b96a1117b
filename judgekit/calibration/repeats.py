"""What changes when the same item is asked about again, or shown in the other order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

from judgekit.calibration.record import EstimateRecord
from judgekit.calibration.votes import Votes
from judgekit.rubric.frozen import Frozen


class RepeatEvidence(Frozen):
    """What becomes of the same question asked again.

    Attributes:
        replicates: How often each was asked.
        flips: Share of questions that did not get the same level every time.
        noise: Share of pairs of replies to one question that differ: what to expect between two
            runs in which nothing changed, whatever the number of replicates.
        widths: How many questions by how many steps of the scale their levels lie apart; "not
            applicable" is no step. Empty where levels have no order, or there are two.
        runs: Kappa of each replicate as if it were the only one.
    """

    replicates: int
    flips: EstimateRecord
    noise: EstimateRecord
    widths: dict[int, int]
    runs: tuple[EstimateRecord, ...]


class OrderEvidence(Frozen):
    """What the order of showing does.

    Attributes:
        inconsistent: Share of pairs whose two orders disagree.
        first: Of those where each order chose an output, the share in which it was the one shown
            first; 0.5 is even.
    """

    inconsistent: EstimateRecord
    first: EstimateRecord


def repeats(votes: Votes) -> RepeatEvidence | None:
    """Return what asking again changes; None where nothing was asked again."""
    numbers = sorted({v.replicate for o in votes.outcomes.values() for v in o.singles})
    if len(numbers) < 2:
        return None
    asked = votes.usable(lambda vote: (vote.member, vote.order))
    levels = [(item, [v.level for v in same]) for item, same in asked if len(same) > 1]
    two = [(item, a != b) for item, each in levels for a, b in combinations(each, 2)]
    widths = Counter(_width(each) for _, each in levels if votes.spec.kind == "ordinal")
    return RepeatEvidence(
        replicates=len(numbers),
        flips=votes.share("flips", [(item, len(set(each)) > 1) for item, each in levels]),
        noise=votes.share("noise", two),
        widths=dict(sorted(widths.items())),
        runs=tuple(votes.only(lambda v, n=n: v.replicate == n).agreement() for n in numbers),  # type: ignore[misc]
    )


def _width(levels: Sequence[int | None]) -> int:
    known = [level for level in levels if level is not None]
    return max(known) - min(known) if known else 0


def orders(votes: Votes) -> OrderEvidence | None:
    """Return what the order of showing does; None where no pair was shown in both."""
    asked = votes.usable(lambda vote: (vote.member, vote.replicate) if vote.order else None)
    levels = [(item, {v.order: v.level for v in same}) for item, same in asked]
    both = [(item, shown) for item, shown in levels if len(shown) == 2]
    if not both:
        return None
    a, b = votes.criterion.scale.sides
    decided = [
        (item, shown["AB"] == a)
        for item, shown in both
        if {shown["AB"], shown["BA"]} == {a, b}  # the same side both times, in shown order
    ]
    differ = [(item, shown["AB"] != shown["BA"]) for item, shown in both]
    return OrderEvidence(
        inconsistent=votes.share("order_inconsistency", differ),
        first=votes.share("first_preferred", decided),
    )
