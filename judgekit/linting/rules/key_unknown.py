"""A key is not one that rubrics have.

## What it does

Compares the keys of the rubric, of each criterion and of each level with those there are. Capitals
count. Notes for people belong into `description` or a comment. `--fix` corrects a misspelt key.

## Why it hurts

A misspelt `drops_when` is a border the judge is never shown, and a misspelt `not_applicable` a way
out it does not have. The file looks right, the prompt is another one.

## Example

```yaml
- value: 3
  name: grounded
  definition: Every claim stands in the context.
  drop_when: One claim stands nowhere in it.
```

## Use instead

```yaml
- value: 3
  name: grounded
  definition: Every claim stands in the context.
  drops_when: One claim stands nowhere in it.
```

## When to ignore

Never. The rubric cannot be used like this, and a comment that ignores it has no effect.
"""
