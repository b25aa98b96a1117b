"""From what a user names to a judge that can be asked: project, rubric, model, parameters."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from judgekit.errors import InputError, UnknownName
from judgekit.importers.recorded import RecordedSet
from judgekit.importers.rubrics import load_rubric
from judgekit.judging.aliases import is_alias
from judgekit.judging.judge import Judge, Member, Scoring, panel_model, without_secrets
from judgekit.judging.votes import check_protocol
from judgekit.rubric.model import Rubric
from judgekit.running.model import ChatModel, open_model
from judgekit.running.panel import PanelModel
from judgekit.running.places import stated_base
from judgekit.running.prices import Price, price_of, price_per_million
from judgekit.running.secrets import credentials_of, remember
from judgekit.storage.configuration_errors import checked
from judgekit.storage.configuration_values import (
    check_model,
    check_parameters,
    check_place,
)
from judgekit.storage.project import JudgeEntry, PanelEntry, Project, open_project

if TYPE_CHECKING:
    from judgekit.storage.certificates import CertificateStore

_SUFFIXES = (".jinja", ".jinja2", ".j2")
TOP_LOGPROBS = 20
"""How many alternatives of each token are asked for: the most that endpoints give."""


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

    def __post_init__(self) -> None:
        """Refuse a judge that cannot be asked as it is, whoever made it.

        Raises:
            InputError: a parameter is none or holds a secret; an address is none.
        """
        for member in () if self.judge.recorded else self.judge.members:
            try:
                check_parameters(dict(member.parameters))
                check_place(member.api_base, without_secrets(member.api_base))
            except InputError as error:
                whose = f"judge {self.judge.name!r}, model {member.model!r}"
                raise InputError(f"{whose}: {error.message}", hint=error.hint) from None

    @property
    def store(self) -> CertificateStore:
        """Return the project's certificates."""
        from judgekit.storage.certificates import CertificateStore  # brings the statistics along

        return CertificateStore(self.project.certificates)

    @property
    def open_model(self) -> Callable[[], ChatModel]:
        """Return a function that opens the model; nothing is opened or imported before."""
        judge = self.judge
        if not judge.panel:
            return self._opener(judge.model, judge.api_base, self.entry.api_key_env)
        makers = {
            (m.model, m.api_base): self._opener(
                m.model, m.api_base, m.api_key_env or self.entry.api_key_env
            )
            for m in judge.panel
        }
        return lambda: PanelModel(makers)

    def price(self, model: str) -> Price | None:
        """Return what a model costs: as its member says, or the project, or litellm's list."""
        members = (m for m in self.entry.panel if m.model == model)
        stated = next((m.price for m in members if m.price is not None), self.entry.price)
        if stated is None:
            return price_of(model)
        return price_per_million(stated.input, stated.output)

    def _priced(self, model: str) -> bool:
        """Whether the project states what a model costs."""
        return self.entry.price is not None or any(
            m.model == model and m.price is not None for m in self.entry.panel
        )

    def _opener(
        self, model: str, api_base: str | None, api_key_env: str | None
    ) -> Callable[[], ChatModel]:
        entry = self.entry
        return lambda: open_model(
            _local_path(model, self.project),
            api_base=api_base,
            api_key_env=api_key_env,
            transport=entry.transport,
            system=entry.system,
            price=self.price if self._priced(model) else None,
        )


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
    if model is not None:
        _check_asked(model)
    name, entry, file = _find(judge, here)
    if overrides:
        entry = _overridden(entry, overrides)
    _remember_secrets(entry)
    rubric = load_rubric(file)
    if recorded:
        made = Judge(name=name or rubric.name, rubric=rubric, model="(recorded)", recorded=True)
        return JudgeSetup(made, entry, here, file, judge)
    if model is not None and model != entry.model:
        # The price was stated of another model, unless a member of the panel is asked alone.
        price = next((m.price for m in entry.panel if m.model == model), None)
        entry = entry.model_copy(update={"model": model, "panel": [], "price": price})
    named = judge if model is None else f"{judge} --model {model}"
    try:
        made = live_judge(name or rubric.name, rubric, entry)
        check_protocol(made)
        if entry.pinned:
            _check_pinned(made)
        return JudgeSetup(made, entry, here, file, named)
    except InputError as error:
        if name is not None and error.file is None:
            error.file, error.line = here.file, here.line("judges", name)
        raise


def _check_asked(model: str) -> None:
    """Refuse a model named beside the configuration that is none."""
    try:
        check_model(model)
    except InputError as error:
        hint = f"{error.hint}, or name none to ask the configured one"
        raise InputError(f"model: {error.message}", hint=hint) from None


def _check_pinned(judge: Judge) -> None:
    """Refuse a model whose provider may put another one behind its name."""
    for member in judge.members:
        if is_alias(member.model):
            raise InputError(
                f"{member.model!r} is an alias, and judge {judge.name!r} is pinned",
                hint="name a version by its date, for example openai/gpt-4.1-mini-2025-04-14, "
                "or leave out pinned",
            )


def _remember_secrets(entry: JudgeEntry) -> None:
    """Have everything that is kept or said from now on be without this judge's secrets."""
    entries: list[JudgeEntry | PanelEntry] = [entry, *entry.panel]
    for one in entries:
        remember(os.environ.get(one.api_key_env or ""), *credentials_of(one.api_base or ""))


def _overridden(entry: JudgeEntry, overrides: dict[str, Any]) -> JudgeEntry:
    """Return the entry with other values; a model takes the place of a panel, and a panel its."""
    replaced = {"model", "panel"} if overrides.keys() & {"model", "panel"} else set()
    kept = entry.model_dump(exclude_unset=True, exclude=replaced)
    return checked(JudgeEntry, {**kept, **overrides})


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
    if judge.strip() and (path.suffix in _SUFFIXES or path.exists()):
        return None, checked(JudgeEntry, {"rubric": judge}), judge
    known = project.configuration.judges
    hint = None if known else "name a rubric file, or begin with: judgekit init"
    raise UnknownName("judge", judge, known, file=project.file, hint=hint)


def _relative(path: Path) -> str:
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)


def _panel(entry: JudgeEntry) -> tuple[Member, ...]:
    """Return the models of a panel; what one does not say is the judge's own."""
    return tuple(
        Member(
            model=m.model,
            api_base=m.api_base or entry.api_base or stated_base(m.model),
            api_key_env=m.api_key_env,
            parameters=m.params,
        )
        for m in entry.panel
    )


def live_judge(name: str, rubric: Rubric, entry: JudgeEntry) -> Judge:
    """Return the judge that an entry describes."""
    panel = _panel(entry)
    model = panel_model(panel) if panel else entry.model
    if model is None:
        raise InputError(
            f"no model is known for {name!r}",
            hint="name one with --model MODEL, or give recorded judgments: --judgments FILE",
        )
    local = model.startswith("local/") and not panel
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
        if entry.probabilities:
            parameters = {"logprobs": True, "top_logprobs": TOP_LOGPROBS, **parameters}
    return Judge(
        name=name,
        rubric=rubric,
        model=model,
        parameters=parameters,
        api_base=entry.api_base or (None if panel else stated_base(model)),
        replicates=entry.replicates if scoring == "generation" else 1,
        scoring=scoring,
        structured=entry.output == "schema",
        panel=panel,
        rule=entry.rule,
        orders=entry.orders,
        inconsistent=entry.inconsistent,
        system_in_user=entry.system == "user",
    )


def _local_path(model: str, project: Project) -> str:
    """Keep ``local/NAME``; a weights file is looked for from the project's folder."""
    path = model.removeprefix("local/")
    if not model.startswith("local/"):
        return model
    if path.endswith(".gguf") and not Path(path).is_absolute():
        return f"local/{project.path(path)}"
    return model
