"""What a prompt itself says of its levels: definitions in the author's own words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from judgekit.rubric.scale import fold

_NUMBER = r"-?\d+(?:\.\d+)?"
_MARKS = r"[\"'`*(\[]*"
_CLOSE = r"[\"'`*)\]]*"
_LEAD = rf"(?:(?:score|level|rating|grade|label|class)s?(?:\s+of)?\s+{_MARKS})?"
_BULLET = r"(?:[-*•]\s+)?"
_OTHERWISE = re.compile(
    r"(?i)\b(?:otherwise|else|in all other cases|any other case|if not|only (?:if|when))\b"
)
_DECIMAL = re.compile(r"(?<![\w.])\d\.\d+")
_NOT = re.compile(r"(?i)not\b[\s,;:]|(?:so|else|otherwise)\b")
"""How words begin that refer to a condition before, and are none."""


class Words(NamedTuple):
    """What was found.

    Attributes:
        said: Level -> its definition.
        rest: The prompt without the lines that define a level.
    """

    said: dict[str, str]
    rest: str


def level_words(text: str, labels: Sequence[str] | None = None, ends: Sequence[str] = ()) -> Words:
    """Find the definitions of levels in a prompt.

    Lines like ``- correct: the answer ...`` and ``Score 3: ...`` count, and clauses like
    ``Return 'yes' if ...``.

    Args:
        text: The prompt.
        labels: The levels; None when they are numbers not known yet.
        ends: The numbers of both ends of the scale, where they are known.
    """
    one = _NUMBER if labels is None else "|".join(re.escape(x) for x in _longest_first(labels))
    if not one:
        return Words({}, text)
    names = {fold(label): label for label in labels or ()}
    found = _lines(text, one)
    if len(found.said) < 2:  # a single "1 - ..." is a step or a heading
        found = Words({}, text)
    for label, condition in _clauses(found.rest, one).items():
        found.said.setdefault(label, condition)
    said = {names.get(fold(label), label): words for label, words in found.said.items()}
    between = set(_DECIMAL.findall(text)) - set(ends)  # scores that are spoken of without words
    whole = list(labels or dict.fromkeys([*said, *(() if between else ends)]))
    return Words(_with_the_other(said, text, whole), found.rest)


def numbers(words: Words) -> dict[int | float, str]:
    """Return the definitions of levels that are numbers."""
    return {float(label): text for label, text in words.said.items()}


def _longest_first(labels: Sequence[str]) -> list[str]:
    return sorted(filter(str.strip, labels), key=len, reverse=True)


def _lines(text: str, one: str) -> Words:
    """Take out the lines that begin with a level, a sign and some words."""
    pattern = re.compile(
        rf"(?i)^(\s*){_BULLET}{_MARKS}{_LEAD}({one}){_CLOSE}\s*(?::|=|->|→|[-–—](?=\s)|\bmeans\b)"
        rf"{_CLOSE}\s*(\S.*)$"
    )
    said: dict[str, str] = {}
    rest: list[str] = []
    open_label, indent = None, 0
    for line in text.split("\n"):
        found = pattern.match(line)
        deeper = len(line) - len(line.lstrip()) > indent
        if found and not re.match(r"\d", found[3]):
            open_label, indent = found[2], len(found[1])
            said[open_label] = found[3].strip()
        elif open_label and line.strip() and deeper and not re.match(r"\s*[-*•\d]", line):
            said[open_label] += f" {line.strip()}"  # the definition goes on, indented
        else:
            open_label = None
            rest.append(line)
    return Words(said, "\n".join(rest))


def _clauses(text: str, one: str) -> dict[str, str]:
    """Find ``LEVEL if CONDITION``, up to the next level or the end of the sentence."""
    level = rf"[\"'`]?(?<![\w.])({one})(?![\w.]\w)[\"'`]?"
    begins = re.compile(rf"(?i){level},?\s+(?:only\s+)?(?:if|when)\s+")
    ends = re.compile(
        rf"(?i)(?=\s*(?:[.;](?:\s|$)|\n|$|,?\s*(?:and\s+|or\s+)?{level},?\s+(?:if|when|otherwise|else)\b"
        r"|,?\s*\b(?:otherwise|else|in all other cases)\b))"
    )
    said: dict[str, str] = {}
    for found in begins.finditer(text):
        end = ends.search(text, found.end())
        words = text[found.end() : end.start() if end else len(text)].strip(" ,")
        if words and not _NOT.match(words + " "):
            said.setdefault(found[1], words)
    return said


def _with_the_other(said: dict[str, str], text: str, labels: list[str]) -> dict[str, str]:
    """Give the one level that "otherwise" stands for its words: that the others' do not hold."""
    missing = [label for label in labels if label not in said]
    if len(missing) != 1 or not said or not _OTHERWISE.search(text):
        return said
    if len(said) == 1:
        return {**said, missing[0]: f"This is not so: {next(iter(said.values()))}"}
    return {**said, missing[0]: "None of the other definitions fits."}
