"""Scoring items with a certified judge; refused before an item is read otherwise."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from judgekit.api.admission import admit_judge
from judgekit.api.material import ReadOptions, text_digest
from judgekit.api.runtime import How, Report
from judgekit.api.served import ask_certified
from judgekit.api.setup import JudgeSetup, as_recorded
from judgekit.calibration.gate import CertifiedJudge
from judgekit.errors import InputError
from judgekit.importers.columns import share_options
from judgekit.importers.items import read_items
from judgekit.importers.judgments import read_judgments
from judgekit.importers.outcomes import one_per_item, to_outcomes
from judgekit.importers.recorded import RecordedSet
from judgekit.importers.table import read_table
from judgekit.importers.where import parse_where, select
from judgekit.judging.item import Item
from judgekit.judging.judgment import Judgment, Unjudged
from judgekit.judging.judgments import Judgments
from judgekit.judging.reading import read_text
from judgekit.reports.rows import score_rows
from judgekit.reports.words import count, listed
from judgekit.rubric.model import Criterion
from judgekit.running.bridge import run_blocking
from judgekit.scoring.corrected import Population
from judgekit.scoring.score import Scores, score
from judgekit.storage.disk import write_text


@dataclass(frozen=True)
class Scoring:
    """The result of ``score``: the figures, and the judgments they are made of.

    ``notes`` are remarks for people.
    """

    setup: JudgeSetup
    certified: CertifiedJudge
    judgments: Judgments
    scores: Scores
    notes: tuple[str, ...] = ()


def score_items(  # noqa: PLR0913  (the command's options)
    setup: JudgeSetup,
    items: str | Path | Sequence[Item] | None = None,
    *,
    judgments: str | Path | None = None,
    options: ReadOptions | None = None,
    criteria: Sequence[str] | None = None,
    labels: str | Path | None = None,
    population: Population = "unknown",
    now: datetime | None = None,
    progress: Report | None = None,
    max_cost_usd: float | None = None,
    offline: bool = False,
    refresh: bool = False,
) -> Scoring:
    """Judge items with a certified judge and score them.

    Args:
        setup: The judge.
        items: A file of items, or items; with ``judgments`` only for their cases and columns.
        judgments: Recorded judgments to score instead of asking.
        options: How the files are to be read.
        criteria: Score only these criteria; each needs its own certificate.
        labels: The labelled set, where the project does not name it.
        population: What the items are: ``same`` as what the labels were drawn from, ``shifted`` in
            the mix of levels only, or ``unknown``; nothing is corrected then.
        now: The time; the clock's by default.
        progress: Called after each answer.
        max_cost_usd: Most that the calls may cost, by an estimate before each.
        offline: Make no call; a reply that is not in the cache is an error.
        refresh: Ask anew, past the cache.

    Raises:
        GateRefusal: the judge is not certified for this, or the endpoint serves another model;
            nothing was scored. Replies already paid for stay cached.
        InputError: the items cannot be used.
    """
    if items is None and judgments is None:
        raise InputError("nothing to score: name the items, or --judgments FILE")
    options = options or ReadOptions()
    recorded: RecordedSet | None = None
    if judgments is not None:
        recorded = _recorded(setup, judgments, items, options)
        setup = as_recorded(setup, recorded)
    certified = admit_judge(setup, criteria=criteria, labels=labels, now=now)
    wanted = [setup.judge.rubric.criterion(name) for name in certified.certificates]
    found, notes = _items(setup, items, recorded, options)
    if recorded is not None:
        said = _said(setup, found, recorded, wanted)
    else:
        how = How(progress=progress, max_cost_usd=max_cost_usd, offline=offline, refresh=refresh)
        said = run_blocking(lambda: ask_certified(setup, certified, found, how))
    scores = score(
        said,
        certified,
        policy=setup.project.policy,
        population=population,
        labelled=_labelled(setup, certified, found),
    )
    return Scoring(setup, certified, said, scores, notes)


def _labelled(setup: JudgeSetup, certified: CertifiedJudge, items: Sequence[Item]) -> set[str]:
    """Return the items that are labelled items of the evidence: of equal id, and of equal text.

    Another text under the same id is another item; where a text is not known, the id decides.
    """
    texts: dict[str, set[str]] = {}
    for row in (row for rows in certified.evidence.values() for row in rows):
        if row.human is not None:
            texts.setdefault(row.item, set()).update(() if row.text is None else (row.text,))
    inputs = setup.judge.rubric.inputs
    return {
        item.id
        for item in items
        if item.id in texts
        and (not texts[item.id] or text_digest(item, inputs) in (None, *texts[item.id]))
    }


def _recorded(
    setup: JudgeSetup,
    judgments: str | Path,
    items: str | Path | Sequence[Item] | None,
    options: ReadOptions,
) -> RecordedSet:
    """Return the rows to score: who made them decides which certificate is asked for."""
    table = read_table(judgments)
    tables = [table, *([read_table(items)] if isinstance(items, str | Path) else [])]
    return read_judgments(
        table,
        setup.judge.rubric.criteria,
        columns=share_options(options.columns, tables)[0],
        judge_id=options.judge_id,
        criterion=options.criterion,
        level_map=options.level_map,
    )


def _items(
    setup: JudgeSetup,
    items: str | Path | Sequence[Item] | None,
    recorded: RecordedSet | None,
    options: ReadOptions,
) -> tuple[list[Item], tuple[str, ...]]:
    """Return the items to score, and what is to be said of recorded judgments of other items."""
    if items is None:
        return [Item(id=name, fields={}) for name in (recorded.items if recorded else ())], ()
    if not isinstance(items, str | Path):
        found = list(items)
    else:
        inputs = () if recorded is not None else setup.judge.rubric.inputs
        columns = share_options(options.columns, [table := read_table(items)])[0]
        if recorded is not None:
            columns = replace(columns, level=None)
        found = read_items(table, inputs=inputs, columns=columns)
    notes = _left_over(recorded, found) if recorded is not None else ()
    if options.where:
        found = select(found, parse_where(options.where))
    if not found:
        raise InputError("there are no items to score")
    return found, notes


def _left_over(recorded: RecordedSet, items: Sequence[Item]) -> tuple[str, ...]:
    """Say how many recorded judgments are about none of the items, and are not scored."""
    known = {item.id for item in items}
    strange = [row.item for row in recorded.rows if row.item not in known]
    if not strange:
        return ()
    names = listed([repr(name) for name in dict.fromkeys(strange)], most=3)
    judgments = count(len(strange), "recorded judgment")
    return (f"{judgments} not scored: no item given has the id {names}",)


def _said(
    setup: JudgeSetup, items: Sequence[Item], recorded: RecordedSet, criteria: Sequence[Criterion]
) -> Judgments:
    judge = setup.judge
    outcomes: dict[str, dict[str, Judgment | Unjudged]] = {}
    for criterion in criteria:
        allow_na = criterion.not_applicable is not None
        known = one_per_item(
            to_outcomes(
                recorded,
                criterion,
                lambda text, c=criterion, na=allow_na: read_text(text, c.scale, allow_na=na),  # type: ignore[misc]
            )
        )
        outcomes[criterion.name] = {
            i.id: known.get(i.id) or Unjudged(i.id, criterion.name, "missing") for i in items
        }
    return Judgments(
        judge=judge.name,
        fingerprints={c.name: judge.identity(c).fingerprint for c in criteria},
        items=items,
        outcomes=outcomes,
        cost_usd=0.0,
    )


def write_scores(scoring: Scoring, path: str | Path) -> None:
    """Write the rows as JSONL, whole or not at all.

    Raises:
        StorageError: the disk would not have it.
    """
    rows = score_rows(scoring.judgments, scoring.certified)
    lines = [json.dumps(row, ensure_ascii=False, allow_nan=False) for row in rows]
    write_text(Path(path), "\n".join(lines) + "\n")
