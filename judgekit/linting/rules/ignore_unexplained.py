"""A comment ignores a rule and does not say why.

## What it does

Looks for `judgekit: ignore[...]` comments without a text behind the bracket.

## Why it hurts

A rule that is ignored is a decision. Without its reason the next author can neither trust it nor
undo it, and after a year nobody can.

## Example

```yaml
levels:
  - value: 2  # judgekit: ignore[SC08]
    name: grounded
    definition: Every claim stands in the context.
  - value: 1
    name: invented
    definition: One claim or more stands nowhere in it.
```

## Use instead

```yaml
levels:
  - value: 2  # judgekit: ignore[SC08] the definition of 1 draws the line
    name: grounded
    definition: Every claim stands in the context.
  - value: 1
    name: invented
    definition: One claim or more stands nowhere in it.
```

## When to ignore

It cannot be ignored by a comment. `--ignore IG02` leaves it out of a whole run.
"""
