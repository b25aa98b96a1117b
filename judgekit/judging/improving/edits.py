"""The edits that a reflector proposes, read strictly from its reply."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from judgekit.judging.authoring.draft import NoDraft, line_of
from judgekit.judging.authoring.reading import answer_text

if TYPE_CHECKING:
    from judgekit.judging.request import ModelReply
    from judgekit.rubric.scale import Scale

OF_LEVEL = ("definition", "drops_when", "anchor")
EDITABLE = ("question", *OF_LEVEL, "not_applicable", "task")
"""What of a rubric may change; everything else stays as it is."""

MOST_EDITS = 12
_LONGEST = 1500
"""Characters that one text may have: it is shown to the judge with every item."""

_MARKUP = re.compile(r"\{\{|\{%|\{#|<<<|>>>")
"""What would look like a template, or like the fence of an item."""


class Edit(NamedTuple):
    """One proposed edit.

    Attributes:
        what: One of ``EDITABLE``.
        text: The new text; for an anchor, the reason it has its level.
        level: The name of the level it belongs to; "" for what belongs to the criterion.
        item: For an anchor, the item of train that becomes a worked example.
    """

    what: str
    text: str
    level: str = ""
    item: str = ""


class Refused(NamedTuple):
    """Why a proposal is thrown away, in a sentence that begins with "it"."""

    why: str


def read_edits(reply: ModelReply, scale: Scale) -> tuple[Edit, ...] | Refused:
    """Return the edits in a reply, or why it is thrown away: all of them count, or none.

    Args:
        reply: The reply.
        scale: The scale whose levels may be named.
    """
    text = answer_text(reply)
    if isinstance(text, NoDraft):
        return Refused(f"it is no proposal ({text.cause}): {text.why}")
    data = _object(text)
    listed = None if data is None else data.get("edits")
    if not isinstance(listed, list) or not all(isinstance(one, dict) for one in listed):
        return Refused(f"it holds no list of edits; it begins {line_of(text)[:60]!r}")
    if not 0 < len(listed) <= MOST_EDITS:
        return Refused(f"it holds {len(listed)} edits; a proposal has 1 to {MOST_EDITS}")
    edits: list[Edit] = []
    for one in listed:
        edit = _edit(one, scale)
        if isinstance(edit, Refused):
            return edit
        edits.append(edit)
    if len({(edit.what, edit.level, edit.item) for edit in edits}) < len(edits):
        return Refused("it edits one place twice")
    return tuple(edits)


def refused_text(what: str, text: str) -> Refused | None:
    """Return why a text cannot be one of an edit: it is none, too long, or no plain words."""
    if not text or len(text) > _LONGEST:
        said = "empty" if not text else f"{len(text):,} characters long"
        return Refused(f"it has a text for {what} that is {said}")
    if markup := _MARKUP.search(text):
        return Refused(f"it has {markup[0]!r} in the text for {what}: texts are plain words")
    return None


def _edit(data: dict[str, Any], scale: Scale) -> Edit | Refused:
    what, level, item, text = (_word(data.get(name)) for name in ("what", "level", "item", "text"))
    if what not in EDITABLE:
        return Refused(f"it changes {what[:40]!r}, which stays as it is")
    if bad := refused_text(what, text):
        return bad
    if what not in OF_LEVEL:
        return Edit(what, text)
    index = scale.index(level)
    if index is None:
        return Refused(f"it names a level {level[:40]!r}, which the scale does not have")
    name = scale.names[index]
    return Edit(what, text, name, item) if what == "anchor" else Edit(what, text, name)


def _word(value: Any) -> str:
    return line_of(value) if isinstance(value, str) else ""


def _object(text: str) -> dict[str, Any] | None:
    """Return the JSON object a text is, or the outermost one that it holds."""
    start, end = text.find("{"), text.rfind("}")
    try:
        value = json.loads(text[start : end + 1], strict=False) if start >= 0 else None
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
