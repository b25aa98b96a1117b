"""A rubric mixes criteria on single outputs with criteria on pairs.

## What it does

Looks for `scale: pairwise` beside a criterion with another kind of scale.

## Why it hurts

A pairwise criterion is judged on items with `output_a` and `output_b`, every other one on items
with `output`. No item has the fields of both, and one template cannot show both.

## Example

```yaml
criteria:
  - criterion: grounded
    question: Does every claim of the output stand in the input?
    scale: binary
    levels: ...
  - criterion: preferred
    question: Which output answers more of what was asked?
    scale: pairwise
    levels: ...
```

## Use instead

```yaml
criteria:
  - criterion: preferred
    question: Which output answers more of what was asked?
    scale: pairwise
    levels: ...
```

## When to ignore

Never. The rubric cannot be used like this, and a comment that ignores it has no effect.
"""
