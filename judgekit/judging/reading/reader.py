"""The order in which a reply is read, and what each end of it is called."""

from __future__ import annotations

from judgekit.judging.judgment import Cause
from judgekit.judging.reading.clean import normalise, strip_markup
from judgekit.judging.reading.echo import without_echo, without_item
from judgekit.judging.reading.found import Found, nothing
from judgekit.judging.reading.objects import PLACE, InProse, objects_in, whole_object
from judgekit.judging.reading.outcome import Reading, judged, not_applicable, unjudged
from judgekit.judging.reading.pairs import Answer
from judgekit.judging.reading.quoted import told_of
from judgekit.judging.reading.silence import declines, ended_itself, was_cut, was_filtered
from judgekit.judging.reading.taken_back import corrected
from judgekit.judging.reading.thinking import Said, after_closing_marks, strip_thinking
from judgekit.judging.reading.vocabulary import Vocabulary, vocabulary
from judgekit.judging.reading.wording import found_in_text, stated_around
from judgekit.judging.request import ModelReply
from judgekit.rubric.scale import Scale

_SHORT = 3
"""A reply of so many words gives its answer and no reason."""


def read(reply: ModelReply, scale: Scale, *, allow_na: bool = False) -> Reading:
    """Return what a model's reply says on ``scale``.

    Args:
        reply: The reply as it came. Its ``reasoning`` is never read.
        scale: The criterion's scale.
        allow_na: The criterion has a ``not_applicable`` case; else a judge that says so abstains.
    """
    if not was_filtered(reply.finish) and reply.refusal and reply.refusal.strip():
        return unjudged("refused", f"the provider reports a refusal: {_clip(reply.refusal)}")
    return read_text(reply.text, scale, allow_na=allow_na, finish=reply.finish)


def read_text(
    text: str, scale: Scale, *, allow_na: bool = False, finish: str | None = None
) -> Reading:
    """Return what a raw reply text says on ``scale``; ``finish`` is why the model stopped."""
    words = vocabulary(scale)
    try:
        return _read(words, text, finish, allow_na=allow_na)
    except (ValueError, OverflowError, RecursionError, MemoryError) as error:
        return unjudged("unreadable", f"the reply cannot be read ({type(error).__name__})")


def _read(words: Vocabulary, text: str, finish: str | None, *, allow_na: bool) -> Reading:
    if finish is not None and finish != "stop":
        if was_filtered(finish):
            return unjudged("filtered", f"stopped by a content filter ({finish!r})")
        if finish.strip().lower() == "refusal":
            return unjudged("refused", "the provider reports a refusal")
    answer = whole_object(words, text)
    if answer is None:
        return _read_loosely(words, text, finish, allow_na=allow_na)
    return _reading(words, answer, allow_na=allow_na)


def _read_loosely(words: Vocabulary, text: str, finish: str | None, *, allow_na: bool) -> Reading:
    """Read a reply that is more, or less, than one JSON object."""
    came, text = text, without_item(text)
    plain = normalise(text)
    quoted = text != came
    answer = _behind_reasoning(words, text, plain)
    if answer is not None:
        return _reading(words, answer, allow_na=allow_na)
    said = strip_thinking(plain)
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
            prose = objects_in(words, as_it_came.text.strip(), ended=ended)
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
