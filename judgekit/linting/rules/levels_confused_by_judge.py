"""The judge does not tell two neighbouring levels apart as people do.

## What it does

Takes what people and the judge said (`--evidence` with a certificate, or with a run whose
calibration was shown), and of every two neighbouring levels the items on which both chose one of
the two. Kappa of these pairs decides: it is told when the whole interval lies below 0.4, with an
allowance for looking at several borders. Several raters of an item, and the items of a case, count
once. At least ten items are needed. The level above the border is named, since its `drops_when`
draws it, and so are the items, with what each side said.

## Why it hurts

A judge may pass on the whole scale and still toss a coin at one border. Where that is the pass line
the share of passes is made of these coins.

## Example

```yaml
- value: 3
  name: polite
  definition: The reply is courteous throughout.   # people say 2 and the judge 3 on 14 items
  drops_when: It is not courteous throughout.
```

## Use instead

```yaml
- value: 3
  name: polite
  definition: The reply greets or thanks the customer.
  drops_when: It neither greets nor thanks.
  anchors:
    - {output: Your parcel is with us., reason: It neither greets nor thanks, so it is a 2.}
```

## When to ignore

When people confuse the same levels (`levels-confused-by-people`): the border is then to be mended
for people first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from judgekit.linting.evidence import Evidence
    from judgekit.linting.finding import Finding
    from judgekit.linting.subject import Subject


def check_evidence(subject: Subject, evidence: Sequence[Evidence]) -> Iterator[Finding]:
    """Yield the level above each border on which the judge does not agree with people."""
    from judgekit.linting.borders import confused_by_judge

    for one in evidence:
        for border in confused_by_judge(one) if one.criterion_in(subject) else ():
            lower, upper = one.called(border.lower), one.called(border.upper)
            place = one.place(subject, border.upper)
            if place is not None:
                yield subject.at(
                    place,
                    f"the judge does not tell {lower} from {upper}: {border.figures}; "
                    f"{border.up} times people say {lower} and the judge {upper}, {border.down} "
                    f"times the other way round ({one.where}): {one.told(border.differ)}",
                    help="write what makes these items the one and not the other into the "
                    "definitions, and show one beside the border as a worked example",
                )
