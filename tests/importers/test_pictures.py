"""Image files named in an item file."""

from __future__ import annotations

import json
from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest

from judgekit.errors import InputError
from judgekit.importers.items import read_items

PNG = b"\x89PNG\r\n\x1a\nrest of it"


def items_of(folder: Path, *outputs: Any) -> Path:
    """Write a file of items with these outputs."""
    path = folder / "items.jsonl"
    rows = [{"id": str(n), "output": output} for n, output in enumerate(outputs)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def picture(url: str, **more: str) -> dict[str, Any]:
    """Return an image part."""
    return {"type": "image_url", "image_url": {"url": url, **more}}


def test_an_image_file_beside_the_items_is_read_into_the_item(tmp_path: Path) -> None:
    """In chat messages and in bare parts; what else is said of it stays."""
    (tmp_path / "pics").mkdir()
    (tmp_path / "pics" / "a.png").write_bytes(PNG)
    text = {"type": "text", "text": "see"}
    message = {"role": "user", "content": [text, picture("pics/a.png", detail="low")]}
    file = items_of(tmp_path, [message], [text, picture("pics/a.png")])

    first, second = read_items(file, inputs=["output"])

    held = f"data:image/png;base64,{b64encode(PNG).decode()}"
    (said,) = first.fields["output"]
    assert said == {"role": "user", "content": [text, picture(held, detail="low")]}
    assert second.fields["output"] == [text, picture(held)]


def test_addresses_stay_as_they_are(tmp_path: Path) -> None:
    """They need no file."""
    parts = [picture("https://example.test/a.png"), picture("data:image/png;base64,AAAA")]

    (item,) = read_items(items_of(tmp_path, parts), inputs=["output"])

    assert item.fields["output"] == parts


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("missing.png", None, "no such file"),
        ("/dev/zero", None, "no file"),
        ("secret.png", b"root:x:0:0", "no PNG, JPEG"),
    ],
)
def test_what_is_no_image_is_refused_with_its_line(
    tmp_path: Path, name: str, data: bytes | None, said: str
) -> None:
    """Nothing but images leaves the machine this way."""
    if data is not None:
        (tmp_path / name).write_bytes(data)
    file = items_of(tmp_path, "text", [picture(name)])

    with pytest.raises(InputError, match=said) as caught:
        read_items(file, inputs=["output"])

    assert (caught.value.file, caught.value.line) == (str(file), 2)
