"""A field of a worked example is neither a text nor a list of chat messages.

## What it does

Looks at what stands in each field of an anchor. A text may have several lines; a chat message has a
`role`. Numbers, dates, `yes` and `no` are read as the text they are written as.

## Why it hurts

An anchor is shown the way an item is shown. A mapping or a list of words has no such form, and
whatever it was turned into would look like no item the judge will ever see.

## Example

```yaml
anchors:
  - input: When do you open?
    output: [At nine, on Sundays at ten]
```

## Use instead

```yaml
anchors:
  - input: When do you open?
    output: |
      - At nine
      - on Sundays at ten
  - input: When do you open?
    output:
      - {role: assistant, content: "At nine, on Sundays at ten."}
```

## When to ignore

Never. The rubric cannot be used like this, and a comment that ignores it has no effect.
"""
