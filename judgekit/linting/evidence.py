"""What a certificate or a run has shown of a rubric, as the rules see it: plain data, no files.

One :class:`Evidence` is about one criterion and comes from one place. Levels are positions in the
order of the scale.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import yaml

    from judgekit.linting.subject import AnchorView, CriterionView, Subject, Text
    from judgekit.rubric.scale import Kind

T = TypeVar("T")

NAMED = 5
"""So many items are named that show what a finding says."""
ALPHA = 0.05
"""Chance that a rule finds something in one piece of evidence although nothing is there."""


@dataclass(frozen=True, slots=True)
class ItemSaid:
    """What was said of one item.

    Attributes:
        item: Its id.
        people: Who gave it which level; those who gave none are not there.
        judge: The judge's level; None where it gave none.
        case: The case it belongs to, or None where it is one of its own.
        weight: Its sampling weight.
    """

    item: str
    people: tuple[tuple[str, int], ...] = ()
    judge: int | None = None
    case: str | None = None
    weight: float = 1.0

    @property
    def unit(self) -> tuple[bool, str]:
        """Return what it stands or falls with: its case, or itself."""
        return (self.case is None, self.case or self.item)


@dataclass(frozen=True, slots=True)
class Leak:
    """A labelled item that is a worked example of the rubric.

    Attributes:
        item: The item.
        level: The level it is an example of; None where that is not known.
        example: Which of that level's examples, from 0.
    """

    item: str
    level: int | None = None
    example: int = 0


@dataclass(frozen=True, slots=True)
class ExampleSaid:
    """What the judge said of a worked example that was among the items.

    Attributes:
        level: The level it is an example of.
        example: Which of that level's examples, from 0.
        given: The level of each answer of the judge, None where it said that the criterion does
            not apply; one request counts once.
        items: The items it was judged as.
    """

    level: int
    example: int
    given: tuple[int | None, ...]
    items: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Evidence:
    """What one certificate or run shows of one criterion.

    Attributes:
        where: What to call it: ``certificate 3f9a1c``.
        judge: What tells its judge from others: evidence of two criteria is compared only where
            one judge gave both.
        criterion: The criterion.
        kind: The kind of its scale.
        levels: What to call each level, in the order of the scale.
        numbers: The value of each level; its position where the values are words.
        items: What was said of each item.
        leaks: Labelled items that are worked examples.
        examples: What the judge said of worked examples.
    """

    where: str
    judge: str
    criterion: str
    kind: Kind
    levels: tuple[str, ...]
    numbers: tuple[float, ...]
    items: tuple[ItemSaid, ...] = ()
    leaks: tuple[Leak, ...] = ()
    examples: tuple[ExampleSaid, ...] = ()

    @property
    def ordered(self) -> bool:
        """Return whether a higher level is a better one."""
        return self.kind in ("ordinal", "binary")

    def called(self, level: int) -> str:
        """Return what to call a level in a message."""
        return f"level {self.levels[level]}" if self.ordered else repr(self.levels[level])

    def criterion_in(self, subject: Subject) -> CriterionView | None:
        """Return the criterion in a file; None where it is not there, or on another scale."""
        named = (c for c in subject.criteria if c.name and c.name.value == self.criterion)
        found = next(named, None)
        return found if found and len(found.ranked) == len(self.levels) else None

    def place(self, subject: Subject, level: int | None = None) -> Text | yaml.Node | None:
        """Return where a level, or without one the criterion, stands in a file; None if nowhere."""
        found = self.criterion_in(subject)
        if found is None:
            return None
        if level is None:
            return found.name or found.node
        view = found.ranked[level]
        return view.value or view.name or view.node

    def example_in(self, subject: Subject, level: int, example: int) -> AnchorView | None:
        """Return a worked example in a file; None where it is not there."""
        found = self.criterion_in(subject)
        anchors = found.ranked[level].anchors if found else ()
        return anchors[example] if example < len(anchors) else None

    def told(self, items: Iterable[ItemSaid]) -> str:
        """Return up to five items with what each side said of them."""
        return named(list(items), lambda one: f"{one.item!r} ({self.sides(one)})")

    def sides(self, one: ItemSaid) -> str:
        """Return what each side said of an item."""
        said = [f"{rater} {self.levels[level]}" for rater, level in one.people]
        if one.judge is not None:
            said.append(f"judge {self.levels[one.judge]}")
        return ", ".join(said)


def named(things: Sequence[T], tell: Callable[[T], str] = repr) -> str:
    """Return the first five of some things in words, and how many more there are."""
    told = [tell(one) for one in things[:NAMED]]
    more = [f"and {len(things) - NAMED} more"] if len(things) > NAMED else []
    return "; ".join([*told, *more])


def units_of(items: Iterable[ItemSaid]) -> int:
    """Return how many independent items there are: cases, where they repeat."""
    return len({one.unit for one in items})


def percent(share: float) -> str:
    """Return a share as people read it."""
    whole = share >= 0.1 or share == 0
    return f"{share:.0%}" if whole else f"{share:.1%}"
