"""Earlier states of rubrics: what git has of them, and what certificates were issued for.

git is asked for stored files only, so that nothing a repository configures is run.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from judgekit.importers.rubrics import template_loader
from judgekit.linting.subject import Earlier
from judgekit.rubric.meaning import meaning_parts
from judgekit.rubric.parse import parse

_TIMEOUT = 30.0


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
        document = json.loads(path.read_text("utf-8"))
        rubric = document["judge"]["rubric"]
        parts = {str(name): str(digest) for name, digest in rubric["parts"].items()}
        where = f"certificate {str(document['id'])[:6]}"
        state = Earlier(where, int(rubric["version"]), {str(document["criterion"]): parts})
        return str(rubric["name"]), state
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return None


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
        if root is not None and "\n" not in name:
            by_root.setdefault(root, {})[Path(path).relative_to(root).as_posix()] = name
    found: dict[str, str] = {}
    for root, files in by_root.items():
        stored = _ids(root, files)
        other = [(files[p], one) for p, one in stored.items() if not _is(texts[files[p]], one)]
        blobs = _blobs(root, [one for _, one in other])
        pairs = zip((name for name, _ in other), blobs, strict=False)
        found |= {name: blob for name, blob in pairs if blob != texts[name]}
    return found


def _root_of(folder: Path) -> str | None:
    return next((str(f) for f in (folder, *folder.parents) if (f / ".git").exists()), None)


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
    for entry in _git(root, "ls-tree", "-z", "--full-tree", "HEAD", "--", *folders).split(b"\0"):
        about, _, path = entry.decode("utf-8", "replace").partition("\t")
        if path in wanted and " blob " in about:
            found[path] = about.rpartition(" ")[2]
    return found


def _blobs(root: str, ids: Sequence[str]) -> list[str]:
    """Return what is in blobs."""
    if not ids:
        return []
    asked = "".join(f"{one}\n" for one in ids)
    data = _git(root, "cat-file", "--batch=%(objectsize)", asked=asked)
    found: list[str] = []
    at = 0
    while at < len(data):
        end = data.index(b"\n", at)
        size, at = int(data[at:end]), end + 1
        found.append(data[at : at + size].decode("utf-8", "replace"))
        at += size + 1
    return found


def _git(root: str, *words: str, asked: str = "") -> bytes:
    """Return what git says of its objects; nothing where it is missing or fails."""
    try:
        done = subprocess.run(  # noqa: S603  (no shell)
            ["git", "--literal-pathspecs", "-C", root, *words],  # noqa: S607
            input=asked.encode(),
            capture_output=True,
            check=False,
            timeout=_TIMEOUT,
        )
    except (OSError, subprocess.TimeoutExpired):
        return b""
    return b"" if done.returncode else done.stdout
