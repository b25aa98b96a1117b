"""A pairwise scale has more levels than A, B and a tie.

## What it does

Counts the levels of each criterion with `scale: pairwise`.

## Why it hurts

Shown the pair the other way round, a judge has to be able to say the same of it: A becomes B, B
becomes A, a tie stays. Grades of preference and two kinds of tie have no such counterpart.

## Example

```yaml
scale: pairwise
levels:
  - {value: A, definition: Output A answers more of what was asked.}
  - {value: B, definition: Output B answers more of what was asked.}
  - {value: both, definition: Both answer all of it.}
  - {value: neither, definition: Neither answers any of it.}
```

## Use instead

```yaml
scale: pairwise
levels:
  - {value: A, definition: Output A answers more of what was asked.}
  - {value: B, definition: Output B answers more of what was asked.}
  - {value: tie, definition: Both answer the same part of it.}
```

## When to ignore

Never. The rubric cannot be used like this, and a comment that ignores it has no effect.
"""
