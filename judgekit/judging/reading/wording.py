"""Read an answer given in words: gather every form of evidence, and weigh it."""

from __future__ import annotations

from judgekit.judging.reading.aspects import aspects, flags
from judgekit.judging.reading.evidence import Evidence, Weight, weigh
from judgekit.judging.reading.found import Found, nothing
from judgekit.judging.reading.gradings import gradings
from judgekit.judging.reading.labels import labelled
from judgekit.judging.reading.last_word import LAST_WORD
from judgekit.judging.reading.lines import head, lone_lines, whole_reply
from judgekit.judging.reading.marks import marked
from judgekit.judging.reading.preferences import preferences
from judgekit.judging.reading.quoted import without_quotes
from judgekit.judging.reading.sentences import breaks_off, sentences
from judgekit.judging.reading.silence import abstains, declines, refuses
from judgekit.judging.reading.statements import statements
from judgekit.judging.reading.taken_back import taken_back
from judgekit.judging.reading.totals import on_scale, totals
from judgekit.judging.reading.vocabulary import Vocabulary

_STATED = frozenset({"level", "out_of_scale", "contradictory"})


def found_in_text(words: Vocabulary, text: str, *, ended: bool) -> Found:
    """Return what normalised ``text`` without markup says.

    Args:
        words: The written forms of the scale.
        text: The answer part of a reply.
        ended: The model stopped of itself.
    """
    whole = whole_reply(words, text)
    if whole is not None and whole.kind != "template":
        return whole
    text = without_quotes(text)
    evidence = _evidence(words, text)
    found = weigh(evidence) or nothing(text)
    if declines(text):
        return Found("refused", -1, text, 0)
    back = taken_back(words, text, found, evidence) if found.kind == "level" else None
    return back or _without_answer(text, found, evidence, ended=ended)


def _without_answer(text: str, found: Found, evidence: list[Evidence], *, ended: bool) -> Found:
    """Return ``found``, or what the reply says where it gives no plain answer."""
    if any(e.weight >= Weight.ANSWER and e.found.kind == "level" for e in evidence):
        return found
    if refuses(text):
        return Found("refused", -1, text, 0)
    if found.kind == "unknown" and abstains(text):
        return Found("abstained", -1, text, 0)
    whole = ended or any(e.label == LAST_WORD for e in evidence)
    if not whole and breaks_off(text):  # what was said in passing was not the answer yet
        return nothing(text)
    return found


def stated_around(words: Vocabulary, text: str) -> Found | None:
    """Return the answer that the text around an object states outright, or None."""
    evidence = [e for e in _evidence(words, without_quotes(text)) if e.weight >= Weight.ANSWER]
    return weigh(e for e in evidence if e.found.kind in _STATED)


def _evidence(words: Vocabulary, text: str) -> list[Evidence]:
    said = sentences(text)
    return [
        *marked(words, text),
        *labelled(words, text),
        *totals(words, text),
        *on_scale(words, text),
        *aspects(words, text),
        *flags(words, text),
        *lone_lines(words, text),
        *head(words, text),
        *preferences(words, said),
        *gradings(words, said),
        *statements(words, said),
    ]
