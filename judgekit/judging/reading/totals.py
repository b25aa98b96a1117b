"""The level of the whole beside those of its parts, and the one behind the scale it is on.

"Accuracy 5/5, style 4/5. Overall 4/5" and "On a scale of 1-5: 4". A total may be a sum of what the
parts got, so it counts only where the parts are on the same scale as it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from judgekit.judging.reading.evidence import Evidence, Weight
from judgekit.judging.reading.found import Found
from judgekit.judging.reading.pattern import pattern
from judgekit.judging.reading.quoted import told_of
from judgekit.judging.reading.values import value_at
from judgekit.judging.reading.vocabulary import Vocabulary

_TOTAL = pattern(
    r"(?:^|(?<=[.!?;,|])[ \t]|\band[ \t])[ \t]*(?P<label>"
    r"(?P<sum>(?:(?:in|au|en)[ \t]+)?totale?|总分|總分|합계|итого)"
    r"|overall|final|insgesamt|gesamt|globalement|complessivamente|en[ \t]+general"
    r"|总体|整体|综合|最终|総合|最終)(?:[ \t]+(?:score|rating|grade|mark|level|result))?"
    r"[ \t]*(?:[:=,-][ \t]*)?(?P<number>\d{1,4}(?:\.\d{1,4})?)"
    r"[ \t]*(?:/|out[ \t]+of)[ \t]*(?P<top>\d{1,4})"
    r"(?=[ \t]*(?:$|[;!)\n]|\.(?!\d)))",
    re.IGNORECASE | re.MULTILINE,
)
_BEFORE = 200  # so far back in its line a total may be announced as somebody else's
_SOMEBODY_ELSES = pattern(
    r"\b(?:human|reference|gold|student|user|author|previous|earlier|draft|example|sample|expected"
    r"|other|another|if)(?:'?s)?\b",
    re.IGNORECASE,
)
_NOTE = r"(?:[ \t]*\([^()\n]{1,80}\))?"
_SCALED = pattern(
    r"(?:^|(?<=[.!?])[ \t])[ \t]*(?:(?:so|thus|therefore|overall)\b,?[ \t]+)?"
    r"(?:on|auf|sur|en|su|in|em)[ \t]+(?:(?:an?|the|einer|une|una|uma)[ \t]+)?"
    r"(?:scale|skala|[ée]chelle|escala|scala)[ \t]+(?:(?:of|from|von|de|del|da)[ \t]+)?"
    rf"(?P<low>\d{{1,4}}){_NOTE}[ \t]*(?:-|(?:to|through|bis|à|al?|até)\b)[ \t]*"
    rf"(?P<high>\d{{1,4}}){_NOTE}[ \t]*[:=,][ \t]*(?=\d)",
    re.IGNORECASE | re.MULTILINE,
)
# Else what stands there is the first line of a legend: "1 = poor, 5 = excellent".
_ENDS = pattern(
    r"(?:\s*\([^()\n]{1,60}\))?\s*(?:$|[!\n]|\.(?!\d)|,?\s*(?:because|since|as)\b)", re.IGNORECASE
)


def totals(words: Vocabulary, text: str) -> Iterator[Evidence]:
    """Yield the levels that a reply gives to the whole of what is judged, each as "4/5"."""
    if words.top is None or not words.counts:
        return
    part = re.search(rf"\d\s*(?:/|out of)\s*{words.top:g}(?![\d.])", text)
    for match in _TOTAL.finditer(text):
        level = words.numbers.get(float(match["number"]))
        if level is None or float(match["top"]) != words.top:
            continue
        if match["sum"] and (part is None or part.start() >= match.start()):
            continue
        line = text[max(match.start() - _BEFORE, 0) : match.start()].rpartition("\n")[2]
        if not _SOMEBODY_ELSES.search(line):
            found = Found("level", level, match[0].strip(), match.end())
            yield Evidence(Weight.FINAL, match.start(), found, match["label"].lower())


def on_scale(words: Vocabulary, text: str) -> Iterator[Evidence]:
    """Yield the number behind "on a scale of 1 to 5": no level where this scale is another."""
    if not words.numbers:
        return
    for match in _SCALED.finditer(text):
        found = value_at(words, text, match.end())
        if found is None or found.kind not in {"level", "out_of_scale"}:
            continue
        if not _ENDS.match(text, found.end) or told_of(text, found.end):
            continue
        if (float(match["low"]), float(match["high"])) != (words.bottom, words.top):
            found = Found("out_of_scale", -1, match[0].strip() + found.said, found.end)
        yield Evidence(Weight.ANSWER, match.start(), found, "scale")
