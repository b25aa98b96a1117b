"""The gate: the only way from a certificate to a judge whose judgments may become a score."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal, TypeGuard, final

from pydantic import AwareDatetime

from judgekit.calibration.certificate import Certificate
from judgekit.calibration.voiding import (
    CurrentLabels,
    Presented,
    expired,
    judge_changes,
    labels_changed,
    own_faults,
    policy_stricter,
)
from judgekit.errors import GateRefusal, InputError, Reason
from judgekit.rubric.frozen import Frozen

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from judgekit.calibration.policy import Policy
    from judgekit.calibration.rows import Row
    from judgekit.judging.judge import Judge
    from judgekit.rubric.model import Criterion

__all__ = ["CertifiedJudge", "CurrentLabels", "Presented", "Revocation", "admit", "is_admitted"]

_KEY: Final = object()


class Revocation(Frozen):
    """An event that takes a certificate back, for example because the judge drifted."""

    format: Literal["judgekit.revocation/1"] = "judgekit.revocation/1"
    certificate: str
    reason: Literal["drifted", "certificate_invalid"] = "drifted"
    message: str
    revoked_at: AwareDatetime


@final
class CertifiedJudge:
    """A judge whose certificate was found to hold, at one moment. Made by :func:`admit` only.

    Attributes:
        judge: The judge.
        certificates: The certificate of each criterion it is admitted on.
        admitted_at: When the gate looked.
        evidence: The evidence rows that came with each certificate, where they were at hand.
    """

    __slots__ = ("_seal", "admitted_at", "certificates", "evidence", "judge")

    def __init__(
        self,
        judge: Judge,
        certificates: Mapping[str, Certificate],
        admitted_at: datetime,
        evidence: Mapping[str, tuple[Row, ...]] | None = None,
        *,
        key: object,
    ) -> None:
        if key is not _KEY:
            raise TypeError("a CertifiedJudge is made by judgekit.admit(), never by hand")
        object.__setattr__(self, "judge", judge)
        object.__setattr__(self, "certificates", MappingProxyType(dict(certificates)))
        object.__setattr__(self, "admitted_at", admitted_at)
        object.__setattr__(self, "evidence", MappingProxyType(dict(evidence or {})))
        object.__setattr__(self, "_seal", key)

    judge: Judge
    certificates: Mapping[str, Certificate]
    admitted_at: datetime
    evidence: Mapping[str, tuple[Row, ...]]
    _seal: object

    def __init_subclass__(cls, **more: object) -> None:
        raise TypeError("a CertifiedJudge has no other kinds: judgekit.admit() makes them all")

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a CertifiedJudge does not change")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("a CertifiedJudge does not change")

    def __reduce__(self) -> str:
        raise TypeError("a CertifiedJudge is not stored or copied: admit the judge again")

    def __repr__(self) -> str:
        if not is_admitted(self):
            return "CertifiedJudge(not admitted)"
        return f"CertifiedJudge({self.judge.name!r}, criteria={sorted(self.certificates)})"


def is_admitted(judge: object) -> TypeGuard[CertifiedJudge]:
    """Tell whether this is a judge that :func:`admit` let through, not one that only looks so."""
    return type(judge) is CertifiedJudge and getattr(judge, "_seal", None) is _KEY


def admit(
    certificate: Certificate | Presented | Sequence[Certificate | Presented] | None,
    judge: Judge,
    policy: Policy,
    now: datetime,
    labels: CurrentLabels | None = None,
    revocations: Sequence[Revocation] = (),
    *,
    criteria: Sequence[str] | None = None,
) -> CertifiedJudge:
    """Let a judge through the gate, or refuse with every reason at once.

    Args:
        certificate: The certificate, or several; one for each criterion is needed.
        judge: The judge as it is now.
        policy: The policy as it is now.
        now: The time, with a time zone.
        labels: The labels as they are now, where they are at hand: altered or withdrawn
            evidence voids a certificate, added labels do not.
        revocations: Certificates taken back.
        criteria: The criteria asked for; all of the rubric's by default.

    Raises:
        GateRefusal: with every reason found.
        UnknownName: a criterion asked for is not in the rubric.
        InputError: ``now`` has no time zone.
    """
    if now.tzinfo is None:
        raise InputError("the time at the gate needs a time zone: datetime.now(UTC)")
    shown = _presented(certificate)
    admitted: dict[str, Presented] = {}
    reasons: list[Reason] = []
    names = criteria or [c.name for c in judge.rubric.criteria]
    for criterion in (judge.rubric.criterion(name) for name in names):
        best, found = _admit_one(shown, judge, criterion, policy, now, labels, revocations)
        if found or best is None:
            reasons.extend(found)
        else:
            admitted[criterion.name] = best
    if reasons:
        raise GateRefusal(list(dict.fromkeys(reasons)))
    certificates = {name: one.certificate for name, one in admitted.items()}
    evidence = {name: one.rows for name, one in admitted.items() if one.rows is not None}
    return CertifiedJudge(judge, certificates, now, evidence, key=_KEY)


def _presented(
    certificate: Certificate | Presented | Sequence[Certificate | Presented] | None,
) -> list[Presented]:
    if certificate is None:
        return []
    many = [certificate] if isinstance(certificate, Certificate | Presented) else certificate
    return [c if isinstance(c, Presented) else Presented(c) for c in many]


def _admit_one(
    shown: Sequence[Presented],
    judge: Judge,
    criterion: Criterion,
    policy: Policy,
    now: datetime,
    labels: CurrentLabels | None,
    revocations: Sequence[Revocation],
) -> tuple[Presented | None, list[Reason]]:
    """Return the certificate that holds, or the reasons against the newest."""
    identity = judge.identity(criterion)
    mine = [p for p in shown if p.certificate.criterion == criterion.name]
    own = [p for p in mine if p.certificate.judge.fingerprint == identity.fingerprint]
    candidates = own or [p for p in mine if p.certificate.judge.name == judge.name]
    if not candidates:
        message = (
            f"{judge.name} has never been calibrated on {criterion.name!r} for this rubric, "
            "model and parameters."
        )
        next_step = f"judgekit calibrate {judge.name} --labels FILE"
        return None, [Reason("no_certificate", message, next_step)]
    newest: list[Reason] = []
    for one in sorted(candidates, key=lambda p: p.certificate.issued_at, reverse=True):
        reasons = [
            *own_faults(one, criterion, identity),
            *judge_changes(one.certificate, identity),
            *labels_changed(one, labels, identity),
            *expired(one.certificate, identity, now),
            *_revoked(one.certificate, candidates, judge, revocations),
            *policy_stricter(one.certificate, policy, now),
        ]
        if not reasons:
            return one, []
        newest = newest or [r._replace(certificate=one.certificate.id) for r in reasons]
    return None, newest


def _revoked(
    cert: Certificate,
    others: Sequence[Presented],
    judge: Judge,
    revocations: Sequence[Revocation],
) -> list[Reason]:
    """Return the events against a certificate; drift counts against all it came after.

    It is the judge that drifts: an older certificate of the same judge does not outlive the newer
    one that was taken back.
    """
    same_judge = {
        p.certificate.id
        for p in others
        if p.certificate.judge.fingerprint == cert.judge.fingerprint
    }
    return [
        Reason(r.reason, r.message, f"judgekit recheck {judge.name}")
        for r in revocations
        if r.certificate == cert.id
        or (
            r.reason == "drifted" and r.certificate in same_judge and r.revoked_at >= cert.issued_at
        )
    ]
