"""Earlier states of rubrics: what git has of them, and what certificates were issued for.

git is asked for stored files only, so that nothing a repository configures is run.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from judgekit.importers.rubrics import template_loader
from judgekit.linting.subject import Earlier
from judgekit.rubric.meaning import meaning_parts
from judgekit.rubric.parse import parse

_TIMEOUT = 30.0


def earlier_states(
    texts: Mapping[str, str], certificates: Iterable[Path] = ()
) -> dict[str, list[Earlier]]:
    """Return what is known of earlier states of rubric files, by file.

    Args:
        texts: Rubric files and what is in them now.
        certificates: Certificate files; one that cannot be read says nothing here.
    """
    found: dict[str, list[Earlier]] = {name: [] for name in texts}
    for name, text in _committed(list(texts)).items():
        if text is not None and text != texts[name]:
            rubric, _ = parse(text, load=template_loader(Path(name).parent))
            if rubric is not None:
                parts = {c.name: meaning_parts(rubric, c) for c in rubric.criteria}
                found[name].append(Earlier("git HEAD", rubric.version, parts))
    for rubric_name, state in filter(None, map(_certified, certificates)):
        for name, text in texts.items():
            if rubric_name in text:  # the rule compares; most files are not about this one
                rubric, _ = parse(text, load=template_loader(Path(name).parent))
                if rubric is not None and rubric.name == rubric_name:
                    found[name].append(state)
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


def _committed(names: Sequence[str]) -> dict[str, str | None]:
    """Return the text of files at HEAD; None for those git does not have."""
    by_root: dict[Path, list[tuple[str, str]]] = {}
    roots: dict[Path, Path | None] = {}
    for name in names:
        path = Path(name).absolute()
        folder = path.parent
        if folder not in roots:
            roots[folder] = next((f for f in (folder, *folder.parents) if _is_root(f)), None)
        root = roots[folder]
        if root is not None and "\n" not in name:
            by_root.setdefault(root, []).append((name, path.relative_to(root).as_posix()))
    found: dict[str, str | None] = {}
    for root, files in by_root.items():
        found.update(zip([n for n, _ in files], _blobs(root, [p for _, p in files]), strict=False))
    return found


def _is_root(folder: Path) -> bool:
    return (folder / ".git").exists()


def _blobs(root: Path, paths: Sequence[str]) -> list[str | None]:
    """Return what HEAD has under these paths; nothing at all where git is missing or fails."""
    asked = "".join(f"HEAD:{path}\n" for path in paths).encode()
    command = ["git", "-C", str(root), "cat-file", "--batch"]
    try:
        done = subprocess.run(  # noqa: S603  (no shell; paths go in by its standard input)
            command, input=asked, capture_output=True, check=False, timeout=_TIMEOUT
        )
    except (OSError, subprocess.TimeoutExpired):
        return []
    if done.returncode:
        return []
    found: list[str | None] = []
    at, data = 0, done.stdout
    while at < len(data):
        head, _, _ = data[at:].partition(b"\n")
        at += len(head) + 1
        kind = head.split()[-2:]
        if len(kind) == 2 and kind[0] == b"blob":
            size = int(kind[1])
            found.append(data[at : at + size].decode("utf-8", "replace"))
            at += size + 1
        else:
            found.append(None)
    return found
