"""The template shows something that it is never given.

## What it does

Looks for names that are neither inputs of the rubric nor given to every template (`criterion`,
`item`, `answer`, `mark`, `next_message`, `range`), in branches that are seldom taken too. `--fix`
corrects a misspelt one.

## Why it hurts

A misspelt input would leave a hole in the prompt, and the judge would grade what it cannot see. A
field that is not among the `inputs` is not asked of the items, and missing from one of them it
would be noticed in the middle of a run.

## Example

```jinja
{{ criterion.question }}
{{ next_message() }}
{{ input }}
{{ outptu }}
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
