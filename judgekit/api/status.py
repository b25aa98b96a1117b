"""Every judge of a project: fit to score, or not and why."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from judgekit.api.admission import admit_judge
from judgekit.api.setup import load_judge
from judgekit.calibration.certificate import Certificate
from judgekit.errors import GateRefusal, JudgekitError, Reason
from judgekit.storage.project import Project


@dataclass(frozen=True)
class JudgeStatus:
    """How one judge stands on one criterion.

    Attributes:
        judge: Its name.
        criterion: The criterion; ``*`` when the judge cannot even be read.
        certificate: The certificate that holds, or None.
        reasons: Why none holds; empty when one does.
        expires_soon: True when it holds and will not for much longer.
    """

    judge: str
    criterion: str
    certificate: Certificate | None
    reasons: tuple[Reason, ...] = ()
    expires_soon: bool = False

    @property
    def fit(self) -> bool:
        """Return whether the judge may score."""
        return self.certificate is not None


def project_status(project: Project, *, now: datetime | None = None) -> list[JudgeStatus]:
    """Return how every judge and criterion of a project stands at the gate."""
    now = now or datetime.now(UTC)  # noqa: TID251  (the shell has the clock)
    found: list[JudgeStatus] = []
    for name in project.configuration.judges:
        try:
            setup = load_judge(name, project=project)
        except JudgekitError as error:
            reason = Reason("judge_unreadable", str(error), error.hint)
            found.append(JudgeStatus(name, "*", None, (reason,)))
            continue
        for criterion in setup.judge.rubric.criteria:
            try:
                admitted = admit_judge(setup, criteria=[criterion.name], now=now)
            except GateRefusal as refusal:
                found.append(JudgeStatus(name, criterion.name, None, refusal.reasons))
            except JudgekitError as error:
                reason = Reason("labels_unreadable", str(error), error.hint)
                found.append(JudgeStatus(name, criterion.name, None, (reason,)))
            else:
                certificate = admitted.certificates[criterion.name]
                soon = certificate.expires_at - now <= timedelta(days=project.policy.warn_days)
                found.append(JudgeStatus(name, criterion.name, certificate, expires_soon=soon))
    return found
