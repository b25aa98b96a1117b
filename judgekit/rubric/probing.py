"""Whether a template shows items as they are: tried out with text that could be nothing else."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from judgekit.rubric.fence import fenced, mark_for
from judgekit.rubric.render import ItemTextChanged, render

if TYPE_CHECKING:
    from judgekit.rubric.model import Criterion, Rubric

# Private-use characters, which no template has a reason to write; and how filters respell them.
_FIRST = 0xE000
_TRACE = re.compile("[\ue000-\ue0ff]|\\\\ue0|%EE%8")


def shown_inputs(rubric: Rubric, criterion: Criterion) -> set[str]:
    """Return the inputs whose text the prompt of a criterion shows, whole and between its marks.

    Raises:
        ItemTextChanged: some of an item's text stands in the prompt without its marks.
    """
    line = "".join(map(chr, range(_FIRST, _FIRST + 40)))
    fields = {
        name: "\n".join([f"{chr(_FIRST + 41 + n)} {line}"] * 200)
        for n, name in enumerate(rubric.inputs)
    }
    mark = mark_for(fields.values())
    text = "\n".join(content for _, content in render(rubric, criterion, fields))
    found = set()
    for name, probe in fields.items():
        block = fenced(probe, name, mark)
        if block in text:
            found.add(name)
            text = text.replace(block, "")
    if _TRACE.search(text):
        message = "it shows an item's text without its marks; show inputs as they are: {{ output }}"
        raise ItemTextChanged(rubric, message)
    return found
