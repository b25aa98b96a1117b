"""A binary scale has other levels than 0 and 1.

## What it does

Looks at the values of each criterion with `scale: binary`.

## Why it hurts

On a binary scale 1 passes and 0 does not; pass rates, sensitivity and specificity rest on it. With
1 and 2, or a third level, it would have to be guessed which one passes.

## Example

```yaml
scale: binary
levels:
  - {value: 2, name: met, definition: The reply names the opening hours.}
  - {value: 1, name: unmet, definition: The reply names none.}
```

## Use instead

```yaml
scale: binary
levels:
  - {value: 1, name: met, definition: The reply names the opening hours.}
  - {value: 0, name: unmet, definition: The reply names none.}
```

## When to ignore

Never. The rubric cannot be used like this, and a comment that ignores it has no effect.
"""
