"""Image files named in an item file."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest

from judgekit.errors import InputError
from judgekit.importers import itemstream
from judgekit.importers.items import read_items
from judgekit.importers.itemstream import ItemFile

PNG = b"\x89PNG\r\n\x1a\nrest of it"
CODED = b64encode(PNG).decode()


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

    held = f"data:image/png;base64,{CODED}"
    (said,) = first.fields["output"]
    assert said == {"role": "user", "content": [text, picture(held, detail="low")]}
    assert second.fields["output"] == [text, picture(held)]


def test_addresses_stay_as_they_are(tmp_path: Path) -> None:
    """They need no file."""
    parts = [picture("https://example.test/a.png"), picture("data:image/png;base64,iVBORw0KGgo=")]

    (item,) = read_items(items_of(tmp_path, parts), inputs=["output"])

    assert item.fields["output"] == parts


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("missing.png", None, "no such file"),
        ("/dev/zero", None, "no file"),
        ("secret.png", b"root:x:0:0", "no PNG, JPEG"),
        (" ", None, "image 1 of 'output' of item '1' is at ' ', which no model can reach"),
        ("javascript:alert(1)", None, "image 1 of 'output' of item '1' is at 'javascript:alert"),
        ("http://e.test/a.png", None, "only https: addresses are sent"),
        ("data:text/html,x", None, "holds no image"),
        ("data:image/png;base64,!!!", None, "base64 is broken"),
    ],
)
def test_what_is_no_image_is_refused_with_its_line(
    tmp_path: Path, name: str, data: bytes | None, said: str
) -> None:
    """Nothing but images leaves the machine this way."""
    if data is not None:
        (tmp_path / name).write_bytes(data)
    file = items_of(tmp_path, "text", [picture(name)])

    with pytest.raises(InputError, match=re.escape(said)) as caught:
        read_items(file, inputs=["output"])

    assert (caught.value.file, caught.value.line) == (str(file), 2)
    assert caught.value.hint


HIDDEN = [
    {"type": "image_url"},
    {"type": "image_url", "image_url": 5},
    {"type": "image", "source": {"type": "url", "url": "pics/a.png"}},
    {"type": "audio", "audio": {}},
    {"type": "file", "file": {"file_id": "f"}},
    {"type": "text"},
]


@pytest.mark.parametrize("part", HIDDEN)
def test_an_item_is_never_judged_without_a_part_of_it(tmp_path: Path, part: Any) -> None:
    """Refused with its line, in chat messages as well as in bare parts."""
    for output in ([part], [{"role": "user", "content": [part]}]):
        file = items_of(tmp_path, "text", output)
        with pytest.raises(InputError, match="item '1'") as caught:
            read_items(file, inputs=["output"])
        assert (caught.value.file, caught.value.line) == (str(file), 2)
        assert caught.value.hint


@pytest.mark.parametrize("part", [*HIDDEN, picture("missing.png")])
def test_what_no_judge_is_shown_may_hold_anything(tmp_path: Path, part: Any) -> None:
    """Recorded judgments ask nobody: their items stay as they are."""
    (item,) = read_items(items_of(tmp_path, [part]))

    assert item.fields["output"] == [part]


def test_messages_within_messages_without_end(tmp_path: Path) -> None:
    """As deep as JSON can be read; never a failure of ours."""
    part: dict[str, Any] = {"type": "text", "text": "x"}
    for _ in range(300):
        part = {"type": "tool_result", "content": [part]}
    file = items_of(tmp_path, [{"role": "user", "content": [part]}])

    with pytest.raises(InputError, match="nested too deeply") as caught:
        read_items(file, inputs=["output"])
    assert (caught.value.line, bool(caught.value.hint)) == (1, True)


@pytest.mark.parametrize("part", [*HIDDEN, picture("missing.png"), picture("http://e.test/a")])
def test_a_large_file_is_looked_through_before_its_first_item(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, part: Any
) -> None:
    """Nothing is asked about the first item of a file whose last one cannot be shown."""
    monkeypatch.setattr(itemstream, "SMALL", 0)
    file = items_of(tmp_path, *["text"] * 50, [part])

    with pytest.raises(InputError) as caught:
        ItemFile(file, inputs=["output"])
    assert (caught.value.file, caught.value.line) == (str(file), 51)


def test_a_large_file_holds_its_images(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Read like a small one."""
    (tmp_path / "a.png").write_bytes(PNG)
    file = items_of(tmp_path, "text", [picture("a.png")], 5)
    small = list(ItemFile(file, inputs=["output"]))
    monkeypatch.setattr(itemstream, "SMALL", 0)
    large = ItemFile(file, inputs=["output"])

    assert list(large) == small
    assert large._plan is not None
    assert small[1].fields["output"] == [picture(f"data:image/png;base64,{CODED}")]
