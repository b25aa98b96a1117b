"""Two level names can be taken for one another when an answer is read.

## What it does

Looks for a name that stands whole in another (*grounded* and *partly grounded*, *correct* and *not
correct*, *warm* and *lukewarm*; an opposite in one word such as *ungrounded* is left alone), for
names that differ by one letter, and for names that differ in spelling only: in plural or singular,
a hyphen or a blank, accents, *1* or *one*, letters of another alphabet that look the same; and for
a name that is the number of another level.

## Why it hurts

Models do not always answer in the form that was asked for. *It is not fully grounded* then holds
both names; the reader calls it contradictory and gives no level, which costs coverage, and people
who type labels by hand slip as well.

## Example

```yaml
levels:
  - {value: 2, name: grounded, definition: ...}
  - {value: 1, name: partly grounded, definition: ...}
```

## Use instead

```yaml
levels:
  - {value: 2, name: grounded, definition: ...}
  - {value: 1, name: stretched, definition: ...}
```

## When to ignore

When existing labels use these names, and replies come under an enforced schema.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from judgekit.linting.letters import seen_as
from judgekit.rubric.scale import fold

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from judgekit.linting.finding import Finding
    from judgekit.linting.subject import CriterionView, Subject

_SHORTEST = 4
_LONGEST_ENDING = 4
"""Letters behind a word that make another form of it: *warm*, *warmness*."""
_OPPOSITES = ("un", "in", "im", "ir", "il", "dis", "non", "mis", "de")


def check(subject: Subject) -> Iterator[Finding]:
    """Yield the longer, or the later, of two names that can be confused."""
    for criterion in subject.criteria:
        names = [level.name for level in criterion.levels if level.name]
        ordered = criterion.kind in ("ordinal", "binary")
        yield from _numbered(subject, criterion)
        for first, second in combinations(names, 2):
            if fold(first.value) == fold(second.value):
                continue  # the same name twice is another rule's
            one, other = seen_as(first.value), seen_as(second.value)
            longer = _within(other, one) or _in_word(other, one, ordered=ordered)
            if longer or _confused(one, other, ordered=ordered):
                named = first if longer else second
                rest = second if named is first else first
                yield subject.at(
                    named,
                    f"{named.value!r} can be taken for {rest.value!r} in an answer",
                    help="give each level a word of its own",
                )


def _numbered(subject: Subject, criterion: CriterionView) -> Iterator[Finding]:
    """Yield each name that is the value of another level."""
    numbers = {level.number: level for level in criterion.levels if level.number is not None}
    for level in criterion.levels:
        name = level.name.value.strip() if level.name else ""
        other = numbers.get(float(name)) if name.isdecimal() else None
        if level.name and other is not None and other is not level:
            yield subject.at(
                level.name,
                f"{name!r} is the name of {level.called} and the number of another level",
                help="name the level in words, or take its own number",
            )


def _confused(one: Sequence[str], other: Sequence[str], *, ordered: bool) -> bool:
    if "".join(one) == "".join(other):
        return bool(one)
    return _within(one, other) or _in_word(one, other, ordered=ordered) or _one_letter(one, other)


def _within(short: Sequence[str], long: Sequence[str]) -> bool:
    """Whether the words of a name stand in a row in a longer one; bare numbers do not count."""
    if not short or len(short) >= len(long) or all(len(word) < 3 for word in short):
        return False
    size = len(short)
    return any(long[at : at + size] == short for at in range(len(long) - size + 1))


def _in_word(short: Sequence[str], long: Sequence[str], *, ordered: bool) -> bool:
    """Whether all words of two names are the same but for one that is a part of the other's."""
    apart = [(a, b) for a, b in zip(short, long, strict=False) if a != b]
    if len(short) != len(long) or len(apart) != 1:
        return False
    part, word = apart[0]
    more = len(word) - len(part)
    if len(part) < (_SHORTEST - 1 if ordered else _SHORTEST) or more < 1:
        return False
    if word.startswith(part):
        return more <= _LONGEST_ENDING
    return (
        ordered and len(part) >= _SHORTEST and word.endswith(part) and word[:more] not in _OPPOSITES
    )


def _one_letter(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether two names differ by a letter, or by two that changed places."""
    first, second = " ".join(one), " ".join(other)
    if min(len(first), len(second)) < _SHORTEST or abs(len(first) - len(second)) > 1:
        return False
    if first.translate(_NO_DIGITS) == second.translate(_NO_DIGITS):
        return False  # numbered names
    short, long = sorted((first, second), key=len)
    at = next((i for i, ch in enumerate(short) if ch != long[i]), len(short))
    if len(short) == len(long) and short[at : at + 2] == long[at : at + 2][::-1]:
        return short[at + 2 :] == long[at + 2 :]
    return short[at + (len(short) == len(long)) :] == long[at + 1 :]


_NO_DIGITS = str.maketrans("", "", "0123456789")
