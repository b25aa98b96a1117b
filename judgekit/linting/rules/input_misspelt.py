"""An input is called almost like one of the usual ones.

## What it does

Compares the names in `inputs` with `input`, `output`, `output_a`, `output_b`, `context` and
`reference`. One letter left out, too many, changed over with its neighbour or replaced by another
counts. `outputs`, `content` and other words of their own are left alone.

## Why it hurts

Items are asked for a field of that name. Every item that has `output` is refused, or, where the
misspelt name was given to some of them, only those are judged.

## Example

```yaml
inputs: [input, ouput]
```

## Use instead

```yaml
inputs: [input, output]
```

## When to ignore

When the items have a field of that very name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from judgekit.linting.declared import input_nodes
from judgekit.linting.slips import usual_input

if TYPE_CHECKING:
    from collections.abc import Iterator

    from judgekit.linting.finding import Finding
    from judgekit.linting.subject import Subject


def check(subject: Subject) -> Iterator[Finding]:
    """Yield each input whose name is a slip of the pen."""
    for node in input_nodes(subject):
        meant = usual_input(node.value)
        if meant and meant not in subject.inputs:
            yield subject.at(node, f"{node.value!r} is almost {meant!r}", help=f"write {meant}")
