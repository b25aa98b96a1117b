"""A criterion lists no levels.

## What it does

Looks for criteria without `levels`, and for those where the key is empty.

## Why it hurts

Left with a question, or with a bare range of numbers, a model makes up its own yardstick on every
call. The levels and their definitions are the yardstick, for the judge and for the people who
label.

## Example

```yaml
- criterion: groundedness
  question: Does every claim of the output stand in the input?
  scale: ordinal
```

## Use instead

```yaml
- criterion: groundedness
  question: Does every claim of the output stand in the input?
  scale: ordinal
  levels:
    - {value: 2, name: grounded, definition: Every claim stands in the input.}
    - {value: 1, name: invented, definition: One claim or more stands nowhere in it.}
```

## When to ignore

Never. The rubric cannot be used like this, and a comment that ignores it has no effect.
"""
