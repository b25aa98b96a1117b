"""What git has of rubric files and of the templates beside them: their state at ``HEAD``."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from judgekit.errors import InputError
from judgekit.importers.git import Answer, ask_git
from judgekit.importers.rubrics import template_loader

_ENDINGS = (".jinja", ".jinja2", ".j2")
_NAMED = re.compile(r"""\{%[-+]?\s*(?:extends|include|import|from)\s+["'](?!judgekit/)([^"'\n]+)""")
_RUBRIC = re.compile(r"^rubric:[ \t]*([^\n#]*[^\s#])", re.MULTILINE)


class Committed(NamedTuple):
    """The state of a rubric at ``HEAD``, where it is another.

    Attributes:
        text: Its text.
        where: What to call the state.
        templates: What templates that it reaches held, by name; those that hold the same now are
            not among them.
    """

    text: str
    where: str = "git HEAD"
    templates: Mapping[str, str] = {}


class _Place(NamedTuple):
    """Where a file stands: its repository, and its path in it. Links are followed."""

    root: str
    path: str


def committed(texts: Mapping[str, str]) -> dict[str, Committed]:
    """Return the state of rubric files at ``HEAD``, of those that are another now.

    A file that was moved is known by the rubric's name: where one file of a rubric is gone and
    another has come. Where there is no repository, no commit, or git cannot be asked, nothing is
    known.

    Args:
        texts: Rubric files and what is in them now.
    """
    places = _places(texts)
    now: dict[_Place, str] = {}
    reached: dict[str, dict[str, _Place]] = {}
    for name, place in places.items():
        now[place] = texts[name]
        reached[name] = {}
        for template, text in _reached(texts[name], Path(name).parent):
            at = _Place(place.root, _beside(place.path, template))
            now[at], reached[name][template] = text, at
    before: dict[_Place, str] = {}
    known: set[_Place] = set()
    for root in {place.root for place in now}:
        mine = {place.path: text for place, text in now.items() if place.root == root}
        ids = _ids(root, mine)
        known |= {_Place(root, path) for path in ids}
        before |= {_Place(root, path): text for path, text in _others(root, ids, mine).items()}
    found = {}
    for name, place in places.items():
        templates = {t: before[at] for t, at in reached[name].items() if at in before}
        if place in before or templates:
            found[name] = Committed(before.get(place, texts[name]), templates=templates)
    return found | _moved({n: p for n, p in places.items() if p not in known}, texts)


def _places(names: Iterable[str]) -> dict[str, _Place]:
    """Return where files stand, of those that are in a repository."""
    roots: dict[str, str | None] = {}
    folders: dict[str, str] = {}
    found = {}
    for name in names:
        path = os.path.abspath(name)  # noqa: PTH100  (a thousand times faster matters here)
        folder, file = os.path.split(os.path.realpath(path) if os.path.islink(path) else path)  # noqa: PTH114
        if folder not in folders:
            folders[folder] = os.path.realpath(folder)
        folder = folders[folder]
        if folder not in roots:
            roots[folder] = _root_of(Path(folder))
        root = roots[folder]
        if root is not None:
            found[name] = _Place(root, os.path.relpath(f"{folder}/{file}", root))
    return found


def _root_of(folder: Path) -> str | None:
    # Unlike that of Path, this answer is no also where a folder may not be looked into.
    places = (str(f) for f in (folder, *folder.parents))
    return next((f for f in places if os.path.exists(f"{f}/.git")), None)  # noqa: PTH110


def _beside(path: str, template: str) -> str:
    return os.path.normpath(f"{os.path.dirname(path)}/{template}").lstrip("/")  # noqa: PTH120


def _reached(text: str, folder: Path) -> Iterator[tuple[str, str]]:
    """Yield the templates beside a rubric that it reaches by name, with what is in them now."""
    load = template_loader(folder)
    left, seen = _NAMED.findall(text), set[str]()
    while left:
        name = left.pop()
        if name in seen:
            continue
        seen.add(name)
        with contextlib.suppress(InputError):
            found = load(name)
            if found is not None:
                yield name, found
                left += _NAMED.findall(found)


def _others(root: str, ids: Mapping[str, str], now: Mapping[str, str]) -> dict[str, str]:
    """Return the text at HEAD of files that hold another one now."""
    other = {path: one for path, one in ids.items() if not _is(now[path], one)}
    blobs = _blobs(root, sorted(set(other.values())))
    found = {path: blobs[one] for path, one in other.items() if one in blobs}
    return {path: text for path, text in found.items() if text != now[path]}


def _is(text: str, stored: str) -> bool:
    """Return whether text has this id in git; text with other line ends has another."""
    data = text.encode("utf-8", "surrogatepass")
    whole = b"blob %d\0%b" % (len(data), data)
    made = hashlib.sha256(whole) if len(stored) == 64 else hashlib.sha1(whole)  # noqa: S324
    return made.hexdigest() == stored


def _moved(new: Mapping[str, _Place], texts: Mapping[str, str]) -> dict[str, Committed]:
    """Return the state at HEAD of rubrics whose file had another name there."""
    found = {}
    for root in {place.root for place in new.values()}:
        gone = {
            path: one
            for path, one in _listed(root, "-r").items()
            if path.endswith(_ENDINGS) and not os.path.lexists(f"{root}/{path}")
        }
        blobs = _blobs(root, sorted(set(gone.values()))) if gone else {}
        left: dict[str | None, list[str]] = {}
        for path, one in gone.items():
            left.setdefault(_rubric_in(blobs.get(one, "")), []).append(path)
        for name, place in new.items():
            old = left.get(_rubric_in(texts[name]), []) if place.root == root else []
            if len(old) == 1:
                found[name] = Committed(blobs.get(gone[old[0]], ""), f"git HEAD ({old[0]})")
    return {name: one for name, one in found.items() if one.text != texts[name]}


def _rubric_in(text: str) -> str | None:
    match = _RUBRIC.search(text)
    return match[1].strip("\"'") if match else None


def _ids(root: str, paths: Iterable[str]) -> dict[str, str]:
    """Return the ids of files at HEAD; git is spared the text of what has not changed."""
    wanted = set(paths)
    folders = sorted({f"{folder}/" if (folder := os.path.dirname(p)) else "." for p in wanted})  # noqa: PTH120
    return {path: one for path, one in _listed(root, *folders).items() if path in wanted}


def _listed(root: str, *arguments: str) -> dict[str, str]:
    """Return the files at HEAD with their ids: of folders, or with ``-r`` of all."""
    options = [word for word in arguments if word == "-r"]
    folders = [word for word in arguments if word != "-r"]
    found = {}
    listed = _git(root, "ls-tree", "-z", *options, "HEAD", "--", *folders).data
    for entry in listed.split(b"\0")[:-1]:
        about, _, path = os.fsdecode(entry).partition("\t")
        if " blob " in about:
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
