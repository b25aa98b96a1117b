"""The template extends or includes one that is not there.

## What it does

Looks up every template that is named. `judgekit/pointwise@1.jinja` and `judgekit/pairwise@1.jinja`
are built in; any other is a file in the rubric's folder or below it, and no rubric itself.

## Why it hurts

The prompt cannot be put together. Templates outside the folder are refused because a rubric has to
be complete wherever it is taken, and because its text may come from somebody else.

## Example

```jinja
{% extends "judgekit/pointwise.jinja" %}
{% block task %}You grade answers.{% endblock %}
```

## Use instead

```jinja
{% extends "judgekit/pointwise@1.jinja" %}
{% block task %}You grade answers.{% endblock %}
```

## When to ignore

Never. The rubric cannot be used like this, and a comment that ignores it has no effect.
"""
