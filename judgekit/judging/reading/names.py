"""Read a level given as a name, a letter or a side: ``grounded``, ``B``, ``Output (a)``."""

from __future__ import annotations

import re

from judgekit.judging.reading.found import (
    DASH_GLOSS,
    GLOSS,
    JOINT,
    Found,
    Kind,
    after_closing,
    ends_at,
)
from judgekit.judging.reading.numbers import NUMBER, numbered
from judgekit.judging.reading.pattern import pattern
from judgekit.judging.reading.vocabulary import Vocabulary

HEDGE = pattern(
    r"[\s,;(:-]*\b(?:but|if|unless|except|however|though|or|maybe|perhaps|possibly|probably|almost"
    r"|nearly|mostly|partially|partly|somewhat|borderline|leaning|bordering|barely|to\s+some"
    r"|in\s+part|otherwise|when|only|at\s+(?:least|best|most))\b",
    re.IGNORECASE,
)
"""Begins a reservation about the name before it."""

_LETTER_STANDS = pattern(r"\s*(?:$|[\n.,;:!)])")
_OPTION_TEXT = pattern(r"\)[ \t]+(?!(?:and|or|is|are|was|but|has|if|may|might)\b)[A-Za-z]")
_LINE_ENDS = pattern(r"\s*(?:$|\n)")
_CHOICE = pattern(r"\b(?:and|or)\b", re.IGNORECASE)
_TIES = pattern(
    r"(?:it'?s |it is )?(?:an? )?(?:ties?|tied|draw|equal(?:ly good| quality)?|same|even"
    r"|both(?: are)?(?: equal(?:ly good)?)?|neither(?: is better)?"
    r"|no (?:clear )?(?:winner|preference|difference))(?!\w)",
    re.IGNORECASE,
)


def named(words: Vocabulary, text: str, at: int) -> Found | None:
    """Return the name at ``at`` as a level; None where none stands, or not by itself."""
    match, level = _name(words, text, at)
    if match is None or level is None:
        return None
    said, end = match[0], after_closing(text, match.end())
    several = _several(words, text, end, level)
    if several is not None:
        return several
    if len(said) == 1:
        if _OPTION_TEXT.match(text, match.end()):  # "B) the second one"
            return Found("level", level, said, end, name=True)
        if not _letter_stands(text, match, end):
            return None
    return _one(words, text, at, Found("level", level, said, end, name=True))


def _one(words: Vocabulary, text: str, at: int, found: Found) -> Found | None:
    """Return a level given by name, with the number beside it, where nothing goes on from it."""
    end = found.end
    gloss = _said_again(words, text, end)
    if gloss is not None:
        if gloss.kind != "level" or gloss.level != found.level:
            return Found("contradictory", -1, text[at : gloss.end], gloss.end)
        end = gloss.end
    if not ends_at(text, end) or HEDGE.match(text, end):
        return None
    return found._replace(end=end)


def _name(words: Vocabulary, text: str, at: int) -> tuple[re.Match[str] | None, int | None]:
    side = words.side.match(text, at) if words.side else None
    if side is not None:
        return side, words.side_level(side["side"])
    token = words.token.match(text, at)
    return token, words.word(token[0]) if token else None


def _letter_stands(text: str, match: re.Match[str], end: int) -> bool:
    """Return whether a single letter is meant as a level, and not the word "a" or "I"."""
    if match[0].isupper() or end > match.end():
        return True
    return _LETTER_STANDS.match(text, end) is not None


def _several(words: Vocabulary, text: str, end: int, first: int) -> Found | None:
    """Read "good or excellent" and "A/B": several levels, or the whole scale."""
    levels, at = {first}, end
    while joint := JOINT.match(text, at):
        match, level = _name(words, text, joint.end())
        if match is None or level is None:
            break
        if not (ends_at(text, match.end()) or JOINT.match(text, match.end())):
            break
        levels.add(level)
        at = match.end()
    if len(levels) == 1:
        return None
    between = text[end:at]
    listed = len(levels) == words.size and "," not in between
    if words.size == 2 and _CHOICE.search(between):
        listed = False
    kind: Kind = "template" if listed else "contradictory"
    return Found(kind, -1, text[max(end - 1, 0) : at].strip(), at)


def _said_again(words: Vocabulary, text: str, end: int) -> Found | None:
    """Read the number or the name beside a name: "good (3)", "good - 3", "B (good)"."""
    gloss = GLOSS.match(text, end)
    if gloss is not None:
        said = gloss["text"]
        level = words.word(said)
        if level is not None:
            return Found("level", level, said, gloss.end())
        inside = numbered(words, said, 0) if NUMBER.fullmatch(said) or "/" in said else None
        return None if inside is None else inside._replace(end=gloss.end())
    dash = DASH_GLOSS.match(text, end)
    found = numbered(words, text, dash.end()) if dash and words.numbers else None
    return found if found is not None and _LINE_ENDS.match(text, found.end) else None


def ordered(words: Vocabulary, text: str, at: int) -> Found | None:
    """Return which side "A > B" says is better, where that is no level of its own."""
    match = words.order.match(text, at) if words.order else None
    if match is None or words.pair is None or not ends_at(text, match.end()):
        return None
    left, sign, right = match["left"].lower(), match["sign"][0], match["right"].lower()
    if left == right:
        return None
    if sign == "=":
        return _tie(words, match)
    better = left if sign == ">" else right
    return Found("level", words.pair["ab".index(better)], match[0], match.end(), name=True)


def tied(words: Vocabulary, text: str, at: int) -> Found | None:
    """Return what "a tie" at ``at`` says on a pairwise scale."""
    match = _TIES.match(text, at) if words.pair else None
    if match is None or not ends_at(text, match.end()) or HEDGE.match(text, match.end()):
        return None
    return _tie(words, match)


def _tie(words: Vocabulary, match: re.Match[str]) -> Found:
    if words.tie is None:
        return Found("out_of_scale", -1, match[0].strip(), match.end())
    return Found("level", words.tie, match[0].strip(), match.end(), name=True)
