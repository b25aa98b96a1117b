"""What counts as evidence of an answer, and how pieces of evidence are weighed.

Each form a reply can give its answer in yields pieces of evidence. A piece that says it is final
outweighs one that does not, and nothing else outweighs anything: pieces of equal weight that
differ are a contradiction, and a last piece that broke off is never replaced by an earlier one.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import NamedTuple

from judgekit.judging.reading.found import Found


class Weight(IntEnum):
    """How plainly a piece of evidence claims to be the answer."""

    HINT = 0  # counts only where there is nothing else
    MENTION = 1  # a sentence that gives the level in passing, a line with an unknown label
    ANSWER = 2  # "Score: 3", "Therefore, Output (b) is better."
    FINAL = 3  # "Final score: 3", "[[A]]", the whole reply


class Evidence(NamedTuple):
    """One place in a reply that gives, or should give, the answer.

    Attributes:
        weight: How plainly it claims to be the answer.
        at: Where it stands in the text.
        found: What it says.
        label: The label it stands behind, folded; "" without one.
    """

    weight: Weight
    at: int
    found: Found
    label: str = ""


BOX = "box"
"""The label of what stands in a box, which solutions of tasks do as well."""

_WORDS = frozenset({"unknown", "other"})


def weigh(evidence: Iterable[Evidence]) -> Found | None:
    """Return what the evidence says in all, or None when there is none.

    Words behind a label that are no level say nothing by themselves ("Verdict: the answer is
    mostly fine"), unless they are the last word: behind a final label, or behind the label that
    gave a level before.
    """
    pieces = sorted((e for e in evidence if e.found.kind != "template"), key=lambda e: e.at)
    if any(_is_mark(e) for e in pieces):
        pieces = [e for e in pieces if not _is_solution(e)]
    known = [e for e in pieces if e.found.kind not in _WORDS]
    if not known:
        return pieces[-1].found if pieces else None
    weight = max(e.weight for e in known)
    best = [e for e in known if e.weight == weight]
    last = best[-1]
    for piece in pieces:
        if piece.found.kind in _WORDS and piece.at > last.at and _supersedes(piece, best):
            return piece.found._replace(kind="unknown")
    # What is said after the answer, and differs, takes it back.
    least = Weight.MENTION if weight is Weight.ANSWER else Weight.ANSWER
    rivals = best + [e for e in known if e.weight >= least and e.at > last.at]
    said = {(e.found.kind, e.found.level) for e in rivals}
    if len(said) == 1:
        return last.found
    shown = ", ".join(dict.fromkeys(repr(e.found.said) for e in rivals))
    return Found("contradictory", -1, shown, last.found.end)


def _is_mark(piece: Evidence) -> bool:
    """Return whether a level stands inside marks that only judges are told to use."""
    return piece.weight is Weight.FINAL and not piece.label and piece.found.kind == "level"


def _is_solution(piece: Evidence) -> bool:
    """Return whether a judge says here what its own solution of the item's task is."""
    off = piece.found.kind in {"out_of_scale", "other"}
    return off and piece.label.endswith(("answer", "result", BOX))


def _supersedes(piece: Evidence, earlier: list[Evidence]) -> bool:
    """Return whether an unreadable piece takes the place of earlier readable ones."""
    return piece.weight is Weight.FINAL or piece.label in {e.label for e in earlier if e.label}
