"""Earlier states of rubrics: what git has of them, and what certificates were issued for."""

from __future__ import annotations

import contextlib
import json
import os
import stat
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from judgekit.importers.committed import Committed, committed
from judgekit.importers.rubrics import template_loader
from judgekit.linting.state import state_of
from judgekit.linting.subject import Earlier
from judgekit.rubric.parse import parse

_PROJECT = "judgekit.toml"
_CERTIFICATES = "certificates"
_LARGEST = 5_000_000
"""Bytes; a certificate, or the configuration of a project, is far smaller."""


class Known(NamedTuple):
    """What is known of earlier states of one file, before it is read.

    Attributes:
        at_head: What git has of it, where that is another.
        certified: States that certificates were issued for, each with the rubric's name.
    """

    at_head: Committed | None = None
    certified: tuple[tuple[str, Earlier], ...] = ()

    @property
    def committed(self) -> str | None:
        """Return the text that git has, where it is another."""
        return self.at_head.text if self.at_head else None


def known_states(texts: Mapping[str, str], certificates: Iterable[Path] = ()) -> dict[str, Known]:
    """Return what is known of earlier states of rubric files, by file.

    Args:
        texts: Rubric files and what is in them now.
        certificates: Certificate files beside those of the places where the rubrics stand; one
            that cannot be read says nothing here.
    """
    at_head = committed(texts)
    files = dict.fromkeys([*certificates, *certificates_of(texts)])
    certified = [found for found in map(_certified, files) if found]
    return {
        name: Known(at_head.get(name), tuple(one for one in certified if one[0] in text))
        for name, text in texts.items()
    }


def read_states(name: str, text: str, known: Known) -> list[Earlier]:
    """Return the earlier states of a rubric file; those of other rubrics are left out."""
    found = []
    load = template_loader(Path(name).parent)
    if known.at_head is not None:
        before, where, templates = known.at_head
        rubric, _ = parse(before, load=lambda n: templates[n] if n in templates else load(n))
        if rubric is not None:
            parts = {c.name: state_of(rubric, c) for c in rubric.criteria}
            found.append(Earlier(where, rubric.version, parts))
    if known.certified:
        rubric, _ = parse(text, load=load)
        mine = rubric.name if rubric is not None else None
        found += [state for rubric_name, state in known.certified if rubric_name == mine]
    return found


def certificates_of(names: Iterable[str]) -> list[Path]:
    """Return the certificate files that may be about rubric files, by where they stand.

    They are those of the project a file belongs to. A file without one may have been certified
    from its own folder, from one above, or from the current one: ``judgekit calibrate`` makes a
    folder of certificates there.
    """
    folders = {Path(os.path.abspath(folder)) for folder in set(map(os.path.dirname, names))}  # noqa: PTH100
    roots: dict[Path, None] = {}
    for folder in sorted(folders):
        root = _project_of(folder)
        alone = () if root else (_certified_near(folder), _project_of(Path.cwd()) or Path.cwd())
        roots |= dict.fromkeys(filter(None, (root, *alone)))
    found: list[Path] = []
    for root in roots:
        with contextlib.suppress(OSError, ValueError):  # no such folder; no name for one
            found += sorted(p for p in _certificate_folder(root).iterdir() if p.suffix == ".json")
    return found


def _project_of(folder: Path) -> Path | None:
    """Return the project that a folder belongs to."""
    above = (folder, *folder.parents)
    return next((f for f in above if os.path.isfile(f / _PROJECT)), None)  # noqa: PTH113


def _certified_near(folder: Path) -> Path | None:
    """Return the nearest folder upwards that holds certificates, none outside the repository."""
    for place in (folder, *folder.parents):
        if os.path.isdir(place / _CERTIFICATES):  # noqa: PTH112
            return place
        if os.path.exists(place / ".git"):  # noqa: PTH110
            return None
    return None


def _certificate_folder(root: Path) -> Path:
    """Return where a project keeps its certificates; the usual place where that is not known."""
    import tomllib  # takes longer than a look at one rubric

    try:
        document = tomllib.loads(read_small(root / _PROJECT))
        return root / str(document["paths"][_CERTIFICATES])
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return root / _CERTIFICATES


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
