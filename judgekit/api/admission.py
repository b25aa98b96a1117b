"""A judge at the gate: certificates found, labels read again, and let through or refused."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from judgekit.api.again import typed
from judgekit.api.material import ReadOptions, text_digest
from judgekit.api.setup import JudgeSetup
from judgekit.calibration.certificate import Certificate
from judgekit.calibration.gate import CertifiedJudge, CurrentLabels, Presented, admit
from judgekit.calibration.looks import Look
from judgekit.errors import CertificateError, GateRefusal, InputError, Reason
from judgekit.importers.items import read_items
from judgekit.importers.labels import read_labels
from judgekit.labels.adjudicate import adjudicate


def admit_judge(
    setup: JudgeSetup,
    *,
    criteria: Sequence[str] | None = None,
    labels: str | Path | None = None,
    now: datetime | None = None,
) -> CertifiedJudge:
    """Let a judge through the gate with the certificates of its project.

    The labelled set is read again where it is at hand: altered evidence voids a certificate.

    Args:
        setup: The judge.
        criteria: The criteria asked for; all by default.
        labels: The labelled set, instead of the one configured or remembered.
        now: The time; the clock's by default.

    Raises:
        GateRefusal: with every reason at once; nothing was asked or written.
        InputError: the labelled set is there and cannot be read.
    """
    now = now or datetime.now(UTC)  # noqa: TID251  (the shell has the clock)
    names = criteria or [c.name for c in setup.judge.rubric.criteria]
    presented, broken = setup.store.presented()
    mine = [p for p in presented if _concerns(p.certificate, setup)]
    unreadable = [
        Reason("certificate_invalid", f"{b.path.name} cannot be trusted: {b.why}.", None)
        for b in broken
        if b.of_judge(setup.judge.name, names)
    ]
    trouble: list[InputError] = []
    shown = [_with_labels(p, setup, labels, trouble) for p in mine]
    try:
        revoked = setup.store.revocations()
        certified = admit(
            shown, setup.judge, setup.project.policy, now, None, revoked, criteria=criteria
        )
        ledger = setup.store.looks()
    except CertificateError as error:  # a list of what was taken back, with holes in it
        raise GateRefusal([Reason("certificate_invalid", f"{error}.", error.hint)]) from error
    except GateRefusal as refusal:
        raise _refusal(refusal, unreadable, setup, [p.certificate for p in mine], labels) from None
    if worse := [r for c in certified.certificates.values() for r in _found_worse(c, ledger)]:
        raise as_typed(worse, setup, certified.certificates.values(), labels)
    if trouble:
        raise trouble[0]
    return certified


def _found_worse(certificate: Certificate, ledger: Sequence[Look]) -> list[Reason]:
    """Return a refusal where the same judge was measured again since, and found not calibrated."""
    again = [
        look
        for look in ledger
        if look.criterion == certificate.criterion
        and look.fingerprint == certificate.judge.fingerprint
        and look.looked_at > certificate.issued_at
    ]
    last = max(again, key=lambda look: look.looked_at, default=None)
    if last is None or last.verdict != "not_calibrated":
        return []
    message = (
        f"measured again on {last.looked_at:%Y-%m-%d}, after certificate {certificate.short}, "
        f"{certificate.judge.name} was found NOT CALIBRATED on {certificate.criterion!r}."
    )
    return [
        Reason(
            "agreement_too_low",
            message,
            f"judgekit calibrate {certificate.judge.name} --labels FILE",
            certificate.id,
        )
    ]


def _with_labels(
    presented: Presented,
    setup: JudgeSetup,
    labels: str | Path | None,
    trouble: list[InputError],
) -> Presented:
    """Return a certificate with its labels as they are now; reasons of the gate come first."""
    if presented.faults:  # what it says of its labels is not to be trusted either
        return presented
    try:
        current = current_labels(setup, presented.certificate, labels)
    except InputError as error:
        trouble.append(error)
        return presented
    return replace(presented, labels=current)


def _refusal(
    refusal: GateRefusal,
    unreadable: list[Reason],
    setup: JudgeSetup,
    certificates: Iterable[Certificate],
    labels: str | Path | None,
) -> GateRefusal:
    """Name the label file in the way out, and a broken certificate instead of a missing one."""
    reasons = [_measured_before(reason, setup) for reason in refusal.reasons]
    if unreadable:
        reasons = [*unreadable, *(r for r in reasons if r.code != "no_certificate")]
    return as_typed(reasons, setup, certificates, labels)


def as_typed(
    reasons: Iterable[Reason],
    setup: JudgeSetup,
    certificates: Iterable[Certificate],
    labels: str | Path | None = None,
) -> GateRefusal:
    """Return the refusal, its commands as they have to be typed."""
    known = {certificate.id: certificate for certificate in certificates}
    told = []
    for reason in reasons:
        certificate = known.get(reason.certificate or "")
        command = reason.next and typed(reason.next, setup, certificate, labels)
        told.append(reason._replace(next=command))
    return GateRefusal(told)


def _measured_before(reason: Reason, setup: JudgeSetup) -> Reason:
    """Say so when a judge without a certificate was measured, and what was found."""
    if reason.code != "no_certificate":
        return reason
    for criterion in setup.judge.rubric.criteria:
        if repr(criterion.name) in reason.message:
            found = _last_look(setup, setup.judge.identity(criterion).fingerprint)
            if found is not None:
                verdict = str(found.verdict).replace("_", " ").upper()
                message = (
                    f"{setup.judge.name} was measured on {criterion.name!r} on "
                    f"{found.looked_at:%Y-%m-%d} and found {verdict}; there is no certificate for "
                    "this rubric, model and parameters."
                )
                return reason._replace(message=message)
    return reason


def _last_look(setup: JudgeSetup, fingerprint: str) -> Look | None:
    try:
        looks = [look for look in setup.store.looks() if look.fingerprint == fingerprint]
    except CertificateError:  # the ledger only makes the sentence better here
        return None
    return max(looks, key=lambda look: look.looked_at, default=None)


def _concerns(certificate: Certificate, setup: JudgeSetup) -> bool:
    names = {certificate.judge.name, certificate.judge.rubric.name}
    return not names.isdisjoint({setup.judge.name, setup.judge.rubric.name})


def current_labels(
    setup: JudgeSetup, certificate: Certificate, labels: str | Path | None = None
) -> CurrentLabels | None:
    """Return a certificate's labels as they are now; None when no labelled set is at hand.

    Raises:
        InputError: the file is there and cannot be read the way the certificate remembers.
    """
    path = _labels_path(setup, certificate, labels)
    rubric = setup.judge.rubric
    criteria = [c for c in rubric.criteria if c.name == certificate.criterion]
    if path is None or not criteria:
        return None
    options = ReadOptions.from_json(certificate.labels.options)
    texts: dict[str, str | None] = {}
    by_item: dict[str, str] = {}
    source = setup.entry.items and setup.project.path(setup.entry.items)
    for item in _items(source or path, options):
        texts[item.id] = text_digest(item, rubric.inputs)
        if isinstance(item.metadata.get("criterion"), str):
            by_item[item.id] = item.metadata["criterion"]
    label_set = read_labels(
        path,
        rubric.criteria,
        columns=options.columns,
        level_map=options.level_map,
        rater_columns=options.rater_columns,
        criterion=options.criterion or certificate.criterion,
        inputs=rubric.inputs,
        item_criteria=None if "criterion" in rubric.inputs else by_item or None,
    )
    reference = adjudicate(
        label_set.of(certificate.criterion).labels,
        rule=options.reference,
        adjudicator=options.adjudicator,
    )
    values = criteria[0].scale.values
    return {
        (name, rater): (values[level], texts.get(name))
        for name, rated in reference.levels.items()
        for rater, level in rated
        if level is not None
    }


def _labels_path(
    setup: JudgeSetup, certificate: Certificate, labels: str | Path | None
) -> Path | None:
    """Return the labelled set to compare with: the one named now, or the certificate's own.

    A project that names another set than it did at the calibration has another set.
    """
    if labels is not None:
        return Path(labels)
    record, named = certificate.labels, setup.entry.labels
    order = (record.path, named) if named == record.configured else (named, record.path)
    for name in order:
        if name is not None and (path := setup.project.path(name)).exists():
            return path
    return None


def _items(path: Path, options: ReadOptions) -> list:  # type: ignore[type-arg]
    try:
        return read_items(path, columns=options.columns)
    except InputError:
        return []  # a bare label file carries no items; its labels are read below
