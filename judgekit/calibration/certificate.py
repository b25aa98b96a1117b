"""The record of one calibration that passed."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, Literal

from pydantic import AwareDatetime, Field

from judgekit.calibration.ceiling import HUMAN_LEVEL
from judgekit.calibration.check import Check
from judgekit.calibration.decide import Decision, decide
from judgekit.calibration.evidence import Evidence
from judgekit.calibration.measure import measure
from judgekit.calibration.policy import Policy
from judgekit.calibration.record import EstimateRecord
from judgekit.calibration.rows import Row, ScaleSpec, Tally, tally
from judgekit.calibration.scope import Scope
from judgekit.fingerprint import fingerprint
from judgekit.judging.aliases import has_date
from judgekit.judging.judge import JudgeIdentity
from judgekit.rubric.frozen import Frozen

if TYPE_CHECKING:
    from collections.abc import Iterable

CERTIFICATE_FORMAT: Literal["judgekit.certificate/1"] = "judgekit.certificate/1"


class LabelsRecord(Frozen):
    """Which labels the calibration rests on.

    ``path`` is where they were read, relative to the project, and ``options`` how: help for
    finding and reading them again. ``configured`` is the set the project named at the time.
    """

    sha256: str
    path: str | None
    items: int
    raters: int
    cases: int
    source: Literal["human", "demonstration"]
    split: str | None = None
    sampling: str | None = None
    options: dict[str, Any] = Field(default_factory=dict)
    configured: str | None = None


class EvidenceFile(Frozen):
    """Where the paired rows stand, and their sha256."""

    path: str
    sha256: str


class Certificate(Frozen):
    """One criterion's certificate; see design of the file format in the documentation.

    ``id`` is the sha256 of the canonical JSON of everything but ``id`` and ``signature``.
    With its evidence file it is enough to recompute every number in it.
    """

    format: Literal["judgekit.certificate/1"]
    id: str
    criterion: str
    judge: JudgeIdentity
    models_served: tuple[str, ...]
    parameters_left_out: tuple[str, ...]
    labels: LabelsRecord
    scale: ScaleSpec
    tally: Tally
    evidence: Evidence
    scope: Scope | None
    policy: Policy
    look: int
    earlier_looks: int
    checks: tuple[Check, ...]
    verdict: Literal["calibrated"]
    stamps: tuple[str, ...]
    issued_at: AwareDatetime
    expires_at: AwareDatetime
    judgekit: str
    evidence_file: EvidenceFile
    signature: str | None = None

    @property
    def short(self) -> str:
        """Return the first six characters of the id, as file names and messages show it."""
        return self.id[:6]

    def computed_id(self) -> str:
        """Return the id this content should have."""
        data = self.model_dump(mode="json", exclude={"id", "signature"})
        return fingerprint(data)


def issue(  # noqa: PLR0913  (a certificate states that many facts)
    *,
    criterion: str,
    judge: JudgeIdentity,
    models_served: tuple[str, ...],
    parameters_left_out: tuple[str, ...],
    labels: LabelsRecord,
    spec: ScaleSpec,
    rows: tuple[Row, ...],
    evidence: Evidence,
    decision: Decision,
    policy: Policy,
    scope: Scope | None,
    evidence_file: EvidenceFile,
    now: AwareDatetime,
    version: str,
) -> Certificate:
    """Write down a calibration that passed.

    Raises:
        ValueError: the decision is not ``calibrated``, or ``now`` has no time zone.
    """
    if decision.verdict != "calibrated":
        raise ValueError(f"a judge found {decision.verdict} gets no certificate")
    if now.tzinfo is None:
        raise ValueError("the time of a certificate needs a time zone")
    labels = labels.model_copy(update=label_facts(rows))
    blank = Certificate.model_construct(
        format=CERTIFICATE_FORMAT,
        id="",
        criterion=criterion,
        judge=judge,
        models_served=models_served,
        parameters_left_out=parameters_left_out,
        labels=labels,
        scale=spec,
        tally=tally(rows),
        evidence=evidence,
        scope=scope,
        policy=policy,
        look=decision.look,
        earlier_looks=decision.look - 1,
        checks=decision.checks,
        verdict="calibrated",
        stamps=stamps(judge, labels, policy),
        issued_at=now,
        expires_at=now + lifetime(judge, policy),
        judgekit=version,
        evidence_file=evidence_file,
        signature=None,
    )
    return blank.model_copy(update={"id": blank.computed_id()})


def stamps(judge: JudgeIdentity, labels: LabelsRecord, policy: Policy) -> tuple[str, ...]:
    """Return what a reader of any figure must know beside it."""
    found = []
    if labels.source == "demonstration":
        found.append("demonstration")
    if judge.recorded:
        found.append("recorded")
    if labels.options.get("reference") == "majority":
        found.append("majority")
    elif labels.raters == 1:
        found.append("single-rater")
    if policy.route == "human-level":
        found.append(HUMAN_LEVEL)
    return tuple(found)


def lifetime(judge: JudgeIdentity, policy: Policy) -> timedelta:
    """Return how long a certificate of this judge holds.

    Local weights are known by their hash and do not change; a dated hosted model may; a floating
    alias will. A panel holds as long as the member that changes soonest.
    """
    return timedelta(days=min(_days(model, judge, policy) for model in judge.models))


def _days(model: str, judge: JudgeIdentity, policy: Policy) -> int:
    if model.startswith("local/") and not judge.recorded:
        return policy.local_days
    return policy.dated_days if has_date(model) else policy.alias_days


def recompute(certificate: Certificate, rows: tuple[Row, ...]) -> list[str]:
    """Return what in a certificate does not follow from its evidence; an empty list is good.

    Every figure is measured again from the rows and compared to nine digits.
    """
    wrong = []
    if certificate.computed_id() != certificate.id:
        wrong.append("its content does not have the id it carries")
    evidence = measure(rows, certificate.scale)
    wrong.extend(_differences(evidence, certificate.evidence, "evidence"))
    wrong.extend(_differences(tally(rows), certificate.tally, "tally"))
    decision = decide(rows, certificate.scale, evidence, certificate.policy, look=certificate.look)
    if decision.verdict != "calibrated":
        wrong.append(f"verdict: its own policy finds {decision.verdict or 'none'}")
    wrong.extend(_differences(decision.checks, certificate.checks, "checks"))
    facts = _derived(certificate, rows)
    stated = {name: _stated(certificate, name) for name in facts}
    return [*wrong, *(t for n in facts for t in _differences(facts[n], stated[n], n))]


def _derived(certificate: Certificate, rows: tuple[Row, ...]) -> dict[str, Any]:
    """Return the facts that follow from others, by where the certificate states them."""
    judge, labels = certificate.judge, certificate.labels
    return {
        **{f"labels.{name}": n for name, n in label_facts(rows).items()},
        "earlier_looks": certificate.look - 1,
        "stamps": stamps(judge, labels, certificate.policy),
        "expires_at": certificate.issued_at + lifetime(judge, certificate.policy),
    }


def _stated(certificate: Certificate, path: str) -> Any:
    found: Any = certificate
    for name in path.split("."):
        found = getattr(found, name)
    return found


def label_facts(rows: Iterable[Row]) -> dict[str, int]:
    """Return how many items, raters and cases the rows that take part hold."""
    part = [row for row in rows if row.set_aside is None]
    return {
        "items": len({row.item for row in part}),
        "raters": len({row.rater for row in part}),
        "cases": len({(row.case is None, row.case or row.item) for row in part}),
    }


def _differences(found: Any, stated: Any, where: str) -> list[str]:
    parts, others = _parts(found), _parts(stated)
    if parts is not None and others is not None:
        if parts.keys() != others.keys():
            names = [", ".join(table) or "nothing" for table in (others, parts)]
            return [f"{where}: it has {names[0]}, but it should have {names[1]}"]
        return [t for k in parts for t in _differences(parts[k], others[k], f"{where}{k}")]
    if isinstance(found, float) and isinstance(stated, float | int):
        return [] if abs(found - stated) <= 1e-9 else [f"{where}: {stated}, but it is {found:.9g}"]
    return [] if found == stated else [f"{where}: {stated!r}, but it is {found!r}"]


def _parts(value: Any) -> dict[str, Any] | None:
    """Return what a record, a table or a list is made of, by how it is reached; else None."""
    if isinstance(value, Frozen | dict):
        parts = {f".{name}": part for name, part in dict(value).items()}
        if isinstance(value, EstimateRecord) and value.value is None:
            del parts[".clusters"]  # for people, and not in every certificate
        return parts
    if isinstance(value, tuple | list):
        return {f"[{i}]": part for i, part in enumerate(value)}
    return None
