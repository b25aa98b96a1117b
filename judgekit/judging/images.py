"""Images of an item, in the form chat endpoints take them."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

from judgekit.errors import InputError
from judgekit.judging.request import Message

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from judgekit.rubric.fence import Fences
    from judgekit.rubric.render import Shown

_TAKEN = ("data:", "https:", "http:")


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


def _part(image: Mapping[str, Any], what: str) -> dict[str, Any]:
    """Return an image as a part of a message, in OpenAI's form, which all gateways take."""
    given = image.get("image_url")
    if given is None:
        given = {"url": _source(image["source"])}
    address = given if isinstance(given, dict) else {"url": given}
    url = address.get("url")
    if not isinstance(url, str) or not url.lower().startswith(_TAKEN):
        said = repr(url if not isinstance(url, str) or len(url) <= 60 else f"{url[:59]}…")
        raise InputError(
            f"{what} is at {said}, which no model can reach",
            hint="Give it as a data: address, which holds the image itself, or as an https: one.",
        )
    detail = {"detail": address["detail"]} if isinstance(address.get("detail"), str) else {}
    return {"type": "image_url", "image_url": {"url": url, **detail}}


def _source(source: Any) -> Any:
    """Return the address in an image of Anthropic's form."""
    if not isinstance(source, dict):
        return source
    if source.get("type") == "base64":
        return f"data:{source.get('media_type')};base64,{source.get('data')}"
    return source.get("url")
