"""A scale has fewer than two levels.

## What it does

Counts the levels of each criterion.

## Why it hurts

With one level there is only one answer. It needs no judge, and agreement with it means nothing.

## Example

```yaml
scale: nominal
levels:
  - {name: polite, definition: The reply greets and thanks.}
```

## Use instead

```yaml
scale: nominal
levels:
  - {name: polite, definition: The reply greets and thanks.}
  - {name: curt, definition: The reply does neither.}
```

## When to ignore

Never. The rubric cannot be used like this, and a comment that ignores it has no effect.
"""
