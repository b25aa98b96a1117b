"""The template never shows one of the rubric's inputs.

## What it does

Renders the prompt and looks for the text of every input. A loop over `item` shows them all, and so
do the built-in templates. It points at the branch, the comment, the loop or the block that keeps
the input from the prompt.

## Why it hurts

The judge decides without what the rubric says it decides by. With the context left out, every claim
is equally unsupported, and the reply still comes with a reason.

## Example

```jinja
{{ criterion.question }}
{{ next_message() }}
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

Hardly ever. Items may have fields that the rubric does not list, so an input the judge is not to
see can be taken out of `inputs`.
"""
