"""The main job: judge, measure, decide, and write the certificate or say why not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from judgekit.api.material import Material, ReadOptions, read_material, text_digest
from judgekit.api.runtime import Report, forget_replies, judge_items
from judgekit.api.setup import JudgeSetup, as_recorded
from judgekit.api.version import __version__
from judgekit.calibration.align import HumanLevel, Subject, align
from judgekit.calibration.certificate import (
    Certificate,
    EvidenceFile,
    LabelsRecord,
    issue,
    stamps,
)
from judgekit.calibration.decide import decide
from judgekit.calibration.leaks import leaked_anchors
from judgekit.calibration.looks import Look, item_digests, labels_digest, look_number
from judgekit.calibration.measure import measure
from judgekit.calibration.plan import labels_needed
from judgekit.calibration.result import Calibration, CriterionCalibration
from judgekit.calibration.rows import Row, ScaleSpec, tally
from judgekit.calibration.scope import profile
from judgekit.errors import InputError
from judgekit.importers.outcomes import one_per_item, to_outcomes
from judgekit.judging.item import Item
from judgekit.judging.judgment import Judgment, Unjudged
from judgekit.judging.judgments import Judgments
from judgekit.judging.reading import read_text
from judgekit.labels.adjudicate import Reference, adjudicate
from judgekit.rubric.model import Criterion
from judgekit.storage.certificates import evidence_text, sha256_of
from judgekit.storage.disk import shown


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
    refresh: bool = False,
) -> Calibration:
    """Measure a judge against human labels and decide.

    A ``calibrated`` criterion gets its certificate written under the project's certificates; each
    measurement is entered in the ledger of looks.

    Args:
        setup: The judge.
        labels: The label file.
        items: The items' text, where the labels do not carry it.
        judgments: Recorded judgments; the judge is then not asked.
        options: How the files are to be read.
        sampling: How the labelled items were drawn, kept with the certificate.
        now: The time of the calibration; the clock's by default.
        progress: Called after each answer of a live judge.
        max_cost_usd: Stop asking at this cost.
        refresh: Ask a live judge anew, past the cache: what a certificate that ran out needs.

    Raises:
        InputError: a file cannot be used; nothing was asked or written.
    """
    options = options or ReadOptions()
    setup.store.looks()  # a ledger that cannot be read is told before anything is paid for
    now = now or datetime.now(UTC)  # noqa: TID251  (the shell has the clock)
    if now.tzinfo is None:
        raise InputError(f"the time {now.isoformat()} has no time zone")
    rubric = setup.judge.rubric
    material = read_material(rubric, labels, options, items=items, judgments=judgments)
    if material.recorded is not None:
        setup = as_recorded(setup, material.recorded)
    criteria = [c for c in rubric.criteria if material.labels.of(c.name).labels]
    if options.criterion is None and len(criteria) < len(rubric.criteria):
        unlabelled = [c.name for c in rubric.criteria if c not in criteria]
        raise InputError(
            f"no labels for criterion {unlabelled[0]!r}",
            file=str(labels),
            hint=f"label it, or calibrate one criterion: --criterion {criteria[0].name}",
        )
    for criterion in criteria:
        _check_version(setup, criterion)
    plans = {c.name: _plan(material, c, options, rubric.inputs) for c in criteria}
    said = _judgments(setup, material, criteria, plans, progress, max_cost_usd, refresh=refresh)
    notes = list(material.notes)
    session = _Session(setup, material, said, options, labels, sampling, now, notes)
    found = tuple(_one(session, c, plans[c.name]) for c in criteria)
    return Calibration(setup.judge, found, said, setup.project.policy, tuple(notes))


@dataclass(frozen=True)
class _Session:
    """What all criteria of one calibration share."""

    setup: JudgeSetup
    material: Material
    said: Judgments
    options: ReadOptions
    labels: str | Path
    sampling: str | None
    now: datetime
    notes: list[str]


@dataclass(frozen=True)
class _Plan:
    """Which items of one criterion take part, and which are set aside."""

    items: tuple[Item, ...]
    reference: Reference
    set_aside: Mapping[str, str]
    leaked: Mapping[str, str]
    split: str | None


def _plan(
    material: Material, criterion: Criterion, options: ReadOptions, inputs: Sequence[str]
) -> _Plan:
    labels = material.labels.of(criterion.name)
    reference = adjudicate(labels.labels, rule=options.reference, adjudicator=options.adjudicator)
    items = material.items_of(criterion, options.criterion)
    own = set(labels.items)
    labelled = [item for item in items if item.id in own]
    leaked = leaked_anchors(criterion, labelled, inputs)
    set_aside = dict.fromkeys(leaked, "rubric_example")
    set_aside.update(dict.fromkeys(reference.ties, "tied_majority"))
    wanted = options.split
    if wanted is None and any(label.split for label in labels.labels):
        wanted = "test"
    if wanted is not None:
        other = {v.item: "other_split" for v in labels.labels if (v.split or "") != wanted}
        set_aside = {**set_aside, **other}
        if len(other) == len(labels.items):
            raise InputError(f"no label is in split {wanted!r}", file=labels.file)
    return _Plan(tuple(items), reference, set_aside, leaked, wanted)


def _judgments(
    setup: JudgeSetup,
    material: Material,
    criteria: Sequence[Criterion],
    plans: Mapping[str, _Plan],
    progress: Report | None,
    max_cost_usd: float | None,
    *,
    refresh: bool,
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

    if refresh:
        forget_replies(setup, material.items, criteria, needed)
    return judge_items(
        setup,
        material.items,
        criteria=criteria,
        progress=progress,
        max_cost_usd=max_cost_usd,
        only=needed,
    )


def recorded_outcomes(material: Material, criterion: Criterion) -> dict[str, Judgment | Unjudged]:
    """Return the outcome of each item that recorded judgments speak of."""
    if material.recorded is None:
        return {}
    allow_na = criterion.not_applicable is not None
    return one_per_item(
        to_outcomes(
            material.recorded,
            criterion,
            lambda text: read_text(text, criterion.scale, allow_na=allow_na),
        )
    )


def _one(session: _Session, criterion: Criterion, plan: _Plan) -> CriterionCalibration:
    """Measure one criterion, enter the look in the ledger, and certify it if it passes."""
    setup, policy = session.setup, session.setup.project.policy
    rows = _rows(session, criterion, plan)
    spec, identity = ScaleSpec.of(criterion), setup.judge.identity(criterion)
    evidence, text = measure(rows, spec), evidence_text(rows, spec)
    digest = sha256_of(text)
    look = Look(
        judge=setup.judge.name,
        criterion=criterion.name,
        fingerprint=identity.fingerprint,
        labels=labels_digest(rows),
        items=item_digests(r.item for r in rows if r.set_aside is None),
        verdict=None,
        looked_at=session.now,
    )
    number = look_number(look, setup.store.looks())
    decision = decide(rows, spec, evidence, policy, look=number)
    needed = None
    if decision.verdict == "inconclusive":
        rng = np.random.default_rng(int(digest[:12], 16))
        needed = labels_needed(rows, spec, evidence, policy, look=number, rng=rng)
    record = _labels_record(session, criterion, rows, plan.split)
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
        stamps=stamps(identity, record),
        leaked=plan.leaked,
        outcomes=session.said.outcomes[criterion.name],
    )
    if decision.verdict is not None:
        setup.store.add_look(look.model_copy(update={"verdict": decision.verdict}))
    return _certified(session, found, text) if decision.verdict == "calibrated" else found


def _rows(session: _Session, criterion: Criterion, plan: _Plan) -> tuple[Row, ...]:
    inputs = session.setup.judge.rubric.inputs
    weights = {v.item: v.weight for v in session.material.labels.of(criterion.name).labels}
    levels = {
        item: [HumanLevel(r.rater, r.level, weights.get(item)) for r in rated]
        for item, rated in plan.reference.levels.items()
    }
    subjects = [Subject(i.id, i.case, text_digest(i, inputs)) for i in plan.items]
    outcomes = session.said.outcomes[criterion.name]
    return tuple(align(subjects, levels, outcomes, plan.set_aside))


def _certified(session: _Session, found: CriterionCalibration, text: str) -> CriterionCalibration:
    """Write the certificate and its evidence, and return the result that carries them."""
    setup, outcomes = session.setup, found.outcomes.values()
    digest = sha256_of(text)
    if session.said.asked == 0 and (known := _issued_before(session, found, digest)) is not None:
        if known.expires_at <= session.now:
            session.notes.append(
                f"certificate {known.short} ran out on {known.expires_at:%Y-%m-%d} and no reply is "
                "new: ask the model again with --refresh"
            )
        return replace(found, certificate=known, path=shown(setup.store.path_of(known)))
    paired = {row.item for row in found.rows if row.set_aside is None}
    items = [item for item in session.said.items if item.id in paired]
    certificate = issue(
        criterion=found.criterion.name,
        judge=setup.judge.identity(found.criterion),
        models_served=_served(session, found),
        parameters_left_out=session.said.left_out,
        labels=found.labels,
        spec=found.spec,
        rows=found.rows,
        evidence=found.evidence,
        decision=found.decision,
        policy=setup.project.policy,
        scope=profile(items, outcomes, len(found.spec.values)),
        evidence_file=EvidenceFile(path=setup.store.evidence_path(digest), sha256=digest),
        now=session.now,
        version=__version__,
    )
    path = setup.store.write(certificate, text)
    return replace(found, certificate=certificate, path=shown(path))


def _served(session: _Session, found: CriterionCalibration) -> tuple[str, ...]:
    """Return the models that were measured: those of enough replies to be judged by.

    A few replies of another model, behind an endpoint that changed in between, certify nothing.
    """
    replies = session.said.replies.get(found.criterion.name)
    if replies is None:  # recorded: the rows declare it
        return tuple(sorted({o.served for o in found.outcomes.values() if o.served}))
    enough = session.setup.project.policy.min_items
    main = max(replies, key=lambda name: replies[name], default=None)
    return tuple(sorted(name for name, n in replies.items() if n >= enough or name == main))


def _issued_before(
    session: _Session, found: CriterionCalibration, digest: str
) -> Certificate | None:
    """Return the certificate already issued on this very evidence, when nothing new was asked.

    The same replies read again are no new evidence: they extend no certificate.
    """
    known = [
        certificate
        for certificate in session.setup.store.certificates()
        if certificate.criterion == found.criterion.name
        and certificate.judge.fingerprint == found.fingerprint
        and certificate.evidence_file.sha256 == digest
        and certificate.policy == session.setup.project.policy
        and certificate.labels == found.labels
        and certificate.look == found.decision.look
        and not session.setup.store.present(certificate).faults
    ]
    return max(known, key=lambda one: one.issued_at, default=None)


def _labels_record(
    session: _Session, criterion: Criterion, rows: Sequence[Row], split: str | None
) -> LabelsRecord:
    own = session.material.labels.of(criterion.name)
    part = [row for row in rows if row.set_aside is None]
    path, root = Path(session.labels).resolve(), session.setup.project.root
    return LabelsRecord(
        sha256=own.sha256,
        path=str(path.relative_to(root)) if path.is_relative_to(root) else None,
        items=len({row.item for row in part}),
        raters=len({row.rater for row in part}),
        cases=len({row.case or row.item for row in part}),
        source=own.source,
        split=split,
        sampling=session.sampling,
        options=session.material.label_options.to_json(),
        configured=session.setup.entry.labels,
    )


def _check_version(setup: JudgeSetup, criterion: Criterion) -> None:
    """Refuse a rubric whose meaning changed under a version that is already certified."""
    identity = setup.judge.identity(criterion)
    for certificate in setup.store.certificates():
        known = certificate.judge.rubric
        same_name = (known.name, known.version) == (identity.rubric.name, identity.rubric.version)
        if (
            same_name
            and certificate.criterion == criterion.name
            and known.sha256 != identity.rubric.sha256
        ):
            raise InputError(
                f"{known.name} means something else than when version {known.version} was "
                f"certified (certificate {certificate.short})",
                file=setup.rubric_file,
                hint=f"give the changed rubric a version of its own: version: {known.version + 1}",
            )
