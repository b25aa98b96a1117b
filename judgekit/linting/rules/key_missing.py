"""Something that a rubric cannot do without is missing or empty.

## What it does

A rubric needs a name under `rubric`, a criterion its name, its `question` and its `scale`, a level
its `definition` and, on ordinal and binary scales, its `value`. A list of `inputs` is not empty; it
may be left out.

## Why it hurts

Each of these is shown to the judge or needed to read its reply. A level without a definition is a
bare number again: the model makes up what it stands for, anew on every call.

## Example

```yaml
- value: 2
  name: stretched
```

## Use instead

```yaml
- value: 2
  name: stretched
  definition: One claim of the answer stands nowhere in the context.
```

## When to ignore

Never. The rubric cannot be used like this, and a comment that ignores it has no effect.
"""
