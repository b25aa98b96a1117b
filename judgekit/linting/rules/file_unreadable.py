"""The file cannot be read as a rubric.

## What it does

Looks for files that are not there, may not be read, are empty, are no text in UTF-8 (another
encoding, NUL bytes, an archive, a spreadsheet), or are larger than 5 MB. Folders that cannot be
read, or hold no rubric, are told in the same way. What was found in the other files is told all the
same; the exit code is 2.

## Why it hurts

Nothing of the rubric was checked, and no judge can use it. Read in a wrong encoding, "é" would be
shown to the model as two other signs.

## Example

```text
$ file --mime-encoding rubrics/tone.jinja
rubrics/tone.jinja: iso-8859-1
```

## Use instead

```text
$ iconv -f CP1252 -t UTF-8 rubrics/tone.jinja > tone.new
$ mv tone.new rubrics/tone.jinja
```

## When to ignore

Never. There is no text that could be checked, and none to write a comment in; `--select` and
`--ignore` do not count for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from judgekit.linting.finding import Finding

if TYPE_CHECKING:
    from judgekit.errors import JudgekitError


def of_error(error: JudgekitError) -> Finding:
    """Return what is wrong with a file that could not be read."""
    return Finding(error.line or 1, 1, error.message, error.hint)
