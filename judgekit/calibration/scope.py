"""What kind of items the evidence is about, and whether other items are of that kind."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from pydantic import Field

from judgekit.calibration.language import language_of
from judgekit.judging.judgment import Judgment
from judgekit.rubric.fence import content_text
from judgekit.rubric.frozen import Frozen

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from judgekit.judging.item import Item, Text
    from judgekit.judging.judgment import Unjudged

MIN_ITEMS = 10
"""With fewer items a profile says nothing, and nothing is withheld because of it."""
LENGTH_FACTOR = 4.0
SCRIPT_DISTANCE = 0.5
UNSEEN_LEVELS = 0.5
_WRITTEN = re.compile(r"(\d{1,12}) (-|(?:\w+(?:-\w+)*=\d{1,4},?)+) (-|[a-z]+)")
TOLD = 0.5
"""Share of items whose language must be known before languages are compared."""


class Scope(Frozen):
    """Profile of a set of items.

    Attributes:
        items: How many items it was taken from.
        length: Characters of the judged text: 5th percentile, median, 95th percentile.
        scripts: Share of letters in each writing system (LATIN, CYRILLIC, CJK ...).
        levels: Share of judged items at each level, in scale order.
        languages: Share of items in each language, where it can be told.
    """

    items: int
    length: tuple[int, int, int]
    scripts: dict[str, float]
    levels: tuple[float, ...]
    languages: dict[str, float] = Field(default_factory=dict)


class Traits(NamedTuple):
    """What a profile needs to know of the text of one item.

    Attributes:
        length: Its characters; 0 where there is no text.
        scripts: How many of its first letters are of each writing system.
        language: Its language, where it can be told.
    """

    length: int
    scripts: tuple[tuple[str, int], ...]
    language: str | None

    @property
    def written(self) -> str:
        """Return it as a text, for results that keep no item: ``1200 LATIN=380 english``.

        Empty where nothing is known.
        """
        if not self.length:
            return ""
        scripts = ",".join(f"{name}={count}" for name, count in self.scripts)
        return " ".join((str(self.length), scripts or "-", self.language or "-"))


def traits_of(item: Item) -> Traits:
    """Return what a profile needs to know of an item's text."""
    text = _text(item)
    letters = Counter(_scripts(text)).most_common()
    return Traits(len(text), tuple(letters), language_of(text))


def read_traits(written: object) -> Traits | None:
    """Return what :attr:`Traits.written` has written of a text; None for anything else."""
    found = _WRITTEN.fullmatch(written) if isinstance(written, str) else None
    if found is None:
        return None
    length, scripts, language = found.groups()
    pairs = [one.split("=") for one in scripts.split(",") if one != "-"]
    counts = tuple((name, int(count)) for name, count in pairs)
    return Traits(int(length), counts, None if language == "-" else language)


def profile(
    traits: Sequence[Traits], outcomes: Iterable[Judgment | Unjudged], levels: int
) -> Scope | None:
    """Return the profile of these items and the judge's levels; None without any item.

    Recorded judgments may come without item text: lengths are then 0, and only levels compare.
    """
    lengths = sorted(one.length for one in traits)
    if not lengths:
        return None
    letters: Counter[str] = Counter()
    for one in traits:
        letters.update(dict(one.scripts))
    total = letters.total() or 1
    tongues = Counter(one.language for one in traits)
    given = Counter(o.level for o in outcomes if isinstance(o, Judgment) and o.level is not None)
    judged = sum(given.values()) or 1
    edge = int(0.05 * (len(lengths) - 1))
    return Scope(
        items=len(traits),
        length=(lengths[edge], int(median(lengths)), lengths[-1 - edge]),
        scripts={name: round(n / total, 4) for name, n in letters.most_common(6)},
        languages={
            n: round(k / len(traits), 4) for n, k in tongues.most_common(6) if n is not None
        },
        levels=tuple(round(given[i] / judged, 4) for i in range(levels)),
    )


def out_of_scope(evidence: Scope | None, now: Scope | None) -> list[str]:
    """Return in what way items lie far outside what the evidence is about; usually nothing.

    Far means: typical length more than four times beyond the evidence's 5%-95% range, half of
    the letters in other scripts or half of the items in other languages, or most items at
    levels the evidence hardly holds (under 2%).
    """
    if evidence is None or now is None or now.items < MIN_ITEMS:
        return []
    found = []
    low, _, high = evidence.length
    typical = now.length[1]
    with_text = bool(high and now.length[2])
    if with_text and (typical > LENGTH_FACTOR * high or typical * LENGTH_FACTOR < low):
        found.append(f"typical length {typical} characters, evidence {low} to {high}")
    if with_text and _apart(evidence.scripts, now.scripts) > SCRIPT_DISTANCE:
        found.append(f"mostly {_main(now.scripts)} letters, unlike the evidence")
    elif (
        with_text
        and min(_known(evidence), _known(now)) >= TOLD
        and _apart(evidence.languages, now.languages) > SCRIPT_DISTANCE
    ):
        found.append(f"mostly {_main(now.languages)}, unlike the evidence")
    rare = [i for i, share in enumerate(evidence.levels) if share < 0.02]
    if sum(now.levels[i] for i in rare) > UNSEEN_LEVELS:
        found.append("most items get a level the evidence hardly holds")
    return found


def _apart(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    """Return the share that would have to move to turn one profile into the other, 0 to 1."""
    total = sum(one.values()) or 1.0, sum(other.values()) or 1.0
    names = one.keys() | other.keys()
    return sum(abs(one.get(n, 0) / total[0] - other.get(n, 0) / total[1]) for n in names) / 2


def _main(shares: Mapping[str, float]) -> str:
    return max(shares, key=lambda n: shares[n], default="no").title()


def _known(scope: Scope) -> float:
    return sum(scope.languages.values())


def output_length(item: Item) -> int | None:
    """Return the characters of the judged output; None where its text is not at hand, or blank.

    Spaces count once, so that padding makes no text longer. Of a pair it is how much longer A is
    than B, and negative where B is longer.
    """
    names = ("output_a", "output_b") if "output_a" in item.fields else ("output",)
    told = [" ".join(_plain(item.fields[name]).split()) for name in names if name in item.fields]
    if len(told) < len(names) or not any(told):
        return None
    return len(told[0]) - len(told[1]) if len(told) > 1 else len(told[0])


def _text(item: Item) -> str:
    names = [n for n in ("output", "output_a", "output_b") if n in item.fields]
    return "\n".join(_plain(item.fields[n]) for n in names or item.fields)


def _plain(field: Text) -> str:
    if isinstance(field, str):
        return field
    return "\n".join(content_text(message.get("content")) for message in field)


def _scripts(text: str) -> list[str]:
    return [_script(ch) for ch in text[:400] if ch.isalpha()]


_CACHE: dict[str, str] = {}


def _script(ch: str) -> str:
    if ch not in _CACHE:
        _CACHE[ch] = "LATIN" if ch.isascii() else unicodedata.name(ch, "OTHER").split(" ")[0]
    return _CACHE[ch]
