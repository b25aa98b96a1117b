"""The front matter uses anchors, aliases or tags of YAML.

## What it does

Looks for `&name`, `*name` and `!tag` at the beginning of a value, and for nesting deeper than any
rubric needs.

## Why it hurts

With them the text on the page is not the text the judge is shown: a short file can stand for a long
one, and a tag can ask for a program to be run. Often it is only a text that begins with such a
sign, and quotes are all it wants.

## Example

```yaml
anchors:
  - input: &question When do you open?
    output: At nine.
  - input: *question
    output: From nine to five.
```

## Use instead

```yaml
anchors:
  - input: When do you open?
    output: At nine.
  - input: When do you open?
    output: From nine to five.
```

## When to ignore

Never. The rubric cannot be used like this, and a comment that ignores it has no effect.
"""
