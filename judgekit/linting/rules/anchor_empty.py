"""A worked example shows no item text.

## What it does

Looks for anchors without any field of an item: empty ones, and those that have a `reason` only.

## Why it hurts

The judge would read why an output has its level and never see the output.

## Example

```yaml
anchors:
  - reason: The answer names an hour that the context does not have.
```

## Use instead

```yaml
anchors:
  - input: When do you open?
    output: At seven.
    reason: The answer names an hour that the context does not have.
```

## When to ignore

Never. The rubric cannot be used like this, and a comment that ignores it has no effect.
"""
