"""A template extends or includes itself.

## What it does

Follows `extends`, `include` and `import` from template to template and looks for circles.

## Why it hurts

It would never end.

## Example

```jinja
{# house.jinja #}
Count a claim as stated when its numbers agree.
{% include "house.jinja" %}
```

## Use instead

```jinja
{# house.jinja #}
Count a claim as stated when its numbers agree.
```

## When to ignore

Never. The rubric cannot be used like this, and a comment that ignores it has no effect.
"""
