"""From what a user names to a judge that can be asked: project, rubric, model, parameters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from judgekit.errors import InputError, UnknownName
from judgekit.importers.recorded import RecordedSet
from judgekit.importers.rubrics import load_rubric
from judgekit.judging.judge import Judge, Scoring
from judgekit.rubric.model import Rubric
from judgekit.running.model import ChatModel, open_model
from judgekit.storage.certificates import CertificateStore
from judgekit.storage.project import JudgeEntry, Project, open_project

_SUFFIXES = (".jinja", ".jinja2", ".j2")


@dataclass(frozen=True)
class JudgeSetup:
    """A judge together with everything needed to run it.

    Attributes:
        judge: The judge.
        entry: Its table in ``judgekit.toml``, or the defaults.
        project: The project it belongs to.
        rubric_file: Where its rubric stands.
        named: The words that name it on a command line.
    """

    judge: Judge
    entry: JudgeEntry
    project: Project
    rubric_file: str
    named: str

    @property
    def store(self) -> CertificateStore:
        """Return the project's certificates."""
        return CertificateStore(self.project.certificates)

    @property
    def open_model(self) -> Callable[[], ChatModel]:
        """Return a function that opens the model; nothing is opened or imported before."""
        model = _local_path(self.judge.model, self.project)
        return lambda: open_model(model, api_key_env=self.entry.api_key_env)


def load_judge(
    judge: str,
    *,
    project: Project | str | Path = ".",
    model: str | None = None,
    recorded: bool = False,
    overrides: dict[str, Any] | None = None,
) -> JudgeSetup:
    """Return the judge of that name in ``judgekit.toml``, or of that rubric file.

    Args:
        judge: A name in ``judgekit.toml``, or a rubric file (then with ``model`` or ``recorded``).
        project: The project, or a folder in it.
        model: The model to ask instead of the configured one.
        recorded: The judgments were made elsewhere: the judge never asks a model, and who it is
            is what the rows declare (:func:`as_recorded`).
        overrides: Other keys of the judge's table, such as ``{"api_base": ...}``.

    Raises:
        UnknownName: neither a name of the project nor a file.
        RubricError: the rubric has problems.
        InputError: no model is known to ask.
    """
    here = project if isinstance(project, Project) else open_project(project)
    name, entry, file = _find(judge, here)
    if overrides:
        entry = JudgeEntry.model_validate({**entry.model_dump(), **overrides})
    rubric = load_rubric(file)
    name = name or rubric.name
    if recorded:
        made = Judge(name=name, rubric=rubric, model="(recorded)", recorded=True)
        return JudgeSetup(made, entry, here, file, judge)
    asked = model or entry.model
    if asked is None:
        raise InputError(
            f"no model is known for {judge!r}",
            hint="name one with --model MODEL, or give recorded judgments: --judgments FILE",
        )
    named = f"{judge} --model {model}" if model else judge
    return JudgeSetup(_live(name, rubric, asked, entry), entry, here, file, named)


def as_recorded(setup: JudgeSetup, recorded: RecordedSet) -> JudgeSetup:
    """Return the setup of the judge that recorded rows declare: declared, not observed."""
    models = sorted(recorded.models)
    declared = recorded.judge or ", ".join(models) or "(not named)"
    parameters = {"models": models} if recorded.judge and models else {}
    judge = replace(setup.judge, model=declared, parameters=parameters, recorded=True)
    return replace(setup, judge=judge)


def _find(judge: str, project: Project) -> tuple[str | None, JudgeEntry, str]:
    """Return the judge's name (None for a bare rubric file), its entry and its rubric file."""
    if judge in project.configuration.judges:
        entry = project.entry(judge)
        return judge, entry, _relative(project.path(entry.rubric))
    path = Path(judge)
    if path.suffix in _SUFFIXES or path.exists():
        return None, JudgeEntry(rubric=judge), judge
    known = project.configuration.judges
    hint = None if known else "name a rubric file, or begin with: judgekit init"
    raise UnknownName("judge", judge, known, file=project.file, hint=hint)


def _relative(path: Path) -> str:
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)


def _live(name: str, rubric: Rubric, model: str, entry: JudgeEntry) -> Judge:
    local = model.startswith("local/")
    scoring: Scoring = entry.scoring or ("likelihood" if local else "generation")
    if scoring == "likelihood" and not local:
        raise InputError(
            f"scoring by likelihood needs a local model, not {model!r}",
            hint='leave scoring out, or use model = "local/smollm2-135m"',
        )
    parameters: dict[str, Any] = {}
    if scoring == "generation":
        parameters = {"max_tokens": entry.max_tokens, **entry.params}
        if entry.temperature is not None:
            parameters.setdefault("temperature", entry.temperature)
    return Judge(
        name=name,
        rubric=rubric,
        model=model,
        parameters=parameters,
        api_base=entry.api_base,
        replicates=entry.replicates if scoring == "generation" else 1,
        scoring=scoring,
        structured=entry.output == "schema",
    )


def _local_path(model: str, project: Project) -> str:
    """Keep ``local/NAME``; a weights file is looked for from the project's folder."""
    path = model.removeprefix("local/")
    if not model.startswith("local/"):
        return model
    if path.endswith(".gguf") and not Path(path).is_absolute():
        return f"local/{project.path(path)}"
    return model
