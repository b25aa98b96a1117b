"""The first steps of reading: did the provider stop the reply, and is it what the schema asks for?

Nearly every reply is, and it is read here, in a few microseconds and without a pattern. All other
replies go to the loose reader, which reads this one in the same way.
"""

from __future__ import annotations

from functools import lru_cache

from judgekit.judging.reading.decode import scan
from judgekit.judging.reading.finish import broke_off, was_filtered
from judgekit.judging.reading.outcome import Reading, judged, unjudged
from judgekit.judging.reading.scales import vocabulary
from judgekit.judging.reading.vocabulary import Vocabulary
from judgekit.judging.request import ModelReply
from judgekit.rubric.scale import Scale

_WRITTEN = frozenset((str, int, float))  # and no bool, which Python takes for a number


def read(reply: ModelReply, scale: Scale, *, allow_na: bool = False) -> Reading:
    """Return what a model's reply says on ``scale``.

    Args:
        reply: The reply as it came. Its ``reasoning`` is never read.
        scale: The criterion's scale.
        allow_na: The criterion has a ``not_applicable`` case; else a judge that says so abstains.
    """
    if reply.refusal and reply.refusal.strip() and not was_filtered(reply.finish):
        said = " ".join(reply.refusal.split())
        return unjudged("refused", f"the provider reports a refusal: {said[:80]!r}")
    return read_text(reply.text, scale, allow_na=allow_na, finish=reply.finish)


def read_text(
    text: str, scale: Scale, *, allow_na: bool = False, finish: str | None = None
) -> Reading:
    """Return what a raw reply text says on ``scale``; ``finish`` is why the model stopped."""
    words = vocabulary(scale)
    if finish is not None and finish != "stop":
        stopped = _stopped(finish)
        if stopped is not None:
            return stopped
    reading = schema_reply(words, text)
    if reading is not None:
        return reading
    from judgekit.judging.reading.loosely import read_loosely  # a hundred patterns, seldom needed

    try:
        return read_loosely(words, text, finish, allow_na=allow_na)
    except (ValueError, OverflowError, RecursionError, MemoryError) as error:
        return unjudged("unreadable", f"the reply cannot be read ({type(error).__name__})")


def schema_reply(words: Vocabulary, text: str) -> Reading | None:
    """Return what the reply says where it is the schema's object word for word, else None.

    The level stands there as the schema lists it. Anything else about the reply is for the
    loose reader.
    """
    if text[:1] != "{":
        return None
    try:
        pairs, end = scan(text, 0)
    except (ValueError, RecursionError, MemoryError):
        return None
    if end != len(text) or len(pairs) != 2:
        return None
    (first, reason), (second, written) = pairs
    if first != "reason" or second != "level" or type(reason) is not str:
        return None
    level = words.exact.get(written) if type(written) in _WRITTEN else None
    return None if level is None else judged(level, reason or None)


@lru_cache(maxsize=64)
def _stopped(finish: str) -> Reading | None:
    """Return what a reply comes to that was stopped for this reason; None where it may be read."""
    if was_filtered(finish):
        return unjudged("filtered", f"stopped by a content filter ({finish!r})")
    if broke_off(finish):
        return unjudged("provider_error", f"the model's answer broke off ({finish!r})")
    if finish.strip().lower() == "refusal":
        return unjudged("refused", "the provider reports a refusal")
    return None
