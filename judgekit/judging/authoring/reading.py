"""A model's reply to a draft, or why it is none: read strictly, as text, rendered never.

A draft comes as the JSON object that was asked for, or as a rubric file; either may stand in a
code fence. Of a file the front matter alone is taken, and the plain text of its task.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from judgekit.judging.authoring.contents import contents
from judgekit.judging.authoring.draft import NoDraft, line_of
from judgekit.judging.reading.finish import broke_off, ends_whole, was_cut, was_filtered
from judgekit.judging.reading.thinking import strip_thinking
from judgekit.rubric.front import compose
from judgekit.rubric.source import Problems, plain

if TYPE_CHECKING:
    from judgekit.judging.authoring.draft import Draft, Frame
    from judgekit.judging.judgment import Cause
    from judgekit.judging.request import ModelReply

_FENCE = re.compile(r"^[ \t]*```([^\n`]*)$", re.MULTILINE)
_FILE = re.compile(r"\A---[ \t]*\n(.*?)^---[ \t]*$(.*)", re.DOTALL | re.MULTILINE)
_TASK = re.compile(r"\{%-?\s{0,9}block\s{1,9}task\s{0,9}-?%\}")
_TASK_ENDS = re.compile(r"\{%-?\s{0,9}endblock")
_MOST_DOUBTS = 10
_MOST_TRIES = 64


class Check(NamedTuple):
    """What a model says of whether a rubric measures what was asked.

    Attributes:
        measures: ``yes``, ``partly`` or ``no``; None where it did not say.
        doubts: What it doubts.
        why: Why it did not say, or None.
    """

    measures: str | None
    doubts: tuple[str, ...] = ()
    why: str | None = None


def read_draft(reply: ModelReply, frame: Frame) -> Draft | NoDraft:
    """Return the draft in a reply, or why there is none."""
    text = answer_text(reply)
    if isinstance(text, NoDraft):
        return text
    found = {json.dumps(one, sort_keys=True): one for one in _documents(text)}
    if not found:
        start = line_of(text)[:60]
        return NoDraft("unreadable", f"it holds no rubric; it begins {start!r}")
    drafts = [contents(one, frame) for one in found.values()]
    whole = list(dict.fromkeys(str(d) for d in drafts if not isinstance(d, NoDraft)))
    if len(whole) > 1:
        return NoDraft("contradictory", f"it holds {len(whole)} different rubrics")
    return next((d for d in drafts if not isinstance(d, NoDraft)), drafts[0])


def read_check(reply: ModelReply) -> Check:
    """Return what a reply says of whether a rubric measures what was asked."""
    text = answer_text(reply)
    if isinstance(text, NoDraft):
        return Check(None, why=text.why)
    for one in _documents(text):
        said, doubts = one.get("measures"), one.get("doubts")
        listed = doubts if isinstance(doubts, list) else []
        told = tuple(line for d in listed if isinstance(d, str) and (line := line_of(d)))
        if said in ("yes", "partly", "no"):
            return Check(said, told[:_MOST_DOUBTS])
    return Check(None, why="the reply does not say yes, partly or no")


def read_field(reply: ModelReply, name: str) -> str:
    """Return one text of a small JSON object; "" where the reply has none."""
    text = answer_text(reply, cut=True)
    if isinstance(text, NoDraft):
        return ""
    values = (one.get(name) for one in _documents(text))
    return next((line_of(value) for value in values if isinstance(value, str)), "")


def answer_text(reply: ModelReply, *, cut: bool = False) -> str | NoDraft:
    """Return the answer in a reply without its thinking, or why there is none.

    Args:
        reply: The reply.
        cut: A reply that was cut short may be read as far as it goes.
    """
    refusal, finish = (reply.refusal or "").strip(), reply.finish
    if was_filtered(finish):
        return _none("filtered", f"a content filter stopped it ({finish})")
    if refusal or (finish or "").strip().lower() == "refusal":
        return _none("refused", f"the model refused: {line_of(refusal)[:120]}".rstrip(": "))
    if broke_off(finish):
        return _none("provider_error", f"it broke off ({finish})")
    said = strip_thinking(reply.text)
    if not said.text.strip():
        told = "it ended while the model was thinking" if said.cut else "it is empty"
        return _none("truncated" if said.cut else "empty", told)
    if was_cut(finish) and not cut and not ends_whole(said.text):
        return _none("truncated", "it was cut short: there was no more room for it")
    return said.text.strip()


def _none(cause: Cause, why: str) -> NoDraft:
    return NoDraft(cause, why)


def _documents(text: str) -> list[dict[str, Any]]:
    """Return the objects a reply holds: rubric files, also in fences, or else JSON."""
    files = [_front_matter(place.strip()) for place in (text, *_fenced(text))]
    found = [file for file in files if file is not None]
    return found or _objects(text)


def _fenced(text: str) -> list[str]:
    """Return what stands in code fences; each begins with the first fence behind the last."""
    found: list[str] = []
    start: int | None = None
    for fence in _FENCE.finditer(text):
        if start is None:
            start = fence.end() + 1
        elif not fence[1].strip():
            found.append(text[start : fence.start()])
            start = None
    return found[:_MOST_TRIES]


def _objects(text: str) -> list[dict[str, Any]]:
    """Return the JSON objects in a text that are not inside another one."""
    decoder = json.JSONDecoder(object_pairs_hook=_once, strict=False)
    found: list[dict[str, Any]] = []
    at = text.find("{")
    for _ in range(_MOST_TRIES):
        if at < 0:
            break
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            end = at + 1
        else:
            found.append(value)
        at = text.find("{", end)
    return found


def _front_matter(text: str) -> dict[str, Any] | None:
    """Return the front matter of a text that is a rubric file, and the plain text of its task."""
    file = _FILE.match(f"{text}\n")
    if file is None and not text.startswith(("rubric:", "criteria:")):
        return None
    front, body = (file[1], file[2]) if file else (text, "")
    node = compose(front, problems := Problems())
    if node is None or problems.fatal:
        return None
    value: dict[str, Any] = plain(node)
    task = _task(body)
    return {**value, "task": task} if task is not None and "task" not in value else value


def _task(body: str) -> str | None:
    begins = _TASK.search(body)
    ends = _TASK_ENDS.search(body, begins.end()) if begins else None
    return body[begins.end() : ends.start()] if begins and ends else None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object whose keys stand in it once each.

    Raises:
        ValueError: one stands there twice.
    """
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key stands there twice")
    return found
