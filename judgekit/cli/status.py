"""``judgekit status``."""

from __future__ import annotations

from typing import Any

from judgekit.api.status import JudgeStatus, project_status
from judgekit.cli import options as opt
from judgekit.cli.run import FALLS_SHORT, FINE
from judgekit.cli.screen import document_or_lines
from judgekit.errors import InputError
from judgekit.reports.documents import reason_json
from judgekit.reports.words import wrapped
from judgekit.storage.project import open_project


def status(as_json: opt.Json = False) -> int:
    """Show every judge of the project: certified or not, and why (exit 1 if any is not fit)."""
    project = open_project()
    if not project.configuration.judges:
        raise InputError(
            "there is no judge here: no judgekit.toml in this folder or above it names one",
            hint="begin with: judgekit init",
        )
    found = project_status(project)
    document = {"format": "judgekit.status/1", "judges": [_document(one) for one in found]}
    document_or_lines(document, [line for one in found for line in _lines(one)], as_json=as_json)
    return FINE if all(one.fit for one in found) else FALLS_SHORT


def _lines(one: JudgeStatus) -> list[str]:
    name = one.judge if one.criterion in (one.judge, "*") else f"{one.judge}, {one.criterion}"
    certificate = one.certificate
    if certificate is not None:
        until = f"valid until {certificate.expires_at:%Y-%m-%d}"
        soon = ", runs out soon: calibrate it again" if one.expires_soon else ""
        stamps = f" ({', '.join(certificate.stamps)})" if certificate.stamps else ""
        return wrapped(f"{name}: certified{stamps}, certificate {certificate.short}, {until}{soon}")
    lines = [f"{name}: not fit to score"]
    for reason in one.reasons:
        lines += wrapped(f"{reason.code}: {reason.message}", first="  ", rest="    ")
        if reason.next:
            lines.append(f"    {reason.next}")
    return lines


def _document(one: JudgeStatus) -> dict[str, Any]:
    certificate = one.certificate
    return {
        "judge": one.judge,
        "criterion": one.criterion,
        "fit": one.fit,
        "certificate": certificate.id if certificate else None,
        "expires_at": certificate.expires_at.isoformat() if certificate else None,
        "expires_soon": one.expires_soon,
        "stamps": list(certificate.stamps) if certificate else [],
        "reasons": [reason_json(reason) for reason in one.reasons],
    }
