"""The pass line is written the way another kind of scale needs it.

## What it does

Ordinal scales name the lowest level that passes with `passes_at`. Nominal and pairwise scales list
the levels that pass with `passing`. On a binary scale 1 passes, and there is nothing to say.

## Why it hurts

`passes_at: friendly` means nothing where no level is higher than another, and a list could leave a
gap in the middle of an ordinal scale. The pass rate would rest on a guess.

## Example

```yaml
scale: nominal
passes_at: friendly
levels:
  - {name: friendly, definition: The reply greets and thanks.}
  - {name: neutral, definition: The reply does neither.}
  - {name: rude, definition: The reply insults or blames.}
```

## Use instead

```yaml
scale: nominal
passing: [friendly, neutral]
levels:
  - {name: friendly, definition: The reply greets and thanks.}
  - {name: neutral, definition: The reply does neither.}
  - {name: rude, definition: The reply insults or blames.}
```

## When to ignore

Never. The rubric cannot be used like this, and a comment that ignores it has no effect.
"""
