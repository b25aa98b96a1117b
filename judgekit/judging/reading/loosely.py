"""Read a reply that is more, or less, than the object the schema asks for."""

from __future__ import annotations

from judgekit.judging.judgment import Cause
from judgekit.judging.reading.clean import normalise, strip_markup, until_end_of_turn
from judgekit.judging.reading.echo import without_echo, without_item
from judgekit.judging.reading.finish import ended_itself, was_cut
from judgekit.judging.reading.found import Found, nothing
from judgekit.judging.reading.objects import PLACE, InProse, objects_in, whole_object
from judgekit.judging.reading.outcome import Reading, judged, not_applicable, unjudged
from judgekit.judging.reading.pairs import Answer
from judgekit.judging.reading.quoted import told_of
from judgekit.judging.reading.silence import declines
from judgekit.judging.reading.taken_back import corrected
from judgekit.judging.reading.thinking import Said, after_closing_marks, strip_thinking
from judgekit.judging.reading.vocabulary import Vocabulary
from judgekit.judging.reading.wording import found_in_text, stated_around

LONGEST = 12_000
"""Of a reply that says more than this outside its reasoning, only the end is read."""

_SHORT = 3
"""A reply of so many words gives its answer and no reason."""


def read_loosely(words: Vocabulary, text: str, finish: str | None, *, allow_na: bool) -> Reading:
    """Return what a reply says that no filter of the provider stopped.

    Args:
        words: The written forms of the scale.
        text: The reply.
        finish: Why the model stopped.
        allow_na: The criterion may not apply.
    """
    answer = whole_object(words, text)
    if answer is None:
        return _read_mixed(words, text, finish, allow_na=allow_na)
    return _reading(words, answer, allow_na=allow_na)


def _read_mixed(words: Vocabulary, text: str, finish: str | None, *, allow_na: bool) -> Reading:
    """Read a reply that is more, or less, than one JSON object."""
    came, text = text, without_item(text)
    plain = normalise(text)
    quoted = text != came
    answer = _behind_reasoning(words, text, plain)
    if answer is not None:
        return _reading(words, answer, allow_na=allow_na)
    said = strip_thinking(plain)
    said = said._replace(text=_end(until_end_of_turn(said.text)))
    cut, ended = was_cut(finish), ended_itself(finish)
    broken: Cause = "unreadable" if ended else "truncated"
    if said.cut:
        return unjudged(broken, "the reply ends inside the model's reasoning")
    if not said.text.strip():
        return unjudged(*_NOTHING_ELSE[True]) if quoted else _nothing(said, cut=cut)
    own = without_echo(said.text)
    echoed = quoted or own != said.text
    if own != said.text:
        text, said = own, said._replace(text=own)
    prose = _objects(words, text, said, ended=ended)
    if prose.cut or (cut and not (prose.answers and prose.whole and prose.ends)):
        return unjudged(broken, f"the answer breaks off: {_clip(said.text, tail=True)}", said.text)
    rest = strip_markup(normalise(prose.rest))
    if prose.answers:
        answer = _weigh_objects(words, prose.answers, rest)
    elif rest:
        found = found_in_text(words, rest, ended=ended)
        reason = said.text.strip() if len(rest.split()) > _SHORT else None
        answer = Answer(found, reason)
    else:
        return unjudged(*_NOTHING_ELSE[echoed])
    return _reading(words, answer, allow_na=allow_na)


_NOTHING_ELSE: tuple[tuple[Cause, str], tuple[Cause, str]] = (
    ("empty", "nothing but marks"),
    ("unreadable", "nothing but the words of the prompt"),
)


def _end(text: str) -> str:
    """Return ``text``, or the end of a very long one; what that begins with starts no line."""
    return text if len(text) <= LONGEST else f"~ {text[-LONGEST:]}"


def _nothing(said: Said, *, cut: bool) -> Reading:
    if cut:
        return unjudged("truncated", "the token budget ran out before the answer")
    return unjudged("empty", "nothing after the reasoning" if said.thought else "no text")


def _behind_reasoning(words: Vocabulary, text: str, plain: str) -> Answer | None:
    """Return the answer where all that follows a closing mark is one JSON object.

    That object may speak of such marks itself. The text as it came goes first: the plain form
    may have changed a quote inside a string.
    """
    for form in dict.fromkeys((text, plain)):
        for rest in after_closing_marks(form):
            answer = whole_object(words, rest)
            if answer is not None:
                return answer
    return None


def _objects(words: Vocabulary, text: str, said: Said, *, ended: bool) -> InProse:
    """Return what the objects of a reply say, read as they came where that is safe.

    It is not where a reasoning mark shows in the plain form only.
    """
    if not text.isascii():
        as_it_came = strip_thinking(text)
        if as_it_came.marks == said.marks:
            came = _end(until_end_of_turn(as_it_came.text))
            prose = objects_in(words, came.strip(), ended=ended)
            if prose.answers and prose.whole:
                return prose
    return objects_in(words, said.text.strip(), ended=ended)


def _weigh_objects(words: Vocabulary, answers: list[Answer], rest: str) -> Answer:
    """Weigh the objects of a reply against each other and against the text around them."""
    if told_of(rest, rest.rfind(PLACE) + len(PLACE)):
        return Answer(nothing(rest), None)
    if declines(rest):
        return Answer(Found("refused", -1, rest, 0), None)
    stated = stated_around(words, rest)
    back = corrected(words, rest[rest.rfind(PLACE) + len(PLACE) :], answers[-1].found.level)
    said = [answer.found for answer in answers] + [found for found in (stated, back) if found]
    around = rest.replace(PLACE, " ").strip()
    reason = next((answer.reason for answer in answers if answer.reason), around or None)
    if len({(found.kind, found.level) for found in said}) > 1:
        shown = ", ".join(dict.fromkeys(repr(found.said) for found in said))
        return Answer(Found("contradictory", -1, shown, 0), reason)
    return Answer(said[0], reason)


def _reading(words: Vocabulary, answer: Answer, *, allow_na: bool) -> Reading:
    found, reason = answer
    if found.kind == "level":
        return judged(found.level, reason)
    if found.kind == "na" and allow_na:
        return not_applicable(reason)
    cause, form = _CAUSES[found.kind]
    return unjudged(cause, form.format(_clip(found.said), words.shown), reason)


_CAUSES: dict[str, tuple[Cause, str]] = {
    "na": ("abstained", "{} where every item has a level"),
    "abstained": ("abstained", "the judge cannot tell: {}"),
    "refused": ("refused", "the judge declines: {}"),
    "out_of_scale": ("out_of_scale", "{} is none of {}"),
    "other": ("out_of_scale", "{} is none of {}"),
    "contradictory": ("contradictory", "several answers: {}"),
    "template": ("unreadable", "the scale itself is no answer: {}"),
    "unknown": ("unreadable", "no answer found in {}"),
}


def _clip(text: str, *, tail: bool = False) -> str:
    line = " ".join(text.split())
    if len(line) <= 80:
        return repr(line)
    return repr("..." + line[-77:] if tail else line[:77] + "...")
