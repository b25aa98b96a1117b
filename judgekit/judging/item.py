"""One thing to be judged."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from judgekit.errors import InputError

Text = str | list[dict[str, Any]]
"""Item text: plain text, or a list of chat messages with ``role`` and ``content``."""

_NONE: Mapping[str, Any] = MappingProxyType({})


class Item(NamedTuple):
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
    fields: Mapping[str, Text]
    case: str | None = None
    metadata: Mapping[str, Any] = _NONE
    line: int | None = None


def check_item(item: Item) -> None:
    """Raise for an item that was made by hand and cannot be one.

    Raises:
        InputError: the id is no text, or a field is neither text nor a list.
    """
    if not isinstance(item.id, str):
        raise InputError(f"the id of an item must be text, not {item.id!r}", line=item.line)
    if not isinstance(item.fields, Mapping):
        raise InputError(f"the fields of item {item.id!r} must be a dict", line=item.line)
    for name, text in item.fields.items():
        if not isinstance(text, str | list):
            raise InputError(
                f"{name!r} of item {item.id!r} must be text or a list of chat messages, "
                f"not {type(text).__name__}",
                line=item.line,
            )
