"""The judge's levels on two criteria move together more than people's do.

## What it does

Compares how two criteria of a rubric correlate over the items that people and the judge rated on
both (`--evidence` with a run, or with the certificates of both criteria). That they correlate is no
fault: what is polite is often helpful. Noise in people's levels hides some of it, so that the most
that people's correlation could be without it is worked out from how well the judge follows people.
What the judge's correlation has beyond that decides: it is told when the whole interval, measured
on the same items and with an allowance for several pairs of criteria, lies above 0. At least 30
items are needed; cases count once. A judge that hardly follows people on one of
the two criteria (a correlation below 0.5) is told by `levels-confused-by-judge` instead.

## Why it hurts

One impression colours everything the judge says (a halo): a friendly answer is found correct as
well. Two criteria then count one thing twice, and the one that matters goes unmeasured.

## Example

```yaml
- criterion: tone
  question: Is it a good reply?
- criterion: facts
  question: Is the reply good in what it says?
```

## Use instead

```yaml
- criterion: tone
  question: How friendly are the words of the reply, whatever it claims?
- criterion: facts
  question: Does each claim of the reply stand in the context, whatever its tone?
```

## When to ignore

When the two criteria are meant to stand for one thing and only their mean is used.
"""

from __future__ import annotations

from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING

from judgekit.linting.evidence import ALPHA, named

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from judgekit.linting.evidence import Evidence, ItemSaid
    from judgekit.linting.finding import Finding
    from judgekit.linting.subject import Subject


def check_evidence(subject: Subject, evidence: Sequence[Evidence]) -> Iterator[Finding]:
    """Yield the later of two criteria that move together."""
    from judgekit.linting.halo import halo

    known = [one for one in evidence if one.ordered and one.criterion_in(subject)]
    pairs = [
        (a, b)
        for a, b in combinations(known, 2)
        if a.judge == b.judge and a.criterion != b.criterion
    ]
    for one, other in pairs:
        place, found = other.place(subject), halo(one, other, 1 - ALPHA / len(pairs))
        if place is None or found is None:
            continue
        wheres = " and ".join(dict.fromkeys((one.where, other.where)))
        more = found.more
        items = named(found.items, partial(_told, one, other))
        yield subject.at(
            place,
            f"the judge's levels of {other.criterion!r} move with those of {one.criterion!r}: "
            f"correlation {found.judge:.2f}, people's {found.people:.2f} and at most "
            f"{found.most:.2f} without noise; {more.value:.2f} more, 95% interval {more.low:.2f} "
            f"to {more.high:.2f}, {more.n} items ({wheres}): {items}",
            help="have each question say what it does not look at, and show an example that is "
            "high on one criterion and low on the other",
        )


def _told(one: Evidence, other: Evidence, two: tuple[ItemSaid, ItemSaid]) -> str:
    """Return an item with what was said of it on both criteria."""
    sides = [
        f"{evidence.criterion}: {evidence.sides(item)}"
        for evidence, item in zip((one, other), two, strict=True)
    ]
    return f"{two[0].item!r} ({'; '.join(sides)})"
