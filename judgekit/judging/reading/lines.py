"""Answers that have a line for themselves, or open a reply: ``4``, ``Yes, because``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from judgekit.judging.reading.evidence import Evidence, Weight
from judgekit.judging.reading.found import Found
from judgekit.judging.reading.pattern import pattern
from judgekit.judging.reading.values import value_at, whole_value
from judgekit.judging.reading.vocabulary import Vocabulary

_LONGEST = 80
_BULLET = pattern(r"(?:[-•+]\s+|(?:[:=]|[-=]>)\s*)(?=\S)")
_LISTED = pattern(r"^[ \t]*(\d{1,2})[.)][ \t]+\S", re.MULTILINE)
_LIST_END = pattern(r"(\d{1,2})[.)]?")
_ANNOUNCES = pattern(
    r"\b(?:scor|rat(?:e|ing)|grad|level|verdict|answer is|label|decision|judg|winner|evaluat"
    r"|assess|result|conclu|final|overall|choice|preference|classif)\w*",
    re.IGNORECASE,
)
_QUOTES = pattern(
    r"\b(?:outputs?|responses?|item|text|essay|reply|assistant|model|user|student|candidate|says?"
    r"|said|writes?|wrote|reads?|states?|ends?)\b",
    re.IGNORECASE,
)
_HEAD_ENDS = pattern(
    r"\s*(?:[.!;]\s|,\s+(?!but|however|though|if|while)|:\s|-{1,2}\s|(?:because|since)\b)",
    re.IGNORECASE,
)
_FLAGGED = pattern(r"\s*(?:[:=?]|-{1,2}\s)\s*[\"']?(?:yes|no|true|false)\b", re.IGNORECASE)
_NUMBER_HEAD = pattern(
    r"\d+(?:\.\d+)?(?:\s*(?:/|out of)\s*\d+)?"
    r"(?:\s+-{1,2}\s+[^\W\d]|:\s+[^\W\d]|,?\s+(?:because|since)\b)",
    re.IGNORECASE,
)
_HEADS = pattern(r"\s*[:.)-]\s")


def whole_reply(words: Vocabulary, text: str) -> Found | None:
    """Return what the reply says where it is one answer and nothing else, or None."""
    if len(text) > _LONGEST or "\n" in text.strip():
        return None
    return whole_value(words, without_bullet(words, text.strip()))


def without_bullet(words: Vocabulary, line: str) -> str:
    """Return ``line`` without a bullet; a dash stays where it could be a sign."""
    bullet = _BULLET.match(line)
    return line[bullet.end() :] if bullet and not words.signed else line


def lone_lines(words: Vocabulary, text: str) -> Iterator[Evidence]:
    """Yield the lines that are one level and nothing else.

    Only the first and the last line of a reply are where an answer stands alone; a line between
    them counts against it. The next number of a list is no answer, and what a line announces
    that says "the output is:" is not the judge's.
    """
    lines = [(m.start(), m[0].strip()) for m in re.finditer(r"[^\n]+", text) if m[0].strip()]
    listed = {int(number) for number in _LISTED.findall(text)}
    pieces: list[Evidence] = []
    before = ""
    for index, (at, line) in enumerate(lines):
        quoted = before.endswith(":") and not _ANNOUNCES.search(before)
        before = line
        if len(line) > _LONGEST or line.endswith(":") or quoted or _is_next(line, listed):
            continue
        found = whole_value(words, without_bullet(words, line))
        if found is not None:
            edge = index in {0, len(lines) - 1}
            pieces.append(Evidence(Weight.ANSWER if edge else Weight.MENTION, at, found))
    if any(piece.weight is Weight.ANSWER for piece in pieces):
        yield from pieces


def is_quoted(text: str, at: int) -> bool:
    """Return whether the line above says that what stands at ``at`` is taken from the item."""
    above = text[:at].rstrip()
    gap = text[len(above) : at]
    if not above.endswith(":") or "\n" not in gap:
        return False
    if gap.count("\n") > 1 and "\n" not in text[at:].rstrip():  # a paragraph that ends the reply
        return False
    return _QUOTES.search(above, above.rfind("\n") + 1) is not None


def _is_next(line: str, listed: set[int]) -> bool:
    """Return whether ``line`` is the number a list goes on with, or begins with."""
    number = _LIST_END.fullmatch(line)
    return number is not None and bool(listed) and int(number[1]) - 1 in listed | {0}


def head(words: Vocabulary, text: str) -> Iterator[Evidence]:
    """Yield the name that opens a reply and is then explained: "Yes, the answer ...", "N/A (...)".

    Of numbers only "4 - ..." and "4 because ..." are taken: "3. The code ..." is a list.
    """
    found = value_at(words, text, 0)
    if found is None:
        return
    if found.kind in {"na", "abstained"}:
        yield Evidence(Weight.MENTION, 0, found)
    if found.kind != "level" or not (found.name or _NUMBER_HEAD.match(text)):
        return
    if _FLAGGED.match(text, found.end):  # "Correct: no"
        return
    colon = text[found.end :].lstrip().startswith(":")
    if colon and words.pair is not None:  # the heading over what one side wrote
        return
    if "\n" not in text[: found.end] and _HEAD_ENDS.match(text, found.end):
        rivals = _headed(words, text)
        conflict = len(rivals | {found.level}) > 1
        shown = Found("contradictory", -1, found.said, found.end) if conflict else found
        yield Evidence(Weight.MENTION, 0, shown)


def _headed(words: Vocabulary, text: str) -> set[int]:
    """Return the levels that head a line as in a list of definitions: "good: ...", "poor: ..."."""
    levels: set[int] = set()
    for match in re.finditer(r"^", text, re.MULTILINE):
        token = words.token.match(text, match.start())
        level = words.word(token[0]) if token else None
        if token and level is not None and _HEADS.match(text, token.end()):
            levels.add(level)
    for number in re.findall(r"^[ \t]*(\d+)[ \t]*[:-][ \t]", text, re.MULTILINE):
        levels.add(words.numbers.get(float(number), -1))
    return levels
