"""Read one written level where an answer is expected.

``value_at`` is asked only at places that have the form of an answer (behind a label, inside
brackets, a reply that is nothing else). It takes a level whole or not at all: what follows must
end it, so "good enough", "3-4", "not grounded" and "80%" are no levels.
"""

from __future__ import annotations

import re

from judgekit.judging.reading.found import Found, ends_at, nothing
from judgekit.judging.reading.names import named, ordered, tied
from judgekit.judging.reading.numbers import numbered
from judgekit.judging.reading.pattern import pattern
from judgekit.judging.reading.vocabulary import Vocabulary

_OPEN = pattern(r"[\s\"'\[({]*")
_LEAD = pattern(
    r"(?:(?-i:an?|the|my)\s+)?"
    r"(?:(?:level|overall|score|option|grade|class|category|choice|rating|label|mark|number)"
    r"(?:\s+of\s+|\s*[:#]\s*|\s+))?(?:(?-i:an?)\s+)?[\"'\[(]*",
    re.IGNORECASE,
)
_NA = pattern(
    r"(?:n\.?\s?/\s?a\.?|n\.a\.?|na|not[\s_-]applicable|inapplicable|does(?:n't| not) apply"
    r"|is(?:n't| not) applicable)(?!\w)",
    re.IGNORECASE,
)
_ABSTAIN_WORDS = pattern(
    r"(?:unsure|uncertain|unclear|undecided|undetermined|indeterminate|inconclusive|unknown|none"
    r"|null|nan|abstain(?:ed|s|ing)?|not (?:sure|certain|rated|scored|determined|provided|given"
    r"|available|determinable))(?![\w-])",
    re.IGNORECASE,
)
ABSTAINS = (
    r"not (?:sure|certain)|(?:i )?(?:don'?t|do not) know"
    r"|(?:it )?(?:i |we )?(?:can't|cannot|can not|could not|couldn't|unable to|impossible to"
    r"|hard to|difficult to)(?: be)? (?:tell|say|decide|determined?|judged?|evaluated?"
    r"|assess(?:ed)?|rated?|scored?|graded?|choose|answer(?:ed)?)"
    r"|(?:there is )?(?:not enough|insufficient|no) (?:information|info|context|evidence|data"
    r"|score|rating|answer|verdict|judg(?:e)?ment|decision|level|grade)"
)
"""Pattern of the ways to say that one cannot tell."""

_ABSTAINS = pattern(rf"(?:{ABSTAINS})\b", re.IGNORECASE)


def whole_value(words: Vocabulary, text: str) -> Found | None:
    """Return what ``text`` says where it is one answer and nothing else, or None."""
    bare = text.strip().rstrip(".!;,")
    found = value_at(words, bare, 0)
    if found is None or found.kind == "unknown" or bare[found.end :].strip("\"'()[]{}<>.!;, "):
        return None
    return found


def value_at(words: Vocabulary, text: str, at: int) -> Found | None:
    """Return what stands at ``at`` in normalised text without markup; None where nothing does."""
    opened = _OPEN.match(text, at)
    start = opened.end() if opened else at
    if start >= len(text):
        return None
    lead = _LEAD.match(text, start)
    for where in sorted({start, lead.end() if lead else start}):
        found = (
            ordered(words, text, where)
            or named(words, text, where)
            or numbered(words, text, where)
            or _no_level(text, where)
            or tied(words, text, where)
        )
        if found is not None:
            return found
    stop = text.find("\n", start)
    stop = len(text) if stop < 0 else stop
    return nothing(text[start : min(stop, start + 200)].strip(), stop)


def _no_level(text: str, at: int) -> Found | None:
    """Read what is said instead of a level: not applicable, cannot tell."""
    match = _NA.match(text, at)
    if match is not None and ends_at(text, match.end()):
        return Found("na", -1, match[0], match.end())
    match = _ABSTAIN_WORDS.match(text, at)
    if match is None or not ends_at(text, match.end()):
        match = _ABSTAINS.match(text, at)
    return None if match is None else Found("abstained", -1, match[0], match.end())
