"""One thing to be judged."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from judgekit.rubric.scale import Frozen

Text = str | list[dict[str, Any]]
"""Item text: plain text, or a list of chat messages with ``role`` and ``content``."""


class Item(Frozen):
    """One thing to be judged.

    Attributes:
        id: Unique in its file.
        fields: What a rubric may show, by name: ``input``, ``output`` (pairwise: ``output_a``
            and ``output_b``), ``reference``, ``context`` and any other text column.
        case: The group it belongs to; None means it is a case of its own.
        metadata: Other columns, for ``--where``; never shown to a judge.
        line: Where it stands in its file.
    """

    id: str
    fields: dict[str, Text]
    case: str | None = None
    metadata: dict[str, Any] = Field(default_factory=dict)
    line: int | None = None
