"""A key is given twice.

## What it does

Looks for keys that occur twice in the rubric, a criterion, a level or an anchor. In quotes it is
the same key.

## Why it hurts

YAML keeps the last of the two without a word. An edit of the first then changes nothing the judge
is shown, although the file on the screen says otherwise.

## Example

```yaml
- value: 3
  name: grounded
  definition: Every claim stands in the context.
  definition: Every claim and every number stands in the context.
```

## Use instead

```yaml
- value: 3
  name: grounded
  definition: Every claim and every number stands in the context.
```

## When to ignore

Never. The rubric cannot be used like this, and a comment that ignores it has no effect.
"""
