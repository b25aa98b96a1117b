"""The name of the rubric is not one short line.

## What it does

The name under `rubric` is one line of at most 100 characters. Blanks, signs and all scripts are
allowed.

## Why it hurts

Reports, certificates and error messages call the rubric by its name, in the middle of a line. What
it is for belongs into `description`.

## Example

```yaml
rubric: |
  Groundedness.
  For answers of the help desk.
version: 1
```

## Use instead

```yaml
rubric: groundedness
version: 1
description: For answers of the help desk.
```

## When to ignore

Never. The rubric cannot be used like this, and a comment that ignores it has no effect.
"""
