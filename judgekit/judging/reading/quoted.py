"""Take out answers that a reply only speaks about, as ``"Score: 5" is what the user wrote``."""

from __future__ import annotations

import re

from judgekit.judging.reading.pattern import pattern

_QUOTE = pattern(r"\"(?P<double>[^\"\n]{1,300})\"|(?<!\w)'(?P<single>[^'\n]{1,300})'(?!\w)")
_ANSWERS = pattern(
    r"\w[ \t]*[:=][ \t]*[\[(]*\w|\[\[|\]|\\boxed|</?\w+>|[{}]"
    r"|\b(?:scor|rat(?:e|ing)|grad|give|deserv|level|verdict|answer|is\b|better)",
    re.IGNORECASE,
)
_GOES_ON = pattern(
    r"[ \t]*[,;]?[ \t]*(?:-{1,2}[ \t]+)?"
    r"(?!(?:because|since|as|due|given|based|considering|if|for|overall)\b)[^\W\d_]"
    r"|[.!?]?[ \t]+(?:this|that|which|it|so)\s+(?:is|was|were|says?|said|wrote|the)\b",
    re.IGNORECASE,
)
_LED_BY = pattern(
    r"(?:[^\W\d_]|\b(?:says?|said|wrote|writes|reads?|states?|stated),)[ \t]+\(?$", re.IGNORECASE
)
_TOLD = (
    r"[\"'\])}]*,?[ \t]+(?:-{1,2}[ \t]+)?(?:(?:that|this|which)[ \t]+)?"
    r"(?:(?:is|was)[ \t]+(?:just[ \t]+|only[ \t]+|merely[ \t]+)?"
    r"(?:what|how|quoted|written|copied|part[ \t]+of|said|claimed|taken|in[ \t]+the"
    r"|from[ \t]+the|(?:the|an?)[ \t]+"
    r"(?:quote|line|text|claim|example|user|output|response|model)\w*)"
    r"|(?:is|was|would[ \t]+be|seems|feels|looks)[ \t]+(?:far[ \t]+|much[ \t]+"
    r"|way[ \t]+|clearly[ \t]+|a[ \t]+bit[ \t]+)?"
    r"(?:too|not|wrong|unwarranted|unjustified|undeserved|unfair|excessive)\b"
    r"|says?|said|wrote|writes|appears|stands|comes[ \t]+from"
    r"|the[ \t]+\w+[ \t]+(?:says|said|wrote|writes|claims|claimed))\b"
)
_SPOKEN = pattern(
    r"(?:^|(?<=[.!?][ \t]))[^\n:=.!?]{1,60}[:=][ \t]*[\w./+-]{0,20}(?<=\w)"
    rf"(?:[ \t]+out[ \t]+of[ \t]+\d+)?(?={_TOLD})",
    re.IGNORECASE | re.MULTILINE,
)
_TOLD_OF = pattern(_TOLD, re.IGNORECASE)
_GONE = '"..."'


def without_quotes(text: str) -> str:
    """Return ``text`` without the answers that its sentences quote or speak about."""
    if '"' in text or "'" in text:
        text = _QUOTE.sub(_quote, text)
    return _SPOKEN.sub(_GONE, text) if ":" in text or "=" in text else text


def told_of(text: str, at: int) -> bool:
    """Return whether what ends at ``at`` is said there to be somebody else's."""
    return _TOLD_OF.match(text, at) is not None


def _quote(match: re.Match[str]) -> str:
    """Return a quotation as it is to be read: an answer with words of its sentence around goes."""
    said = match["double"] or match["single"]
    if not _ANSWERS.search(said):
        return match[0]
    line = match.string.rfind("\n", 0, match.start()) + 1
    around = match.string[max(line, match.start() - 40) : match.start()]
    led = _LED_BY.search(around) is not None
    return _GONE if led or _GOES_ON.match(match.string, match.end()) else match[0]
