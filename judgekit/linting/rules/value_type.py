"""A value is of another kind than its key needs.

## What it does

Looks for lists where a text belongs, for texts where a list belongs, for levels and anchors that
are no mappings, and for level values that are too large to be one.

## Why it hurts

Each key has one form, so that what a rubric means does not depend on how a program guesses. A range
such as `1-5` in the place of the levels is the commonest: it has no definitions.

## Example

```yaml
scale: ordinal
levels: 1-5
```

## Use instead

```yaml
scale: ordinal
levels:
  - {value: 2, name: grounded, definition: Every claim stands in the context.}
  - {value: 1, name: invented, definition: One claim or more stands nowhere in it.}
```

## When to ignore

Never. The rubric cannot be used like this, and a comment that ignores it has no effect.
"""
