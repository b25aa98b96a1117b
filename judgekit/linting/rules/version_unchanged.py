"""The meaning changed and the version did not.

## What it does

Compares the rubric with its state in git (``HEAD``) and with the certificates of its project; where
there is no project, with those in the nearest folder ``certificates`` and the current one's. When
what the judge is shown, or how its answer is read, is another and the version is the same, it says
so and names the levels. Templates beside the rubric count as part of it, and a file that was moved
is known by the rubric's name. Cosmetic edits are no reason. ``--fix`` counts the version up.

## Why it hurts

Labels, notes and dashboards speak of *groundedness version 2*. When two things carry that name,
nobody can tell which one a number belongs to. Certificates are void in any case.

## Example

```yaml
version: 2   # and level 3 was defined otherwise when version 2 was certified
```

## Use instead

```yaml
version: 3
```

## When to ignore

While a rubric is being written and nothing refers to it yet.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from judgekit.linting.finding import Edit
from judgekit.linting.state import TEMPLATE, state_of
from judgekit.rubric.meaning import changed_parts, meaning_parts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from judgekit.linting.finding import Finding
    from judgekit.linting.subject import Earlier, Subject

    Now = Callable[[str, bool], dict[str, str]]


def check(subject: Subject) -> Iterator[Finding]:
    """Yield the version where an earlier state has the same and means something else."""
    rubric, version = subject.rubric, subject.version
    if rubric is None or version is None or not subject.earlier:
        return
    criteria = {c.name: c for c in rubric.criteria}

    @cache
    def now(name: str, rendered: bool) -> dict[str, str]:  # noqa: FBT001
        return (meaning_parts if rendered else state_of)(rubric, criteria[name])

    for earlier in subject.earlier:
        changed = _changed(earlier, criteria, now) if earlier.version == rubric.version else None
        if changed:
            newest = max(e.version for e in subject.earlier)
            found = subject.at(
                version,
                f"{changed} changed since {earlier.where}, the version did not",
                help=f"write version: {newest + 1}",
            )
            edit = Edit(found.line, found.column, version.value, str(newest + 1))
            plain = subject.lines[found.line - 1].startswith(version.value, found.column - 1)
            yield found._replace(edits=(edit,) if plain else ())
            return


def _changed(earlier: Earlier, names: Iterable[str], now: Now) -> str | None:
    for name, parts in earlier.parts.items():
        if name not in names:
            return f"criterion {name!r}"
        told = changed_parts(parts, now(name, TEMPLATE not in parts))
        if told:
            return f"{', '.join(told[:3])} of {name!r}"
    return None
