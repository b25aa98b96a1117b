"""A certificate as a person reads it."""

from __future__ import annotations

from judgekit.calibration.certificate import Certificate
from judgekit.reports.calibration import kappa_name
from judgekit.reports.checks import Checked, checks_table
from judgekit.reports.estimates import interval
from judgekit.reports.words import count, labelled, number, table


def certificate_lines(certificate: Certificate) -> list[str]:
    """Return who was certified on what, the figures, and how long it holds."""
    judge, policy = certificate.judge, certificate.policy
    stamps = f" ({', '.join(certificate.stamps)})" if certificate.stamps else ""
    asked = number(policy.bar)
    route = " on the human-level route" if policy.route == "human-level" else ""
    kappa = kappa_name(certificate.scale.weights)
    name = judge.name
    if name != certificate.criterion:
        name += f", {certificate.criterion}"
    checked = Checked(
        certificate.checks, certificate.evidence, certificate.tally, policy, certificate.look
    )
    lines = [
        f"{name}: certified{stamps}.",
        f"  {kappa} {interval(certificate.evidence.gate_agreement)}, asked {asked} or more{route}.",
        "",
        *checks_table(checked),
        "",
        *table(_facts(certificate)),
    ]
    left_out = certificate.parameters_left_out
    if left_out:
        lines += labelled("Note", f"not taken by the model and left out: {', '.join(left_out)}")
    return lines


def _facts(certificate: Certificate) -> list[list[str]]:
    judge, labels = certificate.judge, certificate.labels
    served = ", ".join(certificate.models_served)
    rubric = judge.rubric
    raters, cases = count(labels.raters, "rater"), count(labels.cases, "case")
    return [
        ["id", certificate.id],
        ["rubric", f"{rubric.name} version {rubric.version}, meaning {rubric.sha256[:12]}"],
        ["model", f"{judge.model}, served by {served}" if served else judge.model],
        ["scoring", f"{judge.scoring}, reader {judge.reader}"],
        ["labels", f"{count(labels.items, 'item')}, {raters}, {cases}, {labels.source}"],
        ["drawn", labels.sampling or "not stated"],
        *([] if labels.split is None else [["split", labels.split]]),
        *([["only", ", ".join(where)]] if (where := labels.options.get("where")) else []),
        [
            "issued",
            f"{certificate.issued_at:%Y-%m-%d}, holds until {certificate.expires_at:%Y-%m-%d}",
        ],
        ["look", str(certificate.look)],
        ["evidence", certificate.evidence_file.path],
    ]
