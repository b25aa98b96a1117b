"""Images named in an item file: read beside it, so that the item holds them itself."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from typing import Any

from judgekit.errors import InputError
from judgekit.judging.images import LARGEST, data_url, kind_of, whole
from judgekit.judging.item import Text

_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]+:", re.IGNORECASE)


def with_pictures(text: Text, whose: str, file: str, line: int) -> Text:
    """Return item text with the image files it names read into it, and nothing in it hidden.

    An image whose address is a path, relative to the item file, becomes a ``data:`` address.

    Args:
        text: Text, chat messages, or the parts of one.
        whose: The item and the field, for errors.
        file: The item file, for errors.
        line: The line of the item, for errors.

    Raises:
        InputError: an image cannot be read, is none or has no usable address; a part is neither
            text nor image.
    """
    try:
        return whole(text, whose, partial(_held, Path(file).parent))
    except InputError as error:
        raise InputError(error.message, hint=error.hint, file=file, line=line) from None


def _held(folder: Path, part: dict[str, Any]) -> dict[str, Any]:
    """Return an image that holds what the file named by it does; any other as it is."""
    given = part.get("image_url")
    url = given.get("url") if isinstance(given, dict) else given
    if not isinstance(url, str) or not url.strip() or _is_address(url):
        return part
    try:
        held = _read(folder / url.removeprefix("file://"))
    except (OSError, ValueError) as error:
        said = getattr(error, "strerror", None) or str(error)
        raise InputError(
            f"the image {url!r} cannot be used: {said}",
            hint="Name an image file relative to this file, or give a data: or https: address.",
        ) from None
    return {**part, "image_url": {**(given if isinstance(given, dict) else {}), "url": held}}


def _is_address(url: str) -> bool:
    return _ADDRESS.match(url) is not None and not url.startswith("file:")


def _read(path: Path) -> str:
    if not path.is_file():  # a device may never end, and a pipe never begin
        raise ValueError("it is no file" if path.exists() else "no such file")
    with path.open("rb") as file:
        data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise ValueError(f"it has more than {LARGEST >> 20} MB")
    kind = kind_of(data)
    if kind is None:
        raise ValueError("it is no PNG, JPEG, GIF or WebP image")
    return data_url(kind, data)
