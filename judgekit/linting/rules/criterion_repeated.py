"""Two criteria of a rubric have the same name.

## What it does

Compares the names of a rubric's criteria. Capitals make no difference.

## Why it hurts

Labels, judgments and certificates say by its name which criterion they are about. With two of one
name nobody can tell which one a label was meant for, and on some disks `Tone` and `tone` are the
same file.

## Example

```yaml
criteria:
  - criterion: tone
    question: Does the reply thank the customer?
    scale: binary
    levels: ...
  - criterion: Tone
    question: Does the reply blame the customer?
    scale: binary
    levels: ...
```

## Use instead

```yaml
criteria:
  - criterion: thanks
    question: Does the reply thank the customer?
    scale: binary
    levels: ...
  - criterion: blame
    question: Does the reply blame the customer?
    scale: binary
    levels: ...
```

## When to ignore

Never. The rubric cannot be used like this, and a comment that ignores it has no effect.
"""
