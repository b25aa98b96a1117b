"""Earlier states of rubrics: what git has of them, and what certificates were issued for."""

from __future__ import annotations

import hashlib
import json
import os
import stat
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from judgekit.errors import InputError
from judgekit.importers.git import Answer, ask_git
from judgekit.importers.rubrics import template_loader
from judgekit.linting.subject import Earlier
from judgekit.rubric.meaning import meaning_parts
from judgekit.rubric.parse import parse

_LARGEST = 5_000_000
"""Bytes; a certificate, or the configuration of a project, is far smaller."""


class Known(NamedTuple):
    """What is known of earlier states of one file, before it is read.

    Attributes:
        committed: The text that git has, where it is another.
        certified: States that certificates were issued for, each with the rubric's name.
    """

    committed: str | None = None
    certified: tuple[tuple[str, Earlier], ...] = ()


def known_states(texts: Mapping[str, str], certificates: Iterable[Path] = ()) -> dict[str, Known]:
    """Return what is known of earlier states of rubric files, by file.

    Args:
        texts: Rubric files and what is in them now.
        certificates: Certificate files; one that cannot be read says nothing here.
    """
    committed = _committed(texts)
    certified = [found for found in map(_certified, certificates) if found]
    return {
        name: Known(committed.get(name), tuple(one for one in certified if one[0] in text))
        for name, text in texts.items()
    }


def read_states(name: str, text: str, known: Known) -> list[Earlier]:
    """Return the earlier states of a rubric file; those of other rubrics are left out."""
    found = []
    load = template_loader(Path(name).parent)
    if known.committed is not None:
        rubric, _ = parse(known.committed, load=load)
        if rubric is not None:
            parts = {c.name: meaning_parts(rubric, c) for c in rubric.criteria}
            found.append(Earlier("git HEAD", rubric.version, parts))
    if known.certified:
        rubric, _ = parse(text, load=load)
        mine = rubric.name if rubric is not None else None
        found += [state for rubric_name, state in known.certified if rubric_name == mine]
    return found


def _certified(path: Path) -> tuple[str, Earlier] | None:
    """Return the rubric a certificate was issued for: its name and its state."""
    try:
        document = json.loads(read_small(path))
        rubric = document["judge"]["rubric"]
        parts = {str(name): str(digest) for name, digest in rubric["parts"].items()}
        where = f"certificate {str(document['id'])[:6]}"
        state = Earlier(where, int(rubric["version"]), {str(document["criterion"]): parts})
        return str(rubric["name"]), state
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return None
    except (ArithmeticError, RecursionError):  # a version without end, a thousand brackets
        return None


def read_small(path: Path) -> str:
    """Return the text of a file that nobody named: it may be anything.

    Raises:
        OSError: it is not there, or no plain file (a pipe waits, and a device may never end).
        ValueError: it is no UTF-8, or larger than anything that belongs there.
    """
    with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:  # noqa: PTH123
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError("no plain file")
        data = file.read(_LARGEST + 1)
    if len(data) > _LARGEST:
        raise ValueError("too large")
    return data.decode("utf-8")


def _committed(texts: Mapping[str, str]) -> dict[str, str]:
    """Return the text of files at HEAD, of those that git has otherwise."""
    by_root: dict[str, dict[str, str]] = {}
    roots: dict[str, str | None] = {}
    for name in texts:
        path = os.path.abspath(name)  # noqa: PTH100  (a thousand times faster matters here)
        folder = os.path.dirname(path)  # noqa: PTH120
        if folder not in roots:
            roots[folder] = _root_of(Path(folder))
        root = roots[folder]
        if root is not None:
            by_root.setdefault(root, {})[Path(path).relative_to(root).as_posix()] = name
    found: dict[str, str] = {}
    for root, files in by_root.items():
        stored = {files[path]: one for path, one in _ids(root, files).items()}
        other = {name: one for name, one in stored.items() if not _is(texts[name], one)}
        blobs = _blobs(root, sorted(set(other.values())))
        found |= {name: blobs[one] for name, one in other.items() if one in blobs}
    return {name: text for name, text in found.items() if text != texts[name]}


def _root_of(folder: Path) -> str | None:
    # Unlike that of Path, this answer is no also where a folder may not be looked into.
    places = (str(f) for f in (folder, *folder.parents))
    return next((f for f in places if os.path.exists(f"{f}/.git")), None)  # noqa: PTH110


def _is(text: str, stored: str) -> bool:
    """Return whether text has this id in git; text with other line ends has another."""
    data = text.encode("utf-8", "surrogatepass")
    whole = b"blob %d\0%b" % (len(data), data)
    made = hashlib.sha256(whole) if len(stored) == 64 else hashlib.sha1(whole)  # noqa: S324
    return made.hexdigest() == stored


def _ids(root: str, paths: Iterable[str]) -> dict[str, str]:
    """Return the ids of the files at HEAD; git is spared the text of what has not changed."""
    wanted = set(paths)
    folders = sorted({f"{folder}/" if (folder := os.path.dirname(p)) else "." for p in wanted})  # noqa: PTH120
    found = {}
    listed = _git(root, "ls-tree", "-z", "--full-tree", "HEAD", "--", *folders).data
    for entry in listed.split(b"\0")[:-1]:
        about, _, path = os.fsdecode(entry).partition("\t")
        if path in wanted and " blob " in about:
            found[path] = about.rpartition(" ")[2]
    return found


def _blobs(root: str, ids: Sequence[str]) -> dict[str, str]:
    """Return what is in blobs, by id, of those that can be read."""
    found: dict[str, str] = {}
    left = list(ids)
    while left:
        asked = "".join(f"{one}\n" for one in left)
        data, trouble = _git(root, "cat-file", "--batch=%(objectsize)", asked=asked)
        answers = _answers(data)
        found |= {one: text for one, text in zip(left, answers, strict=False) if text is not None}
        # git ends at a damaged one, and says nothing of those behind it.
        left = left[len(answers) + 1 :] if trouble else []
    return found


def _answers(data: bytes) -> list[str | None]:
    """Return what git told of blobs, one after the other; None for one that is missing."""
    found: list[str | None] = []
    at = 0
    while (end := data.find(b"\n", at)) >= 0:
        size, at = data[at:end], end + 1
        if not size.isdigit():
            found.append(None)
            continue
        end = at + int(size)
        if end >= len(data):  # it ended in the midst of this one
            break
        found.append(data[at:end].decode("utf-8", "replace"))
        at = end + 1
    return found


def _git(root: str, *words: str, asked: str = "") -> Answer:
    """Return what git says of its objects; nothing where it cannot be asked."""
    try:
        return ask_git(root, *words, asked=asked)
    except InputError:
        return Answer(b"")
