"""From a measurement that passed to its certificate, and what the certificate keeps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from judgekit.api.again import ITEMS
from judgekit.api.material import Material, ReadOptions
from judgekit.api.setup import JudgeSetup
from judgekit.api.version import __version__
from judgekit.calibration.certificate import Certificate, EvidenceFile, LabelsRecord, issue
from judgekit.calibration.looks import Reveal
from judgekit.calibration.production import Stated
from judgekit.calibration.result import CriterionCalibration
from judgekit.calibration.rows import Row
from judgekit.calibration.scope import profile, traits_of
from judgekit.errors import InputError
from judgekit.judging.judgments import Judgments
from judgekit.rubric.model import Criterion
from judgekit.storage.certificates import sha256_of
from judgekit.storage.disk import shown


@dataclass(frozen=True)
class Session:
    """What all criteria of one calibration share."""

    setup: JudgeSetup
    material: Material
    said: Judgments
    options: ReadOptions
    labels: str | Path
    sampling: str | None
    now: datetime
    notes: list[str]
    reveal: Reveal
    slices: Mapping[str, Mapping[str, str | None]]
    prevalence: Stated | None
    items: str | Path | None = None


def certified(session: Session, found: CriterionCalibration, text: str) -> CriterionCalibration:
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
        scope=profile([*map(traits_of, items)], outcomes, len(found.spec.values)),
        evidence_file=EvidenceFile(path=setup.store.evidence_path(digest), sha256=digest),
        now=session.now,
        version=__version__,
    )
    path = setup.store.write(certificate, text)
    return replace(found, certificate=certificate, path=shown(path))


def _served(session: Session, found: CriterionCalibration) -> tuple[str, ...]:
    """Return the models that were measured: those of enough replies to be judged by.

    A few replies of another model, behind an endpoint that changed in between, certify nothing.
    """
    replies = session.said.replies.get(found.criterion.name)
    if replies is None:  # recorded: the rows declare it
        votes = (vote for o in found.outcomes.values() for vote in o.singles)
        return tuple(sorted({vote.served for vote in votes if vote.served}))
    enough = session.setup.project.policy.min_items
    main = max(replies, key=lambda name: replies[name], default=None)
    return tuple(sorted(name for name, n in replies.items() if n >= enough or name == main))


def _issued_before(
    session: Session, found: CriterionCalibration, digest: str
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


def labels_record(
    session: Session, criterion: Criterion, rows: Sequence[Row], split: str | None
) -> LabelsRecord:
    """Return what a certificate keeps of the labels: their digest, counts, and how to find them."""
    own = session.material.labels.of(criterion.name)
    part = [row for row in rows if row.set_aside is None]
    path, items = (_in_project(session, name) for name in (session.labels, session.items))
    options = session.material.label_options.to_json()
    return LabelsRecord(
        sha256=own.sha256,
        path=path,
        items=len({row.item for row in part}),
        raters=len({row.rater for row in part}),
        cases=len({row.case or row.item for row in part}),
        source=own.source,
        split=split,
        sampling=session.sampling,
        options=options if items is None else {**options, ITEMS: items},
        configured=session.setup.entry.labels,
    )


def _in_project(session: Session, name: str | Path | None) -> str | None:
    """Return a file as seen from the project's folder; None where it stands outside."""
    root = session.setup.project.root
    path = None if name is None else Path(name).resolve()
    return str(path.relative_to(root)) if path is not None and path.is_relative_to(root) else None


def check_version(setup: JudgeSetup, criterion: Criterion) -> None:
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
