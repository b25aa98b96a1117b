"""Answers inside marks made for the purpose: ``[[A]]``, ``[RESULT] 4``, ``<score>4</score>``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from judgekit.judging.reading.evidence import BOX, Evidence, Weight
from judgekit.judging.reading.found import Found, nothing
from judgekit.judging.reading.labels import SOMEBODY_ELSES
from judgekit.judging.reading.pattern import pattern
from judgekit.judging.reading.rivals import NOT_A_CRITERION
from judgekit.judging.reading.values import value_at, whole_value
from judgekit.judging.reading.vocabulary import Vocabulary

_DOUBLE = pattern(r"\[\[\s*(?P<said>[^\[\]\n]{1,60}?)\s*\]\]")
_RESULT = pattern(
    r"(?<!\[)\[\s*(?:(?:final|overall)[ _]?)?(?:result|final|score|verdict|answer|rating|grade"
    r"|评分|得分|判定|評価)\s*\](?!\])\s*:?\s*",
    re.IGNORECASE,
)
_BOXED = pattern(r"\\{1,4}(?:boxed|fbox)\s*\{\s*(?P<said>[^{}\n]{1,60}?)\s*\}")
_TAGGED = pattern(
    r"<\s*(?P<tag>(?:final[_ -]?|overall[_ -]?)?(?:score|rating|answer|verdict|level|label|grade"
    r"|choice|result|decision|winner|judge?ment|preference))(?:\s[^<>\n]{0,60})?>"
    r"\s*(?P<said>[^<]{0,200}?)\s*(?:<\s*/\s*(?P=tag)\s*>|\Z)",
    re.IGNORECASE,
)
_BEFORE = 120  # so far back in its line a box may be announced as somebody else's
_TAG_KNOWN = pattern(
    r"(?:final[_ -]?|overall[_ -]?)?(?:score|rating|answer|verdict|level|label|grade|choice|result"
    r"|decision|winner|judge?ment|preference)|output|response|input|title|head|body|html|summary"
    r"|details|button|option|select|script|style|caption|small|big|a",
    re.IGNORECASE,
)
_ANY_TAG = pattern(
    r"<(?P<tag>[A-Za-z][\w-]{1,40})>\s{0,20}(?P<said>[^<>\n]{1,40}?)\s{0,20}</(?P=tag)>"
)
_ITEM = pattern(
    r"\b(?:response|output|assistant|model|candidate|solution|code|says)\b", re.IGNORECASE
)
_NAME_TAG = pattern(r"<\s*(?P<said>[^\W\d_][^<>/\n]{2,40}?)\s*/?>")
_TWO_LETTERS = pattern(r"[^\W\d_]{2}")
_PLACEHOLDER = pattern(
    r"(?:your |the |final )?(?:score|rating|answer|verdict|level|grade|label|choice|result|decision"
    r"|n|x|number|integer|\.\.\.|insert.*|.*\bhere)\s*",
    re.IGNORECASE,
)


def marked(words: Vocabulary, text: str) -> Iterator[Evidence]:
    """Yield the answers given inside marks.

    Those that only judges are told to use are final. A box and an ``<answer>`` may as well be
    quoted from what is judged, so they weigh no more than a label.
    """
    if "[" in text:
        yield from _in_brackets(words, text)
    if "\\" in text:
        yield from _in_boxes(words, text)
    if "<" in text:
        yield from _in_tags(words, text)


def _in_brackets(words: Vocabulary, text: str) -> Iterator[Evidence]:
    for match in _DOUBLE.finditer(text):
        if words.token.search(match["said"]) or not _TWO_LETTERS.search(match["said"]):
            yield from _inside(words, match, Weight.FINAL)  # else a link: [[Paris]]
    for match in _RESULT.finditer(text):
        found = value_at(words, text, match.end()) or nothing()
        yield Evidence(Weight.FINAL, match.start(), found)


def _in_boxes(words: Vocabulary, text: str) -> Iterator[Evidence]:
    for match in _BOXED.finditer(text):
        line = text[max(match.start() - _BEFORE, 0) : match.start()].rpartition("\n")[2]
        if not (SOMEBODY_ELSES.search(line) or _ITEM.search(line)):
            yield from (e._replace(label=BOX) for e in _inside(words, match, Weight.ANSWER))


def _in_tags(words: Vocabulary, text: str) -> Iterator[Evidence]:
    for match in _TAGGED.finditer(text):
        quotable = match["tag"].lower() in {"answer", "result", "choice", "label"}
        yield from _inside(words, match, Weight.ANSWER if quotable else Weight.FINAL)
    yield from _in_unknown_tags(words, text)
    for match in _NAME_TAG.finditer(text):
        level = words.word(match["said"])
        if level is not None:
            found = Found("level", level, match["said"], match.end(), name=True)
            yield Evidence(Weight.ANSWER, match.start(), found)


def _in_unknown_tags(words: Vocabulary, text: str) -> Iterator[Evidence]:
    """Yield the level inside a tag named after the criterion: ``<helpfulness>4</helpfulness>``."""
    pieces = [
        Evidence(Weight.MENTION, match.start(), found, match["tag"].lower())
        for match in _ANY_TAG.finditer(text)
        if not (_TAG_KNOWN.fullmatch(match["tag"]) or NOT_A_CRITERION.search(match["tag"]))
        and (found := whole_value(words, match["said"])) is not None
        and found.kind == "level"
    ]
    if len({piece.label for piece in pieces}) == 1:
        yield from pieces


def _inside(words: Vocabulary, match: re.Match[str], weight: Weight) -> Iterator[Evidence]:
    said = match["said"]
    if not _PLACEHOLDER.fullmatch(said):
        found = whole_value(words, said) or value_at(words, said, 0) or nothing(said)
        if found.kind == "unknown" and len(said) == 1 and said.isalpha():
            found = found._replace(kind="other")  # an option this scale does not have
        yield Evidence(weight, match.start(), found)
