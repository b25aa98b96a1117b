"""What voids a certificate: the reasons why one that was good no longer holds."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from judgekit.calibration.certificate import lifetime
from judgekit.calibration.check import Check
from judgekit.calibration.decide import LowEnds, hold
from judgekit.calibration.rows import ScaleSpec
from judgekit.errors import Reason
from judgekit.rubric.meaning import changed_parts

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from judgekit.calibration.certificate import Certificate
    from judgekit.calibration.policy import Policy
    from judgekit.calibration.rows import Row
    from judgekit.judging.judge import JudgeIdentity, MemberIdentity
    from judgekit.rubric.model import Criterion

CurrentLabels = dict[tuple[str, str], tuple[object, str | None]]
"""Labels as they are now: (item, rater) -> (level value, digest of the item text or None)."""

_FACTS = (
    *("model", "replicates", "rule", "orders", "inconsistent"),
    *("scoring", "structured", "system_in_user", "recorded"),
)


@dataclass(frozen=True)
class Presented:
    """A certificate as it is shown at the gate, with its evidence rows.

    Attributes:
        certificate: The certificate.
        rows: The rows of its evidence file, or None when they are not at hand.
        faults: What is wrong with the files themselves (tampered, unreadable); usually empty.
        labels: The labels as they are now, read the way this certificate's were; None leaves it to
            the labels that :func:`admit` is given.
    """

    certificate: Certificate
    rows: tuple[Row, ...] | None = None
    faults: tuple[str, ...] = ()
    labels: CurrentLabels | None = None


def own_faults(one: Presented, criterion: Criterion, now: JudgeIdentity) -> list[Reason]:
    """Return why the certificate itself cannot be trusted; the first fault says enough."""
    cert, faults = one.certificate, list(one.faults)
    if not faults and _computed_id(cert) != cert.id:
        faults.append("its content does not have the id it carries")
    same_meaning = cert.judge.rubric.sha256 == now.rubric.sha256
    if not faults and same_meaning and cert.scale != ScaleSpec.of(criterion):
        faults.append("its scale is not the rubric's")
    return [
        Reason(
            "certificate_invalid",
            f"certificate {cert.short} cannot be trusted: {fault}.",
            f"judgekit certificate verify {cert.short}",
        )
        for fault in faults[:1]
    ]


def _computed_id(cert: Certificate) -> str | None:
    try:
        return cert.computed_id()
    except (TypeError, ValueError):  # a content that is no JSON has no id
        return None


def judge_changes(cert: Certificate, now: JudgeIdentity) -> list[Reason]:
    """Return what of the judge is not what was certified: its rubric, its model, its reader."""
    known, since = cert.judge, f"since certificate {cert.short} ({cert.issued_at:%Y-%m-%d})"
    again = _recalibrate(now)
    reasons = []
    if known.rubric.sha256 != now.rubric.sha256:
        parts = ", ".join(changed_parts(known.rubric.parts, now.rubric.parts)) or "the meaning"
        message = f"{parts} of {now.rubric.name} reads differently {since}."
        compare = f"judgekit rubric diff {cert.short} {now.name}"  # tells how to go on
        reasons.append(Reason("rubric_changed", message, compare))
    changed = [
        f"{name} was {_told(getattr(known, name))}, is {_told(getattr(now, name))}"
        for name in _FACTS
        if getattr(known, name) != getattr(now, name)
    ]
    changed += _asked_otherwise(known, now)
    reader = known.reader != now.reader
    if not changed and not reader and not reasons and known.fingerprint != now.fingerprint:
        changed = ["the judge's fingerprint is another"]
    if changed:
        reasons.append(Reason("judge_changed", f"{'; '.join(changed)}, {since}.", again))
    if reader:
        message = f"replies are read by reader {now.reader}, the evidence was by {known.reader}."
        reasons.append(Reason("reader_changed", message, again))
    return reasons


def _asked_otherwise(known: JudgeIdentity, now: JudgeIdentity) -> list[str]:
    """Return how endpoints and parameters changed, of a panel member by member.

    A panel of other models is told of by its ``model``.
    """
    if not known.panel or not now.panel:
        return _sent_changed(known, now)
    if known.model != now.model:
        return []
    members = list(zip(known.panel, now.panel, strict=True))  # by model, on both sides
    each = [_sent_changed(was, is_) for was, is_ in members]
    if all(changes == each[0] for changes in each):
        return each[0]
    pairs = zip(members, each, strict=True)
    return [f"of {is_.model} {change}" for (_, is_), changes in pairs for change in changes]


def _sent_changed(
    known: JudgeIdentity | MemberIdentity, now: JudgeIdentity | MemberIdentity
) -> list[str]:
    told = []
    if known.api_base != now.api_base:
        told.append(f"api_base was {_told(known.api_base)}, is {_told(now.api_base)}")
    if known.parameters != now.parameters:
        told += _parameters_changed(known.parameters, now.parameters) or ["parameters changed"]
    return told


def _parameters_changed(known: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    def told(parameters: Mapping[str, Any], name: str) -> str:
        return _told(parameters[name]) if name in parameters else "not sent"

    changes = {
        name: (told(known, name), told(now, name)) for name in sorted(known.keys() | now.keys())
    }
    return [f"{n} was {was}, is {is_}" for n, (was, is_) in changes.items() if was != is_]


def labels_changed(
    one: Presented, labels: CurrentLabels | None, now: JudgeIdentity
) -> list[Reason]:
    """Return whether labels behind the certificate were altered or withdrawn; new ones may come.

    On another scale, or with other inputs, what labels say cannot be compared: the rubric changed.
    """
    current = labels if one.labels is None else one.labels
    before, after = one.certificate.judge.rubric.parts, now.rubric.parts
    comparable = all(before.get(part) == after.get(part) for part in ("scale", "inputs"))
    if current is None or one.rows is None or not comparable:
        return []
    values = one.certificate.scale.values
    pairs = [row for row in one.rows if row.rater is not None]
    stale = {row.item: why for row in pairs if (why := _stale(row, values, current))}
    if not stale:
        return []
    kinds = " or ".join(sorted(set(stale.values())))
    some = ", ".join(list(stale)[:3]) + (" ..." if len(stale) > 3 else "")
    message = (
        f"labels of {len(stale)} of {len({row.item for row in pairs})} items behind certificate "
        f"{one.certificate.short} were {kinds} ({some})."
    )
    return [Reason("labels_changed", message, _recalibrate(one.certificate.judge))]


def _stale(row: Row, values: Sequence[object], current: CurrentLabels) -> str | None:
    """Return what became of the label in a row, or None when it stands as it was."""
    key = (row.item, row.rater or "")
    if row.human is None:  # "does not apply" then: a level now is another statement
        return "altered" if key in current else None
    if key not in current:
        return "withdrawn"
    level, text = current[key]
    same_text = row.text is None or text is None or row.text == text
    return None if level == values[row.human] and same_text else "altered"


def expired(cert: Certificate, judge: JudgeIdentity, now: datetime) -> list[Reason]:
    """Return whether the certificate has run out; at its last second it already has."""
    if now + timedelta(days=1) < cert.issued_at:
        message = f"certificate {cert.short} says it was issued on {cert.issued_at:%Y-%m-%d}."
        return [Reason("certificate_invalid", message, _recalibrate(judge))]
    if now < cert.expires_at:
        return []
    message = f"certificate {cert.short} ran out on {cert.expires_at:%Y-%m-%d}."
    again = _recalibrate(judge)  # the replies in the cache are as old as the certificate
    return [Reason("expired", message, again if judge.recorded else f"{again} --refresh")]


def policy_stricter(cert: Certificate, policy: Policy, now: datetime) -> list[Reason]:
    """Hold the certificate's own figures against a policy that is not the one it was made under."""
    if cert.policy == policy:
        return []
    ends: LowEnds = {c.name: c.observed for c in cert.checks if isinstance(c.observed, float)}
    if cert.look == 1 and cert.evidence.humans is not None:  # the printed end is that of the look
        ends.setdefault("human_gap", cert.evidence.humans.gap.low)
    checks = hold(cert.tally, cert.scale, cert.evidence, policy, cert.look, ends)
    told = [
        f"{c.name.replace('_', ' ')}: the policy now asks {_asked(c)}, certificate {cert.short} "
        f"shows {_found(c)}."
        for c in checks
        if not c.passed
    ]
    days = lifetime(cert.judge, policy).days
    if cert.issued_at + lifetime(cert.judge, policy) <= now < cert.expires_at:
        told.append(
            f"the policy now lets certificates hold {days} days, certificate {cert.short} is of "
            f"{cert.issued_at:%Y-%m-%d}."
        )
    return [Reason("policy_stricter", text, _recalibrate(cert.judge)) for text in told]


def _asked(check: Check) -> str:
    if check.name in ("pass_rate_shift", "level_shift"):
        return f"within {_told(check.required)}"
    if check.name == "beats_length":
        return "more agreement with people than length alone has"
    if check.name == "human_gap":
        return f"a low end above {_told(check.required)}"
    return f"{'at most ' if check.name == 'looks' else ''}{_told(check.required)}"


def _found(check: Check) -> str:
    if check.name == "beats_length" and isinstance(check.observed, dict):
        judge, length = (check.observed[name] for name in ("judge", "length"))
        return f"{judge:.2f} against {length:.2f}"
    return _told(check.observed)


def _recalibrate(judge: JudgeIdentity) -> str:
    return f"judgekit calibrate {judge.name} --labels FILE"


def _told(value: object) -> str:
    """Return a value as messages show it."""
    if value is None:
        return "not set"
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, dict):
        return ", ".join(f"{name} {_told(n)}" for name, n in value.items()) or "nothing"
    return str(value)
