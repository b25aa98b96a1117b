"""Levels behind labels nobody knows, as the names of criteria are: ``Usefulness: 2``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from judgekit.judging.reading.evidence import Evidence, Weight
from judgekit.judging.reading.found import Found, nothing
from judgekit.judging.reading.labels import FINAL, KNOWN, SOMEBODY_ELSES
from judgekit.judging.reading.pattern import pattern
from judgekit.judging.reading.rivals import NOT_A_CRITERION, beside, is_split, split
from judgekit.judging.reading.values import value_at
from judgekit.judging.reading.vocabulary import Vocabulary

_LABEL = pattern(
    r"^[ \t]*(?:[-•+][ \t]+)?(?:\d{1,2}[.)][ \t]+)?[\"']?"
    r"(?P<label>[^\W\d_][\w'/& ()-]{0,50}?)[\"']?[ \t]*:[ \t]*(?=\S)",
    re.MULTILINE,
)
_THE_ITEM = pattern(
    r"(?:the\s+)?(?:output|response|input|instruction|problem|context|task|assistant|model|prompt"
    r"|level|option|code|system|reply|document|source|summary)(?:\s+\W*\w\W*)?",
    re.IGNORECASE,
)
# The ending of a known label: read as one elsewhere, or a longer word ("downgrade") and no label.
_KNOWN_END = pattern(rf"{KNOWN}$", re.IGNORECASE)
_FLAG = pattern(
    r"^\W{0,4}(?P<name>[^\W\d_][\w -]{1,40}?)[\"']?[ \t]*(?:[:=?]|-{1,2}(?=\s))[ \t]*[\"']?"
    r"(?P<said>yes|no|true|false)(?![\w-])",
    re.IGNORECASE | re.MULTILINE,
)
_VERDICT_WORD = pattern(
    r"(?:is[ _])?correct|pass(?:ed|es)?|criteri(?:a|on)[ _]met|satisfied", re.IGNORECASE
)


def aspects(words: Vocabulary, text: str) -> Iterator[Evidence]:
    """Yield the level behind an unknown label.

    The last line of a reply is where an answer is expected; elsewhere such a line is a mention.
    Several different labels are aspects of the answer, and their levels are not it.
    """
    last_line = text.rfind("\n") + 1
    pieces: list[Evidence] = []
    for match in _LABEL.finditer(text):
        label = match["label"]
        found = value_at(words, text, match.end()) if _may_be_criterion(words, label) else None
        if found is None or found.kind in {"unknown", "other", "template"}:
            continue
        if found.kind in {"na", "abstained"}:  # as likely "Weaknesses: none"
            yield Evidence(Weight.HINT, match.start(), found)
        elif FINAL.search(label):
            parts = is_split(words, text, found, labels=False)
            found = split(found) if parts else found
            yield Evidence(Weight.ANSWER, match.start(), found, label.lower())
        else:
            others = beside(words, text, found.end) if found.kind == "level" else []
            found = split(found) if is_split(words, text, found, labels=False) else found
            for other, value in others:
                at = match.start() + 1  # in the same line, behind the first
                if FINAL.search(other):
                    yield Evidence(Weight.ANSWER, at, value, other)
                else:
                    pieces.append(Evidence(Weight.HINT, at, value, other))
            weight = Weight.MENTION if found.kind == "level" else Weight.HINT
            weight = Weight.ANSWER if match.start() >= last_line else weight
            pieces.append(Evidence(weight, match.start(), found, label.lower()))
    if len({piece.label for piece in pieces}) == 1:
        yield from pieces
    elif pieces:
        shown = "; ".join(f"{piece.label}: {piece.found.said}" for piece in pieces)
        yield Evidence(Weight.HINT, pieces[-1].at, Found("contradictory", -1, shown, 0))


def flags(words: Vocabulary, text: str) -> Iterator[Evidence]:
    """Yield what a level's own name says with yes or no behind it: "Correct: no"."""
    for match in _FLAG.finditer(text):
        level = words.word(match["name"])
        if level is None or words.word(match["said"]) not in {None, words.denial(level), level}:
            continue
        if match["said"].lower() in {"no", "false"}:
            level = words.denial(level)
        said = match[0].strip()
        found = nothing(said) if level is None else Found("level", level, said, match.end())
        yield Evidence(Weight.ANSWER, match.start(), found, match["name"].lower())


def _may_be_criterion(words: Vocabulary, label: str) -> bool:
    if _VERDICT_WORD.fullmatch(label):
        return True
    if (
        _THE_ITEM.fullmatch(label)
        or len(label.split()) > 5
        or label[-1].isdigit()
        or words.word(label) is not None
    ):
        return False
    return not (
        NOT_A_CRITERION.search(label) or SOMEBODY_ELSES.search(label) or _KNOWN_END.search(label)
    )
