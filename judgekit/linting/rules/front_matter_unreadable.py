"""The front matter cannot be read as YAML.

## What it does

Reads what stands between the two `---` lines. Most often it is one of four things: a `: ` in the
middle of a text, a text that begins with a sign YAML has a use for, a quote that is never closed,
or a line that is indented with a tab or otherwise than its neighbours. The template is checked all
the same.

## Why it hurts

A colon makes a key of half a sentence, and an open quote swallows the levels after it. What was
meant cannot be told, so nothing of the front matter is used and most rules have nothing to look at.

## Example

```yaml
- value: 1
  name: invented
  definition: The answer makes things up: hours, prices, names.
```

## Use instead

```yaml
- value: 1
  name: invented
  definition: "The answer makes things up: hours, prices, names."
```

## When to ignore

Never. The rubric cannot be used like this, and a comment that ignores it has no effect.
"""
