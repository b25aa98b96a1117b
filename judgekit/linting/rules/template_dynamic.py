"""The name of a template is computed.

## What it does

Looks for `extends`, `include` and `import` with anything but a plain text in quotes. A plain
`include` inside an `if` is fine.

## Why it hurts

Which templates belong to a rubric must be known without any item. A name that is computed could
depend on the text that is judged, which would then choose its own prompt.

## Example

```jinja
{% extends "judgekit/pointwise@1.jinja" %}
{% block task %}{% include "tasks/" ~ criterion.name ~ ".jinja" %}{% endblock %}
```

## Use instead

```jinja
{% extends "judgekit/pointwise@1.jinja" %}
{% block task %}You grade {{ criterion.name }} of answers.{% endblock %}
```

## When to ignore

Never. The rubric cannot be used like this, and a comment that ignores it has no effect.
"""
