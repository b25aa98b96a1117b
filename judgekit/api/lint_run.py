"""The record of a run as evidence of a rubric: what its judge said, and people where shown before.

People's levels are put beside the judge's only where a calibration with its details has shown the
same before: anything else would be a look at the test that no ledger counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import chain
from typing import Any

from judgekit.api.evidence import evidence_rows, part_of
from judgekit.api.lint_source import Source, evidence_of, labels_of, remembered, said_of
from judgekit.api.material import Material, ReadOptions
from judgekit.calibration.looks import (
    Look,
    answer_digests,
    item_digests,
    known_look,
    labels_digest,
)
from judgekit.errors import InputError
from judgekit.fingerprint import canonical_json
from judgekit.judging.judge import Inconsistent, Rule
from judgekit.judging.judgment import Judgment, Unjudged
from judgekit.judging.votes import settle_orders, settle_votes
from judgekit.linting.evidence import Evidence, ExampleSaid, ItemSaid
from judgekit.reports.runs_story import prompt_of
from judgekit.rubric.model import Criterion, Rubric
from judgekit.rubric.render import render
from judgekit.storage.certificates import CertificateStore
from judgekit.storage.project import Project
from judgekit.storage.runs_about import RecordedRun
from judgekit.storage.runs_read import Runs, read_runs, rows_of

Outcome = Judgment | Unjudged
Row = Mapping[str, Any]


def run_source(name: str, project: Project) -> Source:
    """Return a run as evidence.

    Raises:
        UnknownName: there is no such run.
        InputError: its record does not say which rubric it was about, or is not whole.
    """
    runs = read_runs(project.runs)
    run = runs.find(name)
    about, where = run.about, f"run {run.id}"
    rubric = about.get("rubric") or {}
    meanings = rubric.get("sha256")
    if not isinstance(meanings, dict) or not about.get("judge"):
        raise InputError(f"{where} does not say which rubric it was about", hint=run.problem)
    _check_whole(run)

    def show(rubric: Rubric, criterion: Criterion) -> tuple[Evidence, list[str]]:
        rows = [row for row in rows_of(run) if row.get("criterion") == criterion.name]
        outcomes = _outcomes(rows, criterion, about)
        labelled, shown = _people(rubric, criterion, outcomes, run, project)
        note = (
            f"{where} is not compared with people: no calibration that showed its details measured "
            "this judge's answers by labels that are still in the project"
        )
        items = {
            item: ItemSaid(item, judge=said.level)
            for item, said in outcomes.items()
            if isinstance(said, Judgment)
        }
        evidence = evidence_of(
            where,
            judge=run.id,
            rubric=rubric,
            criterion=criterion,
            items=items | shown,
            labelled=labelled,
            examples=_examples(rows, runs, run, rubric, criterion),
        )
        return evidence, [] if shown else [note]

    return Source(
        where=where,
        judge=str(about["judge"]),
        model=None if about.get("model") is None else str(about["model"]),
        rubric=str(rubric.get("name")),
        meanings={str(name): str(digest) for name, digest in meanings.items()},
        parts={},
        show=show,
    )


def _check_whole(run: RecordedRun) -> None:
    """Refuse a record that holds only part of what was said: a part may look like anything.

    Raises:
        InputError: the run did not come to its end, or rows of it are broken or gone.
    """
    rows = rows_of(run)
    odd = 0
    seen = set()
    for row in rows:
        odd += not _is_answer(row)
        seen.add((row["item"], str(row.get("criterion"))))
    judged = (run.about.get("tally") or {}).get("judged") or 0
    why = None
    if run.state != "done":
        why = f"it did not come to its end ({run.state})"
    elif rows.problems:
        why = rows.problems[0]
    elif odd:
        why = f"{odd} of its rows are not as judgekit writes them"
    elif len(seen) < judged:
        why = f"it judged {judged} items, and holds rows of {len(seen)}"
    if why:
        hint = "name a whole one, or run it again: the cache has what was answered"
        raise InputError(f"run {run.id} is no evidence: {why}", hint=hint)


def _is_answer(row: Row) -> bool:
    """Return whether a row of a record can be read as an answer."""
    numbers = (row.get("replicate"), row.get("member"))
    words = (row.get("status"), row.get("criterion"), row.get("cause") or "")
    return all(isinstance(n, int | None) for n in numbers) and all(
        isinstance(word, str) for word in words
    )


def _outcomes(rows: Iterable[Row], criterion: Criterion, about: Row) -> dict[str, Outcome]:
    """Return the outcome of each item: its answers made one by the judge's own rule."""
    votes: dict[str, dict[tuple[int, int], list[Outcome]]] = {}
    for row in rows:
        one = _outcome(row, criterion)
        votes.setdefault(one.item, {}).setdefault((one.member, one.replicate), []).append(one)
    inconsistent: Inconsistent = "unjudged" if about.get("inconsistent") == "unjudged" else "tie"
    rule: Rule = "median" if about.get("rule") == "median" else "majority"
    return {
        item: settle_votes(
            [settle_orders(group, criterion.scale, inconsistent) for group in groups.values()], rule
        )
        for item, groups in votes.items()
    }


def _outcome(row: Row, criterion: Criterion) -> Outcome:
    """Return what one row of a record says; a level that is none is no judgment."""
    level = criterion.scale.index(row.get("value"))
    one: Outcome = Judgment(row["item"], criterion.name, level)
    if row["status"] == "unjudged" or (level is None and row["status"] != "not_applicable"):
        one = Unjudged(row["item"], criterion.name, row.get("cause") or "missing")
    return one._replace(
        replicate=int(row.get("replicate") or 0),
        member=int(row.get("member") or 0),
        order=row.get("order"),
    )


def _people(
    rubric: Rubric,
    criterion: Criterion,
    outcomes: Mapping[str, Outcome],
    run: RecordedRun,
    project: Project,
) -> tuple[Material | None, dict[str, ItemSaid]]:
    """Return the labelled set of a run, and what people and the judge said where it was shown."""
    about = run.about
    ledger = [
        look
        for look in CertificateStore(project.certificates).looks()
        if (look.revealed, look.criterion) == ("full", criterion.name)
    ]
    labelled = _named(rubric, about, project)
    sets = [] if labelled is None else [(labelled, ReadOptions())]
    known = {(look.path, canonical_json(look.options), look.split): look for look in ledger}
    for look in known.values():
        found, options = remembered(project, rubric, str(about["judge"]), look)
        if found is not None:
            sets.append((found, options))
    for found, options in sets:
        shown = _shown((found, options), rubric, criterion, outcomes, run, ledger)
        if shown:
            return found, shown
    return labelled, {}


def _named(rubric: Rubric, about: Row, project: Project) -> Material | None:
    """Return the labelled set that the project names for the judge of a run."""
    entry = project.configuration.judges.get(about["judge"])
    if entry is None or entry.labels is None:
        return None
    items = None if entry.items is None else project.path(entry.items)
    return labels_of(rubric, project.path(entry.labels), ReadOptions(), items)


def _shown(
    read: tuple[Material, ReadOptions],
    rubric: Rubric,
    criterion: Criterion,
    outcomes: Mapping[str, Outcome],
    run: RecordedRun,
    ledger: Sequence[Look],
) -> dict[str, ItemSaid]:
    """Return what people and the judge said, where a calibration has shown it before."""
    labelled, options = read
    if not labelled.labels.of(criterion.name).labels:
        return {}
    try:
        part = part_of(labelled, criterion, options, rubric.inputs)
    except InputError:  # its splits have other names
        return {}
    rows = evidence_rows(labelled, criterion, part, outcomes, rubric.inputs)
    look = Look(
        judge=str(run.about["judge"]),
        criterion=criterion.name,
        fingerprint=str(run.about.get("fingerprints", {}).get(criterion.name)),
        labels=labels_digest(rows),
        items=item_digests(rows),
        verdict=None,
        looked_at=datetime.fromisoformat(run.about["started_at"]),
        answers=answer_digests(rows),
    )
    return said_of(rows) if known_look(look, ledger) else {}


def _examples(
    rows: Iterable[Row], runs: Runs, run: RecordedRun, rubric: Rubric, criterion: Criterion
) -> tuple[ExampleSaid, ...]:
    """Return what the judge said of items whose prompt is that of a worked example."""
    prompts = _prompts(rubric, criterion)
    if not prompts:
        return ()
    answers: dict[tuple[int, int], dict[str, int | None]] = {}
    items: dict[tuple[int, int], dict[str, None]] = {}
    rows = list(rows)
    which = _same_prompt(rows, runs, run, prompts)
    for row in rows:
        level, at = criterion.scale.index(row.get("value")), which.get(str(row.get("request")))
        judged = row["status"] == "judged" and level is not None
        if at is not None and (judged or row["status"] == "not_applicable"):
            answers.setdefault(at, {})[row["request"]] = level
            items.setdefault(at, {})[row["item"]] = None
    return tuple(
        ExampleSaid(*at, tuple(given.values()), tuple(items[at])) for at, given in answers.items()
    )


def _prompts(rubric: Rubric, criterion: Criterion) -> dict[str, tuple[int, int]]:
    """Return each worked example, level and number, by the prompt that would show it as an item."""
    return {
        _words(text for _, text in render(rubric, criterion, anchor.fields)): (i, j)
        for i, level in enumerate(criterion.scale.levels)
        for j, anchor in enumerate(level.anchors)
        if set(rubric.inputs) <= anchor.fields.keys()
    }


def _same_prompt(
    rows: Iterable[Row], runs: Runs, run: RecordedRun, prompts: Mapping[str, tuple[int, int]]
) -> dict[str, tuple[int, int]]:
    """Return the requests that show a worked example; what was cached was asked in another run."""
    wanted = {row.get("request") for row in rows}
    found: dict[str, tuple[int, int]] = {}
    others = (other for other in runs.runs if other is not run)
    for other in chain([run], others):
        if not wanted:
            break
        for row in rows_of(other):
            if row.get("request") in wanted and (asked := prompt_of(row, other.about)) is not None:
                wanted.discard(row["request"])
                if at := prompts.get(_words(str(part.get("content")) for part in asked)):
                    found[str(row["request"])] = at
    return found


def _words(texts: Iterable[str]) -> str:
    """Return what messages say, however they are cut into messages."""
    return " ".join(" ".join(texts).split())
