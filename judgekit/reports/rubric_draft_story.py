"""The steps in which a rubric was drafted, as values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from judgekit.judging.authoring.draft import Draft, NoDraft
from judgekit.judging.authoring.reading import Check
from judgekit.linting.violations import Violation


class Call(NamedTuple):
    """One request: answered by the cache, or at a cost, which is None where it is not known."""

    cached: bool
    tokens_in: int | None
    tokens_out: int | None
    cost_usd: float | None


class Wrote(NamedTuple):
    """A model wrote a draft (round 0) or mended it (1 to 3); ``same`` as one before, maybe."""

    round: int
    calls: tuple[Call, ...]
    draft: Draft | NoDraft
    same: bool = False


class Linted(NamedTuple):
    """The linter's word on a draft; an unusable one cannot be judged with at all."""

    round: int
    violations: tuple[Violation, ...]
    usable: bool


class Tried(NamedTuple):
    """A draft tried on some items: a row each, stamped uncalibrated; or why it could not be."""

    round: int
    calls: tuple[Call, ...]
    rows: tuple[dict[str, Any], ...]
    why: str | None = None

    @property
    def unjudged(self) -> tuple[dict[str, Any], ...]:
        """Return the rows of the items that got no level."""
        return tuple(row for row in self.rows if row["status"] == "unjudged")


class Checked(NamedTuple):
    """A model's word on whether the rubric measures what was asked."""

    calls: tuple[Call, ...]
    check: Check


Step = Wrote | Linted | Tried | Checked


@dataclass(frozen=True, slots=True)
class Source:
    """What a draft rests on besides the author's words.

    Attributes:
        example: The rubric it started from, or None.
        levels: The levels found in the labels; () without labels.
        shown: Labelled items the drafter was shown.
        cases: The cases they belong to: all of train.
        split: How train was told: by the file's ``column``, or by ``hash``; None without labels.
        notes: Remarks for people.
    """

    example: str | None = None
    levels: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()
    cases: tuple[str, ...] = ()
    split: str | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DraftResult:
    """A drafted rubric, and how it came about. It is certified by nothing.

    Attributes:
        file: Where it was written.
        text: Its text.
        name: Its name.
        model: The model that drafted it.
        steps: What was done, in order.
        round: The round whose draft was kept.
        violations: What the linter finds in it.
        usable: Whether it can be judged with as it is.
        unjudged: Items of its trial that got no level; None when it was not tried.
        untried: Why no draft was tried on any item; None when one was.
        check: Whether it measures what was asked; None when that was not asked.
        source: What it rests on.
        taken: Labelled items that are worked examples of it -> the level they stand under.
        outside: Those of them that are not of train.
        next: Commands that come next.
    """

    file: str
    text: str
    name: str
    model: str
    steps: tuple[Step, ...]
    round: int
    violations: tuple[Violation, ...]
    usable: bool
    unjudged: int | None
    untried: str | None
    check: Check | None
    source: Source
    taken: Mapping[str, str]
    outside: tuple[str, ...]
    next: tuple[str, ...]

    @property
    def calls(self) -> tuple[Call, ...]:
        """Return every request of it."""
        return calls_of(self.steps)


def calls_of(steps: tuple[Step, ...]) -> tuple[Call, ...]:
    """Return the requests of some steps."""
    return tuple(c for step in steps if not isinstance(step, Linted) for c in step.calls)
