"""The rubric has no criteria.

## What it does

Looks for rubrics without `criteria`, and for those whose list is empty.

## Why it hurts

A criterion is what a judge is asked, and the thing that is labelled, measured and certified.
Without one there is nothing to ask.

## Example

```yaml
rubric: tone
version: 1
criteria: []
```

## Use instead

```yaml
rubric: tone
version: 1
criteria:
  - criterion: tone
    question: Which tone does the reply have?
    scale: nominal
    levels: ...
```

## When to ignore

Never. The rubric cannot be used like this, and a comment that ignores it has no effect.
"""
