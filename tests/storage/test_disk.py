import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from judgekit.errors import InputError, StorageError
from judgekit.storage.disk import PRIVATE, check_output, encoded, shown, write_text, writing


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


WRITING = """
import os, sys
from pathlib import Path
from judgekit.storage.disk import writing
with writing(Path(sys.argv[1])) as write:
    write(b"half a line")
    os.write(1, b"begun")
    sys.stdin.read()
"""


def half_written(path: Path) -> subprocess.Popen[bytes]:
    """Start a process that writes a file and does not come to its end."""
    process = subprocess.Popen(
        [sys.executable, "-c", WRITING, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stdout.read(5) == b"begun"
    return process


def test_what_a_killed_process_left_is_removed(tmp_path: Path) -> None:
    """With the next writing of the same file; what looks alike, or is another file's, stays."""
    path = tmp_path / "out.jsonl"
    others = [".out.jsonl.original", ".out.jsonl.judgekit-notes", ".out.json.judgekit-0123abcd"]
    for name in others:
        (tmp_path / name).write_text("mine")
    process = half_written(path)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    (left,) = {p.name for p in tmp_path.iterdir()} - set(others)
    assert left.startswith(".out.jsonl.judgekit-")

    write_text(path, "whole")

    assert {p.name for p in tmp_path.iterdir()} == {*others, "out.jsonl"}


def test_what_a_living_process_writes_stays(tmp_path: Path) -> None:
    """Two write the same file: each whole, the last one stands."""
    path = tmp_path / "out.jsonl"
    process = half_written(path)

    write_text(path, "whole")
    assert path.read_text() == "whole"
    process.communicate(b"")

    assert process.returncode == 0
    assert path.read_text() == "half a line"
    assert [p.name for p in tmp_path.iterdir()] == ["out.jsonl"]


def test_a_file_may_be_for_its_owner_only(tmp_path: Path) -> None:
    """Also where the one before was for all."""
    write_text(tmp_path / "c.txt", "text")
    write_text(tmp_path / "c.txt", "text", PRIVATE)

    assert (tmp_path / "c.txt").stat().st_mode & 0o777 == 0o600


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    """And what it leads to is written."""
    (tmp_path / "there").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "there" / "file")

    write_text(tmp_path / "link", "text")

    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "there" / "file").read_text() == "text"


def test_our_own_output_is_written_to_where_it_stands(tmp_path: Path) -> None:
    """As ``--out /dev/stdout > FILE``, which looks like a file that could be replaced."""
    (tmp_path / "stdout").symlink_to("/proc/self/fd/1")
    code = (
        "import sys; from pathlib import Path; from judgekit.storage.disk import write_text;"
        "print('before', flush=True); write_text(Path('stdout'), 'told\\n'); print('after')"
    )
    with (tmp_path / "file").open("wb") as file:
        before = (tmp_path / "file").stat().st_ino
        subprocess.run([sys.executable, "-c", code], cwd=tmp_path, stdout=file, check=True)

    assert (tmp_path / "file").read_text() == "before\ntold\nafter\n"
    assert (tmp_path / "file").stat().st_ino == before
    assert (tmp_path / "stdout").is_symlink()
    assert {p.name for p in tmp_path.iterdir()} == {"file", "stdout"}


def test_an_error_inside_leaves_the_old_file(tmp_path: Path) -> None:
    """Whatever it is; nothing is left lying about."""
    write_text(tmp_path / "c.txt", "old")

    def fail() -> None:
        with writing(tmp_path / "c.txt") as write:
            write(b"new")
            raise KeyError

    with pytest.raises(KeyError):
        fail()

    assert (tmp_path / "c.txt").read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["c.txt"]


@pytest.mark.parametrize("place", ["kept/new", "kept/below/new", "link/new", "kept/../kept/new"])
def test_no_output_stands_in_a_folder_that_is_kept(tmp_path: Path, place: str) -> None:
    """However it is called, whether it is there or not."""
    (tmp_path / "kept" / "below").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "kept")

    with pytest.raises(InputError, match="files of its own"):
        check_output(tmp_path / place, tmp_path / "kept", tmp_path / "absent")
    check_output(tmp_path / "kept.jsonl", tmp_path / "kept", tmp_path / "absent")
