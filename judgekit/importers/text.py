"""From a path to text: what cannot be read is refused at the door, saying what it is."""

from __future__ import annotations

import codecs
import os
import stat
from pathlib import Path
from typing import NamedTuple, NoReturn

from judgekit.errors import InputError, suggest

DATA_SUFFIXES = (".csv", ".tsv", ".jsonl", ".ndjson", ".json")


class _Kind(NamedTuple):
    """A kind of file told by its first bytes, and the way out."""

    magic: bytes
    what: str
    hint: str


_TO_UTF8 = "Save it as UTF-8, for example: iconv -f {0} -t UTF-8 OLD > NEW"
_KINDS = (
    _Kind(
        b"PAR1",
        "Parquet, which is not in this version: convert to JSONL or CSV",
        "With pandas: read_parquet(OLD).to_json(NEW, orient='records', lines=True)",
    ),
    _Kind(b"\x1f\x8b", "compressed (gzip)", "Unpack it first: gunzip --keep FILE"),
    _Kind(b"\xfd7zXZ\x00", "compressed (xz)", "Unpack it first: xz --decompress --keep FILE"),
    _Kind(b"\x28\xb5\x2f\xfd", "compressed (zstd)", "Unpack it first: zstd --decompress FILE"),
    _Kind(b"\xd0\xcf\x11\xe0", "an old Excel workbook", "Save the sheet as CSV UTF-8."),
    _Kind(b"%PDF-", "a PDF", "Save it as text in UTF-8."),
    _Kind(b"SQLite format 3\x00", "an SQLite database", "Export the table as CSV."),
    _Kind(codecs.BOM_UTF32_LE, "UTF-32 text", _TO_UTF8.format("UTF-32")),
    _Kind(codecs.BOM_UTF32_BE, "UTF-32 text", _TO_UTF8.format("UTF-32")),
    _Kind(codecs.BOM_UTF16_LE, "UTF-16 text", _TO_UTF8.format("UTF-16")),
    _Kind(codecs.BOM_UTF16_BE, "UTF-16 text", _TO_UTF8.format("UTF-16")),
)


def load_text(path: str | os.PathLike[str]) -> str:
    """Return the text of a UTF-8 file, with or without a byte order mark.

    Raises:
        InputError: the file is missing, empty, no plain file or no UTF-8 text; the message says
            what it is and the hint says the way out.
    """
    name = os.fspath(path)
    data = _load_bytes(name)
    if not data:
        raise InputError("the file is empty (0 bytes)", file=name)
    _refuse_other_kinds(name, data)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as exc:
        _refuse_encoding(name, data, exc)
    if not text.strip():
        raise InputError("the file is empty: it holds only blanks", file=name)
    return text


def _load_bytes(name: str) -> bytes:
    try:
        mode = os.stat(name).st_mode  # noqa: PTH116  (Path("") would be the current folder)
        # Opening a pipe waits for its writer, and a device may never end.
        data = Path(name).read_bytes() if stat.S_ISREG(mode) else b""
    except (FileNotFoundError, NotADirectoryError):
        raise InputError("no such file", hint=_near(name), file=name) from None
    except PermissionError:
        raise InputError("no permission to read this file", file=name) from None
    except (OSError, ValueError) as exc:  # too long a name, a loop of links, a NUL in the name
        reason = exc.strerror if isinstance(exc, OSError) and exc.strerror else str(exc)
        raise InputError(f"this file cannot be read: {reason}", file=name) from None
    if stat.S_ISDIR(mode):
        raise InputError("this is a directory, not a file", hint=_files_in(name), file=name)
    if not stat.S_ISREG(mode):
        raise InputError(
            "this is a pipe or a device, not a file",
            hint="Write what it gives to a file first, then name that file.",
            file=name,
        )
    return data


def _names_in(folder: Path) -> list[str]:
    try:
        return sorted(entry.name for entry in folder.iterdir())
    except OSError:
        return []


def _near(name: str) -> str | None:
    """Return a hint with the file of that folder whose name comes closest."""
    path = Path(name)
    if not path.parent.is_dir():
        return f"There is no folder {str(path.parent)!r} either."
    near = suggest(path.name, _names_in(path.parent))
    return f"Did you mean {str(path.parent / near)!r}?" if near else _files_in(str(path.parent))


def _files_in(folder: str) -> str | None:
    files = [name for name in _names_in(Path(folder)) if name.lower().endswith(DATA_SUFFIXES)]
    more = ", ..." if len(files) > 5 else ""
    return f"Data files in {folder!r}: {', '.join(files[:5])}{more}" if files else None


def _refuse_other_kinds(name: str, data: bytes) -> None:
    for kind in _KINDS:
        if data.startswith(kind.magic):
            raise InputError(f"this file is {kind.what}", hint=kind.hint, file=name)
    if data.startswith(b"PK\x03\x04"):
        is_sheet = b"[Content_Types].xml" in data[:200] or b"xl/" in data[:4000]
        what = "an Excel workbook" if is_sheet else "a zip archive"
        hint = "Save the sheet as CSV UTF-8." if is_sheet else "Unpack it first: unzip FILE"
        raise InputError(f"this file is {what}", hint=hint, file=name)
    nul = data.find(b"\x00")
    if nul < 0:
        return
    # Latin text in UTF-16 has a NUL in every second byte.
    if any(data[start:2000:2].count(0) > len(data[start:2000:2]) * 0.7 for start in (0, 1)):
        raise InputError("this file is UTF-16 text", hint=_TO_UTF8.format("UTF-16LE"), file=name)
    raise InputError(
        "this file holds NUL bytes: it is binary or damaged",
        hint="Only text in UTF-8 can be read.",
        file=name,
        line=data.count(b"\n", 0, nul) + 1,
    )


def _refuse_encoding(name: str, data: bytes, exc: UnicodeDecodeError) -> NoReturn:
    # The codec takes the mark off first and then counts from behind it.
    start = exc.start + (len(codecs.BOM_UTF8) if data.startswith(codecs.BOM_UTF8) else 0)
    controls = sum(byte < 32 and byte not in b"\t\n\r\f" for byte in data[:4000])
    if controls > min(len(data), 4000) * 0.02:
        raise InputError(
            "this file is binary, not text", hint="Only text in UTF-8 can be read.", file=name
        )
    raise InputError(
        f"this file is not UTF-8 (byte 0x{data[start]:02x}); it looks like Windows-1252 (cp1252)",
        hint=_TO_UTF8.format("CP1252"),
        file=name,
        line=data.count(b"\n", 0, start) + 1,
    )
