"""The template fails when it is tried out.

## What it does

Follows what the template is given through its loops, and looks for parts that nothing has
(`level.nme`), in branches that are seldom taken too; `--fix` corrects a misspelt one. Then it
renders the prompt of every criterion for made-up items. It fails when something is shown that is
not there for this criterion, when a list stands where text belongs, when nothing is shown at all,
or when it counts further than a prompt may.

## Why it hurts

It would fail for every item, after the first calls have been paid for.

## Example

```jinja
{{ criterion.qestion }}
{{ next_message() }}
{{ input }}
{{ output }}
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
