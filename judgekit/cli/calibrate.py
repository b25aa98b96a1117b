"""``judgekit calibrate``."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path
from shlex import quote
from typing import Any

import typer

from judgekit.api.again import option_words, reading_words
from judgekit.api.calibrate import calibrate as calibrate_judge
from judgekit.api.material import ReadOptions
from judgekit.api.setup import JudgeSetup
from judgekit.calibration.result import Calibration
from judgekit.cli import options as opt
from judgekit.cli.run import CALLS_FAILED, FALLS_SHORT, FINE
from judgekit.cli.screen import document_or_lines, progress, remark, told_at_end
from judgekit.errors import InputError
from judgekit.importers.columns import ColumnOptions
from judgekit.importers.table import read_table
from judgekit.reports.advice import Named
from judgekit.reports.calibration import calibration_lines
from judgekit.reports.calibration import disagreements as differing
from judgekit.reports.calibration_json import calibration_json
from judgekit.reports.rows import outcome_row
from judgekit.storage.disk import check_output, shown, write_text


def calibrate(
    ctx: typer.Context,
    judge: opt.JudgeName,
    labels: opt.Labels = None,
    items: opt.Items = None,
    judgments: opt.Judgments = None,
    model: opt.Model = None,
    criterion: opt.CriterionName = None,
    judge_id: opt.JudgeId = None,
    where: opt.Where = None,
    level_map: opt.LevelMap = None,
    item_column: opt.ItemColumn = None,
    rater_column: opt.RaterColumn = None,
    level_column: opt.LevelColumn = None,
    criterion_column: opt.CriterionColumn = None,
    case_column: opt.CaseColumn = None,
    rater_columns: opt.RaterColumns = None,
    reference: opt.Reference = "pooled",
    adjudicator: opt.Adjudicator = "adjudicated",
    split: opt.Split = None,
    sampling: opt.Sampling = None,
    prevalence: opt.Prevalence = None,
    slice_by: opt.Slice = None,
    reveal: opt.RevealOption = "full",
    disagreements: opt.Disagreements = None,
    api_base: opt.ApiBase = None,
    api_key_env: opt.ApiKeyEnv = None,
    concurrency: opt.Concurrency = None,
    max_cost: opt.MaxCost = None,
    max_time: opt.MaxTime = None,
    transport: opt.Transport = None,
    offline: opt.Offline = False,
    refresh: opt.Refresh = False,
    as_json: opt.Json = False,
) -> int:
    """Measure a judge against human labels; certify it or say why not.

    Ends calibrated (exit 0), not calibrated or inconclusive (1), or without a verdict because
    too many items were never answered (4). Only the first writes a certificate.
    """
    result = _calibration(ctx.params)
    if disagreements is not None:
        _write_disagreements(result, Path(disagreements))
    remark([] if as_json else [f"note: {note}" for note in result.notes])
    lines = calibration_lines(result, _named(ctx.params))
    document_or_lines(calibration_json(result), lines, as_json=as_json)
    if result.verdict is None:
        return CALLS_FAILED
    return FINE if result.verdict == "calibrated" else FALLS_SHORT


def _calibration(params: dict[str, Any]) -> Calibration:
    if params["reveal"] == "none" and params["disagreements"] is not None:
        raise InputError(
            "--reveal none shows no single item, and --disagreements asks for them",
            hint="leave one of the two out",
        )
    setup = opt.setup_of(params)
    labels, items = chosen_files(setup, params)
    check_output(params["disagreements"], labels, items, *opt.files_of(setup, params))
    quiet = params["as_json"]
    title = f"Judging with {setup.judge.model}"
    with told_at_end(quiet=quiet), progress(title, quiet=quiet) as report:
        return calibrate_judge(
            setup,
            labels,
            items=items,
            judgments=params["judgments"],
            options=opt.reading_of(params),
            sampling=params["sampling"],
            progress=report,
            max_cost_usd=params["max_cost"],
            offline=params["offline"],
            refresh=params["refresh"],
            reveal=params["reveal"],
            prevalence=opt.prevalence_of(params),
            slices=tuple(params["slice_by"] or ()),
        )


def chosen_files(setup: JudgeSetup, params: dict[str, Any]) -> tuple[str | Path, str | Path | None]:
    """Return the label file and the item file: those named, or those the project names."""
    labels, items, entry = params["labels"], params["items"], setup.entry
    if labels is not None:
        return labels, items
    if entry.labels is None:
        raise InputError(
            f"no labels are named for {params['judge']!r}",
            hint="name the labelled set: --labels FILE, or labels = ... in judgekit.toml",
        )
    if items is None and entry.items is not None:
        items = setup.project.path(entry.items)
    return shown(setup.project.path(entry.labels)), items


def _named(params: dict[str, Any]) -> Named:
    setup, options = opt.setup_of(params), opt.reading_of(params)
    labels, items = chosen_files(setup, params)
    words = quote(str(labels)) + option_words([("--items", None if items is None else str(items))])
    measured = [(f"--{name}", params[name]) for name in ("sampling", "prevalence")]
    measured += [("--slice", column) for column in params["slice_by"] or ()]
    words += reading_words(options) + option_words(measured)
    return Named(setup.named, words, reading_words(_for_scores(options, labels, items, params)))


def _for_scores(
    options: ReadOptions,
    labels: str | Path,
    items: str | Path | None,
    params: dict[str, Any],
) -> ReadOptions:
    """Return what of the reading options counts for what is scored: it is like what was judged."""
    judgments = params["judgments"]
    kept = ReadOptions(criterion=options.criterion)
    names: tuple[str, ...] = ("item", "case")
    if judgments is not None:
        kept = replace(kept, level_map=options.level_map, where=options.where)
        names = ("item", "level", "criterion", "case")
    if options.columns == ColumnOptions():
        return kept
    table = read_table(judgments or items or labels)
    there = {
        name: said
        for name, said in asdict(options.columns).items()
        if name in names and said in table.columns
    }
    return replace(kept, columns=ColumnOptions(**there))


def _write_disagreements(result: Calibration, path: Path) -> None:
    lines = []
    for found in result.criteria:
        names = found.spec.names
        human: dict[str, dict[str, str]] = {}
        for row in found.rows:
            if row.human is not None and row.rater is not None:
                human.setdefault(row.item, {})[row.rater] = names[row.human]
        for item in differing(found):
            outcome = found.outcomes.get(item)
            said = outcome_row(outcome, found.criterion) if outcome is not None else {}
            raw = outcome.raw if outcome is not None else None
            told = {"item_id": item, "human": human[item], **said, "raw": raw}
            lines.append(json.dumps(told, ensure_ascii=False))
    write_text(path, "".join(line + "\n" for line in lines))
