"""It is not clear which level of a pairwise scale stands for A and which for B.

## What it does

Looks for two levels called A and B, with the values 1 and 2, or for two beside a level that is
plainly a tie (named *tie*, *equal*, *both*, or 0 of three values).

## Why it hurts

A pair may be shown in either order, and an answer given on the turned one is turned back. For this
it must be known which level speaks for which output.

## Example

```yaml
scale: pairwise
levels:
  - {value: left, definition: The first output answers more of what was asked.}
  - {value: right, definition: The second output answers more of what was asked.}
  - {value: centre, definition: Both answer the same part of it.}
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
