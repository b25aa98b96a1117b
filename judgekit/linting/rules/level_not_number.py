"""A level of an ordinal or binary scale has no number for its value.

## What it does

On these scales every `value` is a number, written plainly: `2`, `2.5` or `-1`. Quotes make no
difference. On a binary scale `yes` and `no`, `true` and `false` are 1 and 0.

## Why it hurts

The numbers say which level is higher and how far apart two levels are, for the pass line, for
weighted agreement and for means. Words say neither; as the level's `name` they are welcome.

## Example

```yaml
scale: ordinal
levels:
  - {value: high, definition: Every claim stands in the context.}
  - {value: low, definition: One claim or more stands nowhere in it.}
```

## Use instead

```yaml
scale: ordinal
levels:
  - {value: 2, name: high, definition: Every claim stands in the context.}
  - {value: 1, name: low, definition: One claim or more stands nowhere in it.}
```

## When to ignore

Never. The rubric cannot be used like this, and a comment that ignores it has no effect.
"""
