"""A scale without an order has weights that count distances.

## What it does

Looks for `linear` and `quadratic` weights on nominal and pairwise scales.

## Why it hurts

Names have no distance: *rude* is not further from *friendly* than from *neutral*. Weights would
forgive some confusions and not others, by nothing but the order in which the levels are listed.

## Example

```yaml
scale: nominal
weights: linear
levels: ...
```

## Use instead

```yaml
scale: nominal
levels: ...
```

## When to ignore

Never. The rubric cannot be used like this, and a comment that ignores it has no effect.
"""
