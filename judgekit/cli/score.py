"""``judgekit score``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import typer

from judgekit.api.score import Scoring, score_items, write_scores
from judgekit.cli import options as opt
from judgekit.cli.run import CALLS_FAILED, FINE, REFUSED
from judgekit.cli.screen import document_or_lines, progress, remark, told_at_end
from judgekit.judging.judgment import INCOMPLETE
from judgekit.reports.documents import scores_json
from judgekit.reports.scores import score_lines
from judgekit.rubric.model import Rubric
from judgekit.scoring.score import Scores
from judgekit.storage.disk import check_output


def score(
    ctx: typer.Context,
    judge: opt.JudgeName,
    items: opt.ScoreItems = None,
    out: opt.Out = None,
    judgments: opt.Judgments = None,
    model: opt.Model = None,
    criterion: opt.Criteria = None,
    labels: opt.LabelsBehind = None,
    population: opt.Population = "unknown",
    judge_id: opt.JudgeId = None,
    where: opt.Where = None,
    level_map: opt.LevelMap = None,
    item_column: opt.ItemColumn = None,
    level_column: opt.LevelColumn = None,
    criterion_column: opt.CriterionColumn = None,
    case_column: opt.CaseColumn = None,
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
    """Score items with a certified judge.

    Without a certificate that holds, nothing is asked, nothing is written, and every reason is
    given (exit 3). The first figure has the judge's known error taken off; that needs to know how
    the labels were drawn (calibrate --sampling) and what the items are (--population).
    """
    scoring = _scoring(ctx.params)
    if out is not None:
        write_scores(scoring, out)
    remark([] if as_json else [f"note: {note}" for note in scoring.notes])
    scores, judgments_made = scoring.scores, scoring.judgments
    lines = score_lines(scores, judgments_made, dict(scoring.certified.certificates), out=out)
    document = scores_json(scores, judgments_made, out, scoring.notes)
    document_or_lines(document, lines, as_json=as_json)
    return exit_code(scores)


def _scoring(params: dict[str, Any]) -> Scoring:
    setup = opt.setup_of(params)
    check_output(params["out"], *opt.files_of(setup, params))
    quiet = params["as_json"]
    title = f"Scoring with {setup.judge.model}"
    with told_at_end(quiet=quiet), progress(title, quiet=quiet) as report:
        return score_items(
            setup,
            params["items"],
            judgments=params["judgments"],
            options=opt.reading_of(params),
            criteria=_criteria(params, setup.judge.rubric),
            labels=params["labels"],
            population=params["population"],
            progress=report,
            max_cost_usd=params["max_cost"],
            offline=params["offline"],
            refresh=params["refresh"],
        )


def _criteria(params: dict[str, Any], rubric: Rubric) -> Sequence[str] | None:
    """Return the criteria asked for; a name only a recorded file uses selects its rows."""
    asked, known = params["criterion"], [c.name for c in rubric.criteria]
    recorded = params["judgments"] is not None and len(known) == 1
    return None if not asked or (recorded and asked[0] not in known) else asked


def exit_code(scores: Scores) -> int:
    """Return how a command ends that gives these scores."""
    if not scores.withheld:
        return FINE
    if any(reason.code != "too_many_unjudged" for reason in scores.withheld):
        return REFUSED
    causes = {cause for c in scores.criteria if c.withheld for cause in c.tally.unjudged}
    return CALLS_FAILED if causes & INCOMPLETE else REFUSED
