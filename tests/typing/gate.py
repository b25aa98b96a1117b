"""What the type checker must let pass at the gate, and what it must refuse.

Each ``type: ignore`` below is an error that has to be there: mypy reports the ignores it does not
need, so a gate that began to accept a bare judge would fail this file.
"""

from collections.abc import Sequence
from datetime import datetime

import judgekit as jk
from judgekit.calibration.gate import CertifiedJudge, Presented, Revocation, is_admitted


def certified_judges_score(judgments: jk.Judgments, judge: jk.CertifiedJudge) -> jk.Scores:
    """The one way to a number over items."""
    return jk.score(judgments, judge)


def a_bare_judge_does_not_score(judgments: jk.Judgments, judge: jk.Judge) -> None:
    """Nor does its setup, its certificate, or nothing."""
    jk.score(judgments, judge)  # type: ignore[arg-type]
    jk.score(judgments, None)  # type: ignore[arg-type]


def a_certificate_is_no_admission(judgments: jk.Judgments, certificate: jk.Certificate) -> None:
    """It has to be shown at the gate first."""
    jk.score(judgments, certificate)  # type: ignore[arg-type]


def a_setup_is_no_admission(judgments: jk.Judgments, setup: jk.JudgeSetup) -> None:
    """As a judge from the command line's point of view."""
    jk.score(judgments, setup)  # type: ignore[arg-type]


def the_gate_makes_them(
    certificate: jk.Certificate, judge: jk.Judge, policy: jk.Policy, now: datetime
) -> jk.CertifiedJudge:
    """One certificate, several, none, or as storage presents them."""
    shown: Sequence[jk.Certificate | Presented] = [certificate, Presented(certificate)]
    revocations: list[Revocation] = []
    jk.admit(None, judge, policy, now)
    jk.admit(shown, judge, policy, now, revocations=revocations)
    return jk.admit(certificate, judge, policy, now, labels={("item", "rater"): (1, None)})


def the_gate_wants_a_judge(
    certificate: jk.Certificate, judge: jk.Judge, policy: jk.Policy, now: datetime
) -> None:
    """Not what it has already let through, and not without a time."""
    certified = jk.admit(certificate, judge, policy, now)
    jk.admit(certificate, certified, policy, now)  # type: ignore[arg-type]
    jk.admit(certificate, judge, policy)  # type: ignore[call-arg]


def nobody_else_makes_them(judge: jk.Judge, certificate: jk.Certificate, now: datetime) -> None:
    """The constructor asks for a key that nobody has."""
    CertifiedJudge(judge, {"tone": certificate}, now)  # type: ignore[call-arg]


class Sham(CertifiedJudge):  # type: ignore[misc]
    """It is final."""


def what_is_admitted_is_a_certified_judge(something: object) -> str | None:
    """Asking the gate tells the type checker too."""
    return something.judge.name if is_admitted(something) else None


def judgments_have_no_mean(judgments: jk.Judgments) -> None:
    """A container on purpose without a number over items."""
    judgments.mean()  # type: ignore[attr-defined]
    judgments.pass_rate  # type: ignore[attr-defined]  # noqa: B018


def it_does_not_change(certified: jk.CertifiedJudge, certificate: jk.Certificate) -> None:
    """Its certificates are for reading."""
    certified.certificates["tone"] = certificate  # type: ignore[index]
