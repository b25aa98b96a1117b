"""A comment ignores a rule that there is not.

## What it does

Looks for `judgekit: ignore[...]` comments that name no rule, or one that does not exist. Rules are
named by code or by name, several with commas between; the beginning of a code is none.

## Why it hurts

The comment has no effect, while everybody who reads it believes it has.

## Example

```yaml
levels:
  # judgekit: ignore[level-drop-undefined] the definition of 1 draws the line
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
  # judgekit: ignore[level-drops-undefined] the definition of 1 draws the line
  - value: 2
    name: grounded
    definition: Every claim stands in the context.
  - value: 1
    name: invented
    definition: One claim or more stands nowhere in it.
```

## When to ignore

It cannot be ignored by a comment. `--ignore IG01` leaves it out of a whole run.
"""
