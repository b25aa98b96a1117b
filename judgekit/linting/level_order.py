"""Whether a sentence asks for the level before its reason, or for no reason, in seven languages."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from judgekit.linting.late import Late
from judgekit.linting.words import set_of, words_of

if TYPE_CHECKING:
    from judgekit.linting.prose import Sentence

_NOTE = r"(?:(?:la|une|votre|ta|die|eine|deine|ihre|der|tu|su|una|a|uma|sua) )not[ae]"
_LEVEL = (
    r"(?:level|score|grade|rating|verdict|judge?ment|number|decision|label|classification"
    r"|stufe|bewertung|urteil|punktzahl|einstufung|wertung|niveau|jugement"
    r"|nivel|puntuación|puntaje|calificación|veredicto|livello|punteggio|voto|giudizio|verdetto"
    rf"|nível|pontuação|veredito|cijfer|oordeel|beoordeling|{_NOTE})"
)
_REASON = (
    r"(?:reason(?:s|ing)?|rationales?|expla(?:in|ining|nations?)|justif(?:y|ying|ications?)|why"
    r"|arguments?|begründ\w*|gr[uü]nde?|erklär\w*|warum|raisons?|justifi\w*|expliqu\w*|explications?"
    r"|motifs?|pourquoi|razón|razones|explica\w*|explique\w*|motivos?|motiva\w*|ragion[ei]|spieg\w*"
    r"|giustific\w*|razão|razões|justific\w*|reden\w*|uitleg|toelicht\w*|motiver\w*|waarom)"
)
_THEN = (
    r"(?:then|followed by|precedes?|before|afterwards?|after (?:it|that|which)|next|second"
    r"|below(?: it)?|underneath|on the (?:next|second) line|dann|danach|anschließend|gefolgt von"
    r"|vor|darunter|puis|ensuite|suivi?e? (?:de|par)|avant|luego|después|seguid[oa] de|antes de"
    r"|poi|dopo|seguit[oa] da|prima di|depois|em seguida|antes d[aeo]|daarna|gevolgd door|vóór)"
)
_FIRST = (
    r"(?:first(?:ly)?|(?:begin|start|lead|open)(?:ing)?(?: (?:your|the|each|every) \w+)?"
    r" (?:with|by)|zuerst|zunächst|erst|als erstes|beginnen? sie mit|beginne? mit|d['’]abord"
    r"|your (?:answer|reply|response) (?:begins|starts|opens) with"
    r"|premièrement|commence[zr]? par|primero|en primer lugar|(?:empi|comi)en[cz][ae] (?:con|por)"
    r"|prima(?! d)|innanzitutto|(?:inizia|comincia) (?:con|dal?)|primeiro|comece (?:com|pel[ao])"
    r"|eerst|begin met)"
)
_ASK = (
    r"(?:give|state|output|write|return|provide|report|name|assign|say|pick|choose|select|put"
    r"|print|respond|answer|reply|decide|present|nennen?|gib|geben|schreiben?|antworten?|vergib"
    r"|donne[zr]?|écri\w+|réponde?[sz]?|indique[zr]?|da|dé|escrib[ae]|responde|indica|dai|scrivi"
    r"|rispondi|dê|escreva|responda|geef|noem|schrijf|antwoord)"
)
_BETWEEN = set_of(
    "a an answer answering as assigning avec be by choose choosing com comes con contains das "
    "decide deciding dein deine den der des di die een eine el final gives giving going goes h "
    "has het his holds il in is its l la le les line lo met mit must naming numeric numerical o "
    "of on output outputting overall par pick picking por provide providing reply report "
    "reporting response reveal saying says sein select sentence should sie single state states "
    "stating tell telling the their thing to tu um uma un una une votre with word write writing "
    "you your alleen allein apenas ausschließlich but enkel except just lediglich merely nothing "
    "nur only seulement sólo solamente solely solo soltanto somente só uniquement"
)
"""What may stand between an order and the level it asks for."""

_LEVELS = set_of(
    "beoordeling bewerte bewertung calificación cijfer classification decide decision einstufung "
    "giudizio grade judge judgement judgment jugement label level livello nivel niveau nota note "
    "number nível oordeel pontuação punteggio puntaje puntuación punktzahl rate rating score stufe "
    "urteil verdetto veredicto veredito verdict voto wertung"
)
_REASONS = set_of(
    "begründung erklärung explain explanation explanations justification justifications justify "
    "rationale reason reasoning reasons"
)
_LESS = set_of(
    "alleen alone apenas ausschließlich don't enkel except just keine lediglich merely necessary "
    "needed never no not nothing nur ohne omit only required sans sem senza seulement sin skip "
    "solamente solely solo soltanto somente sólo só uniquement without zonder leave"
)
_AMBIGUOUS = {"number", "decision", "label", "classification", "judgment", "judgement"}
_VERBS = {"score", "grade", "label"}
_NOT = Late(
    r"(?i)\b(?:not|never|don['’]t|avoid|instead|rather than|unless|nicht|nie|niemals|ne|jamais"
    r"|nunca|non|não|niet|nooit)\b[^,;:]*$"
)
_GAP = r"(?P<gap>[^.!?;:\ufffc]{0,60}?)"
_ORDERED = Late(
    rf"(?i)\b{_LEVEL}\b[^.!?\ufffc]{{0,30}}?\b{_THEN}(?!\w)[^.!?\ufffc]{{0,40}}?\b{_REASON}\b"
)
_LATE = (
    r"(?:afterwards?|later|below|underneath|second|danach|später|darunter|ensuite|après|después"
    r"|luego|dopo|depois|daarna)"
)
_BEHIND = Late(
    rf"(?i)\b{_LEVEL}\b[^.!?\ufffc]{{0,30}}?\b{_REASON}\b[^.!?\ufffc]{{0,20}}?\b{_LATE}(?!\w)"
    rf"|\b(?:grade|score|rate|judge|decide|bewerte)(?: it| this| the \w+)? first\b"
    r"[^.!?\ufffc]{0,40}?"
    rf"\b{_REASON}\b"
)
_LOOKS = r"(?:read|look|compare|consider|think|check|study|find|go|lies|lesen|vergleiche)"
_VERB = Late(rf"(?i)\b(?:(?P<looks>{_LOOKS})|{_ASK})\b")
_BEGINS = Late(
    rf"(?i)(?<!\w){_FIRST}(?!\w)(?P<gap>[^.!?;\ufffc]{{0,60}}?)(?<!\w)(?P<level>{_LEVEL})\b"
)
_COMES = Late(
    rf"(?i)(?<!\w)(?P<level>{_LEVEL})\b,?\s(?:(?:comes?|goes|go|must come|should come|is given"
    r"|is stated|stands)\s)?(?:first(?! (?:read|look|think|consider|check|decide|find))|up front"
    r"|upfront|zuerst|an erster stelle|d['’]abord|en premier|primero|per prim[oa]|primeiro|eerst"
    r"|(?:on|in|as) (?:the|your) first (?:line|sentence|word|thing))(?!\w)"
)
_AFTER = Late(
    rf"(?i)\b(?:after|nach|après|después de|dopo|depois d[eo]|na)l? (?:giving |stating |naming )?"
    rf"(?:the |your |der |le |el |il |o |het )?(?P<level>{_LEVEL})\b"
    rf"[^.!?\ufffc]{{0,40}}?\b{_REASON}\b"
    rf"|\b{_REASON}\s(?:the |your |it |this )?(?:{_LEVEL} )?(?:only )?(?:after|once) "
    r"(?:giving|stating|naming|you (?:give|have given|gave)) (?:it|the|your)\b"
)
_LATER = Late(
    r"(?i)\W*(?:and )?(?:then|after that|afterwards|next|only then|below (?:it|that)|dann|danach"
    r"|puis|ensuite|luego|después|poi|dopo|depois|em seguida|daarna)\b"
    rf"[^.!?\ufffc]{{0,40}}?\b{_REASON}\b"
)
_HAS_REASON = Late(rf"(?i)\b{_REASON}\b")
_ASKED = Late(rf"(?i)\b{_ASK}\b{_GAP}(?<!\w)(?P<level>{_LEVEL})\b")
_ONLY = (
    r"(?:only|just|solely|merely|nothing (?:but|except)|nur|lediglich|ausschließlich|seulement"
    r"|uniquement|s[oó]lo|solamente|soltanto|apenas|somente|só|alleen|enkel)"
)
_END = r"(?=\s*(?:[.,;:!?)]|$|and (?:no|nothing)|without\b|ohne\b|sans\b|sin\b|senza\b|sem\b))"
_ALONE = Late(
    rf"(?i)(?<!\w){_ONLY}(?!\w){_GAP}(?<!\w)(?P<level>{_LEVEL})\b{_END}"
    rf"|\b{_ASK}\b(?P<with>[^.!?;:\ufffc]{{0,40}}?)(?<!\w){_LEVEL}\b,?\s(?:{_ONLY}|alone"
    rf"|and nothing (?:else|more)){_END}"
)
_WITHOUT = Late(
    rf"(?i)\b{_ASK}\b[^.!?\ufffc]{{0,30}}?\b{_LEVEL}\b[^.!?\ufffc]{{0,20}}?\b(?:without"
    rf"|with no|ohne|sans|sin|senza|sem|zonder)\s(?:an?y?\s|further\s|giving\s|jede\s"
    rf"|aucune\s|ninguna\s)?{_REASON}\b"
)
_NO_REASON = Late(
    r"(?i)(?:\W*(?:and |but |please )?(?:(?:do not|don['’]t|never|you need not|no need to"
    r"|there is no need to) (?:explain|justify|give (?:any |a |your )?(?:reasons?|explanations?"
    r"|justifications?|rationale))(?: (?:yourself|your \w+|it|anything|why))?(?=\s*(?:[.;,:!]|$))"
    r"|no (?:explanations?|reasons?|reasoning|justifications?|rationale)(?: (?:is|are))?"
    r"(?: (?:needed|necessary|required|wanted|please))?(?=\s*(?:[.;,:!]|$))"
    r"|keine (?:begründung|erklärung)(?=\s*(?:[.;,:!]|$)|\s(?:nötig|angeben)))"
    r"|(?:^|.*\W)(?:give|provide|write|add|include|offer) no (?:reasons?|explanations?"
    r"|justifications?|rationale)\b|\W*(?:skip|omit|leave out) (?:the|any|your|all) (?:reasons?"
    r"|reasoning|explanations?|justifications?|rationale)\b)"
)


def may_ask(text: str) -> bool:
    """Return whether a text may speak of a level, or of a reason that is not wanted."""
    words = words_of(text)
    if not _LEVELS.isdisjoint(words):
        return True
    return not (_REASONS.isdisjoint(words) or _LESS.isdisjoint(words))


def asks_level_first(sentence: Sentence, after: str) -> int | None:
    """Return where a sentence wants the level before the reason, or None where it does not.

    Args:
        sentence: The sentence.
        after: The one behind it, which may bring the reason: "State the level. Then explain."
    """
    text = sentence.text
    for found in (*_ORDERED.finditer(text), *_BEHIND.finditer(text)):
        verbs = [*_VERB.finditer(text, 0, found.start())]
        looks = bool(verbs) and verbs[-1]["looks"] is not None
        said = _HAS_REASON.search(text, 0, found.start())
        if _is_meant(sentence, found) and not said and not looks:
            return found.start()
    for found in _BEGINS.finditer(text):
        if _is_meant(sentence, found) and _is_begun(text, found):
            return found.start()
    for pattern in (_COMES, _AFTER):
        found_ = pattern.search(text)
        if found_ and _is_meant(sentence, found_):
            return found_.start()
    if after and _LATER.match(after) and not _HAS_REASON.search(text):
        return _ask_at(sentence)
    return None


def asks_for_less(sentence: Sentence) -> int | None:
    """Return where a sentence wants the level and no reason, or None where it does not."""
    text = sentence.text
    if _LESS.isdisjoint(words_of(text)):
        return None
    none = _NO_REASON.match(text)
    if none:
        return 0
    for found in (*_ALONE.finditer(text), *_WITHOUT.finditer(text)):
        gap = found.groupdict().get("gap") or found.groupdict().get("with") or ""
        if _only_between(gap, "") and _is_meant(sentence, found):
            return found.start()
    return None


def _ask_at(sentence: Sentence) -> int | None:
    """Return where a sentence orders a level and nothing else."""
    for found in _ASKED.finditer(sentence.text):
        ends = not sentence.text[found.end() :].strip(" .!?:;\"'”)")
        if ends and _only_between(found["gap"], "one") and sentence.orders_at(found.start()):
            return found.start()
    return None


def _is_meant(sentence: Sentence, found: re.Match[str]) -> bool:
    """Return whether the judge is asked, and not asked to leave it."""
    if _NOT.search(sentence.text, 0, found.start()):
        return False
    words = set(found[0].casefold().split())
    if not words & _AMBIGUOUS or words & {"level", "score", "grade", "rating", "verdict"}:
        return True
    ask = re.search(rf"(?i)\b(?:{_ASK}|{_FIRST})\b", sentence.text)
    return ask is not None and sentence.orders_at(ask.start())


def _is_begun(text: str, found: re.Match[str]) -> bool:
    """Return whether what comes first is the level that is given, not one that is looked at."""
    gap, level = found["gap"].strip(), found["level"].casefold()
    if not gap and (level in _VERBS or re.search(r"(?i)\bthe\s*$", text[: found.start()])):
        return level in _VERBS and _HAS_REASON.search(text, found.end()) is not None
    ends = re.match(r"\s+(?:that|which|whose|where|of)\b", text[found.end() :])
    return _only_between(gap, "one") and ends is None


def _only_between(gap: str, more: str) -> bool:
    words = re.findall(r"[^\W\d_]+", gap.casefold())
    return all(word in _BETWEEN or word == more or re.fullmatch(_ASK, word) for word in words)
