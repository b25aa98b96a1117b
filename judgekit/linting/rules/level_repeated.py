"""Two levels share a value or a name.

## What it does

Compares the values and the names of a criterion's levels, all with all: labels and replies name a
level by either. Capitals and outer blanks make no difference, and `1.0` is `1`.

## Why it hurts

A label or a reply that names the one could as well mean the other, and no count of levels would be
right.

## Example

```yaml
levels:
  - {value: 3, name: grounded, definition: Every claim stands in the context.}
  - {value: 2, name: stretched, definition: One claim stands nowhere in it.}
  - {value: 1, name: Stretched, definition: Two claims or more stand nowhere in it.}
```

## Use instead

```yaml
levels:
  - {value: 3, name: grounded, definition: Every claim stands in the context.}
  - {value: 2, name: stretched, definition: One claim stands nowhere in it.}
  - {value: 1, name: invented, definition: Two claims or more stand nowhere in it.}
```

## When to ignore

Never. The rubric cannot be used like this, and a comment that ignores it has no effect.
"""
