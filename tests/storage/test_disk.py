import json
import os
from pathlib import Path

import pytest

from judgekit.errors import StorageError
from judgekit.storage.disk import encoded, shown, write_text


def test_a_file_is_written_whole(tmp_path: Path) -> None:
    """Folders are made, UTF-8 it is, line ends stay as they are."""
    path = tmp_path / "a" / "b" / "c.txt"

    write_text(path, "ünï\r\nx\u2028y\n")

    assert path.read_bytes() == "ünï\r\nx\u2028y\n".encode()
    assert [p.name for p in path.parent.iterdir()] == ["c.txt"]


def test_a_file_is_replaced_whole(tmp_path: Path) -> None:
    """The new text in the place of the old."""
    path = tmp_path / "c.txt"
    write_text(path, "a long old text")

    write_text(path, "new")

    assert path.read_text() == "new"


def test_what_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    """A folder in its place: the message names the file, the old state stays."""
    (tmp_path / "taken").mkdir()

    with pytest.raises(StorageError, match="cannot be written") as refused:
        write_text(tmp_path / "taken", "text")

    assert refused.value.file == str(tmp_path / "taken")
    assert [p.name for p in tmp_path.iterdir()] == ["taken"]


def test_a_file_in_the_way_of_a_folder(tmp_path: Path) -> None:
    """No folder can be made below a file."""
    (tmp_path / "file").write_text("x")

    with pytest.raises(StorageError):
        write_text(tmp_path / "file" / "below.txt", "text")


def test_a_failure_half_way_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk shows when the bytes are forced down; the old text is still there, whole."""
    path = tmp_path / "c.txt"
    write_text(path, "old")

    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StorageError, match="No space left on device"):
        write_text(path, "new")

    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["c.txt"]


def test_the_new_file_takes_the_place_in_one_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The text is whole elsewhere before the name changes hands: a reader never sees half of it."""
    path = tmp_path / "c.txt"
    write_text(path, "old")

    def refuse(_self: Path, _target: Path) -> None:
        raise OSError(18, "Invalid cross-device link")

    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(StorageError):
        write_text(path, "new")

    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["c.txt"]


def test_others_may_read_it(tmp_path: Path) -> None:
    """Not the private mode of a temporary file."""
    write_text(tmp_path / "c.txt", "text")

    assert (tmp_path / "c.txt").stat().st_mode & 0o777 == 0o644


def test_half_a_surrogate_becomes_its_escape(tmp_path: Path) -> None:
    """Models send such halves; in JSON the escape reads back as the same text."""
    text = json.dumps({"reason": "half \ud83d"}, ensure_ascii=False)

    write_text(tmp_path / "x.json", text)

    assert encoded(text) == rb'{"reason": "half \ud83d"}'
    assert json.loads((tmp_path / "x.json").read_bytes()) == {"reason": "half \ud83d"}


def test_paths_are_shown_from_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Relative inside the current folder, whole elsewhere."""
    monkeypatch.chdir(tmp_path)

    assert shown(tmp_path / "a" / "b.json") == "a/b.json"
    assert shown(Path("a/b.json")) == "a/b.json"
    assert shown(tmp_path.parent / "b.json") == str(tmp_path.parent / "b.json")


def test_a_pipe_is_written_to(tmp_path: Path) -> None:
    """As ``--out /dev/stdout`` and ``--out /dev/null`` are: the pipe stays a pipe."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_text(path, "told\n")

        assert os.read(reader, 100) == b"told\n"
        assert path.is_fifo()
    finally:
        os.close(reader)
