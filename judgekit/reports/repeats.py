"""A judge asked again, and in both orders, as a person reads it."""

from __future__ import annotations

from judgekit.calibration.record import EstimateRecord
from judgekit.calibration.repeats import OrderEvidence, RepeatEvidence
from judgekit.reports.estimates import why_undefined
from judgekit.reports.words import count, number, percent, wrapped


def repeat_lines(found: RepeatEvidence) -> list[str]:
    """Return how often a judge that was asked again gave another level."""
    asked, flips = f"Asked {found.replicates} times", found.flips
    if flips.value is None:
        return wrapped(f"{asked}: how often the level changes cannot be told ({_reason(flips)}).")
    what = "item" if flips.pairs == flips.n else "question"
    lines = wrapped(
        f"{asked}: {percent(flips.value)} of {count(flips.pairs, what)} did not get the same level "
        f"each time, 95% interval {_ends(flips)}."
    )
    told = []
    if any(found.widths.keys()):
        steps = [f"{n:,} by {count(width, 'level')}" for width, n in found.widths.items() if width]
        told.append(f"They differ: {', '.join(steps)}.")
    if found.noise.value is not None:
        told.append(
            f"Two runs in which nothing changed differ on {percent(found.noise.value)} "
            f"({_ends(found.noise)}): less than that is noise."
        )
    each = ", ".join(number(run.value) for run in found.runs)
    told.append(f"Kappa of each time alone: {each}.")
    return [*lines, *(line for text in told for line in wrapped(text, first="  ", rest="  "))]


def order_lines(found: OrderEvidence) -> list[str]:
    """Return how often the two orders of a pair disagree, and which place is preferred."""
    differ, first = found.inconsistent, found.first
    if differ.value is None:
        return wrapped(f"Both orders: how often they disagree cannot be told ({_reason(differ)}).")
    lines = wrapped(
        f"Both orders: {percent(differ.value)} of {count(differ.pairs, 'pair')} are judged "
        f"otherwise the other way round, 95% interval {_ends(differ)}."
    )
    if first.value is None:
        return lines
    told = (
        f"Where each order chose an output ({first.pairs:,}), it was the one shown first in "
        f"{percent(first.value)} ({_ends(first)}): {_lean(first)}."
    )
    return [*lines, *wrapped(told, first="  ", rest="  ")]


def _lean(first: EstimateRecord) -> str:
    if (first.low or 0.0) > 0.5:
        return "the first place is preferred"
    if (first.high or 1.0) < 0.5:
        return "the second place is preferred"
    return "no place is clearly preferred"


def _ends(found: EstimateRecord) -> str:
    return f"{percent(found.low).removesuffix('%')} to {percent(found.high).removesuffix('%')}"


def _reason(found: EstimateRecord) -> str:
    return why_undefined(found)
