"""Take the reasoning of a model off its reply, whatever state its marks are in.

What a model thinks on the way is never its answer: a level named there may be the one it went on
to reject. So where the marks are broken, the side that is certainly reasoning is dropped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from judgekit.judging.reading.pattern import pattern

_NAMES = (
    r"(?:\w{1,12}:)?(?:think(?:ing)?|thoughts?|reasoning|analysis|reflection|scratchpad"
    r"|inner[_ ]?monologue|chain[_ ]of[_ ]thought)"
)
_MARK = pattern(
    rf"<\s*(?P<slash>\\?/|\\)?\s*{_NAMES}\b(?:[^<>\n]{{0,60}}>)?"
    r"|\[\s*(?P<slash2>/?)\s*think(?:ing)?\s*\]"
    r"|◁\s*(?P<slash3>/?)\s*think\s*▷"
    r"|<\|(?P<word>begin|start|end)_(?:of_)?(?:thought|think|thinking)\|>",
    re.IGNORECASE,
)
_HINT = pattern(r"[<\[◁]")
_FINAL_CHANNEL = pattern(r"<\|channel\|>\s*(?P<channel>\w+)[^<]{0,40}<\|message\|>", re.IGNORECASE)
_DONE_THINKING = pattern(r"^\.\.\. ?done thinking\.?\s*$", re.IGNORECASE | re.MULTILINE)
_FENCE = (
    r"^[ \t]*```[ \t]*(?:think(?:ing)?|thoughts?|reasoning|scratchpad)[ \t]*\n"
    r"(?P<thought>[^`]*(?:`{1,2}(?!`)[^`]*)*)(?P<end>```|\Z)"
)
_FENCED = pattern(_FENCE, re.IGNORECASE | re.MULTILINE)
_ALOUD = pattern(
    r"\W{0,6}(?:(?P<channel>(?-i:analysis(?=[A-Z])))"
    r"|here(?:'s| is) my (?:thought|thinking) process\b)",
    re.IGNORECASE,
)
_ANSWERS = pattern(
    r"^\W{0,6}here(?:'s| is) my (?:final )?"
    r"(?:response|answer|evaluation|verdict|judge?ment)\b[ \t]*:?"
    r"|assistant ?final(?=[A-Z\W\d])",
    re.IGNORECASE | re.MULTILINE,
)


class Said(NamedTuple):
    """What is left of a reply once its reasoning is off.

    Attributes:
        text: The answer part.
        cut: The reply ended inside its reasoning, so it holds no answer at all.
        marks: How many marks of reasoning were met.
    """

    text: str
    cut: bool
    marks: int

    @property
    def thought(self) -> bool:
        """Return whether there was reasoning in the text."""
        return self.marks > 0


def strip_thinking(text: str) -> Said:
    """Return the part of normalised ``text`` that stands outside every reasoning block.

    A closing mark nobody opened ends a block that began with the reply. A block that is opened
    more often than closed still ends at its last closing mark: models mention the mark inside
    their reasoning. A block never closed swallows the reply: what stood before it was a draft.
    Reasoning announced in words ends where words announce the answer.
    """
    channels = list(_FINAL_CHANNEL.finditer(text)) if "<|" in text else []
    if channels:
        last = channels[-1]
        final = last["channel"].lower() == "final"
        return Said(text[last.end() :] if final else "", cut=not final, marks=len(channels))
    done = list(_DONE_THINKING.finditer(text)) if "..." in text else []
    if done:
        text = text[done[-1].end() :]
    aloud = _announced(text)
    if aloud is not None:
        return aloud
    marks = len(done)
    if "```" in text:
        fenced = list(_FENCED.finditer(text))
        if fenced and not fenced[-1]["end"]:
            return Said("", cut=True, marks=marks + 1)
        marks, text = marks + len(fenced), _FENCED.sub("", text)
    if not _HINT.search(text):
        return Said(text, cut=False, marks=marks)
    return _outside(text, marks=marks)


def _announced(text: str) -> Said | None:
    """Return what follows reasoning that words announce, and words end; None without any."""
    aloud = _ALOUD.match(text)
    if aloud is None:
        return None
    answers = list(_ANSWERS.finditer(text, aloud.end()))
    if answers:
        return Said(text[answers[-1].end() :], cut=False, marks=1)
    return Said("", cut=True, marks=1) if aloud["channel"] else None


def after_closing_marks(text: str) -> Iterator[str]:
    """Yield what follows each closing mark of normalised ``text``, the longest part first."""
    for mark in _MARK.finditer(text) if _HINT.search(text) else ():
        if _closes(mark):
            yield text[mark.end() :]


def _outside(text: str, *, marks: int) -> Said:
    if "/" in text:  # a mark that closes itself holds no reasoning
        text = _MARK.sub(lambda mark: " " if _is_empty(mark) else mark[0], text)
    outside: list[str] = []
    depth = at = 0
    closed_last = False
    for mark in _MARK.finditer(text):
        marks += 1
        closed_last = _closes(mark)
        if not closed_last:
            if depth == 0:
                outside.append(text[at : mark.start()])
            depth += 1
        elif depth:
            depth -= 1
        else:
            outside.clear()
        at = mark.end()
    if depth and not closed_last:
        return Said("", cut=True, marks=marks)
    return Said("\n".join([*outside, text[at:]]) if marks else text, cut=False, marks=marks)


def _is_empty(mark: re.Match[str]) -> bool:
    return mark[0].endswith("/>")


def _closes(mark: re.Match[str]) -> bool:
    slashes = (mark["slash"], mark["slash2"], mark["slash3"])
    return any(slashes) or (mark["word"] or "").lower() == "end"
