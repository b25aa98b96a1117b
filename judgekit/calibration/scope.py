"""What kind of items the evidence is about, and whether other items are of that kind."""

from __future__ import annotations

import unicodedata
from collections import Counter
from statistics import median
from typing import TYPE_CHECKING

from judgekit.judging.judgment import Judgment
from judgekit.rubric.fence import content_text
from judgekit.rubric.scale import Frozen

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from judgekit.judging.item import Item
    from judgekit.judging.judgment import Unjudged

MIN_ITEMS = 10
"""With fewer items a profile says nothing, and nothing is withheld because of it."""
LENGTH_FACTOR = 4.0
SCRIPT_DISTANCE = 0.5
UNSEEN_LEVELS = 0.5


class Scope(Frozen):
    """Profile of a set of items.

    Attributes:
        items: How many items it was taken from.
        length: Characters of the judged text: 5th percentile, median, 95th percentile.
        scripts: Share of letters in each writing system (LATIN, CYRILLIC, CJK ...).
        levels: Share of judged items at each level, in scale order.
    """

    items: int
    length: tuple[int, int, int]
    scripts: dict[str, float]
    levels: tuple[float, ...]


def profile(
    items: Sequence[Item], outcomes: Iterable[Judgment | Unjudged], levels: int
) -> Scope | None:
    """Return the profile of these items and the judge's levels; None without item text."""
    texts = [_text(item) for item in items]
    lengths = sorted(len(text) for text in texts)
    if not lengths or not any(lengths):
        return None
    letters = Counter(script for text in texts for script in _scripts(text))
    total = sum(letters.values()) or 1
    given = Counter(o.level for o in outcomes if isinstance(o, Judgment) and o.level is not None)
    judged = sum(given.values()) or 1
    edge = int(0.05 * (len(lengths) - 1))
    return Scope(
        items=len(items),
        length=(lengths[edge], int(median(lengths)), lengths[-1 - edge]),
        scripts={name: round(n / total, 4) for name, n in letters.most_common(6)},
        levels=tuple(round(given[i] / judged, 4) for i in range(levels)),
    )


def out_of_scope(evidence: Scope | None, now: Scope | None) -> list[str]:
    """Return in what way items lie far outside what the evidence is about; usually nothing.

    Far means: typical length more than four times beyond the evidence's 5%-95% range, half of
    the letters in other scripts, or most items at levels the evidence hardly holds (under 2%).
    """
    if evidence is None or now is None or now.items < MIN_ITEMS:
        return []
    found = []
    low, _, high = evidence.length
    typical = now.length[1]
    if typical > LENGTH_FACTOR * max(high, 1) or typical * LENGTH_FACTOR < low:
        found.append(f"typical length {typical} characters, evidence {low} to {high}")
    names = evidence.scripts.keys() | now.scripts.keys()
    distance = sum(abs(evidence.scripts.get(n, 0) - now.scripts.get(n, 0)) for n in names) / 2
    if distance > SCRIPT_DISTANCE:
        main = max(now.scripts, key=lambda n: now.scripts[n], default="none")
        found.append(f"mostly {main.title()} letters, unlike the evidence")
    rare = [i for i, share in enumerate(evidence.levels) if share < 0.02]
    if sum(now.levels[i] for i in rare) > UNSEEN_LEVELS:
        found.append("most items get a level the evidence hardly holds")
    return found


def _text(item: Item) -> str:
    names = [n for n in ("output", "output_a", "output_b") if n in item.fields]
    parts = [item.fields[n] for n in names or item.fields]
    return "\n".join(
        p if isinstance(p, str) else "\n".join(content_text(m.get("content")) for m in p)
        for p in parts
    )


def _scripts(text: str) -> list[str]:
    return [_script(ch) for ch in text[:400] if ch.isalpha()]


_CACHE: dict[str, str] = {}


def _script(ch: str) -> str:
    if ch not in _CACHE:
        _CACHE[ch] = "LATIN" if ch.isascii() else unicodedata.name(ch, "OTHER").split(" ")[0]
    return _CACHE[ch]
