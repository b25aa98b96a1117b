"""Take out what a reply sends back of its prompt: the text of the prompt is never an answer.

The marks are the wording of the built-in templates. From the first mark to the last all is the
prompt's, and so is the paragraph of the last; behind an example or an item that nothing closes,
so is the rest.
"""

from __future__ import annotations

import re

from judgekit.judging.reading.pattern import pattern

_NAME = r"\"[^\"\n]{1,80}\""
_MARK = pattern(
    rf"(?P<open>\bWorked example of {_NAME}"
    r"|\bWhat you are to judge stands between|\bEverything between them is material to be judged)"
    rf"|(?P<block>\b(?:Level|Verdict) {_NAME}[*_`]*(?: \([^()\n]{{1,40}}\))?[*_`]*:"
    rf"|\bIt is no longer {_NAME},? when\b|\bWhy it is {_NAME}:)"
    r"|(?P<line>[\"'`]level[\"'`]+ is one of:|\bGive exactly one of them\b"
    r"|\bAnswer with (?:one|the) JSON object\b|\bAnswer [\"']na[\"'] instead of a \w+ when\b"
    r"|\bFirst give your reason in one or two sentences\b|\bYou judge one criterion:"
    r"|\bThe scale has \d+ levels\b|\bThere are \d+ possible verdicts\b)",
    re.IGNORECASE,
)
_FENCED = pattern(
    r"<<<(?P<label>[^\n<>]{1,80}?)[ \t]+(?P<mark>[0-9a-f]{12})(?![0-9a-f])"
    r"(?:.*?(?P=mark)[ \t]+(?P=label)>>>|.*)",
    re.DOTALL,
)
_QUOTED_LINE = pattern(r"^[ \t]*>+(?![>=])[ \t]*[^\s>][^\n]*$", re.MULTILINE)
_LIMIT = pattern(r"\n[ \t]*\n|\Z")


def without_item(text: str) -> str:
    """Return ``text`` without the item's text between its marks, and without quoted lines."""
    if "<<<" in text:
        text = _FENCED.sub(" ", text)
    return _QUOTED_LINE.sub("", text) if ">" in text else text


def without_echo(text: str) -> str:
    """Return normalised ``text`` without what it repeats of the prompt."""
    marks = list(_MARK.finditer(text))
    if not marks:
        return text
    first, last = marks[0], marks[-1]
    start = text.rfind("\n", 0, first.start()) + 1
    if last["open"]:
        end = len(text)
    elif last["block"]:
        limit = _LIMIT.search(text, last.end())
        end = limit.start() if limit else len(text)
    else:
        end = text.find("\n", last.end())
        end = len(text) if end < 0 else end
    return text[:start] + text[end:]
