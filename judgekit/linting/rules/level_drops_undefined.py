"""A level does not say what drops an output out of it.

## What it does

Looks for levels of ordinal and binary scales without `drops_when`. The lowest level needs none.

## Why it hurts

Raters who agree on what a 3 is still part company over the first output that is nearly one. Most
disagreement is between neighbouring levels; `drops_when` is the sentence that draws the line
between them, for the judge and for the people who label.

## Example

```yaml
levels:
  - value: 2
    name: grounded
    definition: Every claim stands in the context.
  - value: 1
    name: invented
    definition: One claim or more stands nowhere in it.
```

## Use instead

```yaml
levels:
  - value: 2
    name: grounded
    definition: Every claim stands in the context.
    drops_when: One claim neither stands there nor follows from what does.
  - value: 1
    name: invented
    definition: One claim or more stands nowhere in it.
```

## When to ignore

When the definition of the next lower level draws the line in words that leave nothing open.
"""
