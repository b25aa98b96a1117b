"""The name of an input cannot be used in the template.

## What it does

An input is called by a name that Jinja can read: letters, digits and `_`, not beginning with a
digit. Names that the template or an anchor has a meaning for are taken, such as `item`,
`criterion`, `answer`, `reason` and `level`, and so are words like `not` and `None`.

## Why it hurts

`{{ my-context }}` is a subtraction, and `{{ criterion }}` is the criterion, whatever the item
holds.

## Example

```yaml
inputs: [input, output, source-text]
```

## Use instead

```yaml
inputs: [input, output, source_text]
```

## When to ignore

Never. The rubric cannot be used like this, and a comment that ignores it has no effect.
"""
