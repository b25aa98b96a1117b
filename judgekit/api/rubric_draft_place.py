"""Who drafts a rubric, where it is written, and what comes next."""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from typing import Any

from judgekit.api.rubric_new import create
from judgekit.api.setup import JudgeSetup, live_judge
from judgekit.errors import InputError
from judgekit.rubric.model import Criterion, Rubric
from judgekit.rubric.scale import Level, Scale
from judgekit.running.secrets import credentials_of, remember
from judgekit.storage.configuration_errors import checked
from judgekit.storage.disk import (
    check_output,
    disk_trouble,
    encoded,
    is_stream,
    shown,
    write_text,
)
from judgekit.storage.outputs import precious
from judgekit.storage.project import JudgeEntry, Project

_NOT_YET = "(draft)"
# A judge has a rubric, also before there is one: this one is never asked about.
_STAND_IN = Rubric(
    name="draft",
    version=1,
    inputs=("output",),
    criteria=(
        Criterion(
            name="draft",
            question="?",
            scale=Scale(
                kind="binary",
                levels=tuple(Level(value=n, name=str(n), definition="?") for n in (0, 1)),
            ),
        ),
    ),
    body="",
    templates={},
)


def drafter(project: Project, model: str | None, overrides: dict[str, Any]) -> JudgeSetup:
    """Return a judge of the model that drafts: the one named, or the one the project's judges use.

    Raises:
        InputError: no model is known, or several are.
    """
    entry = _project_entry(project) if model is None else {"model": model}
    made = checked(JudgeEntry, {"rubric": _NOT_YET, **entry, **overrides})
    remember(os.environ.get(made.api_key_env or ""), *credentials_of(made.api_base or ""))
    return JudgeSetup(live_judge("draft", _STAND_IN, made), made, project, _NOT_YET, "draft")


def _project_entry(project: Project) -> dict[str, Any]:
    """Return how the project's judges ask their one model."""
    kept = {"model", "api_base", "api_key_env", "transport", "concurrency", "timeout", "output"}
    kept |= {"temperature", "max_tokens", "params", "price", "system", "run_timeout"}
    kept |= {"requests_per_minute", "tokens_per_minute"}
    entries = [e for e in project.configuration.judges.values() if e.model and not e.panel]
    models = {(e.model, e.api_base): e for e in entries}
    if len(models) != 1:
        several = ", ".join(sorted({str(e.model) for e in entries}))
        raise InputError(
            f"the project's judges use several models: {several}"
            if models
            else "no model is known to draft with",
            hint="name the one that drafts: --model MODEL",
            file=project.file,
        )
    (entry,) = models.values()
    return entry.model_dump(include=kept, exclude_unset=True)


def place_of(
    project: Project,
    out: str | Path | None,
    name: str,
    *,
    reads: Sequence[str | Path | None] = (),
) -> str:
    """Return the file a rubric is written to; never one that is there.

    Args:
        project: The project.
        out: The file that was asked for, or None.
        name: The rubric's name, for a file that was not asked for.
        reads: Files that are read.

    Raises:
        InputError: the file asked for is there, or cannot be.
    """
    if out is not None:
        if not str(out).strip():
            raise InputError("--out names no file", hint="leave it out, or name one")
        _refuse_taken(Path(out))
        check_output(out, *reads, *precious(project))
        check_folder(Path(out))
        return str(out)
    folder = project.root / "rubrics"
    check_folder(folder / name)
    return shown(free_path(folder / f"{name}.jinja"))


def free_path(path: Path) -> Path:
    """Return a path at which nothing stands: this one, or one with a number in its name."""
    names = (path.with_name(f"{path.stem}-{n}{path.suffix}") for n in count(2))
    return path if not _is_taken(path) else next(one for one in names if not _is_taken(one))


def _is_taken(path: Path) -> bool:
    """Whether something stands there: also a link that leads nowhere."""
    return os.path.lexists(path)


def _refuse_taken(path: Path) -> None:
    if _is_taken(path) and not is_stream(path):
        raise InputError(
            "there is a file of that name already; nothing was written",
            hint="name another: --out FILE",
            file=str(path),
        )


def check_folder(path: Path) -> None:
    """Refuse a place where no file can be written, before anything is paid for.

    Raises:
        InputError: says why.
    """
    if is_stream(path):
        return
    folder = next(one for one in path.absolute().parents if _is_taken(one))
    if not folder.is_dir() or not os.access(folder, os.W_OK):
        why = "takes no new file" if folder.is_dir() else "is no folder"
        raise InputError(
            f"{shown(folder)} {why}; nothing was asked",
            hint="name another place: --out FILE",
            file=str(path),
        )


def write_rubric(file: str, text: str) -> None:
    """Write a new rubric, whole or not at all; no file is ever replaced.

    Raises:
        InputError: somebody wrote a file of that name meanwhile.
        StorageError: the disk would not have it.
    """
    path = Path(file)
    if is_stream(path):
        write_text(path, text)
        return
    with disk_trouble(file):
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            create(path, encoded(text))
        except FileExistsError:
            _refuse_taken(path)
            raise
