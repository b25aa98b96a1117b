"""Nobody has used a level of the scale.

## What it does

Counts, in what a certificate or a run shows (`--evidence`), on how many items people and the judge
gave each level. A level that was given to none is named when so many items were looked at that it
belongs on fewer than one in 20: the upper limit of its share decides, over all levels of the scale
at once, and cases that repeat count once. It takes about 100 items. Where the judge alone never
gives it, the items are named to which people did.

## Why it hurts

A level without items is an edge that nobody learns and no label tests. The judge hesitates between
three levels where two would do, and if it begins to use the third one nothing in the certificate
says how well.

## Example

```yaml
- {value: 2, name: cold, definition: The reply is correct and says nothing kind.}
- {value: 3, name: lukewarm, definition: The reply is kind in one word only.}  # none of 120 items
- {value: 4, name: friendly, definition: The reply thanks and offers help.}
```

## Use instead

```yaml
- {value: 2, name: cold, definition: The reply is correct and says nothing kind.}
- {value: 3, name: friendly, definition: The reply thanks and offers help.}
```

## When to ignore

When the level is for something rare that has to be told when it comes, and the items were not
chosen to show it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from judgekit.linting.evidence import ALPHA, percent, units_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from judgekit.linting.evidence import Evidence, ItemSaid
    from judgekit.linting.finding import Finding
    from judgekit.linting.subject import Subject

_RARE = 0.05
"""A level that belongs on a smaller share of items than this is as good as unused."""
_HELP = "take the level out, or say in its definition what it is for"
_UNSEEN = "show the judge a worked example of it, and say where it begins and where it ends"
_WHO = {
    ("people", "judge"): "neither people nor the judge gave",
    ("people",): "people never gave",
    ("judge",): "the judge never gave",
}


def check_evidence(subject: Subject, evidence: Sequence[Evidence]) -> Iterator[Finding]:
    """Yield the levels that were never given."""
    for one in evidence:
        for level in range(len(one.levels)):
            place, never = one.place(subject, level), _never(one, level)
            if place is None or not never:
                continue
            least = min(([i for i in one.items if _GIVEN[side](i)] for side in never), key=units_of)
            given = [i for i in one.items if any(level in said(i) for said in _GIVEN.values())]
            message = f"{_WHO[never]} {one.called(level)} in {len(least)} items: 0%, 95% interval "
            message += f"0% to {percent(_most(units_of(least), 0.975))} ({one.where})"
            message += f"; others did: {one.told(given)}" if given else ""
            yield subject.at(
                place, message, help=_UNSEEN if never == ("judge",) and given else _HELP
            )


def _by_people(item: ItemSaid) -> set[int]:
    return {level for _, level in item.people}


def _by_judge(item: ItemSaid) -> set[int]:
    return set() if item.judge is None else {item.judge}


_GIVEN: dict[str, Callable[[ItemSaid], set[int]]] = {"people": _by_people, "judge": _by_judge}


def _never(one: Evidence, level: int) -> tuple[str, ...]:
    """Return which sides never gave a level, of those that looked at enough items to say so."""
    looked = {side: [i for i in one.items if given(i)] for side, given in _GIVEN.items()}
    tests = len(one.levels) * sum(map(bool, looked.values()))
    return tuple(
        side
        for side, items in looked.items()
        if _most(units_of(items), 1 - ALPHA / max(tests, 1)) < _RARE
        and not any(level in _GIVEN[side](item) for item in items)
    )


def _most(units: int, confidence: float) -> float:
    """Return the largest share that none of so many items allows."""
    from judgekit.stats.estimate import Undefined
    from judgekit.stats.exact import zero_events

    found = zero_events(units, confidence=confidence)
    return 1.0 if isinstance(found, Undefined) else found
