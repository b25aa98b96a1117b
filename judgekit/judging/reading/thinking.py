"""Take the reasoning of a model off its reply, whatever state its marks are in.

What a model thinks on the way is never its answer: a level named there may be the one it went on
to reject. So where the marks are broken, the side that is certainly reasoning is dropped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_NAMES = (
    r"(?:\w{1,12}:)?(?:think(?:ing)?|thoughts?|reasoning|analysis|reflection|scratchpad"
    r"|inner[_ ]?monologue|chain[_ ]of[_ ]thought)"
)
_MARK = re.compile(
    rf"<\s*(?P<slash>/?)\s*{_NAMES}\b(?:[^<>\n]{{0,60}}>)?"
    rf"|&lt;\s*(?P<slash2>/?)\s*{_NAMES}\s*&gt;"
    r"|\[\s*(?P<slash3>/?)\s*think(?:ing)?\s*\]"
    r"|◁\s*(?P<slash4>/?)\s*think\s*▷"
    r"|<\|(?P<word>begin|start|end)_(?:of_)?(?:thought|think|thinking)\|>",
    re.IGNORECASE,
)
_HINT = re.compile(r"[<\[◁]|&lt;")
_FINAL_CHANNEL = re.compile(
    r"<\|channel\|>\s*(?P<channel>\w+)[^<]{0,40}<\|message\|>", re.IGNORECASE
)
_DONE_THINKING = re.compile(r"^\.\.\. ?done thinking\.?\s*$", re.IGNORECASE | re.MULTILINE)


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
    """
    channels = list(_FINAL_CHANNEL.finditer(text)) if "<|" in text else []
    if channels:
        last = channels[-1]
        final = last["channel"].lower() == "final"
        return Said(text[last.end() :] if final else "", cut=not final, marks=len(channels))
    done = list(_DONE_THINKING.finditer(text)) if "..." in text else []
    if done:
        text = text[done[-1].end() :]
    if not _HINT.search(text):
        return Said(text, cut=False, marks=len(done))
    return _outside(text, marks=len(done))


def after_closing_marks(text: str) -> Iterator[str]:
    """Yield what follows each closing mark of normalised ``text``, the longest part first."""
    for mark in _MARK.finditer(text) if _HINT.search(text) else ():
        if _closes(mark):
            yield text[mark.end() :]


def _outside(text: str, *, marks: int) -> Said:
    outside: list[str] = []
    depth = at = 0
    closed_last = False
    for mark in _MARK.finditer(text):
        if mark[0].rstrip().endswith("/>"):
            continue
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


def _closes(mark: re.Match[str]) -> bool:
    slashes = (mark["slash"], mark["slash2"], mark["slash3"], mark["slash4"])
    return any(slashes) or (mark["word"] or "").lower() == "end"
