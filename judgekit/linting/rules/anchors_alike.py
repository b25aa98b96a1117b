"""Two worked examples show the same output.

## What it does

Looks for anchors of one criterion with the same output, whatever its case and blanks. Where
another text of the item differs, the pair is left alone: the same answer to two questions is a
good way to show a border.

## Why it hurts

Under two levels the pair contradicts itself, and the judge learns that the border is arbitrary.
Under one level the second example costs tokens and teaches nothing.

## Example

```yaml
- value: 1
  anchors: [{output: At nine., reason: The context says so.}]
- value: 0
  anchors: [{output: at nine., reason: The context does not say so.}]
```

## Use instead

```yaml
- value: 1
  anchors: [{output: At nine., reason: The context says so.}]
- value: 0
  anchors: [{output: At ten., reason: The context says nine.}]
```

## When to ignore

When the outputs differ in case or blanks alone and the criterion is about just that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from judgekit.rubric.scale import fold

if TYPE_CHECKING:
    from collections.abc import Iterator

    from judgekit.linting.finding import Finding
    from judgekit.linting.subject import AnchorView, CriterionView, Example, Subject


def check(subject: Subject) -> Iterator[Finding]:
    """Yield the second of each two examples that show the same output."""
    for criterion in subject.criteria:
        for (level, anchor), earlier in _alike(criterion):
            where = "this level" if earlier.level is level else earlier.level.called
            yield subject.at(
                anchor.outputs[0],
                f"an example of {where} shows the same output",
                help="keep the one at whose level the output belongs",
            )


def _alike(criterion: CriterionView) -> Iterator[tuple[Example, Example]]:
    """Yield each example that shows what an earlier one shows, with that one."""
    seen: dict[tuple[str, ...], list[Example]] = {}
    for example in criterion.examples:
        outputs = tuple(fold(text.value) for text in example.anchor.outputs)
        if not outputs:
            continue
        others = seen.setdefault(outputs, [])
        same = next((o for o in others if _same_item(o.anchor, example.anchor)), None)
        if same:
            yield example, same
        others.append(example)


def _same_item(one: AnchorView, other: AnchorView) -> bool:
    """Return whether no text that both show tells two items apart."""
    shared = one.fields.keys() & other.fields.keys()
    return all(fold(one.fields[name].value) == fold(other.fields[name].value) for name in shared)
