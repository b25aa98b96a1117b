"""A judge written down as a file that works as it stands in another runner."""

from __future__ import annotations

import builtins
import keyword
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from judgekit.adapters.lent import LentJudge
from judgekit.adapters.table import PROVIDERS, RUNNERS, Runner
from judgekit.api.setup import JudgeSetup
from judgekit.errors import InputError, UnknownName
from judgekit.judging.judge import without_secrets
from judgekit.reports.words import printable
from judgekit.rubric.model import Criterion


class Exported(NamedTuple):
    """What was written for a runner.

    Attributes:
        text: The Python file.
        variables: What the file defines, each with the certificate that it is tied to.
    """

    text: str
    variables: dict[str, str]


def find_runner(name: str, *, provider: bool = False) -> Runner:
    """Return the runner of that name, or what takes the place of the model behind its rubrics.

    Raises:
        UnknownName: there is none of that name.
        InputError: it has no such place.
    """
    found = next((runner for runner in RUNNERS if runner.name == name), None)
    if found is None:
        raise UnknownName("runner", name, [runner.name for runner in RUNNERS])
    if not provider:
        return found
    behind = next((runner for runner in PROVIDERS if runner.name == name), None)
    if behind is None:
        names = ", ".join(runner.name for runner in PROVIDERS)
        raise InputError(
            f"{name} has no rubrics of its own that a judge could stand behind",
            hint=f"leave out --provider; it is for: {names}",
        )
    return behind


def export_judge(
    judge: str,
    setup: JudgeSetup,
    runner: Runner,
    folder: Path,
    *,
    criteria: Sequence[str] | None = None,
    overrides: Mapping[str, str] | None = None,
    command: str,
) -> Exported:
    """Return a file that lends a certified judge to a runner, tied to its certificate of now.

    The judge is asked for at the gate each time the file is used; with another certificate than
    the one it carries, or without one that holds, it gives no value there.

    Args:
        judge: A name of the project, or a rubric file.
        setup: The judge of that name.
        runner: The runner.
        folder: Where the file will stand; it finds the project from there.
        criteria: The criteria asked for; all by default.
        overrides: What was said instead of the project's own: ``model``, ``api_base`` ...
        command: The words that make the file again.

    Raises:
        GateRefusal: the judge is not certified on a criterion.
        InputError: there is no such criterion, or the file would hold a secret.
    """
    base = (overrides or {}).get("api_base")
    if base is not None and without_secrets(base) != base.rstrip("/"):
        raise InputError(
            "the address holds a secret, and would stand in the file",
            hint="put the key into a variable of the environment: --api-key-env NAME",
        )
    rubric = setup.judge.rubric
    asked = [rubric.criterion(name) for name in criteria or ()] or [*rubric.criteria]
    groups = [asked] if runner.several else [[criterion] for criterion in asked]
    named = _named(judge, setup, folder)
    variables: dict[str, str] = {}
    parts: list[str] = []
    for group in groups:
        lent = LentJudge(setup, [criterion.name for criterion in group])
        lent.preflight()
        name = runner.variable or _variable(lent, group, runner)
        variables[name] = str(lent.version)
        how = _how(setup, folder, group, overrides or {}) | {"certificate": _text(lent.version)}
        parts.append(_call(name, runner, named, how))
    head = _head(setup, runner, command)
    return Exported(f"{head}\n" + "\n".join(parts), variables)


def _head(setup: JudgeSetup, runner: Runner, command: str) -> str:
    names = [runner.factory, *runner.decorator[1:]]
    return f'''"""The judge {_quoted(setup.judge.name)} for {runner.name}.

It is tied to the certificate below: with another one, or with none that holds, it gives no value.
Once the judge has a new certificate, make this file again: {_quoted(command)}
"""

from pathlib import Path

from judgekit.adapters.{runner.module} import {", ".join(sorted(names))}

HERE = Path(__file__).resolve().parent
'''


def _quoted(text: str) -> str:
    """Return text that cannot end the string it stands in."""
    return printable(text).replace("\\", "\\\\").replace('"', '\\"')


def _call(variable: str, runner: Runner, judge: str, how: Mapping[str, str]) -> str:
    """Return the lines that make one judge of the runner."""
    given = [f"    {name}={value}," for name, value in how.items()]
    lines = [f"{runner.factory}(", f"    {judge},", *given, ")"]
    if not runner.decorator:
        return "\n".join([f"{variable} = {lines[0]}", *lines[1:], ""])
    inner = [f"    return {lines[0]}", *(f"    {line}" for line in lines[1:])]
    return "\n".join(["", runner.decorator[0], f"def {variable}():", *inner, ""])


def _how(
    setup: JudgeSetup, folder: Path, group: Sequence[Criterion], overrides: Mapping[str, str]
) -> dict[str, str]:
    """Return how the judge is lent, as Python text."""
    how = {"project": _place(setup.project.root, folder)}
    names = [criterion.name for criterion in group]
    if names != [criterion.name for criterion in setup.judge.rubric.criteria] or len(names) > 1:
        how["criterion"] = _text(names[0] if len(names) == 1 else names)
    return how | {name: _text(value) for name, value in overrides.items()}


def _named(judge: str, setup: JudgeSetup, folder: Path) -> str:
    """Return the judge's name, or where its rubric stands, as Python text."""
    if judge in setup.project.configuration.judges:
        return _text(judge)
    return _place(Path(judge), folder)


def _place(place: Path, folder: Path) -> str:
    """Return a path as Python text, seen from where the file stands."""
    relative = os.path.relpath(place.resolve(), folder.resolve())
    return "str(HERE)" if relative == os.curdir else f"str(HERE / {_text(relative)})"


def _text(value: object) -> str:
    """Return a text, or a list of them, as Python has it; double quotes are the usual ones."""
    if isinstance(value, list):
        return f"[{', '.join(map(_text, value))}]"
    text = repr(value)
    return text if '"' in text or "\\" in text else text.replace("'", '"')


def _variable(lent: LentJudge, group: Sequence[Criterion], runner: Runner) -> str:
    name = lent.columns[group[0].name] if len(group) == 1 else lent.name
    plain = name.isidentifier() and not keyword.iskeyword(name)
    taken = {"HERE", "Path", runner.factory, *runner.decorator[1:], *dir(builtins)}
    return name if plain and name not in taken else f"judge_{name}"
