"""The judge gives a worked example another level than the rubric does.

## What it does

Looks for items of a run whose whole text is that of a worked example, and at every answer the judge
gave about them (`--evidence RUN`). It is told when answers with another level are clearly more than
one in ten: the lower limit of their share decides, with an allowance for several examples. That the
criterion does not apply is another level, too. A lone answer is not enough, three that all say
another level are: have a judge with `replicates = 3` judge a file of the examples with
`judgekit try`, and name that run. Answers that were read from the cache twice count once.

## Why it hurts

The example is meant to show the judge what the level looks like. A judge that gives it another
level even when asked about it does not believe the example, or the definition contradicts it, and
whatever resembles it is levelled by chance.

## Example

```yaml
- value: 3
  name: polite
  definition: The reply greets or thanks the customer.
  anchors:
    - {output: Your parcel left on Monday., reason: It is courteous.}   # the judge: 2
```

## Use instead

```yaml
- value: 3
  name: polite
  definition: The reply greets or thanks the customer.
  anchors:
    - {output: Thank you. Your parcel left on Monday., reason: It thanks the customer.}
```

## When to ignore

When the example is right, people agree on it, and another model is about to take the judge's place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from judgekit.linting.evidence import ALPHA, named, percent

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from judgekit.linting.evidence import Evidence, ExampleSaid
    from judgekit.linting.finding import Finding
    from judgekit.linting.subject import Subject

_OFTEN = 0.1
"""A judge may give an example another level in this share of its answers."""


def check_evidence(subject: Subject, evidence: Sequence[Evidence]) -> Iterator[Finding]:
    """Yield the worked examples that the judge levels otherwise."""
    for one in evidence:
        for said in one.examples:
            anchor = one.example_in(subject, said.level, said.example)
            figures = _wrong(said, len(one.examples))
            if anchor is not None and figures is not None:
                yield subject.at(
                    anchor.node,
                    f"the judge {_otherwise(one, said)} in {figures} ({one.where}): "
                    f"{named(said.items)}",
                    help="have people level it; then mend its place, its reason or the definition",
                )


def _otherwise(one: Evidence, said: ExampleSaid) -> str:
    """Return in words what the judge says of an example when it says something else."""
    levels = sorted({n for n in said.given if n is not None and n != said.level})
    example = f"this example of {one.called(said.level)}"
    if not levels:
        return f"calls {example} not applicable"
    told = f"puts {example} on {' and '.join(map(one.called, levels))}"
    return f"{told}, or calls it not applicable," if None in said.given else told


def _wrong(said: ExampleSaid, examples: int) -> str | None:
    """Return how many answers say another level, in words; None where that is not clear."""
    from judgekit.stats.estimate import Undefined
    from judgekit.stats.exact import clopper_pearson

    n = len(said.given)
    wrong = sum(level != said.level for level in said.given)
    found = clopper_pearson(wrong, n, confidence=1 - ALPHA / max(examples, 1))
    shown = clopper_pearson(wrong, n)
    if isinstance(found, Undefined) or isinstance(shown, Undefined) or found.low <= _OFTEN:
        return None
    return f"{wrong} of {n} answers, 95% interval {percent(shown.low)} to {percent(shown.high)}"
