"""A level is called the way raters say that a criterion does not apply.

## What it does

Looks for levels whose name or value is `na`, `n/a`, `not applicable` or `not_applicable`, in any
case.

## Why it hurts

A rater who writes `na` sets the item aside; it is not on the scale and counts in no agreement. With
a level of that name nobody can tell the two apart.

## Example

```yaml
scale: nominal
levels:
  - {name: polite, definition: The reply greets and thanks.}
  - {name: curt, definition: The reply does neither.}
  - {name: n/a, definition: There is no reply.}
```

## Use instead

```yaml
scale: nominal
levels:
  - {name: polite, definition: The reply greets and thanks.}
  - {name: curt, definition: The reply does neither.}
not_applicable: There is no reply.
```

## When to ignore

Never. The rubric cannot be used like this, and a comment that ignores it has no effect.
"""
