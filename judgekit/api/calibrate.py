"""The main job: judge, measure, decide, and write the certificate or say why not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from judgekit.api.certifying import Session, certified, check_version, labels_record
from judgekit.api.evidence import (
    Part,
    copied,
    evidence_rows,
    part_of,
    recorded_outcomes,
    slice_values,
)
from judgekit.api.material import Material, ReadOptions, read_material
from judgekit.api.runtime import How, Report, judge_items_async
from judgekit.api.setup import JudgeSetup, as_recorded
from judgekit.calibration.align import TIED
from judgekit.calibration.certificate import LabelsRecord, stamps
from judgekit.calibration.decide import decide
from judgekit.calibration.humans import HumanEvidence, human_evidence
from judgekit.calibration.looks import (
    Look,
    Reveal,
    answer_digests,
    item_digests,
    known_look,
    labels_digest,
    look_number,
    revealed_before,
)
from judgekit.calibration.measure import measure
from judgekit.calibration.panels import panel_report
from judgekit.calibration.plan import LabelsNeeded, labels_needed
from judgekit.calibration.probabilities import ProbabilityEvidence, probability_evidence
from judgekit.calibration.production import Stated, at_production
from judgekit.calibration.result import Calibration, CriterionCalibration
from judgekit.calibration.rows import Row, ScaleSpec, tally
from judgekit.calibration.slices import slice_reports
from judgekit.calibration.workup import work_up
from judgekit.errors import InputError
from judgekit.judging.item import Item
from judgekit.judging.judgment import Judgment, Unjudged
from judgekit.judging.judgments import Judgments
from judgekit.rubric.model import Criterion, Rubric
from judgekit.running.bridge import run_blocking
from judgekit.storage.certificates import evidence_text, sha256_of


def calibrate(  # noqa: PLR0913  (the command's options)
    setup: JudgeSetup,
    labels: str | Path,
    *,
    items: str | Path | None = None,
    judgments: str | Path | None = None,
    options: ReadOptions | None = None,
    sampling: str | None = None,
    now: datetime | None = None,
    progress: Report | None = None,
    max_cost_usd: float | None = None,
    offline: bool = False,
    refresh: bool = False,
    reveal: Reveal = "full",
    slices: Sequence[str] = (),
    prevalence: Stated | None = None,
) -> Calibration:
    """Measure a judge, decide, enter the look in the ledger; certify what is ``calibrated``.

    Args:
        setup: The judge.
        labels: The label file.
        items: The items' text, where the labels do not carry it.
        judgments: Recorded judgments; the judge is then not asked.
        options: How the files are to be read.
        sampling: How the labelled items were drawn, kept with the certificate.
        now: The time of the calibration; the clock's by default.
        progress: Called after each answer of a live judge.
        max_cost_usd: Most that the calls may cost, by an estimate before each.
        offline: Make no call; a reply that is not in the cache is an error.
        refresh: Ask a live judge anew, past the cache: what a certificate that ran out needs.
        reveal: ``none``: reports show the verdict and the labels needed only, and the ledger of
            looks says so. Whoever reads more from the result has seen it.
        slices: Columns of the items to tell agreement apart by, beside those of the project.
        prevalence: Share of what passes in production, or of each level: agreement is shown there.

    Raises:
        InputError: a file cannot be used; nothing was asked or written.
    """
    options = options or ReadOptions()
    when, _ = _moment(now), setup.store.looks()  # an unreadable ledger is told before any call
    rubric = setup.judge.rubric
    columns = list(dict.fromkeys([*setup.entry.slices, *slices]))
    material = read_material(
        rubric, labels, options, items=items, judgments=judgments, sliced=bool(columns)
    )
    if material.recorded is not None:
        setup = as_recorded(setup, material.recorded)
    criteria = _labelled(rubric, material, options)
    _refuse_early(setup, criteria, prevalence)
    plans = {c.name: part_of(material, c, options, rubric.inputs) for c in criteria}
    sliced = slice_values(material.items, columns)
    how = How(progress=progress, max_cost_usd=max_cost_usd, offline=offline, refresh=refresh)
    said = _judgments(setup, material, criteria, plans, how)
    notes = _notes(material, criteria, plans, said)
    known = (setup, material, said, options, labels, sampling)
    session = Session(*known, when, notes, reveal, sliced, prevalence, items)
    found = tuple(_one(session, c, plans[c.name]) for c in criteria)
    return Calibration(setup.judge, found, said, setup.project.policy, tuple(notes), reveal)


def _notes(
    material: Material, criteria: Sequence[Criterion], plans: Mapping[str, Part], said: Judgments
) -> list[str]:
    """Return what was assumed while reading, and what looks wrong in what was read."""
    notes = [*material.notes, *dict.fromkeys(n for part in plans.values() for n in part.notes)]
    for criterion in criteria:
        notes += copied(material, criterion, said.outcomes[criterion.name])
    return notes


def _moment(now: datetime | None) -> datetime:
    """Return the time of the calibration: the clock's, or the one given."""
    if now is None:
        return datetime.now(UTC)  # noqa: TID251  (the shell has the clock)
    if now.tzinfo is None:
        raise InputError(f"the time {now.isoformat()} has no time zone")
    return now


def _refuse_early(
    setup: JudgeSetup, criteria: Sequence[Criterion], prevalence: Stated | None
) -> None:
    """Refuse what cannot be used before anything is paid for."""
    for criterion in criteria:
        check_version(setup, criterion)
        if prevalence is not None:
            at_production((), ScaleSpec.of(criterion), prevalence)


def _labelled(rubric: Rubric, material: Material, options: ReadOptions) -> list[Criterion]:
    """Return the criteria to calibrate: all, or the one asked for.

    Raises:
        InputError: one of them has no label.
    """
    criteria = [c for c in rubric.criteria if material.labels.of(c.name).labels]
    if options.criterion is None and len(criteria) < len(rubric.criteria):
        unlabelled = [c.name for c in rubric.criteria if c not in criteria]
        raise InputError(
            f"no labels for criterion {unlabelled[0]!r}",
            file=material.labels.file,
            hint=f"label it, or calibrate one criterion: --criterion {criteria[0].name}",
        )
    return criteria


def _judgments(
    setup: JudgeSetup,
    material: Material,
    criteria: Sequence[Criterion],
    plans: Mapping[str, Part],
    how: How,
) -> Judgments:
    """Return what the judge says: read from the record, or asked of the labelled items."""
    judge = setup.judge
    if material.recorded is not None:
        return Judgments(
            judge=judge.name,
            fingerprints={c.name: judge.identity(c).fingerprint for c in criteria},
            items=material.items,
            outcomes={c.name: recorded_outcomes(material, c) for c in criteria},
            cost_usd=0.0,
        )

    def needed(criterion: Criterion, item: Item) -> bool:
        plan = plans[criterion.name]
        return item.id in plan.reference.levels and item.id not in plan.set_aside

    how = replace(how, only=needed)
    return run_blocking(
        lambda: judge_items_async(
            setup, material.items, criteria=criteria, how=how, command="calibrate"
        )
    )


def _one(session: Session, criterion: Criterion, part: Part) -> CriterionCalibration:
    """Measure one criterion, enter the look in the ledger, and certify it if it passes."""
    setup, policy = session.setup, session.setup.project.policy
    outcomes, stated = session.said.outcomes[criterion.name], session.prevalence
    rows = evidence_rows(session.material, criterion, part, outcomes, setup.judge.rubric.inputs)
    spec, identity = ScaleSpec.of(criterion), setup.judge.identity(criterion)
    evidence, text = measure(rows, spec), evidence_text(rows, spec)
    record = labels_record(session, criterion, rows, part.split)
    look, ledger = _look(session, criterion, rows, record), setup.store.looks()
    number = look_number(look, ledger)
    decision = decide(rows, spec, evidence, policy, look=number, leak=part.leak)
    needed = None
    if part.leak is not None and decision.verdict == "inconclusive":
        needed = LabelsNeeded(None, "worked examples of the rubric stand outside train")
    elif decision.verdict == "inconclusive":
        needed = labels_needed(rows, spec, evidence, policy, look=number, rng=_dice(text))
    found = CriterionCalibration(
        criterion=criterion,
        spec=spec,
        fingerprint=identity.fingerprint,
        rows=rows,
        evidence=evidence,
        tally=tally(rows),
        decision=decision,
        needed=needed,
        labels=record,
        stamps=stamps(identity, record, policy),
        leaked=part.leaked,
        outcomes=outcomes,
        work_up=work_up(rows, spec),
        production=None if stated is None else at_production(rows, spec, stated),
        slices=slice_reports(rows, spec, session.slices, declared=setup.entry.slices),
        revealed=revealed_before(look, ledger),
        people=_people(session, criterion, part),
        panel=panel_report(rows, outcomes, setup.judge, criterion, rng=_dice(text)),
        probabilities=_probabilities(rows, spec, outcomes, text),
    )
    if decision.verdict is not None:
        entry = known_look(look, ledger) or look.model_copy(update={"verdict": decision.verdict})
        setup.store.add_look(entry.model_copy(update={"revealed": session.reveal}))
    return certified(session, found, text) if decision.verdict == "calibrated" else found


def _dice(evidence: str) -> np.random.Generator:
    """Return dice seeded by what was measured: the same evidence has the same figures."""
    return np.random.default_rng(int(sha256_of(evidence)[:12], 16))


def _probabilities(
    rows: Sequence[Row],
    spec: ScaleSpec,
    outcomes: Mapping[str, Judgment | Unjudged],
    evidence: str,
) -> ProbabilityEvidence | None:
    """Return what token probabilities are worth, over the items that have them."""
    known = {
        item: said.probabilities
        for item, said in outcomes.items()
        if isinstance(said, Judgment) and said.probabilities is not None
    }
    having = [row for row in rows if row.item in known]
    if not having:
        return None
    # They are shares of what the levels hold together, so that total says nothing here.
    return replace(probability_evidence(having, spec, known, _dice(evidence)), mass=None)


def _people(session: Session, criterion: Criterion, part: Part) -> HumanEvidence | None:
    """Return how far people agree behind a settled reference; None where the evidence has it."""
    if part.people is None:
        return None
    outcomes, inputs = session.said.outcomes[criterion.name], session.setup.judge.rubric.inputs
    settled = replace(part, set_aside={k: v for k, v in part.set_aside.items() if v != TIED})
    rows = evidence_rows(
        session.material, criterion, settled, outcomes, inputs, reference=part.people
    )
    return human_evidence(rows, ScaleSpec.of(criterion))


def _look(
    session: Session, criterion: Criterion, rows: Sequence[Row], labels: LabelsRecord
) -> Look:
    """Return the event for the ledger, without its verdict."""
    judge = session.setup.judge
    return Look(
        judge=judge.name,
        criterion=criterion.name,
        fingerprint=judge.identity(criterion).fingerprint,
        labels=labels_digest(rows),
        items=item_digests(rows),
        verdict=None,
        looked_at=session.now,
        revealed=session.reveal,
        answers=answer_digests(rows),
        recorded=judge.recorded,
        path=labels.path,
        options=labels.options,
        split=labels.split,
    )
