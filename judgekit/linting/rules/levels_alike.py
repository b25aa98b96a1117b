"""Two levels are defined in the same words, or apart by degree alone.

## What it does

Looks for definitions of one criterion that are the same, or the same but for the order of their
parts, or for a word or two that make no difference in what a reader would see. Numbers, amounts and
negations do make one. Between neighbours of an ordinal scale it also looks for definitions that
differ in words of degree only: *shows adaptability*, *generally shows adaptability*, in English.
The two sides of a pairwise scale are told apart by their letters, and may be defined alike.

## Why it hurts

Where two drawers have the same label, what goes into which is chance. Kappa counts every such
choice as a disagreement, and no stronger model mends it.

## Example

```yaml
- {value: 2, name: good, definition: The answer covers the points that were asked for.}
- {value: 1, name: fair, definition: The answer covers the points that were asked for.}
```

## Use instead

```yaml
- {value: 2, name: whole, definition: The answer covers every point that was asked for.}
- {value: 1, name: partly, definition: The answer leaves one point out that was asked for.}
```

## When to ignore

Never for the same words; join the levels instead.
"""

from __future__ import annotations

from itertools import combinations, pairwise
from typing import TYPE_CHECKING, NamedTuple

from judgekit.linting.alike import alike
from judgekit.linting.words import AMOUNTS, DEGREE, content_words, language_of, words_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from judgekit.linting.finding import Finding
    from judgekit.linting.subject import LevelView, Subject, Text

_STEM = 5
"""Letters by which two forms of a word are taken for one."""
_TELLING = (AMOUNTS - DEGREE) | {"or"}
"""Words that make a difference between two texts however alike they are."""
_HELP = "say what a reader sees in the one and not in the other"


class _Told(NamedTuple):
    """A level with a definition, and the words of that."""

    level: LevelView
    text: Text
    words: tuple[str, ...]


def check(subject: Subject) -> Iterator[Finding]:
    """Yield the second of two definitions that are alike."""
    for criterion in subject.criteria:
        told = [
            _Told(level, level.definition, words_of(level.definition.value))
            for level in criterion.levels
            if level.definition
        ]
        seen: set[int] = set()
        sides = criterion.kind == "pairwise"
        for (_, first), (place, second) in combinations(enumerate(told), 2):
            if place not in seen and _same(first, second, sides=sides):
                seen.add(place)
                message = f"{second.level.called} is defined like {first.level.called}"
                yield subject.at(second.text, message, help=_HELP)
        if criterion.kind == "ordinal" and not seen:
            yield from _by_degree(subject, told)


def _by_degree(subject: Subject, told: list[_Told]) -> Iterator[Finding]:
    """Yield the lower of two neighbours that only words of degree tell apart."""
    numbered = [one for one in told if one.level.number is not None]
    for lower, upper in pairwise(sorted(numbered, key=lambda one: one.level.number or 0.0)):
        seen = _seen(lower.words)
        if len(seen) < 3 or seen != _seen(upper.words) or _digits(lower) != _digits(upper):
            continue
        apart = [word for word in lower.words if word not in upper.words]
        amounts = _TELLING & ({*lower.words} ^ {*upper.words})
        if amounts or {language_of(one.text.value) for one in (lower, upper)} != {"en"}:
            continue
        shown = f" ({', '.join(map(repr, apart[:2]))})" if apart else ""
        yield subject.at(
            lower.text,
            f"only words of degree tell {lower.level.called} from {upper.level.called}{shown}",
            help=_HELP,
        )


def _seen(words: tuple[str, ...]) -> list[str]:
    """Return the stems of the words that stand for something to see, each once."""
    return list(dict.fromkeys(word[:_STEM] for word in content_words(words)))


def _same(one: _Told, other: _Told, *, sides: bool) -> bool:
    """Return whether two definitions are one; those of sides differ in the side they name."""
    if sides:
        return one.words == other.words and _digits(one) == _digits(other)
    return alike(one.text.value, other.text.value)


def _digits(one: _Told) -> str:
    return "".join(ch for ch in one.text.value if ch.isdigit())
