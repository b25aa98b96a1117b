"""The name of a level holds line ends or control characters.

## What it does

Looks at the names of levels for line ends, tabs and characters that are not shown.

## Why it hurts

The judge gives its verdict by writing the name, and the reply is compared with it. Nobody writes a
line end in the middle of a word, so the level would never be read back.

## Example

```yaml
- value: 2
  name: |
    stretched,
    but not invented
  definition: One claim stands nowhere in the context.
```

## Use instead

```yaml
- value: 2
  name: stretched
  definition: One claim stands nowhere in the context.
```

## When to ignore

Never. The rubric cannot be used like this, and a comment that ignores it has no effect.
"""
