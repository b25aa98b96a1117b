"""Other levels beside a level: ``clarity: 4, accuracy: 2``, "a 4 for style and a 2 for facts".

One answer has one level. Where the same line gives the parts of what is judged levels of their
own, the first of them is not the answer.
"""

from __future__ import annotations

import re

from judgekit.judging.reading.conventions import NUMBER_WORDS
from judgekit.judging.reading.found import Found
from judgekit.judging.reading.pattern import pattern
from judgekit.judging.reading.values import value_at
from judgekit.judging.reading.vocabulary import Vocabulary

NOT_A_CRITERION = pattern(
    r"\b(?:steps?|count|number|no|errors?|issues?|mistakes?|lines?|pages?|questions?|examples?"
    r"|items?|sections?|parts?|version|year|date|time|length|words?|tokens?|points?|id|index"
    r"|criteri(?:on|a)|scale|range|figure|table|chapter|weight|round|attempts?|test|case|claims?"
    r"|facts?|total|out|rank|priority|percent(?:age)?|temperature|reason\w*|explanation|feedback"
    r"|rationale|status|weakness(?:es)?|strengths?|flaws?|gaps?|pros|cons|n|k|x|y|z|i|a|b|turn|human"
    r"|user|q|age)\b",
    re.IGNORECASE,
)
"""Labels that say what something is counted or numbered by, or that no level stands behind."""

_FARTHEST = 400
_MOST = 4  # labels in one line; nobody grades more parts in one
_ASIDE = pattern(
    r"\b(?:confidence|certainty|sure|max(?:imum)?|min(?:imum)?|highest|lowest|top|average|mean|errors?"
    r"|issues?|mistakes?|steps?|count|number|lines?|words?|weight|version|id|index|page|threshold"
    r"|it|this|that|which|there|scale|range|not|than|of)\b",
    re.IGNORECASE,
)
_ASIDES = pattern(r"\([^()]*\)")
_PAIR = pattern(
    r"(?:[,;|/.](?!\d)|\b(?:and|but|while|whereas|with)\b)\s*(?:(?:and|but|while|for|the|my|an?)\s+){0,3}"
    r"[\"']?(?P<label>[^\W\d_][\w'&-]{0,30}(?:[ ][\w'&-]{1,30}){0,2}?)[\"']?"
    r"\s*(?:[:=]|-{1,2}(?=\s)|\b(?:is|at|as|gets?|got|deserves?|scores|receives?|earns?|was)\b:?"
    r"|(?<=\w)\s(?=\d+\s*(?:/|out\s+of\b|[,;.]|$)))\s*(?:only\s+)?(?:an?\s+)?(?=\S)",
    re.IGNORECASE,
)
_WRITTEN = "|".join(word for word in NUMBER_WORDS if word.isalpha() and len(word) > 1)
_SPLIT = pattern(
    r"(?:[,;|/]|\b(?:and|but|while|with)\b)\s*(?:(?:and|but|only|just|merely|an?|score|of|gets?|it)\s+){0,4}"
    rf"(?P<value>(?:\d+(?:\.\d+)?|(?:{_WRITTEN})\b)(?:\s*(?:/|out\s+of)\s*\w+)?(?:\s+(?:stars?|points?))?)"
    r"\s+(?:for|on|in(?:\s+terms\s+of)?|regarding)\s+(?=[^\W\d_])",
    re.IGNORECASE,
)


def beside(words: Vocabulary, text: str, end: int) -> list[tuple[str, Found]]:
    """Return the labels behind a level that ends at ``end``, in its line, and their levels."""
    line = _line(text, end)
    found: list[tuple[str, Found]] = []
    at = 0
    for _ in range(_MOST):
        match = _PAIR.search(line, at)
        if match is None:
            break
        at = match.start("label") + 1
        value = value_at(words, line, match.end())
        if value is None or value.kind != "level" or _ASIDE.search(match["label"]):
            continue
        found.append((match["label"].lower(), value))
        at = max(at, match.end())
    return found


def is_split(words: Vocabulary, text: str, found: Found, *, labels: bool = True) -> bool:
    """Return whether the line goes on from a level to another one for another criterion.

    Args:
        words: The written forms of the scale.
        text: The line or sentence, with what stands before it.
        found: The level.
        labels: A label and its level count too, not only "and 2 for accuracy".
    """
    if found.kind != "level":
        return False
    line = _line(text, found.end)
    for match in _SPLIT.finditer(line):
        value = value_at(words, line, match.start("value"))
        if value is not None and value.kind == "level" and value.level != found.level:
            return True
    return labels and any(v.level != found.level for _, v in beside(words, text, found.end))


def split(found: Found) -> Found:
    """Return what a level is worth that only a part of what is judged was given."""
    return Found("contradictory", -1, f"{found.said} and others", found.end)


def _line(text: str, at: int) -> str:
    return _ASIDES.sub(" ", text[at : at + _FARTHEST].partition("\n")[0])
