"""Where in a file a part of a text stands, folded lines and all."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from judgekit.linting.subject import Subject, Text


def spot(subject: Subject, text: Text, start: int, end: int) -> int:
    """Return where in the front matter the part of a text from ``start`` to ``end`` stands.

    A file may break the text at any blank, so the same words are looked for: the n-th time they
    stand in the text is the n-th time they stand in the file. Where they cannot be found, it is
    the beginning of the text.

    Args:
        subject: The file.
        text: A text of its front matter.
        start: Position in ``text.value``.
        end: Position behind the part.
    """
    words = map(re.escape, text.value[start:end].split())
    part = re.compile(r"(?<!\w)" + r"\s+".join(words) + r"(?!\w)")
    before = sum(1 for _ in part.finditer(text.value, 0, start))
    first = text.node.start_mark.index if text.node.start_mark else 0
    last = text.node.end_mark.index if text.node.end_mark else first
    found = [match.start() for match in part.finditer(subject.front, first, last)]
    return found[before] if before < len(found) else first
