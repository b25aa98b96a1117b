"""Levels that a prompt ties to a condition: ``Return 1 if ...``, ``If ..., return 0``, ``else``."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right

from judgekit.importers.graders.grammar import CLOSE, MARKS, Grammar, Said, tidied
from judgekit.importers.graders.sentences import Piece

IF = (
    r"(?:(?:only[ \t]+|if[ \t]+and[ \t]+only[ \t]+)?(?:if|when)|whenever|in[ \t]+case|wenn|falls|si"
    r"|lorsque|quand|cuando|quando|wanneer)"
)
ELSE = (
    r"(?:otherwise|or[ \t]+else|else|(?:any|every)thing[ \t]+else|the[ \t]+rest"
    r"|(?:in[ \t]+|for[ \t]+)?(?:all|any|every)[ \t]+others?(?:[ \t]+\w+)?"
    r"|(?:in[ \t]+)?other[ \t]+cases"
    r"|(?:if|when)[ \t]+not|none[ \t]+of[ \t]+(?:these|the[ \t]+above)|sonst|andernfalls|sinon"
    r"|si[ \t]+no|de[ \t]+lo[ \t]+contrario|altrimenti|caso[ \t]+contrário|senão|anders)"
)
OTHERWISE = re.compile(rf"(?i)\b{ELSE}\b|\bonly[ \t]+(?:if|when)\b")
"""What one level of two leaves to the other."""
_SMALL = (
    r"(?:(?:it|its|is|are|be|should|must|to|that|the|this|a|an|as|with|of|and|then|please|in"
    r"|score[sd]?|rating|grade|label|level|value|response|answer|output|item|return|respond|reply"
    r"|give|assign|award|rate|mark|gets?|classify|choose|select|use|around|about|roughly|exactly"
    r"|mit|avec|con|com|dann|alors|gib|antworte|réponds|responde|rispondi)\b[ \t]*"
    r"|[=:→,][ \t]*|[-=]>[ \t]*)"
)
_VERB = (
    r"(?:return|respond|answer|reply|output|give|assign|award|score|rate|grade|label|mark|classify"
    r"|choose|select|set|use|then|it[ \t]+is|it's|this[ \t]+is|gib|antworte|réponds|responde"
    r"|rispondi|→|⇒|[-=]>)"
)
_REFERS = re.compile(r"(?i)(?:not\b[\s,;:]|(?:so|else|otherwise)\b)")
"""How words begin that refer to a condition before, and are none."""
_ENDS = re.compile(rf"(?i)(?=\.(?:[\s\"')]|$)|\n|$|[,;]?\s*\b(?:or[ \t]+)?{ELSE}\b)")
_ADDS = re.compile(
    r"(?i)\b(?:add|deduct|subtract|minus|plus|lose|bonus|up to|at least)\W+(?:\w+\W+)?$|[+]$"
)
"""How words end that add to a score, and do not give one."""
_SENTENCE = re.compile(r"[.;](?:\s|$)|\n[ \t]*(?:\n|[-*•#\d])")
_LONGEST = 400
_AROUND = 8
"""Signs around a level that stands before an "if"."""
_NEAR = 60
"""Characters before a level that may make it one to add."""


def clauses(text: str, grammar: Grammar) -> list[Said]:
    """Return the levels with a condition, whichever of the two stands first."""
    reader = _Reader(text, grammar)
    found: list[Said] = []
    done = 0
    for match in re.finditer(rf"(?i)(?<![\w-]){IF}\b", text):
        if match.start() < done:
            continue
        said = reader.before(match, done) or reader.after(match)
        if said is not None:
            found.append(said)
            done = max(match.end(), said.piece.end if said.piece.start >= match.start() else 0)
    return found


class _Reader:
    """Reads what stands on both sides of an "if"; each pattern goes over the text once."""

    def __init__(self, text: str, grammar: Grammar) -> None:
        one = rf"{MARKS}{grammar.one}{CLOSE}"
        self._text, self._grammar = text, grammar
        self._longest = grammar.longest + _AROUND
        self._level = re.compile(rf"(?i){one},?\s*$")
        then = re.compile(
            rf"(?i),?[ \t]+{_VERB}[ \t]+{_SMALL}{{0,6}}{one}(?![ \t]*(?:[-–]|to)[ \t]*\d)"
        )
        self._then = list(then.finditer(text))
        self._begins = [match.start() for match in self._then]
        following = re.compile(
            rf"(?i)(?:[,;]\s*(?:(?:and|or)\s+)?|\s(?:and|or)\s+)(?:{_VERB}\s+)?{_SMALL}{{0,6}}{one},?"
            rf"\s+(?:{IF}|{ELSE})\b"
        )
        ends = {match.start() for match in _ENDS.finditer(text)}
        self._ends = sorted(ends | {match.start() for match in following.finditer(text)})

    def before(self, match: re.Match[str], done: int) -> Said | None:
        """Return ``LEVEL if CONDITION``: up to the next level, or the end of the sentence.

        Its words are empty where a level stands there, and what follows is no definition.
        """
        near = max(done, match.start() - self._longest)
        level = self._level.search(self._text[near : match.start()])
        if level is None:
            return None
        start, begins = near + level.start(), match.end()
        at = bisect_left(self._ends, begins)
        end = self._ends[at] if at < len(self._ends) else len(self._text)
        words = "" if end - begins > 2 * _LONGEST else tidied(self._text[begins:end])
        adds = _ADDS.search(self._text[max(0, start - _NEAR) : start])
        if adds or words.endswith(":") or _REFERS.match(words + " "):
            words = ""
        return Said(self._grammar.known(level["level"]), words, Piece(start, end))

    def after(self, match: re.Match[str]) -> Said | None:
        """Return ``If CONDITION, return LEVEL``."""
        at = bisect_right(self._begins, match.end())
        if at == len(self._begins) or self._begins[at] - match.end() > _LONGEST:
            return None
        found = self._then[at]
        between = self._text[match.end() : found.start()]
        words = "" if _SENTENCE.search(between) else tidied(between)
        if not words or _REFERS.match(words + " "):
            return None
        level = self._grammar.known(found["level"])
        return Said(level, words, Piece(match.start(), found.end()))


def otherwise(text: str, grammar: Grammar) -> list[Said]:
    """Return the levels that are given in all other cases; their words are empty."""
    before = re.compile(
        rf"(?i){MARKS}{grammar.one}{CLOSE}(?:,|[ \t]*[:=]|[ \t][–-])?[ \t]+(?:for[ \t]+)?{ELSE}\b"
    )
    after = re.compile(
        rf"(?i)(?<![\w-]){ELSE}\b[ \t]*{_SMALL}{{0,8}}{MARKS}{grammar.one}{CLOSE}"
        rf"(?![ \t]+{IF}\b)"
    )
    found: dict[str, Said] = {}
    for pattern in (before, after):
        for match in pattern.finditer(text):
            piece = Piece(match.start(), match.end())
            found.setdefault(
                grammar.known(match["level"]), Said(grammar.known(match["level"]), "", piece)
            )
    return list(found.values())
