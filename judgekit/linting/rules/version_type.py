"""The version is not a whole number.

## What it does

A version is a whole number from 1 on.

## Why it hurts

A version is counted up by one whenever the meaning of a rubric changes. With words, dates and
points it is a question of taste what comes next, and to many programs 1.10 and 1.1 are the same
number.

## Example

```yaml
rubric: groundedness
version: 1.0
```

## Use instead

```yaml
rubric: groundedness
version: 1
```

## When to ignore

Never. The rubric cannot be used like this, and a comment that ignores it has no effect.
"""
