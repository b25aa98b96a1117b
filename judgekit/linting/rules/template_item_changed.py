"""The template cuts or changes the text of an item.

## What it does

Looks for filters, slices and methods on an input that is shown, or on the text of a field in a loop
over `item`, in branches that are seldom taken too, and tries the template with long texts. Asking
about a text (`{% if output | length > 9 %}`) and counting its words is fine.

## Why it hurts

The judge has to see what the raters saw. Cut after 300 characters, an answer is judged by its
beginning; escaped or in capitals it is another text, and the marks that keep an item apart from the
prompt may be lost.

## Example

```jinja
{{ criterion.question }}
{{ next_message() }}
{{ input }}
{{ output | truncate(300) }}
```

## Use instead

```jinja
{{ criterion.question }}
{{ next_message() }}
{{ input }}
{{ output }}
```

## When to ignore

Never. The rubric cannot be used like this, and a comment that ignores it has no effect.
"""
