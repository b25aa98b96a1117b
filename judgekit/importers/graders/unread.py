"""What seems to say of a level what it means, and was not read: it is named, never lost."""

from __future__ import annotations

import re
from collections.abc import Container

from judgekit.importers.graders.clauses import ELSE, IF
from judgekit.importers.graders.grammar import CLOSE, MARKS, NUMBER, SIGN, Grammar
from judgekit.importers.graders.listings import is_about_scores
from judgekit.importers.graders.sentences import Piece, pieces

_SCALE = re.compile(
    rf"(?i)(?:from|between|of|on an?|scale|range|score|rate|grade)[ \t:]+"
    rf"{MARKS}{NUMBER}{CLOSE}[ \t]*"
    rf"(?:\([^()\n]*\)[ \t]*)?(?:-|–|—|to|and|through)[ \t]*{MARKS}{NUMBER}{CLOSE}"
    rf"|{NUMBER}[ \t]?[-–][ \t]?{NUMBER}[ \t]+(?:scale|rating)|\bout[ \t]+of[ \t]+{NUMBER}"
)
"""A range and no level."""
_WORDS = r"(?:scores?|ratings?|grades?|levels?|marks?|note|nota|punktzahl|niveau|nivel)"
_ABOUT = r"(?:of|is|as|at|an?|it|to|be|around|about|near|roughly|exactly)"
_IS = r"(?:is|goes|means|for|when|if|should)"
_GIVES = r"(?:return|give|assign|award)"
_ADDS = r"(?:add|deduct|subtract|award|minus|plus|lose)"
_LEVEL = re.compile(r"(?i)\d|\b(?:pass|fail|yes|no|true|false)\b")
_NUMBERED = re.compile(r"[ \t]*(?:[-*•+][ \t]+)?\d{1,3}[.)]?[ \t]+\S")
_ROW = re.compile(r"[ \t]*\|(?:[^|\n]*\|)*?[ \t*]*\d{1,3}(?:\.\d+)?[ \t*]*\|")
"""A row of a table with a number alone in a cell."""
_AFTER = r"(?=[ \t]*(?:[.,;:)\n]|$|(?:if|when|for|to|only|otherwise|else|and|or)\b))"


def unread(text: str, grammar: Grammar, said: Container[str]) -> tuple[Piece, ...]:
    """Return the sentences of a prompt that speak of a level which has no words yet.

    Args:
        text: What is left of the prompt.
        grammar: How its levels are written.
        said: The levels whose definitions were read.
    """
    spoken = _spoken(grammar)
    found = []
    under = False
    for piece in pieces(text):
        line = text[piece.start : piece.end]
        if not grammar.is_number or _LEVEL.search(line):
            plain = _SCALE.sub(" ", line) if grammar.is_number else line
            levels = (next(filter(None, match.groups())) for match in spoken.finditer(plain))
            row = grammar.is_number and (_ROW.match(line) or (under and _NUMBERED.match(line)))
            if row or any(grammar.known(level) not in said for level in levels):
                found.append(piece)
        if line.strip():
            under = is_about_scores(line) or (under and bool(_NUMBERED.match(line)))
    return tuple(found)


def _spoken(grammar: Grammar) -> re.Pattern[str]:
    """Return the ways in which a level is spoken of; one group has it."""
    one = grammar.one.replace("?P<level>", "")
    ways = [
        rf"{one}{CLOSE},?[ \t]+(?:{IF}|{ELSE})\b",
        rf"\b{ELSE}[ \t,:]+(?:\w+[ \t]+){{0,4}}?{MARKS}{one}",
        rf"^[ \t]*(?:[-*•+][ \t]+|#{{1,6}}[ \t]+)?{MARKS}{one}{CLOSE}[ \t]*{SIGN}",
    ]
    if grammar.is_number:
        ways += [
            rf"\b(?:an?|where)[ \t]+{MARKS}{one}{CLOSE}[ \t]+{_IS}\b",
            r"(?<![\w.,$€])(0\.\d{1,2})(?=[\"'`*]?[.,;:)\n]|[\"'`*]?$)",
            rf"\b(pass|fail|yes|no|true|false)\b{CLOSE},?[ \t]+(?:{IF}|{ELSE})\b",
            (
                r"\b(?:if|otherwise|else)\b[^.\n]{0,60}?,?[ \t]+(?:then[ \t]+|it[ \t]+)?"
                r"(pass|fail)(?:es|s)?[.;,\n]"
            ),
            rf"\b{_WORDS}[ \t]+(?:{_ABOUT}[ \t]+){{0,3}}{MARKS}{one}",
            rf"\b{_GIVES}[ \t]+(?:(?:an?|it)[ \t]+)?{MARKS}{one}{CLOSE}{_AFTER}",
            rf"{one}{CLOSE}[ \t]*(?:={{1,2}}>?|[-–]>|→|\bmeans\b)",
            rf"{one}{CLOSE}[ \t]+(?:points?|pts?|punkte?)\b",
            rf"(?:\b{_ADDS}\b[^.\n]{{0,20}}?|(?<!\w)\+[ \t]?)({NUMBER})",
            (
                rf"^[ \t]*(?:[-*•+][ \t]+)?[*_]{{0,2}}[^\W\d][\w /-]{{0,30}}?[*_]{{0,2}}[ \t]*"
                rf"\([ \t]*({NUMBER})(?:[ \t]*(?:points?|pts?|%))?[ \t]*\)"
            ),
        ]
    return re.compile("(?im)" + "|".join(ways))
