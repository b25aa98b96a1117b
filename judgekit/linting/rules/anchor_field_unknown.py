"""A worked example has a field that is not one of the rubric's inputs.

## What it does

Compares the fields of every anchor with the rubric's `inputs`, or with the usual ones where it
lists none: `input` and `output`, for pairs `input`, `output_a` and `output_b`. `reason` is always
allowed. `--fix` corrects a misspelt field.

## Why it hurts

An anchor is an item shown with its right level. Items never have this field, so the example would
teach the judge to look for something that never comes. Most often it is a misspelt field, and its
text was meant to be seen.

## Example

```yaml
anchors:
  - input: When do you open?
    ouput: At nine.
    reason: The answer gives the hour.
```

## Use instead

```yaml
anchors:
  - input: When do you open?
    output: At nine.
    reason: The answer gives the hour.
```

## When to ignore

Never. The rubric cannot be used like this, and a comment that ignores it has no effect.
"""
