"""A worked example of the rubric is one of the labelled items.

## What it does

Compares the texts of the labelled items with the worked examples (`--evidence` with a certificate,
or with a run of a judge of the project). An item counts as an example when its judged text is the
same, or has nine tenths of its words in mostly the same order: that is the comparison by which
`judgekit calibrate` sets such items aside. One item is enough; nothing is estimated.

## Why it hurts

The judge has been shown the answer, so that what it says of the item measures nothing. Calibration
leaves such items out: labels that were paid for are lost. Where labels are split it is worse: an
example from the test says that the rubric was written with the test in view.

## Example

```yaml
anchors:
  - {output: Thank you. Your parcel left on Monday., reason: It thanks.}   # labelled as item-017
```

## Use instead

```yaml
anchors:
  - {output: Thank you for waiting. It left today., reason: It thanks.}   # written for the rubric
```

## When to ignore

When the item is in the train split, which is where worked examples come from.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from judgekit.linting.evidence import ItemSaid, named

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from judgekit.linting.evidence import Evidence
    from judgekit.linting.finding import Finding
    from judgekit.linting.subject import Subject

_HELP = "write an example of your own, or take the item out of the labelled set"


def check_evidence(subject: Subject, evidence: Sequence[Evidence]) -> Iterator[Finding]:
    """Yield the worked examples that are labelled, or the criterion where it is not known which."""
    for one in evidence:
        said = {item.item: item for item in one.items}
        leaks: dict[tuple[int | None, int], list[ItemSaid]] = {}
        for leak in one.leaks:
            item = said.get(leak.item, ItemSaid(leak.item))
            leaks.setdefault((leak.level, leak.example), []).append(item)
        for (level, example), items in leaks.items():
            anchor = None if level is None else one.example_in(subject, level, example)
            place = one.place(subject) if anchor is None else anchor.node
            if place is None:
                continue
            which = "worked examples are" if anchor is None else "this example is"
            told = one.told(items) if any(i.people for i in items) else _ids(items)
            yield subject.at(
                place, f"{which} among the labelled items ({one.where}): {told}", help=_HELP
            )


def _ids(items: Sequence[ItemSaid]) -> str:
    return named([item.item for item in items])
