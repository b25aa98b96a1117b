"""The weights have a name that is not known.

## What it does

`weights` says how much a disagreement counts in kappa: `unweighted` (all the same), `linear` (by
the distance of the levels) or `quadratic` (by its square). Left out, it is `quadratic` for ordinal
scales and `unweighted` for all others. `--fix` corrects a misspelt one.

## Why it hurts

Each gives another agreement. A certificate has to say which was meant, and it cannot be guessed.

## Example

```yaml
scale: ordinal
weights: quadratc
levels: ...
```

## Use instead

```yaml
scale: ordinal
weights: quadratic
levels: ...
```

## When to ignore

Never. The rubric cannot be used like this, and a comment that ignores it has no effect.
"""
