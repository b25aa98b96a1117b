"""The rubric has no version.

## What it does

Looks for rubrics without `version`, and for those whose version is empty.

## Why it hurts

A certificate says which version of a rubric it was issued for. Whoever reads two results has to
know whether they were judged by the same rubric, and the name alone does not say so.

## Example

```yaml
rubric: groundedness
inputs: [input, output]
```

## Use instead

```yaml
rubric: groundedness
version: 1
inputs: [input, output]
```

## When to ignore

Never. The rubric cannot be used like this, and a comment that ignores it has no effect.
"""
