"""A pairwise rubric does not show both outputs.

## What it does

Looks for rubrics with `scale: pairwise` whose `inputs` lack `output_a` or `output_b`.

## Why it hurts

Which of two outputs is better can only be said by a judge that sees both. They have fixed names so
that the two can change places: judges favour what they read first.

## Example

```yaml
inputs: [input, output]
criteria:
  - criterion: preferred
    question: Which output answers more of what was asked?
    scale: pairwise
    levels: ...
```

## Use instead

```yaml
inputs: [input, output_a, output_b]
criteria:
  - criterion: preferred
    question: Which output answers more of what was asked?
    scale: pairwise
    levels: ...
```

## When to ignore

Never. The rubric cannot be used like this, and a comment that ignores it has no effect.
"""
