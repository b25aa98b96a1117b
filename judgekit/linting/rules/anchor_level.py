"""A worked example says its level a second time.

## What it does

Looks for the key `level` in an anchor.

## Why it hurts

An anchor has the level it stands under. A second one can only repeat it or contradict it, and once
the levels are renumbered or the anchor is moved it will contradict it.

## Example

```yaml
- value: 3
  name: grounded
  definition: Every claim of the answer stands in the context.
  anchors:
    - output: At nine.
      level: 3
      reason: The context says nine.
```

## Use instead

```yaml
- value: 3
  name: grounded
  definition: Every claim of the answer stands in the context.
  anchors:
    - output: At nine.
      reason: The context says nine.
```

## When to ignore

Never. The rubric cannot be used like this, and a comment that ignores it has no effect.
"""
