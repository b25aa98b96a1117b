"""The kind of a scale is none of the four there are.

## What it does

`scale` is `binary` (met or not), `nominal` (names without an order), `ordinal` (numbers, the higher
the better) or `pairwise` (which of two outputs). `--fix` corrects a misspelt one.

## Why it hurts

The kind decides how levels are ordered, what passes and how agreement is counted. A range such as
`1-5` says none of this; the levels say where a scale begins and ends.

## Example

```yaml
scale: 1-5
levels: ...
```

## Use instead

```yaml
scale: ordinal
levels: ...
```

## When to ignore

Never. The rubric cannot be used like this, and a comment that ignores it has no effect.
"""
