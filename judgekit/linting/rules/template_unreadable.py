"""The template cannot be read as Jinja.

## What it does

Reads the body and every template it reaches. Most often a `{% block %}` or `{% if %}` is not
closed, a tag is misspelt, or braces of an example are taken for Jinja's: `{% raw %}` keeps those.

## Why it hurts

What the judge would be shown cannot be told.

## Example

```jinja
{% extends "judgekit/pointwise@1.jinja" %}
{% block task %}You grade answers.
```

## Use instead

```jinja
{% extends "judgekit/pointwise@1.jinja" %}
{% block task %}You grade answers.{% endblock %}
```

## When to ignore

Never. The rubric cannot be used like this, and a comment that ignores it has no effect.
"""
