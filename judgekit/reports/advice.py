"""What to do next, after each outcome of a calibration."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from judgekit.calibration.result import Calibration, CriterionCalibration
from judgekit.judging.judgment import INCOMPLETE, Unjudged
from judgekit.reports.words import count, listed
from judgekit.rubric.scale import number_text


class Named(NamedTuple):
    """What the user named, in the user's own words, for the commands that are advised.

    Attributes:
        judge: The judge.
        labels: The label file, and how it is read.
        scoring: The options that `score` needs as well.
    """

    judge: str
    labels: str
    scoring: str = ""


def next_step(result: Calibration, found: CriterionCalibration, named: Named) -> str:
    """Return what to do after a calibration that certified nothing."""
    if found.verdict is None:
        lost = {c: n for c, n in found.tally.unjudged.items() if c in INCOMPLETE}
        told = ", ".join(f"{n:,} {plain(cause)}" for cause, n in lost.items())
        limit = f"at most {result.policy.max_incomplete:.0%} of the items may be lost"
        again = "Give the missing judgments" if result.judge.recorded else "Run it again"
        rest = "" if result.judge.recorded else ": only what failed is asked"
        return f"{told}; {limit}. {_first_failure(found)}{again}{rest}."
    if any(check.reason == "leaked_anchors" for check in found.decision.failed):
        return (
            "Take the worked examples from train, and label fresh items in place of those; or give "
            "the rubric other examples."
        )
    if any(check.reason == "humans_disagree" for check in found.decision.failed):
        return f"{_weakest_step(found)}, and have people label again."
    if found.verdict == "not_calibrated":
        step, name = _weakest_step(found), named.judge.split(" --model")[0]
        if result.judge.recorded:
            return f"{step}, or measure the judgments of a stronger model."
        again = f"judgekit calibrate {name} --model MODEL --labels {named.labels}"
        return f"{step}, or try a stronger model:\n{again}"
    return " ".join([*more_labels(found), *_obstacles(found)]) or "Label more items."


def _first_failure(found: CriterionCalibration) -> str:
    """Return what the first call that failed said, so that its cause can be mended."""
    for outcome in found.outcomes.values():
        if isinstance(outcome, Unjudged) and outcome.cause == "provider_error" and outcome.detail:
            return f"The first said: {' '.join(outcome.detail.split())[:300]}. "
    return ""


def more_labels(found: CriterionCalibration) -> list[str]:
    """Return how many more labels would decide, or why none would; empty where it is not asked."""
    if found.needed is None:
        return []
    if found.needed.items is None:
        why = found.needed.why
        return [f"More labels alone do not decide: {why}."] if why else []
    one_each = found.labels.raters <= 1 and "majority" not in found.stamps
    noun = "more label" if one_each else "more labelled item"
    told = count(_rounded(found.needed.items), noun)
    return [f"About {told} would decide (80% chance if the judge is as good as it looks)."]


def _rounded(n: int) -> int:
    """Round up to two digits: a simulated number is no more exact."""
    step = int(10 ** max(0, len(str(n)) - 2))
    return -(-n // step) * step


def _obstacles(found: CriterionCalibration) -> list[str]:
    parts = []
    for check in found.decision.failed:
        if check.name == "labels_per_class":
            few = [f'"{k}" has {v}' for k, v in check.observed.items() if v < check.required]
            parts.append(f"Too few labels: {listed(few)}; {check.required} are asked.")
        if check.reason == "too_many_unjudged":
            causes = Counter(found.tally.unjudged).most_common(2)
            told = listed([f"{n} {plain(cause)}" for cause, n in causes])
            parts.append(f"See the unusable replies with --disagreements FILE ({told}).")
    return parts


def _weakest_step(found: CriterionCalibration) -> str:
    names, cells = found.spec.names, found.evidence.confusion.table
    wrong: Counter[tuple[int, int]] = Counter()
    for i in range(len(names)):
        for j in range(len(names)):
            if i != j:
                wrong[min(i, j), max(i, j)] += cells[i][j]
    total = sum(wrong.values())
    if not total:
        return "Look at what is not judged"
    (low, high), most = wrong.most_common(1)[0]
    values = found.spec.values
    if found.spec.kind == "ordinal":
        step = (
            f"what drops an output from {number_text(values[high])} to {number_text(values[low])}"
        )
    else:
        step = f'what tells "{names[low]}" from "{names[high]}"'
    return f"Sharpen {step} ({most} of {total} errors are there)"


def plain(code: str) -> str:
    """Return a code as words."""
    return code.replace("_", " ")
