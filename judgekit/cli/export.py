"""``judgekit export``."""

from __future__ import annotations

import contextlib
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from shlex import quote
from typing import Annotated, Any

import typer

from judgekit.adapters.export import export_judge, find_runner
from judgekit.adapters.formats.table import FORMATS, Format
from judgekit.adapters.scored import read_scored
from judgekit.adapters.table import RUNNERS, Runner
from judgekit.api.setup import JudgeSetup
from judgekit.cli import options as opt
from judgekit.cli.run import FINE
from judgekit.cli.screen import document_or_lines
from judgekit.errors import InputError, UnknownName
from judgekit.reports.export import exported_json, judge_lines, list_lines, scored_lines
from judgekit.storage.disk import check_output, disk_trouble, is_stream, write_text
from judgekit.storage.outputs import precious
from judgekit.storage.project import open_project

_HEAD = re.compile(r'^"""The judge .* for ([\w-]+)\.$', re.MULTILINE)

Target = Annotated[
    str | None, typer.Argument(metavar="RUNNER", help="A runner or a form of rows; see --list.")
]
Judge = Annotated[
    str | None, typer.Argument(metavar="JUDGE", help="A name in judgekit.toml, or a rubric file.")
]
Out = Annotated[
    str | None, typer.Option("--out", metavar="FILE", help="Default: judgekit_JUDGE.py ...")
]
ScoresFile = Annotated[
    str | None, typer.Option("--scores", metavar="FILE", help="What `score --out` has written.")
]
Provider = Annotated[
    bool, typer.Option("--provider", help="promptfoo: the judge behind `llm-rubric` assertions.")
]
Force = Annotated[bool, typer.Option("--force", help="Replace the file when it is there.")]
ListThem = Annotated[
    bool, typer.Option("--list", help="List runners and forms, and how each says no score.")
]


def export(
    ctx: typer.Context,
    runner: Target = None,
    judge: Judge = None,
    out: Out = None,
    scores: ScoresFile = None,
    provider: Provider = False,
    criterion: opt.Criteria = None,
    model: opt.Model = None,
    api_base: opt.ApiBase = None,
    api_key_env: opt.ApiKeyEnv = None,
    force: Force = False,
    list_them: ListThem = False,
    as_json: opt.Json = False,
) -> int:
    """Write a certified judge as a file that works in another runner, or its scores for a program.

    The file carries the judge's certificate and asks the gate on every use. A judge that is not
    certified is refused (exit 3), and nothing is written. The forms otel, junit, csv, jsonl and
    inspect-scores write what `judgekit score --out` has written: with --scores.
    """
    params = ctx.params
    if list_them:
        return _list(as_json=as_json)
    if runner is None or judge is None:
        raise InputError("name a runner and a judge", hint="judgekit export --list")
    form = next((one for one in FORMATS if one.name == runner), None)
    _check_together(params, form)
    if form is not None:
        return _write_scores(form, params)
    return _write_judge(find_runner(runner, provider=provider), params)


def _list(*, as_json: bool) -> int:
    runners = [
        {"name": one.name, "needs": ", ".join(one.packages) or one.name, "no_score": one.unscored}
        for one in RUNNERS
    ]
    forms = [{"name": one.name, "is": one.told, "no_score": one.unscored} for one in FORMATS]
    document = {"format": "judgekit.exports/1", "runners": runners, "forms": forms}
    document_or_lines(document, list_lines(runners, forms), as_json=as_json)
    return FINE


def _check_together(params: dict[str, Any], form: Format | None) -> None:
    """Refuse options that do not go with what is asked for."""
    runner = params["runner"]
    if form is None and runner not in {one.name for one in RUNNERS}:
        raise UnknownName(
            "runner", runner, [*(r.name for r in RUNNERS), *(f.name for f in FORMATS)]
        )
    if form is None and params["scores"] is not None:
        names = ", ".join(one.name for one in FORMATS)
        raise InputError("--scores goes with a form of rows", hint=f"one of: {names}")
    if form is not None and params["scores"] is None:
        raise InputError(
            f"{runner} writes scored rows, and --scores names none",
            hint=f"judgekit score {quote(params['judge'])} ITEMS --out scores.jsonl, then "
            "--scores scores.jsonl",
        )
    given = [name for name in ("api_base", "api_key_env", "provider") if params[name]]
    if form is not None and given:
        raise InputError(f"--{given[0].replace('_', '-')} does not go with {runner}")


def _write_judge(runner: Runner, params: dict[str, Any]) -> int:
    setup = opt.setup_of(params)
    ending = "_provider.py" if params["provider"] else ".py"
    place = _place(params, setup.judge.name, ending, opt.files_of(setup, params))
    names = ("model", "api_base", "api_key_env")
    exported = export_judge(
        params["judge"],
        setup,
        runner,
        Path.cwd() if is_stream(place) else place.resolve().parent,
        criteria=params["criterion"],
        overrides={name: params[name] for name in names if params[name] is not None},
        command=_command(params, setup),
    )
    write_text(place, exported.text)
    variables, file = exported.variables, str(place)
    document = exported_json(
        runner.name, setup.judge.name, file, [*variables.values()], variables=[*variables]
    )
    lines = judge_lines(
        runner.name, setup.judge.name, file, variables, _use(runner, place, variables)
    )
    document_or_lines(document, lines, as_json=params["as_json"])
    return FINE


def _use(runner: Runner, place: Path, variables: Iterable[str]) -> dict[str, str]:
    """Return how the file is used."""
    told = {}
    if runner.packages:
        told["Needs"] = f"{' and '.join(runner.packages)}, in judgekit's own environment"
    if runner.variable is not None:
        told["Use"] = f"file://{place.name}"
    elif place.stem.isidentifier():
        told["Use"] = f"from {place.stem} import {', '.join(variables)}"
    if runner.decorator:
        told["Call it"] = " or ".join(f"{name}()" for name in variables)
    return told


def _write_scores(form: Format, params: dict[str, Any]) -> int:
    project, source = open_project(), params["scores"]
    scored = read_scored(
        params["judge"],
        source,
        project=project,
        model=params["model"],
        criteria=params["criterion"],
    )
    place = _place(params, scored.judge, form.suffix, [source, *precious(project)])
    with disk_trouble(source, "cannot be read"):
        at = datetime.fromtimestamp(Path(source).stat().st_mtime, UTC)
    write_text(place, form.write(scored, at))
    rows: Counter[str] = Counter(one.outcome.status for one in scored.items)
    ids = [certificate.id for certificate in scored.certificates.values()]
    document = exported_json(form.name, scored.judge, str(place), ids, rows=dict(rows))
    lines = scored_lines(form.told, scored.judge, str(place), rows, ids)
    document_or_lines(document, lines, as_json=params["as_json"])
    return FINE


def _place(
    params: dict[str, Any], judge: str, ending: str, kept: Sequence[str | Path | None]
) -> Path:
    """Return where to write, if nothing stands there that must stay."""
    word = "".join(ch if ch.isalnum() and ch.isascii() else "_" for ch in judge)
    place = Path(params["out"] or f"judgekit_{word}{ending}")
    check_output(place, *kept)
    if place.exists() and not is_stream(place) and not params["force"]:
        raise InputError(
            f"there is such a file already{_made_for(place)}",
            file=str(place),
            hint="name another one with --out FILE, or replace it with --force",
        )
    return place


def _made_for(place: Path) -> str:
    """Return which runner a file was exported for, where it was; all have one name by default."""
    with contextlib.suppress(OSError, UnicodeDecodeError):
        found = _HEAD.search(place.read_text("utf-8"))
        return f", made for {found[1]}" if found else ""
    return ""


def _command(params: dict[str, Any], setup: JudgeSetup) -> str:
    """Return the words that make the same file again."""
    words = ["judgekit export", params["runner"], setup.named]
    words += [word for name in params["criterion"] or () for word in ("--criterion", quote(name))]
    words += ["--provider"] if params["provider"] else []
    return " ".join(words)
