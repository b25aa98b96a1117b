"""The template uses a filter or a test that there is not.

## What it does

Compares filters (`| upper`) and tests (`is defined`) with those of Jinja. A few are left out:
`random`, because a prompt is the same on every run, and `format`, `center`, `batch`, `slice`,
`xmlattr` and `pprint`. `--fix` corrects a misspelt one, unless what is filtered is the text of an
item, which is shown as it is.

## Why it hurts

The template would fail when it comes to this line, which may be one that only some criteria reach.

## Example

```jinja
You judge {{ criterion.name | uper }}: {{ criterion.question }}
{{ next_message() }}
{{ input }}
{{ output }}
```

## Use instead

```jinja
You judge {{ criterion.name | upper }}: {{ criterion.question }}
{{ next_message() }}
{{ input }}
{{ output }}
```

## When to ignore

Never. The rubric cannot be used like this, and a comment that ignores it has no effect.
"""
