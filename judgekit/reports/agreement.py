"""What a table of verdicts and labels says, for people and as JSON. It is no certificate."""

from __future__ import annotations

from typing import Any

from judgekit.calibration.result import Agreement
from judgekit.reports.calibration import kappa_name
from judgekit.reports.checks import Checked, checks_table
from judgekit.reports.confusion import confusion_lines
from judgekit.reports.evidence_json import checks_json, evidence_json
from judgekit.reports.figures import figure_lines
from judgekit.reports.words import count, interval, labelled, wrapped
from judgekit.rubric.scale import number_text


def agreement_json(found: Agreement) -> dict[str, Any]:
    """Return the document of ``agreement --json`` (judgekit.agreement/1)."""
    return {
        "format": "judgekit.agreement/1",
        "judge": found.judge,
        "human": list(found.human),
        "certified": False,
        "levels_declared": list(found.spec.values),
        "kind": found.spec.kind,
        "weights": found.spec.weights,
        **evidence_json(found.evidence),
        "tally": found.tally.model_dump(mode="json"),
        "certificate_would_need": checks_json(found.decision),
        "notes": list(found.notes),
    }


def agreement_lines(found: Agreement) -> list[str]:
    """Return the report: the agreement, all figures, and what a certificate would need."""
    tally = found.tally
    gone = {**tally.unjudged, **tally.set_aside}
    told = "".join(f", {n:,} {code.replace('_', ' ')}" for code, n in gone.items())
    who = " and ".join(found.human)
    first = (
        f"{found.judge} against {who}: {kappa_name(found.spec.weights)} "
        f"{interval(found.evidence.agreement)}."
    )
    raters = count(len(found.evidence.raters), "rater")
    lines = [
        *wrapped(first, rest="        "),
        f"{count(tally.items, 'item')}: {tally.judged:,} judged{told}; {raters}",
        "",
        *confusion_lines(found.evidence, found.spec),
        "",
        *figure_lines(found.evidence),
        "",
    ]
    return [*lines, *_certificate_lines(found)]


def _certificate_lines(found: Agreement) -> list[str]:
    failed = found.decision.failed
    if not failed:
        told = "These figures would pass the default policy. A certificate needs more than figures:"
    else:
        told = "A certificate would need, by the default policy:"
    checked = Checked(found.decision.checks, found.evidence, found.tally, found.policy, 1)
    needs = [
        "a rubric that defines each level (judgekit init writes one to start from)",
        "and the judge itself, or its verdicts in a file of their own (item_id, level):",
        "judgekit calibrate RUBRIC --model MODEL --labels LABELS --items ITEMS",
        "judgekit calibrate RUBRIC --judgments VERDICTS --labels LABELS",
    ]
    scale = ", ".join(number_text(v) for v in found.spec.values)
    return [
        told,
        *checks_table(checked),
        "",
        *labelled("And", "\n".join(needs)),
        *labelled("Scale", f"{found.spec.kind}: {scale}"),
        "This is a measurement, not a certificate: `score` takes no judge on it.",
    ]
