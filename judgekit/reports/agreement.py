"""What a table of verdicts and labels says, for people and as JSON. It is no certificate."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from judgekit.calibration.decide import label_counts
from judgekit.calibration.result import Agreement
from judgekit.calibration.rows import ScaleSpec
from judgekit.reports.baselines import baseline_lines
from judgekit.reports.calibration import kappa_name
from judgekit.reports.checks import Checked, checks_table
from judgekit.reports.confusion import confusion_lines
from judgekit.reports.estimates import interval
from judgekit.reports.evidence_json import checks_json, evidence_json, work_up_json
from judgekit.reports.figures import figure_lines, rater_figure_lines
from judgekit.reports.humans import Bar, applicability_lines, human_lines
from judgekit.reports.paradox import beside_lines
from judgekit.reports.probabilities import probability_json, probability_lines, reliability_json
from judgekit.reports.production import production_json, production_text
from judgekit.reports.slices import slice_lines, slices_json
from judgekit.reports.words import bound, count, labelled, number, wrapped

_HANG = " " * 8


def agreement_json(found: Agreement) -> dict[str, Any]:
    """Return the document of ``agreement --json`` (judgekit.agreement/1)."""
    return {
        "format": "judgekit.agreement/1",
        "judge": found.judge,
        "human": list(found.human),
        "certified": False,
        "levels_declared": list(found.spec.values),
        "level_names": list(found.spec.names),
        "kind": found.spec.kind,
        "weights": found.spec.weights,
        **evidence_json(found.evidence),
        **work_up_json(found.work_up, found.spec),
        "probabilities": probability_json(found.probabilities, found.chances),
        "reliability": reliability_json(found.probabilities),
        "slices": slices_json(found.slices),
        "production": production_json(found.production),
        "tally": found.tally.model_dump(mode="json"),
        "certificate_would_need": checks_json(found.decision),
        "notes": list(found.notes),
    }


_FEWEST = 10
"""Items below which counts are all there is to say."""


def agreement_lines(found: Agreement) -> list[str]:
    """Return the report: the agreement, all figures, and what a certificate would need."""
    evidence, several = found.evidence, rater_figure_lines(found.work_up)
    blocks = [
        _outcome(found),
        confusion_lines(evidence, found.spec),
        beside_lines(found.work_up, found.spec.names),
        figure_lines(evidence, found.work_up),
        _production(found),
        *(slice_lines(report) for report in found.slices),
        _chances(found),
        baseline_lines(evidence.baselines),
        _people_lines(found),
        several,
        [] if evidence.applicability is None else applicability_lines(evidence.applicability),
        _certificate_lines(found),
    ]
    return [line for block in blocks if block for line in (*block, "")][:-1]


def _outcome(found: Agreement) -> list[str]:
    """Return the figure, what it means for a certificate, and what it rests on."""
    evidence, tally = found.evidence, found.tally
    first = (
        f"{found.judge or 'The likeliest level'} against {_and(found.human)}: "
        f"{kappa_name(found.spec.weights)} {interval(evidence.agreement)}."
    )
    lines = wrapped(first, rest=_HANG)
    if evidence.gate_agreement.value != evidence.agreement.value:
        counted = f"With what is unjudged as disagreement: {interval(evidence.gate_agreement)}."
        lines += wrapped(counted, first=_HANG, rest=_HANG)
    if told := _against_the_bar(found):
        lines += wrapped(told, first=_HANG, rest=_HANG)
    gone = {**tally.unjudged, **tally.set_aside}
    without = "".join(f", {n:,} {code.replace('_', ' ')}" for code, n in gone.items())
    raters = count(len(evidence.raters), "rater")
    cases = len({row.case or row.item for row in found.rows if row.set_aside is None})
    if cases < tally.judged + sum(tally.unjudged.values()):
        raters += f"; {count(cases, 'case')}, and intervals allow for items of one case"
    return [
        *lines,
        *wrapped(f"{count(tally.items, 'item')}: {tally.judged:,} judged{without}; {raters}"),
    ]


def _and(names: Sequence[str]) -> str:
    return " and ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)


def _against_the_bar(found: Agreement) -> str | None:
    """Say on which side of the bar the figure lies, as far as the labels can tell."""
    kappa, bar = found.evidence.gate_agreement, found.policy.bar
    if sum(n > 0 for n in label_counts(found.evidence)) == 1:
        return "It says nothing: people gave one level only."
    if kappa.low is None or kappa.high is None:
        return None
    if found.tally.paired < _FEWEST:
        return f"{count(found.tally.paired, 'item')} are too few to say on which side of a bar."
    asked = f"the {number(bar)} that a certificate asks"
    if kappa.low >= bar:
        return f"The low end, {bound(kappa.low, bar)}, reaches {asked}."
    if kappa.high < bar:
        return f"Even the high end, {bound(kappa.high, bar)}, is under {asked}."
    return f"Undecided: {asked} lies inside the interval."


def _production(found: Agreement) -> list[str]:
    return [] if found.production is None else labelled("In use", production_text(found.production))


def _chances(found: Agreement) -> list[str]:
    if found.probabilities is None:
        return []
    verdicts = found.judge is not None
    return probability_lines(found.probabilities, found.spec, found.chances, verdicts=verdicts)


def _people_lines(found: Agreement) -> list[str]:
    evidence, lines = found.evidence, []
    if len(evidence.raters) > 1:
        each = "; ".join(f"{name} {interval(kappa)}" for name, kappa in evidence.raters.items())
        lines += labelled("Raters", f"kappa with each: {each}")
    if evidence.humans is not None:
        lines += human_lines(evidence.humans, Bar.of(found.policy))
    return lines


def _edge(spec: ScaleSpec) -> str | None:
    """Return what the lowest level that passes is called."""
    return None if spec.passes is None else spec.names[spec.passes.index(True)]


def _certificate_lines(found: Agreement) -> list[str]:
    if found.decision.failed:
        told = "A certificate would need, by the default policy:"
    else:
        told = "These figures would do for the default policy. A certificate needs a rubric too."
    checked = Checked(
        found.decision.checks, found.evidence, found.tally, found.policy, 1, _edge(found.spec)
    )
    needs = [
        "a rubric (judgekit init writes one), with the judge itself or its verdicts:",
        "judgekit calibrate RUBRIC --model MODEL --labels LABELS --items ITEMS",
        "judgekit calibrate RUBRIC --judgments VERDICTS --labels LABELS",
    ]
    return [
        told,
        *checks_table(checked),
        "",
        *labelled("And", "\n".join(needs)),
        *labelled("Scale", f"{found.spec.kind}: {', '.join(found.spec.names)}"),
        "This is a measurement, not a certificate: `score` takes no judge on it.",
    ]
