"""The file does not begin with front matter.

## What it does

A rubric begins with a line `---`. What stands between it and the next such line is YAML and says
what is judged; what follows is the template. Nothing may stand before the first line, not even a
blank one or a comment.

## Why it hurts

A template alone has no criteria and no levels. There is nothing to label, nothing to measure, and
no reply can be read back to a level.

## Example

```text
You grade answers. Is this one grounded? Give a score from 1 to 5.
{{ output }}
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
{% block task %}You grade answers.{% endblock %}
```

## When to ignore

Never. The rubric cannot be used like this, and a comment that ignores it has no effect.
"""
