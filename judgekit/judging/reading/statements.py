"""A level that a sentence states of what is judged, as in "Thus, the response is not valid".

Only a statement about the whole of it counts. "The first step is correct", "to be valid it must",
"the response would be valid" and "none of the claims is supported" give no level.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from judgekit.judging.reading.evidence import Evidence, Weight
from judgekit.judging.reading.found import Found, ends_at
from judgekit.judging.reading.last_word import last_word
from judgekit.judging.reading.names import HEDGE
from judgekit.judging.reading.pattern import pattern
from judgekit.judging.reading.sentences import CONCLUDES, LONGEST, Sentence
from judgekit.judging.reading.subjects import of_whole
from judgekit.judging.reading.values import value_at, whole_value
from judgekit.judging.reading.vocabulary import Vocabulary

_IS = pattern(
    r"(?:\b(?:is|are|was|were|seems|appears|remains)|(?<=\w)'s|\b(?:can|must|should|may)\s+be"
    r"(?=\s+(?:consid|deem|judg|class|regard|label|rated)))\s+(?=\S)",
    re.IGNORECASE,
)
_ADVERBS = pattern(
    r"(?:(?:therefore|thus|hence|also|indeed|clearly|definitely|overall|fully|completely|entirely"
    r"|still|simply|ultimately|(?P<only>only))\s+)*"
    r"(?:(?:considered|deemed|judged|found|regarded|classified|labell?ed|rated)\s+"
    r"(?:(?:to\s+be|as)\s+)?)?(?:(?:an?|the)\s+)?",
    re.IGNORECASE,
)
_IS_NOT = pattern(r"\b(is|are|was|were)n't\b", re.IGNORECASE)
_BY = pattern(
    r"\s+(?:(?:by|in|with|from)\s+(?:(?:any|all|each)\s+of\s+)?(?:the|this|these|its|any)\s+"
    r"(?:(?:given|provided|cited|available|retrieved|reference|source)\s+)?(?:evidence|context"
    r"|sources?|documents?|passages?|text|articles?|references?|materials?|facts|data|premises?"
    r"|transcript|conversation)|(?:to|for)\s+the\s+(?:user(?:'s\s+)?)?(?:question|query|request)?)"
    r"(?<=\w)(?=\s*(?:$|[.,;!]|because\b|since\b|as\b))",
    re.IGNORECASE,
)
_WORSE = pattern(r"\b(?:worse|worst|weaker|weakest|inferior|poorer|loser|loses)\b", re.IGNORECASE)
_REASON = pattern(r"\b(?:because|since|as|that|which|who|if|when)\b", re.IGNORECASE)
_HAS = pattern(
    r"\b(?:contains?|contained|has|had|includes?|makes?|made|shows?|exhibits?)\s+"
    r"(?:(?:an?|any|some)\s+)?(?=\S)",
    re.IGNORECASE,
)
_HAS_NOT = pattern(
    r"\b(?:does|do|did)(?:\s+not|n't)\s+(?:contain|have|include|make|show|exhibit)\s+"
    r"(?:(?:an?|any)\s+)?(?=\S)",
    re.IGNORECASE,
)
_DOES = pattern(r"(?<=\w)\s+(?:(?:also|thus|therefore|clearly)\s+)?(?=\S)")
_OBJECT = pattern(
    r"(?:\s+(?:the|this|that|all|its)\s+(?:\w+\s+)?(?:claims?|statement|hypothesis|criteri(?:on|a)"
    r"|test|check|requirements?|evaluation))?(?=\s*(?:$|[.,;!]|because|since|as\b))",
    re.IGNORECASE,
)
_TAIL = pattern(
    r"\s*(?:$|[.,;:!)]|(?:in|with|that|which|regarding|related|because|as|since|due)\b)"
)
_CONDITION = pattern(
    r"\W*(?:(?:in\s+order\s+)?to\s|if\b|for\s+(?:the|it)\b.*\bto\s+be\b|with\s+(?:these|this|those|the)\b"
    r"|here(?:'s|\s+is|\s+are)\b|whether\b|when\b)",
    re.IGNORECASE,
)
_ME = pattern(r"\W*(?:i|we)\s*$", re.IGNORECASE)
_ANSWER_IS = pattern(
    r"\b(?:answer|choice|verdict|option|winner|grade|label|category|decision|it)\s*$", re.IGNORECASE
)
SHORT = 12
"""A reply of at most so many words may give its level in a bare statement: "It is grounded." """


def statements(words: Vocabulary, said: list[Sentence]) -> Iterator[Evidence]:
    """Yield each level that a sentence states of the whole of what is judged.

    A sentence that concludes, opens or closes the reply, or has a line for itself, answers. Any
    other one mentions its level.
    """
    stated: set[int] = set()
    questions = [s for s in said if s.text.rstrip().endswith("?")]
    asked = questions != [] and questions == said[-2:-1] and not _WORSE.search(said[-2].text)
    for sentence in said:
        found = _asked(words, sentence) if asked and sentence.last else _stated(words, sentence)
        if found is not None:
            plain = sentence.edge or CONCLUDES.search(sentence.text)
            stated.add(found.level)
            yield Evidence(Weight.ANSWER if plain else Weight.MENTION, sentence.at, found)
    word = last_word(words, said, stated) if said else None
    if word is not None:
        yield word


def _asked(words: Vocabulary, sentence: Sentence) -> Found | None:
    """Return the name that answers a question, as in "Is it sourced? No"."""
    found = whole_value(words, sentence.text)
    return found if found is not None and found.kind == "level" and found.name else None


def _stated(words: Vocabulary, sentence: Sentence) -> Found | None:
    text = sentence.text
    if len(text) > LONGEST or _CONDITION.match(text) or "?" in text:
        return None
    if not (words.token.search(text) or words.plural.search(text)):
        return None
    sentence = sentence._replace(text=_IS_NOT.sub(r"\1 not", text))
    found = _all_stated(words, sentence)
    if found and _against_another(words, sentence, found[0]):
        return Found("contradictory", -1, text.strip()[:60], found[-1].end)
    if len({f.level for f in found}) > 1:
        shown = ", ".join(dict.fromkeys(repr(f.said) for f in found))
        return Found("contradictory", -1, shown, found[-1].end)
    return found[0] if found else None


def _all_stated(words: Vocabulary, sentence: Sentence) -> list[Found]:
    text = sentence.text
    found = [_being(words, sentence, match) for match in _IS.finditer(text)]
    found += [_having(words, sentence, match) for match in _HAS.finditer(text)]
    found += [_having(words, sentence, match, denied=True) for match in _HAS_NOT.finditer(text)]
    if words.verbs:
        found += [_doing(words, sentence, match) for match in _DOES.finditer(text)]
    return [f for f in found if f is not None]


def _being(words: Vocabulary, sentence: Sentence, match: re.Match[str]) -> Found | None:
    """Return the level behind "the response is"."""
    text, at = sentence.text, match.end()
    adverbs = _ADVERBS.match(text, at)
    found = value_at(words, text, at)
    if adverbs and (found is None or found.kind != "level"):
        if adverbs["only"] and words.size == 2:
            return None
        found = value_at(words, text, adverbs.end())
        if found is None or found.kind == "unknown":
            found = _by_source(words, text, adverbs.end())
    if found is None or found.kind != "level" or not found.name:
        return None
    if len(found.said) == 1:
        short = sentence.alone and len(text.split()) <= SHORT
        return found if short and _ANSWER_IS.search(text, 0, match.start()) else None
    return found if of_whole(sentence, match.start()) else None


def _by_source(words: Vocabulary, text: str, at: int) -> Found | None:
    """Return the name at ``at`` with what it holds by: "supported by the evidence"."""
    token = words.token.match(text, at)
    level = words.word(token[0]) if token and len(token[0]) > 1 else None
    by = _BY.match(text, token.end()) if token else None
    if token is None or level is None or by is None or HEDGE.match(text, by.end()):
        return None
    return Found("level", level, token[0], by.end(), name=True)


def _against_another(words: Vocabulary, sentence: Sentence, found: Found) -> bool:
    """Return whether the sentence gives another level as well: "the style is good, the facts poor".

    Of two levels one may hold for a part and the other for the whole; of more, these are the
    levels of two aspects. A clause that concludes has the last word, and a reason is no aspect.
    """
    text = sentence.text
    for match in _IS.finditer(text):
        adverbs = _ADVERBS.match(text, match.end())
        token = words.token.match(text, adverbs.end() if adverbs else match.end())
        level = words.word(token[0]) if token and len(token[0]) > 1 else None
        if token is None or level in {None, found.level}:
            continue
        first = token.end() < found.end
        between = text[token.end() : found.end] if first else text[found.end : match.start()]
        own = text[token.end() :] if first else text[: match.start()]
        if _REASON.search(between) or CONCLUDES.search(own):
            continue
        if (words.counts and words.size > 2) or of_whole(sentence, match.start()):
            return True
    return False


def _having(
    words: Vocabulary, sentence: Sentence, match: re.Match[str], *, denied: bool = False
) -> Found | None:
    """Return the level behind "the response contains": a name that is a noun, or its plural."""
    text = sentence.text
    token = words.plural.match(text, match.end()) or words.token.match(text, match.end())
    if token is None or len(token[0]) == 1 or not _TAIL.match(text, token.end()):
        return None
    level = words.word(token[0])
    level = words.word(token[0].rstrip("sS")) if level is None else level
    if denied and level is not None:
        level = words.words.get(f"no {token[0].lower().rstrip('s')}")
    if level is None or not of_whole(sentence, match.start()):
        return None
    return Found("level", level, token[0], token.end(), name=True)


def _doing(words: Vocabulary, sentence: Sentence, match: re.Match[str]) -> Found | None:
    """Return the level that is the verb of its sentence: "the text supports the claim"."""
    text = sentence.text
    token = words.token.match(text, match.end())
    level = words.word(token[0]) if token and token[0].lower() in words.verbs else None
    if token is None or level is None:
        return None
    end = token.end()
    what = _OBJECT.match(text, end)
    if not ends_at(text, what.end() if what else end):
        return None
    if not (_ME.fullmatch(text, 0, match.start()) or of_whole(sentence, match.start())):
        return None
    return Found("level", level, token[0], end, name=True)
