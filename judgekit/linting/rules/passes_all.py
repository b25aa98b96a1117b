"""Every output passes.

## What it does

Looks for a `passes_at` that is the lowest level, and for a `passing` that lists all levels.

## Why it hurts

The pass rate is then 100%, whatever the judge says, and agreement about passing is complete and
worth nothing.

## Example

```yaml
scale: ordinal
passes_at: 1
levels:
  - {value: 2, name: grounded, definition: Every claim stands in the context.}
  - {value: 1, name: invented, definition: One claim or more stands nowhere in it.}
```

## Use instead

```yaml
scale: ordinal
passes_at: 2
levels:
  - {value: 2, name: grounded, definition: Every claim stands in the context.}
  - {value: 1, name: invented, definition: One claim or more stands nowhere in it.}
```

## When to ignore

Never. The rubric cannot be used like this, and a comment that ignores it has no effect.
"""
