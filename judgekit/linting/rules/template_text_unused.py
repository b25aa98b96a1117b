"""Text outside the blocks of an extending template is never shown.

## What it does

Looks for text and for `{{ ... }}` behind `{% extends %}` that stand in no block. Comments are left
alone.

## Why it hurts

Jinja shows of an extending template only its blocks. The sentence is there for whoever reads the
file, and for no judge.

## Example

```jinja
{% extends "judgekit/pointwise@1.jinja" %}
Count a claim as stated when its numbers agree.
{% block task %}You grade answers of a museum's assistant.{% endblock %}
```

## Use instead

```jinja
{% extends "judgekit/pointwise@1.jinja" %}
{% block task %}
You grade answers of a museum's assistant.
Count a claim as stated when its numbers agree.
{% endblock %}
```

## When to ignore

When the text is a note to other authors. A comment, `{# ... #}`, says so without ignoring anything.
"""
