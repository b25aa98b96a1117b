"""An input is listed twice.

## What it does

Compares the names in `inputs`.

## Why it hurts

Usually one of the two was meant to be another field, and this field the judge is never shown.

## Example

```yaml
inputs: [input, output, output]
```

## Use instead

```yaml
inputs: [input, output, reference]
```

## When to ignore

Never. The rubric cannot be used like this, and a comment that ignores it has no effect.
"""
