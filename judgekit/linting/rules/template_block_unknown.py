"""A block would never be shown.

## What it does

Looks for blocks of an extending template that the extended one has no place for. The built-in
templates have `rubric`, `task`, `scale`, `answer_form`, `item_intro`, `item` and `question`.
`--fix` corrects a misspelt name.

## Why it hurts

Jinja leaves such a block out without a word. The instructions in it look like part of the prompt,
and no judge ever reads them.

## Example

```jinja
{% extends "judgekit/pointwise@1.jinja" %}
{% block taks %}You grade answers of a museum's assistant.{% endblock %}
```

## Use instead

```jinja
{% extends "judgekit/pointwise@1.jinja" %}
{% block task %}You grade answers of a museum's assistant.{% endblock %}
```

## When to ignore

Never. The rubric cannot be used like this, and a comment that ignores it has no effect.
"""
