"""The pass line names a level that the scale does not have.

## What it does

Compares `passes_at` and every entry of `passing` with the values and names of the levels. Capitals
make no difference, and `3.0` is `3`. `--fix` corrects a misspelt name.

## Why it hurts

What passes would not be known. It often happens when levels are renumbered and the pass line is
left behind, which can also move it in silence: look at it whenever the levels change.

## Example

```yaml
scale: ordinal
passes_at: 4
levels:
  - {value: 3, name: grounded, definition: Every claim stands in the context.}
  - {value: 2, name: stretched, definition: One claim stands nowhere in it.}
  - {value: 1, name: invented, definition: Two claims or more stand nowhere in it.}
```

## Use instead

```yaml
scale: ordinal
passes_at: grounded
levels:
  - {value: 3, name: grounded, definition: Every claim stands in the context.}
  - {value: 2, name: stretched, definition: One claim stands nowhere in it.}
  - {value: 1, name: invented, definition: Two claims or more stand nowhere in it.}
```

## When to ignore

Never. The rubric cannot be used like this, and a comment that ignores it has no effect.
"""
