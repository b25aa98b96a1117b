"""How a text speaks of another level, so that it can be seen what it says besides."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from judgekit.linting.late import Late
from judgekit.linting.words import set_of, set_of_words
from judgekit.rubric.scale import number_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from judgekit.linting.subject import LevelView

_SHORTEST = 3
"""Letters of a name that can be told from a word of the text."""
LEVEL = "level 0"
"""What stands for another level in a text in which its name was."""
_LEVEL_NUMBER = re.compile(
    r"(?i)\b(?:level|score|grade|rating|points?|stufe|note|punkte?|niveau|nivel|nota)\s*[:=]?\s*"
    r"-?\d+(?:\.\d+)?\b"
)
_NUMBER = re.compile(r"\d+(?:\.\d+)?")


def names_of(levels: Sequence[LevelView]) -> list[str]:
    """Return the names of levels, those written as values too."""
    return [text.value for level in levels for text in (level.name, level.value) if text]


def names_besides(level: LevelView, levels: Sequence[LevelView]) -> list[str]:
    """Return the names of the other levels."""
    return [other.name.value for other in levels if other.name and other is not level]


def numbers_of(levels: Sequence[LevelView]) -> set[str]:
    """Return the numbers that stand for levels: their values, and those in their names."""
    values = {number_text(level.number) for level in levels if level.number is not None}
    return values.union(*(_NUMBER.findall(name) for name in names_of(levels)))


def other_numbers(text: str, levels: Sequence[LevelView]) -> list[str]:
    """Return the numbers in a text that stand for no level."""
    said = _NUMBER.findall(_LEVEL_NUMBER.sub("", text)) if _NUMBER.search(text) else []
    known = numbers_of(levels) if said else set()
    return [number for number in said if number not in known]


def with_levels(text: str, names: Sequence[str]) -> str:
    """Return a text, in lower case, with ``level 0`` wherever one of the names stands in it."""
    text = text.casefold()
    for name in sorted(map(str.casefold, names), key=len, reverse=True):
        if len(name) >= _SHORTEST and name in text:
            text = re.sub(rf"(?<![\w-]){re.escape(name)}(?![\w-])", LEVEL, text)
    return text


REST = re.compile(
    r"(?i)\W*(?:(?:in )?(?:any|every|all|each) (?:other|remaining) (?:cases?|outputs?|answers?"
    r"|texts?|repl\w+|responses?)|(?:any|every)thing (?:else|other)|something else"
    r"|(?:all )?the rest|all others?|otherwise|else|sonst|andernfalls"
    r"|(?:in )?alle[nm]? (?:anderen|übrigen) \w+"
    r"|alles (?:andere|übrige)|der rest|sinon|tout le reste|(?:dans )?(?:tous )?les autres(?: cas)?"
    r"|de lo contrario|todo lo demás|lo demás|(?:en )?(?:los demás|otros)(?: casos)?)\W*"
)
"""What is left when the other levels are taken away, and no word on what it is like."""

_PLACE = (
    r"above|below|previous|next|last|preceding|following|former|latter|lower|higher|other|others"
    r"|vorige\w*|obige\w*|oben|unten|nächste\w*|andere\w*|niedrigere\w*|höhere\w*"
    r"|précédente?|suivante?|autres?|ci-dessus|ci-dessous|anterior|siguiente|otr[ao]s?"
)
_UNIT = r"levels?|scores?|grades?|ones?|tiers?|stufen?|niveaux?|nivel(?:es)?|notas?|notes?"
_GOES_ON = (
    r"(?:and|but|except|in|is|minus|nor|only|or|plus|since|with|without|aber|ist|mit|noch|nur|oder|ohne"
    r"|und|avec|ni|et|mais|ou|sans|con|pero|sin|y)\b"
)
"""What may stand behind another level; a name before a noun is a plain word: *like short ones*."""
_OTHER = Late(
    r"(?<!\w)(?:(?:(?:all\s+)?the|an?|all|both|die|der|das|den|dem|eine?|l[ea]s?|una?|el|l[ao]s)\s+)?"
    r"(?:(?:two|three|beiden|zwei|deux|dos)\s+)?(?:"
    rf"(?:{_UNIT})\s+(?:-?\d+(?:\.\d+)?(?!\s+(?!{_GOES_ON})\w)|(?:{_PLACE})\b|\"?\w+\"?(?=\W*$))"
    rf"|(?:{_PLACE})\b(?:\s+(?:{_UNIT}|definitions?)\b)?"
    r"|-?\d+(?=\s*(?:$|[.,;:)]|(?:but|and|with|aber|mit)\b)))"
    r"(?!\s+(?:answers?|drafts?|messages?|outputs?|questions?|repl(?:y|ies)|responses?|sentences?"
    r"|steps?|turns?|versions?|words?|lines?|paragraphs?|parts?|half|day|week|month|year|\w+ed)\b)"
)
_POINTERS = set_of(
    "level levels score scores grade grades one ones tier tiers niveau niveaux nivel niveles nota "
    "notas note notes above below previous next last preceding following former latter lower "
    "higher other others oben unten précédent précédente suivant suivante autre autres anterior "
    "siguiente otro otros otra otras stufe stufen"
)
_STEMS = ("vorige", "obige", "nächste", "andere", "niedrigere", "höhere", "ci-dessus", "ci-dessous")
_DIGIT = re.compile(r"\d")


_THERE = "§"
"""What stands for another level in a text in which it is named, numbered or pointed to."""
_RELATIVE = Late(
    r"\b(?:"
    r"(?:(?:better|worse|more|less|stronger|weaker|higher|lower|fewer|short\w*|long\w*)\b"
    r"[^.;]{0,30}?\bthan|(?:besser|schlechter|mehr|weniger|schwächer)\b[^.;]{0,30}?\bals"
    r"|(?:mieux|pire|plus|moins|mejor|peor|más|menos)\b[^.;]{0,30}?\bque"
    r"|(?:same|similar|identical|equal|equivalent)\s+(?:as|to)(?:\s+(?:in|for|with|at))?"
    r"|(?:like|unlike|as)(?:\s+(?:in|for|with|at|good\s+as|bad\s+as))?"
    r"|not\s+(?:quite\s+)?as\s+\w+\s+as(?:\s+in)?"
    r"|wie(?:\s+(?:in|bei|unter|auf))?|comme(?:\s+(?:au|à|dans|pour))?|(?:igual\s+que|como)(?:\s+en)?"
    r"|(?:opposite|contrary|reverse)\s+(?:of|to)|gegenteil\s+(?:von|der)"
    r"|contraire\s+(?:de|du)|contrario\s+(?:de|del|a|al)"
    r"|almost|nearly|not\s+quite|close\s+to|short\s+of|not\s+reach|approaches|more\s+or\s+less"
    r"|(?:step|just)\s+(?:below|above|under)|fast|beinahe|knapp\s+unter|presque|casi"
    r"|(?:(?:any|every)thing|whatever|all|alles|tout|todo),?\s+(?:but|except(?:\s+for)?|besides"
    r"|other\s+than|(?:that\s+|which\s+)?is\s+(?:not|neither)|ausser|bis\s+auf|was\s+(?:nicht|weder)"
    r"|sauf|excepto|menos)|not\s+yet|no\s+longer|noch\s+nicht|nicht\s+mehr|pas\s+encore|todavía\s+no"
    r"|(?:half\s?way|auf\s+halbem\s+wege?)\s+(?:to|zu)|cf\.?|compare(?:\s+with)?|vgl\.?|vergleiche"
    r"|(?:levels?|steps?|stufen?|schritte?)\s+(?:above|over|under|below|über|unter)"
    r"|(?:weaker|stronger|lesser|milder|better|worse)\s+(?:form|version|variant|case)\s+of"
    r"|(?:between|zwischen|entre)\s+§\s+(?:and|und|et|y)|(?:between|zwischen|entre)(?=\s+§\W*$)"
    r")\s+§"
    r"|between\s+good\b(?:\s+and\s+bad\b)?|somewhere\s+between\b|in\s+between\b|dazwischen\b"
    r"|in\s+the\s+middle(?=\W*$)|(?:as|see)\s+§|as\s+before\b|siehe\s+§)"
)
_BEGINS = Late(
    r"\W*(?:(?:not|(?:neither|none)(?:\s+of)?|nicht|weder|keine?|pas|no|ni)\s+)?§"
    r"(?:\s*(?:,|and|n?or|und|oder|noch|et|ou|y|o|ni)\s+(?:quite\s+)?§)*\s*(?:$|[.,;]|(?:applies|apply"
    r"|fits?|trifft\s+zu|minus|plus|with|without|but|except|only|mit|ohne|aber|nur|avec|sans|mais|con|sin|pero)\b)"
    r"|\W*(?:(?:neither|not)\s+)?§\s+(?:n?or|noch)\s+(?:any|no|some)?thing\b"
    r"|\W*(?:the|die|das|le|la|el)\s+(?:(?:second|third)[\s-]|zweit)?(?:best|worst|beste|schlechteste"
    r"|meilleure?|pire|mejor|peor)(?:\s+(?:one|level|stufe|niveau|nivel))?(?:\s+(?:of|von|de)\s+(?:all"
    r"|allen|them|tous|todos))?\W*$"
    r"|\W*(?:same|ditto|dito|idem|ídem|dasselbe|gleich)\b\W*$"
)
_BETWEEN = (
    "as before",
    "best",
    "between",
    "dasselbe",
    "dazwischen",
    "dito",
    "ditto",
    "gleich",
    "idem",
    "in the middle",
    "meilleur",
    "mejor",
    "peor",
    "pire",
    "same",
    "schlechteste",
    "worst",
    "ídem",
)
"""Comparisons that need no other level."""


def _may_point(text: str, said: str) -> bool:
    """Return whether a text may point to another level; ``said`` is it :func:`with_levels`."""
    return (
        not _POINTERS.isdisjoint(set_of_words(text))
        or _DIGIT.search(said) is not None
        or any(stem in said for stem in _STEMS)
    )


def relative(text: str, names: Sequence[str]) -> re.Match[str] | None:
    """Return where a text compares itself with another level.

    Args:
        text: A definition, of any length.
        names: The names of the other levels.

    Returns:
        A match in the text, in lower case and with ``§`` for each level it speaks of.
    """
    said = with_levels(text, names)
    if _may_point(text, said):
        said = _OTHER.sub(_THERE, said)
    if _THERE not in said and not any(word in said for word in _BETWEEN):
        return None
    return _BEGINS.match(said) or _RELATIVE.search(said)
