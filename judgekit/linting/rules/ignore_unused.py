"""A comment ignores a rule that nothing here violates.

## What it does

Looks for `judgekit: ignore[...]` comments that are not needed, as long as the rubric can be used,
and for those that try to ignore what makes it unusable. A comment counts for its own line, or alone
on its line for the next one; where a text begins there, for all lines of the text. `--fix` takes
out what is not needed.

## Why it hurts

What was wrong has been mended, or stands on another line. The comment now only waits to hide the
next violation.

## Example

```yaml
levels:
  - value: 2  # judgekit: ignore[SC08] the definition of 1 draws the line
    name: grounded
    definition: Every claim stands in the context.
    drops_when: One claim neither stands there nor follows from what does.
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

It cannot be ignored by a comment. `--ignore IG03` leaves it out of a whole run.
"""
