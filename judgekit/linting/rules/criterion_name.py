"""The name of a criterion cannot be the name of a file.

## What it does

Criterion names hold letters, digits, `_`, `-` and `.`, begin with a letter or a digit and have at
most 64 characters. Letters of any script will do.

## Why it hurts

Certificates are files named after their criterion, label files name it in a column, and people type
it on the command line. Blanks, slashes and question marks are in the way of one or another.

## Example

```yaml
- criterion: Is it grounded?
  question: Does every claim of the output stand in the input?
  scale: binary
  levels: ...
```

## Use instead

```yaml
- criterion: grounded
  question: Does every claim of the output stand in the input?
  scale: binary
  levels: ...
```

## When to ignore

Never. The rubric cannot be used like this, and a comment that ignores it has no effect.
"""
