"""Options that several commands share, each defined once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from judgekit.api.material import ReadOptions
from judgekit.api.setup import JudgeSetup, load_judge
from judgekit.cli import flags
from judgekit.errors import InputError
from judgekit.importers.columns import ColumnOptions
from judgekit.judging.judge import without_secrets
from judgekit.labels.levelmap import parse_level_map
from judgekit.storage.outputs import precious

if TYPE_CHECKING:
    from judgekit.calibration.production import Stated

Json = flags.Json
JudgeName = Annotated[
    str, typer.Argument(metavar="JUDGE", help="A name in judgekit.toml, or a rubric file.")
]
Model = Annotated[
    str | None, typer.Option(metavar="MODEL", help="Ask this model instead of the configured one.")
]
ApiBase = Annotated[
    str | None, typer.Option(metavar="URL", help="Address of an OpenAI-compatible endpoint.")
]
ApiKeyEnv = Annotated[
    str | None, typer.Option(metavar="NAME", help="Environment variable that holds the key.")
]
Concurrency = Annotated[
    int | None, typer.Option(min=1, metavar="N", help="Calls in flight at once, 1024 at most.")
]
MaxCost = Annotated[
    float | None, typer.Option(min=0, metavar="USD", help="Never spend more than this on calls.")
]
MaxTime = Annotated[
    float | None,
    typer.Option(min=0.001, metavar="SECONDS", help="End the run after so long; go on later."),
]
Transport = Annotated[
    Literal["auto", "litellm", "direct"] | None,
    typer.Option(help="Through litellm, or directly to an OpenAI-compatible endpoint."),
]
Offline = Annotated[
    bool, typer.Option("--offline", help="Cache only: a reply that is not there is an error.")
]
Refresh = Annotated[
    bool, typer.Option("--refresh", help="Ask anew, past the cache; stopped, it begins again.")
]
ItemColumn = Annotated[str | None, typer.Option(metavar="COLUMN", help="Column of the item ids.")]
RaterColumn = Annotated[str | None, typer.Option(metavar="COLUMN", help="Column of the raters.")]
LevelColumn = Annotated[str | None, typer.Option(metavar="COLUMN", help="Column of the levels.")]
CriterionColumn = Annotated[
    str | None, typer.Option(metavar="COLUMN", help="Column of the criteria.")
]
CaseColumn = Annotated[
    str | None, typer.Option(metavar="COLUMN", help="Column of the cases (items of one group).")
]
RaterColumns = Annotated[
    str | None,
    typer.Option(metavar="A,B", help="Wide form: one column for each rater."),
]
LevelMap = Annotated[
    list[str] | None,
    typer.Option(metavar="FROM=TO", help="Rename levels while reading: pass=1,fail=0."),
]
Judgments = Annotated[
    str | None,
    typer.Option(metavar="FILE", help="Recorded judgments of a judge that ran elsewhere."),
]
JudgeId = Annotated[
    str | None, typer.Option(metavar="NAME", help="Which judge of a file that mixes judges.")
]
Where = Annotated[
    list[str] | None,
    typer.Option(metavar="COLUMN=VALUE", help="Only items whose column says so; repeatable."),
]
CriterionName = Annotated[
    str | None, typer.Option("--criterion", metavar="NAME", help="Only this criterion.")
]


Labels = Annotated[
    str | None, typer.Option(metavar="FILE", help="Human labels; default: the project's.")
]
Items = Annotated[
    str | None,
    typer.Option(metavar="FILE", help="The items' text, where the labels do not carry it."),
]
Reference = Annotated[
    Literal["pooled", "majority"],
    typer.Option(help="Several raters: every label counts, or their majority."),
]
Adjudicator = Annotated[
    str, typer.Option(metavar="RATER", help="The rater whose labels settle an item.")
]
Split = Annotated[
    str | None, typer.Option(metavar="NAME", help="The part of the labels to measure on.")
]
Sampling = Annotated[
    Literal["random", "stratified", "convenience"] | None,
    typer.Option(help="How the labelled items were drawn; kept with the certificate."),
]
Slice = Annotated[
    list[str] | None,
    typer.Option("--slice", metavar="COLUMN", help="Agreement by this column, too; repeatable."),
]
Prevalence = Annotated[
    str | None,
    typer.Option(metavar="SHARE", help="Share that passes in production: kappa is shown there."),
]
RevealOption = Annotated[
    Literal["full", "none"],
    typer.Option(help="none: show the verdict and the labels needed, and nothing to fit to."),
]
Disagreements = Annotated[
    str | None, typer.Option(metavar="FILE", help="Write what differs, worst first.")
]
ScoreItems = Annotated[
    str | None, typer.Argument(metavar="ITEMS", help="The items to score: JSONL or CSV.")
]
Population = Annotated[
    Literal["same", "shifted", "unknown"],
    typer.Option(
        help="The items: of the same population as the labels, or shifted in their mix of levels."
    ),
]
Out = Annotated[str | None, typer.Option(metavar="FILE", help="Write one JSONL row an item.")]
Criteria = Annotated[
    list[str] | None,
    typer.Option("--criterion", metavar="NAME", help="Score this criterion; repeatable."),
]
LabelsBehind = Annotated[
    str | None,
    typer.Option(metavar="FILE", help="The labelled set behind the certificate, if it moved."),
]


def setup_of(params: Mapping[str, Any]) -> JudgeSetup:
    """Return the judge that a command's parameters name."""
    names = ("api_base", "api_key_env", "concurrency", "transport")
    given = {name: params[name] for name in names if params.get(name) is not None}
    if params.get("max_time") is not None:
        given["run_timeout"] = params["max_time"]
    if params.get("offline") and params.get("refresh"):
        raise InputError(
            "--offline makes no call, and --refresh asks everything anew",
            hint="leave one of the two out",
        )
    setup = load_judge(
        params["judge"],
        model=params.get("model"),
        recorded=params.get("judgments") is not None,
        overrides=given,
    )
    return replace(setup, named=_named(params))


def _named(params: Mapping[str, Any]) -> str:
    """Return the words that name the same judge in another command: the model comes last."""
    base = params.get("api_base")
    if base is not None and without_secrets(base) != base.rstrip("/"):
        base = "URL"  # it has a secret, which is not said back
    said = {
        "--api-base": base,
        "--api-key-env": params.get("api_key_env"),
        "--judge-id": params.get("judge_id"),
        "--model": params.get("model"),
    }
    options = [(name, quote(value)) for name, value in said.items() if value is not None]
    return " ".join([quote(params["judge"]), *(word for option in options for word in option)])


def files_of(setup: JudgeSetup, params: Mapping[str, Any]) -> list[str | Path | None]:
    """Return what no output may replace: what the command reads, and what the project keeps."""
    named = [params.get(name) for name in ("labels", "items", "judgments")]
    here = [setup.project.path(n) for n in (setup.entry.labels, setup.entry.items) if n is not None]
    return [*named, setup.rubric_file, *here, *precious(setup.project)]


def reading_of(params: Mapping[str, Any]) -> ReadOptions:
    """Return how a command's parameters want files to be read."""
    names = ("item", "rater", "level", "criterion", "case")
    raters = (params.get("rater_columns") or "").split(",")
    criterion = params.get("criterion")
    if isinstance(criterion, list | tuple):  # of several asked for, none is the one to read
        criterion = criterion[0] if len(criterion) == 1 else None
    return ReadOptions(
        columns=ColumnOptions(**{name: params.get(f"{name}_column") for name in names}),
        level_map=parse_level_map(params.get("level_map") or ()),
        rater_columns=tuple(name.strip() for name in raters if name.strip()),
        criterion=criterion,
        where=tuple(params.get("where") or ()),
        judge_id=params.get("judge_id"),
        split=params.get("split"),
        reference=params.get("reference", "pooled"),
        adjudicator=params.get("adjudicator", "adjudicated"),
    )


def prevalence_of(params: Mapping[str, Any]) -> Stated | None:
    """Return the stated shares of production, or None."""
    from judgekit.calibration.production import parse_prevalence  # brings the statistics along

    said = params.get("prevalence")
    return None if said is None else parse_prevalence(said)
