"""Answer forms that a text asks for, other than the one that is read."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from judgekit.linting.late import Late
from judgekit.linting.prose import sentences_of
from judgekit.linting.words import set_of, words_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from judgekit.linting.prose import Sentence

_YES = (
    "yes|true|pass|correct|accept|ja|oui|s[ií]|sì|sim|thumbs?[- ]up|wahr|richtig|vrai|verdadero"
    "|vero"
)
_NO = "no|false|fail|incorrect|reject|nein|non|não|nee|thumbs?[- ]down|falsch|faux|falso"
_QUOTE = "[\"'“”‘’`*]{0,2}"
_EITHER = (
    rf"{_QUOTE}(?P<yes>{_YES}){_QUOTE}\s?(?:,|/|\||or|oder|ou|o|of|and|und)?\s?"
    rf"(?:or |oder |a )?{_QUOTE}(?P<no>{_NO}){_QUOTE}(?!\w)"
)
_VERB = (
    r"(?:answer|reply|respond|return|output|print|write|say|finish|end|conclude|provide|produce"
    r"|submit|give|put|format|present|antworten?(?: sie)?|gib|geben sie|schreiben?"
    r"|répon(?:ds|dez|dre)|donne[zr]?|responde[rd]?|contesta|rispondi|responda|antwoord)"
)
_FIRST = (
    r"(?:\s(?:only|just|simply|solely|nur|uniquement|s[oó]lo|solamente|solo|apenas|alleen))?"
    r"(?:\s(?:it|your (?:answer|verdict|response|reply|judge?ment|final answer)))?"
    r"(?:\s(?:with|by|in|as|using|mit|par|con|com|met))?"
    r"(?:\s(?:only|just|exactly|either|nur))?"
    r"(?:\s(?:an?|one|the|eine[rnm]?|einem|une?|uno|una|um|uma|een))?"
    r"(?:\s(?:single|plain|valid|short|bare|simple|json|einzigen?|seul|solo))?"
    r"(?:\s(?:floating[- ]point|decimal|whole|real))?\s"
)
_FORMS = (
    r"(?:(?:list|array|table) of (?:scores|ratings|grades|numbers)\b"
    r"|(?:number|digit|integer|word|letter|token|float|percentage|boolean|emoji|zahl|ziffer|wort"
    r"|buchstaben?|nombre|chiffre|mot|número|palabra|numero|parola|getal|woord"
    r"|list|array|xml|yaml|csv|toml|html|markdown|table|csv row|markdown table|bullet list"
    r"|(?:python )?dict(?:ionary)?|python (?:list|tuple))"
    r"\b(?! (?:of|or|from|in which|that|which|whose)\b))"
)
_LETTERS = (
    r"(?P<a>(?-i:[A-Z]))(?:, (?P<b>(?-i:[A-Z])))?(?:, (?P<c>(?-i:[A-Z])))?,?"
    r" or (?P<d>(?-i:[A-Z]))\b"
)
_ASKED = Late(
    rf"(?i)\b{_VERB}(?:{_FIRST}{_FORMS}|\b[^.;\ufffc]{{0,25}}?\s{_EITHER}"
    rf"|(?: only| just)?(?: with)?(?: only| either)?\s{_LETTERS})"
)
_MUST_BE = Late(
    r"(?i)\byour (?:final )?(?:answer|reply|response|output|verdict|judge?ment)"
    r" (?:must|should|has to|needs to|shall) (?:only |always )?be(?: only| either)?(?: an?| one)?"
    rf"(?: single| plain| valid| floating[- ]point| decimal| whole)?\s(?:{_FORMS}|{_EITHER})"
)
_SIGNS = Late(
    r"(?i)\[\[\s*(?:rating|score|level|verdict|[A-C0-9]+)\s*\]\]|\\boxed\b"
    r"|</?(?:score|rating|grade|verdict|level|answer)>"
    r"|[\"'“‘`](?:final )?(?:score|rating|grade|verdict|answer|overall)\s?:\s?"
    r"(?:<|\[|\{|_|#|N\b|X\b|\d|\w+[\"'”’`])"
    r"|\b(?:form|format|as|with)\s(?:of\s)?(?:score|rating|grade|verdict)\s?:\s?"
    r"(?:<|\[|\{|_|#|N\b|X\b|\d)"
)
_LINE = Late(
    r"(?im)^[ \t]*(?:score|rating|grade|verdict|level|final answer)\s*:\s*(?:<|\[|\{|X\b|\d)"
)
_SHOUTED = Late(
    r"\b(?P<yes>PASS|YES|TRUE|ACCEPT|CORRECT)\b[^.\n\ufffc]{0,80}"
    r"\b(?P<no>FAIL|NO|FALSE|REJECT|INCORRECT)\b"
    r"|\b(?P<no2>FAIL|NO|FALSE|REJECT|INCORRECT)\b[^.\n\ufffc]{0,80}"
    r"\b(?P<yes2>PASS|YES|TRUE|ACCEPT|CORRECT)\b"
)
_KEYS = Late(
    r"(?i)\bJSON\b[^.\n\ufffc]{0,40}\b(?:keys?|fields?)\b[^.\n\ufffc]{0,40}"
    r"\b(?:score|rating|grade|verdict|result|passed)\b"
)
_VERBS = set_of(
    "answer antworte antworten antwoord conclude contesta donne donnez end finish format geben gib "
    "give output present print produce provide put reply respond responda responde responder "
    "return rispondi répondez répondre réponds say schreibe schreiben submit write"
)
_FORM_WORDS = set_of(
    "array boolean buchstabe buchstaben bullet chiffre csv dict dictionary digit emoji fail "
    "falsch false falso faux float getal html incorrect integer letter list markdown mot nee nein "
    "no nombre non number numero não número palabra parola percentage reject table thumb thumbs "
    "thumbs-down token toml tuple woord word wort xml yaml zahl ziffer"
)
_SHOUTS = set_of("accept correct fail false incorrect no pass reject true yes")
_SIGN, _COLON, _JSON = map(re.compile, (r"[\[\\<\"'“‘`:]", ":", "(?i)json"))
"""What is in every text that has such a form."""
_OBJECT = Late(r"\{\s*\"\w+\"\s*:[^{}]*\}")


def other_form(text: str, names: Collection[str]) -> int | None:
    """Return where a text asks for an answer in another form, or None.

    Args:
        text: What the judge is shown; of a body the words only.
        names: Words that are levels of every criterion, folded: to ask for these is no other form.
    """
    found = [place for place in _places(text, names) if place is not None]
    return min(found, default=None)


def _places(text: str, names: Collection[str]) -> Iterator[int | None]:
    words = set(words_of(text))
    shouts = not words.isdisjoint(_SHOUTS)
    named = not words.isdisjoint(_FORM_WORDS) or any(map(_is_letter, words))
    asks = named and not words.isdisjoint(_VERBS)
    for sentence in sentences_of(text) if asks or shouts else ():
        found = (*_asked_in(sentence), *(_shouted_in(sentence) if shouts else ()))
        yield from (sentence.start + m.start() for m in found if not _are_levels(m, names))
    for pattern, sign in ((_SIGNS, _SIGN), (_LINE, _COLON), (_KEYS, _JSON)):
        form = pattern.search(text) if sign.search(text) else None
        if form:
            yield form.start() + len(form[0]) - len(form[0].lstrip())
    objects = _OBJECT.finditer(text) if "{" in text else iter(())
    yield next((m.start() for m in objects if not _is_ours(m[0])), None)


def _asked_in(sentence: Sentence) -> Iterator[re.Match[str]]:
    """Yield what a sentence orders the judge to answer with, or says its answer has to be."""
    yield from _MUST_BE.finditer(sentence.text)
    asked = _ASKED.finditer(sentence.text)
    yield from (found for found in asked if sentence.orders_at(found.start()))


def _shouted_in(sentence: Sentence) -> Iterator[re.Match[str]]:
    """Yield pairs of words in capitals, PASS and FAIL; questions ask them of the outputs."""
    if not sentence.text.rstrip(" \"'”\ufffc").endswith("?"):
        yield from _SHOUTED.finditer(sentence.text)


def _is_letter(word: str) -> bool:
    """Return whether a word is a letter that answers may be called by; "a" is everywhere."""
    return len(word) == 1 and word != "a"


def _are_levels(found: re.Match[str], names: Collection[str]) -> bool:
    told = [said.casefold() for key, said in found.groupdict().items() if said and key]
    return bool(told) and all(said in names for said in told)


def _is_ours(form: str) -> bool:
    return '"reason"' in form and '"level"' in form
