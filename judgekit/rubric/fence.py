"""Item text set between marks that cannot occur in it, so that no text closes its own fence."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from judgekit.fingerprint import sha256_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MARK_LENGTH = 12
_IMAGES = ("image_url", "image", "input_image")

Images = list[Mapping[str, Any]]
"""Content parts that are images, in the order they are shown in."""


class Fences(NamedTuple):
    """The texts of an item, each between its marks.

    Attributes:
        mark: The mark of all of them.
        blocks: Each text between its marks, by input.
        images: The images that stand in each text as ``[image 1]``, by input; an input without
            any has no entry.
    """

    mark: str
    blocks: dict[str, str]
    images: dict[str, Images]


def fence(texts: Mapping[str, Any]) -> Fences:
    """Return an item's texts between their marks, images numbered from 1 over all of them."""
    mark = mark_for(texts.values())
    blocks, found, images = {}, dict[str, Images](), Images()
    for name, text in texts.items():
        before = len(images)
        blocks[name] = fenced(text, name, mark, images)
        if len(images) > before:
            found[name] = images[before:]
    return Fences(mark, blocks, found)


def mark_for(texts: Iterable[object]) -> str:
    """Return a mark derived from the texts that occurs in none of them.

    The same texts always get the same mark, so requests stay cacheable; whoever writes a text
    would have to find a fixed point of sha256 to write its own mark into it, and even then the
    next counter is taken.
    """
    return mark_in(joined_texts(texts))


def joined_texts(texts: Iterable[object]) -> str:
    """Return the text that a mark of these texts must not occur in."""
    return "\x00".join(shown_text(text, "") for text in texts)


def mark_in(joined: str) -> str:
    """Return the mark of texts that are joined already."""
    counter = 0
    while (mark := sha256_text(f"{counter}:{joined}")[:MARK_LENGTH]) in joined:
        counter += 1
    return mark


def fenced(
    text: str | Sequence[Mapping[str, Any]], label: str, mark: str, images: Images | None = None
) -> str:
    """Return item text between its marks; a list of chat messages becomes one transcript.

    Args:
        text: The text.
        label: What the marks call it.
        mark: The mark.
        images: Takes the images of the text, which names each by its number there; None when
            images are not to be seen, which the text then says.
    """
    return f"{opening(label, mark)}\n{shown_text(text, mark, images)}\n{closing(label, mark)}"


def opening(label: str, mark: str) -> str:
    """Return the line an item's text stands below."""
    return f"<<<{label} {mark}"


def closing(label: str, mark: str) -> str:
    """Return the line an item's text stands above."""
    return f"{mark} {label}>>>"


def shown_text(text: object, mark: str, images: Images | None = None) -> str:
    """Return what stands between the marks; ``images`` is as in :func:`fenced`."""
    if isinstance(text, str):
        return text
    if not isinstance(text, list | tuple):
        return content_text(text, images)
    lines = []
    for entry in text:
        if _is_part(entry):
            lines.append(_part_text(entry, images))
            continue
        message = entry if isinstance(entry, Mapping) else {"content": entry}
        who = str(message.get("role") or "unknown")
        role = " ".join(who.split())  # on one line, whatever it holds
        lines += [f"--- {role} {mark} ---", *_said(message, images)]
    return "\n".join(lines)


def _is_part(entry: object) -> bool:
    """Tell a part of a content that stands among chat messages: nothing says whose it is."""
    return (
        isinstance(entry, Mapping)
        and isinstance(entry.get("type"), str)
        and not entry.keys() & {"role", "content", "tool_calls", "function_call"}
    )


def _said(message: Mapping[str, Any], images: Images | None) -> list[str]:
    """Return what a message says: its content, and the calls it makes instead of speaking."""
    calls = message.get("tool_calls") or []
    calls = [*(calls if isinstance(calls, list) else [calls]), message.get("function_call")]
    said = [_call_text(call) for call in calls if call]
    content = content_text(message.get("content"), images)
    return [content, *said] if content or not said else said


def _call_text(call: Any) -> str:
    function = call.get("function", call) if isinstance(call, Mapping) else call
    if not isinstance(function, Mapping) or not isinstance(function.get("name"), str):
        return f"[calls {_json(call)}]"
    given = next((function[key] for key in ("arguments", "input") if key in function), "")
    return f"[calls {function['name']}: {given if isinstance(given, str) else _json(given)}]"


def content_text(content: Any, images: Images | None = None) -> str:
    """Return a chat message's content as text; parts that are not text are named, not dropped.

    ``images`` is as in :func:`fenced`.
    """
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(_part_text(part, images) for part in content)
    return _part_text(content, images) if _is_image(content) else _json(content)


def _part_text(part: Any, images: Images | None) -> str:
    if not isinstance(part, Mapping):
        return content_text(part) if isinstance(part, str) else _json(part)
    if images is not None and _is_image(part):
        images.append(part)
        return f"[image {len(images)}]"
    if isinstance(part.get("text"), str):
        return str(part["text"])
    if part.get("type") == "tool_use":
        return _call_text(part)
    if part.get("type") == "tool_result":
        return content_text(part.get("content"), images)
    return f"[{part.get('type') or 'part'} not shown]"


def _is_image(part: object) -> bool:
    """Tell an image that says where it is; one that does not cannot be shown."""
    return (
        isinstance(part, Mapping)
        and part.get("type") in _IMAGES
        and bool(part.get("image_url") or part.get("source"))
    )


def _json(value: Any) -> str:
    """Return a value as JSON text; what JSON has no word for is shown as Python writes it."""
    try:
        return json.dumps(value, ensure_ascii=False, default=str, sort_keys=True)
    except (TypeError, ValueError):  # keys of several types, or a value that holds itself
        return str(value)
