"""Images of an item, in the form chat endpoints take them."""

from __future__ import annotations

import base64
import re
from itertools import count
from typing import TYPE_CHECKING, Any

from judgekit.errors import InputError
from judgekit.judging.request import Message

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from judgekit.judging.item import Text
    from judgekit.rubric.fence import Fences
    from judgekit.rubric.render import Shown

LARGEST = 20 * 1024 * 1024
"""Bytes of an image; what providers take at most."""

DEEPEST = 20
"""Results of tools within results of tools; nobody has two."""
_IMAGES = ("image_url", "image", "input_image")
_KINDS = (
    (re.compile(rb"\x89PNG\r\n\x1a\n"), "image/png"),
    (re.compile(rb"\xff\xd8\xff"), "image/jpeg"),
    (re.compile(rb"GIF8[79]a"), "image/gif"),
    (re.compile(rb"RIFF....WEBP", re.DOTALL), "image/webp"),
)
_DATA = re.compile(r"data:image/[\w.+-]+;base64,", re.IGNORECASE)
_WEB = re.compile(r"https://[^\s/?#]+(?:[/?#]\S*)?", re.IGNORECASE)
_HINT = "Give it as a data: address, which holds the image itself, or as an https: one."


def kind_of(data: bytes) -> str | None:
    """Return the media type of an image by its first bytes; None for what models do not take."""
    return next((kind for magic, kind in _KINDS if magic.match(data)), None)


def data_url(media_type: str, data: bytes) -> str:
    """Return a file's content as a ``data:`` address, which needs no file any more.

    Args:
        media_type: What it is, for example ``image/png``.
        data: The content.
    """
    return f"data:{media_type};base64,{base64.b64encode(data).decode('ascii')}"


def with_images(shown: Sequence[Shown], fences: Fences, whose: str) -> tuple[Message, ...]:
    """Return messages in which the images stand behind the text that names them.

    The images of an input go with the first user's message that shows the input; those of an
    input that no message shows are not sent.

    Args:
        shown: The messages, as text.
        fences: The item's texts and images.
        whose: The item, for errors.

    Raises:
        InputError: an image cannot be sent.
    """
    found: dict[int, list[dict[str, Any]]] = {}
    number = 0
    for name, images in fences.images.items():
        parts = [
            _part(image, f"image {number + n} of {whose}") for n, image in enumerate(images, 1)
        ]
        number += len(images)
        at = [i for i, (_, content) in enumerate(shown) if fences.blocks[name] in content]
        users = [i for i in at if shown[i][0] == "user"]
        if at and not users:
            raise InputError(
                f"{whose} holds images in {name!r}, which the template shows in the message of "
                f"the {shown[at[0]][0]}; only a user's message takes images",
                hint="Put {{ next_message('user') }} before it.",
            )
        if users:
            found.setdefault(users[0], []).extend(parts)
    return tuple(
        Message(role, ({"type": "text", "text": content}, *found[i]) if i in found else content)
        for i, (role, content) in enumerate(shown)
    )


def whole(text: Text, whose: str, read: Callable[[Any], Any] = lambda part: part) -> Text:
    """Return item text in which every part can be shown to a judge.

    Args:
        text: Plain text, chat messages, or the parts of one.
        whose: The item and the field, for errors.
        read: Takes an image and returns the one to show in its place.

    Raises:
        InputError: an image has no address that can be sent, or a part is neither text nor image:
            without it something else would be judged.
    """
    return text if isinstance(text, str) else _Whole(whose, read).entries(text)


class _Whole:
    """One walk over the messages of an item, in the order in which they are shown."""

    def __init__(self, whose: str, read: Callable[[Any], Any]) -> None:
        self._whose, self._read, self._numbers = whose, read, count(1)

    def entries(self, entries: Sequence[Any]) -> list[Any]:
        """Return messages, or the parts of one."""
        return [self._entry(entry) for entry in entries]

    def _entry(self, entry: Any) -> Any:
        if not isinstance(entry, dict):
            return entry
        if "content" in entry:
            return {**entry, "content": self._content(entry["content"])}
        said_otherwise = entry.keys() & {"role", "tool_calls", "function_call"}
        return entry if said_otherwise else self._part(entry)

    def _content(self, content: Any, depth: int = 0) -> Any:
        if isinstance(content, list):
            return [self._part(part, depth) for part in content]
        alone = isinstance(content, dict) and content.get("type") in _IMAGES
        return self._part(content) if alone else content

    def _part(self, part: Any, depth: int = 0) -> Any:
        kind = part.get("type") if isinstance(part, dict) else "text"
        if kind in _IMAGES:
            part = self._read(part)
            address_in(part, f"image {next(self._numbers)} of {self._whose}")
        elif kind == "tool_result":
            if depth == DEEPEST:
                hint = f"Results of tools may stand {DEEPEST} deep in each other at most."
                raise InputError(f"{self._whose} is nested too deeply", hint=hint)
            return {**part, "content": self._content(part.get("content"), depth + 1)}
        elif (
            isinstance(part, dict) and kind != "tool_use" and not isinstance(part.get("text"), str)
        ):
            raise InputError(
                f"{self._whose} holds a part of type {_short(kind)}, which no judge is shown",
                hint='Write what it says as {"type": "text", "text": "..."}, or leave it out.',
            )
        return part


def _part(image: Mapping[str, Any], what: str) -> dict[str, Any]:
    """Return an image as a part of a message, in OpenAI's form, which all gateways take."""
    url, detail = address_in(image, what), {}
    given = image.get("image_url")
    if isinstance(given, dict) and isinstance(given.get("detail"), str):
        detail = {"detail": given["detail"]}
    return {"type": "image_url", "image_url": {"url": url, **detail}}


def address_in(image: Mapping[str, Any], what: str) -> str:
    """Return the address of an image, however its provider writes it.

    Args:
        image: The part of a message.
        what: Which image, for errors.

    Raises:
        InputError: it has none, or none that holds an image or that a model can reach.
    """
    given = image.get("image_url")
    if given is None:
        given = {"url": _source(image.get("source"))}
    url = given.get("url") if isinstance(given, dict) else given
    if url is None or url == "":
        raise InputError(f"{what} has no address", hint=_HINT)
    problem = _problem(url)
    if problem is not None:
        raise InputError(f"{what} is at {_short(url)}, {problem}", hint=_HINT)
    found: str = url
    return found


def _problem(url: Any) -> str | None:
    """Return why no image can be sent by this address, or None."""
    scheme = url.partition(":")[0].lower() if isinstance(url, str) else ""
    if scheme == "data":
        return _data_problem(url)
    if scheme == "http":
        return "and only https: addresses are sent"
    return None if scheme == "https" and _WEB.fullmatch(url) else "which no model can reach"


def _data_problem(url: str) -> str | None:
    """Return why a ``data:`` address holds no image, or None."""
    begin = _DATA.match(url)
    if begin is None:
        return "which holds no image in base64"
    try:
        data = base64.b64decode(url[begin.end() :], validate=True)
    except ValueError:
        return "whose base64 is broken"
    known = any(kind in begin[0].lower() for _, kind in _KINDS)
    if not data or (known and kind_of(data) is None):
        return "which holds no such image"
    return f"which has more than {LARGEST >> 20} MB" if len(data) > LARGEST else None


def _short(value: Any) -> str:
    return repr(value if not isinstance(value, str) or len(value) <= 60 else f"{value[:59]}…")


def _source(source: Any) -> Any:
    """Return the address in an image of Anthropic's form."""
    if not isinstance(source, dict):
        return source
    if source.get("type") == "base64":
        return f"data:{source.get('media_type')};base64,{source.get('data')}"
    return source.get("url")
