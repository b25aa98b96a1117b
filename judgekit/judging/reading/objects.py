"""Answers given as an object: the schema's JSON, whole, fenced, inside prose or slightly broken."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from judgekit.judging.reading.decode import Broken, CutOffError, Decoded, Pairs, decode_at, strict
from judgekit.judging.reading.found import nothing
from judgekit.judging.reading.keys import may_hold_answer
from judgekit.judging.reading.pairs import Answer, answer_of
from judgekit.judging.reading.pattern import pattern
from judgekit.judging.reading.vocabulary import Vocabulary

MOST = 64
"""Of a reply with more opening braces, which is code, only the first ones are tried."""

_EFFORT = 40_000  # characters gone through in all, counted as if each failure cost the rest

_FENCED = pattern(r"\s*```[ \t]*\w{0,10}\s*(?P<inside>[{\[].*[}\]])\s*```\s*", re.DOTALL)

_CALL = pattern(r"(?:^|\n)[ \t`]*[A-Za-z_][\w.]{0,60}$")
_NO_BRACE = pattern(r"\s*[\"']\w{1,40}[\"']\s*:")

PLACE = "{...}"
"""Marks in the text around objects where one stood."""


def whole_object(words: Vocabulary, text: str) -> Answer | None:
    """Return what ``text`` says where it is one JSON object from end to end, else None.

    A fence around all of it is no part of it. An object without an answer is an answer too:
    nothing inside its strings may be taken for one.
    """
    fenced = _FENCED.fullmatch(text)
    try:
        value = strict(fenced["inside"] if fenced else text)
        if isinstance(value, str) and value.lstrip()[:1] in {"{", "["}:
            value = strict(value)  # an object encoded twice
    except ValueError:
        return None
    if not isinstance(value, Pairs) and not (
        isinstance(value, list) and any(isinstance(member, Pairs) for member in value)
    ):
        return None  # "[[A]]" and "3" are JSON too
    return answer_of(words, value) or Answer(nothing(text), None)


class InProse(NamedTuple):
    """The objects of a reply.

    Attributes:
        answers: What those say that give an answer.
        cut: One breaks off where an answer may have stood.
        whole: None breaks off at all.
        rest: The text around all objects, each of which is now ``{...}``.
        ends: The last object closes the reply.
    """

    answers: list[Answer]
    cut: bool
    whole: bool
    rest: str
    ends: bool


def objects_in(words: Vocabulary, text: str, *, ended: bool) -> InProse:
    """Return what the objects inside ``text`` say.

    An object counts where it begins a line or follows a colon or another object; one quoted in the
    middle of a sentence is somebody else's. What stands inside an object is never read as text.
    """
    answers: list[Answer] = []
    rest: list[str] = []
    at, cut, whole, ends = 0, False, True, False
    if '{\\"' in text:  # the object was encoded once more, and its outer quotes are lost
        text = text.replace('\\"', '"')
    if "{" not in text and "}" in text and _NO_BRACE.match(text):  # its first brace is lost
        text = "{" + text
    for decoded in _decoded(text, ended=ended):
        placed = _in_place(text, decoded.start)
        if not (placed or decoded.whole):
            continue  # a brace in a sentence
        rest.append(text[at : decoded.start])
        at = decoded.end
        answer = answer_of(words, decoded.value)
        if not placed:  # somebody else's, unless it takes back an answer given before
            answers += [answer] if answer is not None and answers else []
            continue
        if not decoded.whole:
            whole = False
            cut = cut or answer is None or may_hold_answer(decoded.dangling)
        if answer is not None:
            answers.append(answer)
            ends = not text[at:].strip("`~ \t\r\n.]")
    rest.append(text[at:])
    return InProse(answers, cut, whole, PLACE.join(rest), ends)


def _decoded(text: str, *, ended: bool) -> Iterator[Decoded]:
    at, tries, spent = text.find("{"), 0, 0
    while at >= 0 and tries < MOST and spent < _EFFORT:
        tries += 1
        try:
            decoded = decode_at(text, at, ended=ended)
        except CutOffError:
            decoded = Decoded(Pairs(), at, len(text), whole=False, dangling="level")
        except Broken:
            spent += len(text) - at
            at = text.find("{", at + 1)
            continue
        yield decoded
        spent += decoded.end - at
        inside = not (decoded.whole or _in_place(text, at))
        at = text.find("{", at + 1 if inside else decoded.end)


def _in_place(text: str, start: int) -> bool:
    before = text[:start].rstrip(" \t`*[(")
    if not before or before[-1] in "\n:>}" or before.endswith(("json", "JSON", "{")):
        return True
    if before[-1] == "=":  # an assignment further on is somebody's code
        return "\n" not in before
    return text[start - 1] == "(" and _CALL.search(before) is not None
