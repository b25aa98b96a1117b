"""The front matter has no closing line.

## What it does

Looks for the line `---` that ends the front matter. It has exactly three dashes and is not
indented; blanks behind it do no harm.

## Why it hurts

Without it the template is read as YAML, or nothing is, and what is wrong then seems to be somewhere
else.

## Example

```text
---
rubric: grounded
version: 1
criteria:
  - criterion: grounded
    question: Does every claim of the output stand in the input?
    scale: binary
    levels: ...
----
{% extends "judgekit/pointwise@1.jinja" %}
```

## Use instead

```text
---
rubric: grounded
version: 1
criteria:
  - criterion: grounded
    question: Does every claim of the output stand in the input?
    scale: binary
    levels: ...
---
{% extends "judgekit/pointwise@1.jinja" %}
```

## When to ignore

Never. The rubric cannot be used like this, and a comment that ignores it has no effect.
"""
