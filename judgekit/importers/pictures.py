"""Images named in an item file: read beside it, so that the item holds them itself."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from judgekit.errors import InputError
from judgekit.judging.images import data_url

LARGEST = 20 * 1024 * 1024
"""Bytes of an image; what providers take at most."""

_KINDS = (
    (re.compile(rb"\x89PNG\r\n\x1a\n"), "image/png"),
    (re.compile(rb"\xff\xd8\xff"), "image/jpeg"),
    (re.compile(rb"GIF8[79]a"), "image/gif"),
    (re.compile(rb"RIFF....WEBP", re.DOTALL), "image/webp"),
)
_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]+:", re.IGNORECASE)


def with_pictures(value: Any, folder: Path, file: str, line: int) -> Any:
    """Return chat messages, or parts of one, with image files read into them.

    An image whose address is a path, relative to the item file, becomes a ``data:`` address.

    Args:
        value: The messages or parts.
        folder: Where the item file stands.
        file: The item file, for errors.
        line: The line of the item, for errors.

    Raises:
        InputError: an image cannot be read, or is none.
    """
    if isinstance(value, list):
        return [with_pictures(part, folder, file, line) for part in value]
    if not isinstance(value, dict):
        return value
    if isinstance(value.get("content"), list):
        return {**value, "content": with_pictures(value["content"], folder, file, line)}
    given = value.get("image_url")
    url = given.get("url") if isinstance(given, dict) else given
    if not isinstance(url, str) or _is_address(url):
        return value
    try:
        held = _read(folder / url.removeprefix("file://"))
    except (OSError, ValueError) as error:
        said = getattr(error, "strerror", None) or str(error)
        raise InputError(
            f"the image {url!r} cannot be used: {said}",
            hint="Name an image file relative to this file, or give a data: or https: address.",
            file=file,
            line=line,
        ) from None
    return {**value, "image_url": {**(given if isinstance(given, dict) else {}), "url": held}}


def _is_address(url: str) -> bool:
    return _ADDRESS.match(url) is not None and not url.startswith("file:")


def _read(path: Path) -> str:
    if not path.is_file():  # a device may never end, and a pipe never begin
        raise ValueError("it is no file" if path.exists() else "no such file")
    with path.open("rb") as file:
        data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise ValueError(f"it has more than {LARGEST >> 20} MB")
    kind = next((kind for magic, kind in _KINDS if magic.match(data)), None)
    if kind is None:
        raise ValueError("it is no PNG, JPEG, GIF or WebP image")
    return data_url(kind, data)
