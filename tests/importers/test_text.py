import gzip
import os
import zipfile
from pathlib import Path

import pytest

from judgekit.errors import InputError
from judgekit.importers.table import read_table
from judgekit.importers.text import load_text
from tests.importers.make import told, write

HEADER = "item_id,rater,level\n"


def refused(path: str | Path) -> InputError:
    """The error that reading a file gives."""
    with pytest.raises(InputError) as caught:
        read_table(path)
    return caught.value


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["plain", "with BOM"])
def test_utf8_with_or_without_bom(tmp_path: Path, mark: bytes) -> None:
    """The mark that Excel writes is no part of the first column's name."""
    table = read_table(write(tmp_path, "a.csv", mark + HEADER.encode() + "ä,b,c\n".encode()))

    assert table.columns == ("item_id", "rater", "level")
    assert table.rows[0].values["item_id"] == "ä"


def test_a_file_can_be_named_in_any_way(tmp_path: Path) -> None:
    """As a path or as text; errors name it as the user did."""
    path = write(tmp_path, "a.txt", "hello")

    assert load_text(str(path)) == load_text(path) == "hello"


@pytest.mark.parametrize(
    ("content", "what", "way_out"),
    [
        (HEADER.encode("utf-16"), "UTF-16 text", "iconv -f UTF-16"),
        (HEADER.encode("utf-16-le"), "UTF-16 text", "iconv -f UTF-16LE"),
        (HEADER.encode("utf-32"), "UTF-32 text", "iconv -f UTF-32"),
        (gzip.compress(HEADER.encode(), mtime=0), "compressed (gzip)", "gunzip"),
        (b"\xfd7zXZ\x00rest", "compressed (xz)", "xz --decompress"),
        (b"\x28\xb5\x2f\xfdrest", "compressed (zstd)", "zstd --decompress"),
        (b"PAR1\x15\x04\x15PAR1", "Parquet, which is not in this version", "read_parquet"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Excel workbook", "CSV UTF-8"),
        (b"%PDF-1.7", "a PDF", "UTF-8"),
        (b"SQLite format 3\x00", "an SQLite database", "Export"),
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00", "binary or damaged", "UTF-8"),
        (bytes(range(1, 32)) + b"\xff\xfe\xfa" * 9, "binary, not text", "UTF-8"),
        (b"", "the file is empty (0 bytes)", None),
        (b"\n \n\t\n", "the file is empty: it holds only blanks", None),
        (b"\xef\xbb\xbf", "the file is empty", None),
    ],
)
@pytest.mark.parametrize("name", ["labels.csv", "labels.jsonl", "labels"])
def test_what_is_no_text_is_named(
    tmp_path: Path, name: str, content: bytes, what: str, way_out: str | None
) -> None:
    """One clear line says what the file is, the hint how to get it read."""
    path = write(tmp_path, name, content)

    error = refused(path)

    assert what in error.message
    assert (way_out or "") in (error.hint or "")
    assert error.file == str(path)


def test_parquet_says_what_to_do(tmp_path: Path) -> None:
    """The sentence that people search for."""
    error = refused(write(tmp_path, "a.parquet", b"PAR1\x00"))

    assert "not in this version: convert to JSONL or CSV" in error.message


@pytest.mark.parametrize(("inside", "what"), [("xl/workbook.xml", "Excel"), ("a.csv", "zip")])
def test_a_zip_archive_may_be_a_workbook(tmp_path: Path, inside: str, what: str) -> None:
    """Excel's files are zip archives with a fixed inside."""
    path = tmp_path / "labels.xlsx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(inside, "x" * 9)

    assert what in refused(path).message


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["plain", "with BOM"])
def test_windows_text_is_named_with_its_line(tmp_path: Path, mark: bytes) -> None:
    """The bytes of "é" in cp1252 are no UTF-8; the line is where it stands."""
    content = mark + HEADER.encode() + "a,ann,gut\nb,André,gut\n".encode("cp1252")

    error = refused(write(tmp_path, "labels.csv", content))

    assert error.line == 3
    assert error.message == (
        "this file is not UTF-8 (byte 0xe9); it looks like Windows-1252 (cp1252)"
    )
    assert "iconv -f CP1252 -t UTF-8" in told(error)


def test_a_nul_byte_is_found_with_its_line(tmp_path: Path) -> None:
    """A damaged file is not read in part."""
    error = refused(write(tmp_path, "labels.csv", HEADER.encode() + b"a,ann,1\nb,\x00,2\n"))

    assert (error.line, error.message) == (3, "this file holds NUL bytes: it is binary or damaged")


def test_a_missing_file_gets_a_suggestion(tmp_path: Path) -> None:
    """From the names in the same folder."""
    write(tmp_path, "tone.csv", HEADER)

    error = refused(tmp_path / "tnoe.csv")

    assert error.message == "no such file"
    assert error.hint == f"Did you mean {str(tmp_path / 'tone.csv')!r}?"


def test_a_missing_file_gets_the_list_when_nothing_is_near(tmp_path: Path) -> None:
    """Data files only, five at most."""
    for number in range(7):
        write(tmp_path, f"labels-{number}.csv", HEADER)
    write(tmp_path, "README", "hello")

    hint = refused(tmp_path / "zzz").hint

    assert hint is not None
    assert hint.endswith(
        "labels-0.csv, labels-1.csv, labels-2.csv, labels-3.csv, labels-4.csv, ..."
    )


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    """The mistake is in the folder, so that is what is said."""
    error = refused(tmp_path / "lables" / "tone.csv")

    assert error.hint == f"There is no folder {str(tmp_path / 'lables')!r} either."


def test_a_file_used_as_a_folder_is_missing(tmp_path: Path) -> None:
    """`tone.csv/x` leads nowhere."""
    assert refused(write(tmp_path, "tone.csv", HEADER) / "x").message == "no such file"


def test_a_directory_is_named_with_the_files_in_it(tmp_path: Path) -> None:
    """So that the next attempt names one of them."""
    write(tmp_path, "tone.csv", HEADER)

    error = refused(tmp_path)

    assert error.message == "this is a directory, not a file"
    assert error.hint == f"Data files in {str(tmp_path)!r}: tone.csv"


def test_an_empty_directory_has_no_hint(tmp_path: Path) -> None:
    """There is nothing to name."""
    assert refused(tmp_path).hint is None


@pytest.mark.timeout(10)
def test_a_pipe_is_refused_without_waiting_for_it(tmp_path: Path) -> None:
    """Opening a pipe nobody writes to would hang for good."""
    pipe = tmp_path / "labels.csv"
    os.mkfifo(pipe)

    assert refused(pipe).message == "this is a pipe or a device, not a file"


@pytest.mark.timeout(10)
@pytest.mark.parametrize("device", ["/dev/zero", "/dev/null"])
def test_a_device_is_refused(device: str) -> None:
    """One has no end, the other no content."""
    assert refused(device).message == "this is a pipe or a device, not a file"


def test_no_permission_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever runs the test, root included."""

    def forbid(_: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", forbid)

    assert refused(write(tmp_path, "a.csv", HEADER)).message == "no permission to read this file"


def test_a_locked_file_is_said(tmp_path: Path) -> None:
    """The same from the file system itself."""
    if os.geteuid() == 0:
        pytest.skip("root may read everything")
    path = write(tmp_path, "a.csv", HEADER)
    path.chmod(0)

    assert refused(path).message == "no permission to read this file"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("x" * 300, "File name too long"),
        ("a\0b.csv", "embedded null byte"),
        ("", "no such file"),
    ],
)
def test_a_name_that_is_no_name(name: str, reason: str) -> None:
    """Whatever the system says of it, it is one clear error."""
    assert reason in refused(name).message


def test_a_link_that_leads_to_itself(tmp_path: Path) -> None:
    """A loop of links is one clear error too."""
    loop = tmp_path / "loop.csv"
    loop.symlink_to(loop)

    assert "cannot be read" in refused(loop).message
