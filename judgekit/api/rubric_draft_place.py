"""Who drafts a rubric, where it is written, and what comes next."""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from shlex import quote
from typing import Any

from judgekit.api.setup import JudgeSetup, live_judge
from judgekit.errors import InputError
from judgekit.judging.judge import without_secrets
from judgekit.rubric.model import Criterion, Rubric
from judgekit.rubric.scale import Level, Scale
from judgekit.running.secrets import credentials_of, remember
from judgekit.storage.configuration_errors import checked
from judgekit.storage.disk import check_output, is_stream, shown, write_text
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
        _refuse_taken(Path(out))
        check_output(out, *reads, *precious(project))
        return str(out)
    folder = project.root / "rubrics"
    names = (f"{name}.jinja" if n == 1 else f"{name}-{n}.jinja" for n in count(1))
    return shown(next(path for path in map(folder.joinpath, names) if not path.exists()))


def _refuse_taken(path: Path) -> None:
    if path.exists() and not is_stream(path):
        raise InputError(
            "there is a file of that name already; nothing was written",
            hint="name another: --out FILE",
            file=str(path),
        )


def write_rubric(file: str, text: str) -> None:
    """Write a new rubric, whole or not at all.

    Raises:
        InputError: somebody wrote a file of that name meanwhile.
        StorageError: the disk would not have it.
    """
    _refuse_taken(Path(file))
    write_text(Path(file), text)


def next_commands(
    setup: JudgeSetup,
    file: str,
    items: str | Path | None,
    labels: str | Path | None,
    *,
    split: str | None,
    clean: bool,
    usable: bool,
) -> tuple[str, ...]:
    """Return the commands that come after a draft, in their order.

    Args:
        setup: Who drafted.
        file: The rubric.
        items: The items it was tried on.
        labels: The labels it was drafted from.
        split: How train was told in them: by their ``column``, or by ``hash``.
        clean: Nothing is wrong with it that is known.
        usable: It can be judged with.
    """
    if is_stream(Path(file)):
        return ()
    judge = f"{quote(file)}{_options(setup)}"
    found = [] if clean else [f"judgekit lint {quote(file)}"]
    if not usable:
        return tuple(found)
    if items is not None:
        found.append(f"judgekit try {judge} {quote(str(items))}")
    if labels is None:
        found.append(f"judgekit calibrate {judge} --labels LABELS")
        return tuple(found)
    with_text = "" if items is None else f" --items {quote(str(items))}"
    path = Path(labels)
    if split != "column":
        whole, path = path, path.with_name(f"{path.stem}-split{path.suffix}")
        found.append(f"judgekit split {quote(str(whole))}{with_text} --out {quote(str(path))}")
    told = f"{quote(str(path))}{with_text} --split test"
    found.append(f"judgekit calibrate {judge} --labels {told}")
    return tuple(found)


def _options(setup: JudgeSetup) -> str:
    """Return the options that name the model again."""
    base, entry = setup.entry.api_base, setup.entry
    if base is not None and without_secrets(base) != base.rstrip("/"):
        base = "URL"  # it has a secret, which is not said back
    said = {"--model": entry.model, "--api-base": base, "--api-key-env": entry.api_key_env}
    return "".join(f" {name} {quote(value)}" for name, value in said.items() if value is not None)
