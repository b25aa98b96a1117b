"""All figures beside kappa, each with its interval and what it can and cannot say."""

from __future__ import annotations

from judgekit.calibration.evidence import EstimateRecord, Evidence
from judgekit.calibration.workup import WorkUp
from judgekit.reports.estimates import why_undefined
from judgekit.reports.words import number, table

_NAMES = {
    "raw_agreement": "raw agreement",
    "unweighted_kappa": "kappa, unweighted",
    "linear_kappa": "kappa, linear weights",
    "quadratic_kappa": "kappa, quadratic weights",
    "pass_agreement": "kappa of pass or fail",
    "sensitivity": "passes met (TPR)",
    "specificity": "fails met (TNR)",
    "balanced_accuracy": "balanced accuracy",
    "pass_shift": "pass rate, judge - human",
    "signed_error": "level, judge - human",
    "mean_absolute_error": "mean absolute error",
    "scott_pi": "Scott's pi",
    "bennett_s": "Bennett's S",
    "pabak": "PABAK",
    "gwet_ac1": "Gwet's AC1",
    "gwet_ac2": "Gwet's AC2",
    "pearson": "Pearson's r",
    "spearman": "Spearman's rho",
    "kendall_tau_b": "Kendall's tau-b",
    "lin_ccc": "Lin's concordance",
    "mcc": "Matthews correlation",
}
"""How a figure is called, in the order of the table."""
_SEVERAL = {
    "fleiss_kappa": "Fleiss' kappa",
    "conger_kappa": "Conger's kappa",
    "brennan_prediger": "Brennan-Prediger",
    "gwet_ac1": "Gwet's AC1",
    "gwet_ac2": "Gwet's AC2",
    "alpha_nominal": "alpha, nominal",
    "alpha_ordinal": "alpha, ordinal",
    "alpha_interval": "alpha, interval",
}


def figure_lines(evidence: Evidence, work_up: WorkUp) -> list[str]:
    """Return one line for each figure that this kind of scale has."""
    known: dict[str, EstimateRecord | None] = {
        name: getattr(evidence, name, None) for name in _NAMES
    } | dict(work_up.figures)
    rows = [("figure", "value", "95% interval")]
    for name, label in _NAMES.items():
        found = known.get(name)
        if found is not None:
            rows.append((label, *_cells(found)))
    return table(rows)


def rater_figure_lines(work_up: WorkUp) -> list[str]:
    """Return the coefficients of several raters at once: people alone, and with the judge."""
    if not work_up.humans:
        return []
    rows: list[tuple[str, ...]] = [("several raters", "people", "people and judge")]
    for name, label in _SEVERAL.items():
        if name in work_up.humans:
            pair = (work_up.humans[name], work_up.with_judge[name])
            rows.append((label, *(_in_one(found) for found in pair)))
    return table(rows)


def _in_one(found: EstimateRecord) -> str:
    value, rest = _cells(found)
    return f"{value} ({rest})"


def _cells(found: EstimateRecord) -> tuple[str, str]:
    if found.value is None:
        return "undefined", why_undefined(found)
    return number(found.value), f"{number(found.low)} to {number(found.high)}"
