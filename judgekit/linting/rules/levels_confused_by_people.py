"""People do not tell two neighbouring levels apart.

## What it does

Takes the items that two people or more rated (`--evidence` with a certificate, or with a run whose
calibration was shown), and of every two neighbouring levels the pairs of people who both chose one
of the two. Kappa of these pairs decides: it is told when the whole interval lies below 0.4, with an
allowance for looking at several borders. Items with several raters, and cases, count once each. At
least ten items are needed. The level above the border is named, since its `drops_when` draws it.

## Why it hurts

No judge can agree with people where people do not agree with themselves. What is lost there limits
every figure of the certificate, and more labels of the same kind do not help.

## Example

```yaml
- value: 3
  name: polite
  definition: The reply is friendly.          # two people differ on 18 of 41 items
  drops_when: It is less friendly.
```

## Use instead

```yaml
- value: 3
  name: polite
  definition: The reply greets or thanks the customer.
  drops_when: It neither greets nor thanks.
```

## When to ignore

When the border makes no difference to the pass line and the two levels are kept for reading only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from judgekit.linting.evidence import Evidence
    from judgekit.linting.finding import Finding
    from judgekit.linting.subject import Subject


def check_evidence(subject: Subject, evidence: Sequence[Evidence]) -> Iterator[Finding]:
    """Yield the level above each border on which people do not agree."""
    from judgekit.linting.borders import confused_by_people

    for one in evidence:
        for border in confused_by_people(one) if one.criterion_in(subject) else ():
            lower, upper = one.called(border.lower), one.called(border.upper)
            place = one.place(subject, border.upper)
            if place is not None:
                yield subject.at(
                    place,
                    f"people do not tell {lower} from {upper}: {border.figures} ({one.where}): "
                    f"{one.told(border.differ)}",
                    help="say what a reader sees on one side of the border and not on the other, "
                    "or make one level of the two",
                )
