"""A calibration as a person reads it: outcome, evidence that decided it, what to do next."""

from __future__ import annotations

from judgekit.calibration.check import Check
from judgekit.calibration.result import Calibration, CriterionCalibration
from judgekit.calibration.several import above_the_bar
from judgekit.judging.judgment import INCOMPLETE
from judgekit.labels.adjudicate import ADJUDICATED
from judgekit.reports.advice import Named, more_labels, next_step, plain
from judgekit.reports.checks import Checked, checks_table, shift_text
from judgekit.reports.confusion import confusion_lines
from judgekit.reports.estimates import interval
from judgekit.reports.humans import Bar, applicability_lines, human_facts
from judgekit.reports.leaks import examples_of
from judgekit.reports.panels import panel_lines
from judgekit.reports.paradox import beside_lines
from judgekit.reports.production import production_text
from judgekit.reports.scores import cost_text
from judgekit.reports.slices import slice_lines
from judgekit.reports.words import bound, count, labelled, listed, number, wrapped
from judgekit.rubric.scale import fold

_VERDICTS = {
    "calibrated": "CALIBRATED",
    "not_calibrated": "NOT CALIBRATED",
    "inconclusive": "INCONCLUSIVE",
    None: "NO VERDICT",
}
_SOURCES = {
    "demonstration": (
        "demonstration: written for this example by its authors, not by independent raters"
    ),
    "human": "human",
}
_MIX = "the figures hold for this mix of items"
_SAMPLING = {
    None: f"not stated: {_MIX}, and scores stay uncorrected (--sampling)",
    "convenience": f"convenience: {_MIX} only, and scores stay uncorrected",
    "random": "random",
    "stratified": "stratified",
}
_NO_WEIGHTS = "but the labels have no weights: each counts alike, and scores stay uncorrected"
_SETTLED = {
    "better_than_chance": "It tells good from bad no better than a coin.",
    "beats_length": "A count of characters agrees with people about as well as the judge does.",
    "human_gap": "It agrees with people clearly less than they do with each other.",
}
_HANG = " " * 8
_WIDE, _LABEL = len("Certificate  "), 8


def calibration_lines(result: Calibration, named: Named) -> list[str]:
    """Return the report of a calibration; of one that reveals nothing, the verdicts alone."""
    lines: list[str] = []
    tell = _criterion if result.reveal == "full" else _verdict_alone
    for found in result.criteria:
        lines.extend(tell(result, found, named))
        lines.append("")
    if result.reveal == "full" and len(result.criteria) > 1:
        lines += [*_several(result), ""]
    cost = cost_text(result.judgments)
    return [*lines[:-1], *([] if cost is None else ["", cost])]


def _several(result: Calibration) -> list[str]:
    """Say which criteria would still pass had they been picked as the best of all."""
    found = above_the_bar(result.criteria, result.policy.bar)
    holding = [one.criterion for one in found if one.holds]
    told = f"{len(found)} criteria, each on its own; there is no average over them. "
    which = listed(holding) if holding else "none"
    return wrapped(
        f"{told}Whoever picks the best of several picks luck too; with that allowed for (Holm), "
        f"above {number(result.policy.bar)}: {which}."
    )


def _criterion(result: Calibration, found: CriterionCalibration, named: Named) -> list[str]:
    checked = Checked(
        found.decision.checks, found.evidence, found.tally, result.policy, found.decision.look
    )
    lines = [*_outcome(result, found), ""]
    if found.verdict == "not_calibrated":
        lines += [*_why(result, found), ""]
    lines += [*checks_table(checked, examples_of(found)), ""]
    lines += [*confusion_lines(found.evidence, found.spec), ""]
    column = _WIDE if found.verdict == "calibrated" else _LABEL
    if beside := beside_lines(found.work_up, found.spec.names, column=column):
        lines += [*beside, ""]
    if found.evidence.applicability is not None:
        lines += [*applicability_lines(found.evidence.applicability, column=column), ""]
    for report in found.slices:
        lines += [*slice_lines(report), ""]
    if found.panel is not None:
        lines += [*panel_lines(found.panel), ""]
    if found.verdict == "calibrated":
        return lines + _certified(result, found, named)
    return lines + _uncertified(result, found, named)


def _verdict_alone(result: Calibration, found: CriterionCalibration, named: Named) -> list[str]:
    """Tell what a rubric can be improved without fitting it to the test items: the verdict."""
    lines = [f"{_name(result, found)}: {_VERDICTS[found.verdict]}."]
    facts = [("Look", _look(found))] if found.verdict is not None else []
    if found.path is not None:
        facts.append(("Certificate", found.path))
    if found.verdict == "inconclusive":
        facts.append(("Next", " ".join(more_labels(found)) or "Label more items."))
    elif found.verdict is None:
        facts.append(("Next", next_step(result, found, named)))
    return [*lines, *(t for label, text in facts for t in labelled(label, text, column=_WIDE))]


def _name(result: Calibration, found: CriterionCalibration) -> str:
    judge, criterion = result.judge.name, found.criterion.name
    return judge if judge == criterion else f"{judge}, {criterion}"


def kappa_name(weights: str) -> str:
    """Return what kappa with these weights is called."""
    return "kappa" if weights == "unweighted" else f"{weights} kappa"


def _outcome(result: Calibration, found: CriterionCalibration) -> list[str]:
    evidence, asked = found.evidence, number(result.policy.bar)
    lines = wrapped(
        f"{_name(result, found)}: {_VERDICTS[found.verdict]}.  {kappa_name(found.spec.weights)} "
        f"{interval(evidence.gate_agreement)}, asked {asked} or more{_route(result)}.",
        rest=_HANG,
    )
    unusable = {c for c in found.tally.unjudged if c not in INCOMPLETE}
    if unusable and evidence.agreement.value is not None:
        told = (
            f"Unjudged items count as disagreement: without them {interval(evidence.agreement)}; "
            f"had they been the worst possible answers, {interval(evidence.worst_case)}."
        )
        lines += wrapped(told, first=_HANG, rest=_HANG)
    never = sum(n for cause, n in found.tally.unjudged.items() if cause in INCOMPLETE)
    if never:
        told = f"{count(never, 'item')} of {found.tally.items:,} got no answer and are left out."
        lines += wrapped(told, first=_HANG, rest=_HANG)
    return lines


def _route(result: Calibration) -> str:
    return " on the human-level route" if result.policy.route == "human-level" else ""


def _certified(result: Calibration, found: CriterionCalibration, named: Named) -> list[str]:
    until = found.certificate and f", valid until {found.certificate.expires_at:%Y-%m-%d}"
    facts = [("Certificate", f"{found.path}{until or ''}"), *_about(result, found)]
    if found.tally.paired < result.policy.recommended_items:
        facts.append(("Warning", _few(result, found)))
    facts += _thin_levels(result, found)
    items = f"{'--judgments FILE' if result.judge.recorded else 'ITEMS'}{named.scoring}"
    if result.verdict != "calibrated":  # of all criteria, only this one can be scored
        items += f" --criterion {found.criterion.name}"
    facts.append(("Next", f"judgekit score {named.judge} {items} --out scores.jsonl"))
    return [line for label, text in facts for line in labelled(label, text, column=_WIDE)]


def _few(result: Calibration, found: CriterionCalibration) -> str:
    return (
        f"{count(found.tally.paired, 'labelled item')}; {result.policy.recommended_items:,} are "
        "recommended, the interval is wide below that."
    )


def _thin_levels(result: Calibration, found: CriterionCalibration) -> list[tuple[str, str]]:
    asked = result.policy.min_per_class
    thin = [
        f'"{level.name}" ({level.labels})'
        for level in found.evidence.levels
        if level.labels < asked
    ]
    if not thin or found.spec.kind != "ordinal":
        return []
    told = f"not separately evidenced, fewer than {asked} labels: {listed(thin)}"
    return [("Levels", told)]


def _about(result: Calibration, found: CriterionCalibration) -> list[tuple[str, str]]:
    labels = found.labels
    majority = "majority" in found.stamps
    who = "the raters' majority" if majority else count(labels.raters, "rater")
    part = "" if labels.split is None else f"split {labels.split!r}; "
    told = f"{_SOURCES[labels.source]}; {who}; {part}{_tally(found)}"
    if labels.cases < labels.items:
        told += f"; {count(labels.cases, 'case')}, and intervals allow for items of one case"
    facts = [("Labels", told), ("Drawn", _drawn(found))]
    if found.production is not None:
        facts.append(("In use", production_text(found.production)))
    raters = found.evidence.raters
    if len(raters) > 1:
        each = "; ".join(f"{name} {interval(kappa)}" for name, kappa in raters.items())
        facts.append(("Raters", f"kappa with each: {each}"))
    people = found.evidence.humans or found.people
    if people is not None:
        (label, text), *others = human_facts(people, Bar.of(result.policy))
        facts += [(label, text + _settled(found)), *others]
    if result.judge.recorded:
        facts.append(("Judge", f"{result.judge.model!r}: declared by the rows, not observed"))
    if found.verdict is None:  # no verdict, no look
        return facts
    return [*facts, ("Look", _look(found))]


def _settled(found: CriterionCalibration) -> str:
    """Warn that people seem to agree more where what they disagreed on was settled."""
    name = fold(found.labels.options.get("adjudicator", ADJUDICATED))
    items = {row.item for row in found.rows if row.rater is not None and fold(row.rater) == name}
    if not items:
        return ""
    verb = "is" if len(items) == 1 else "are"
    return (
        f" The {count(len(items), 'adjudicated item')} {verb} not among these: if people differed "
        "there, they agree less than this says."
    )


def _drawn(found: CriterionCalibration) -> str:
    """Say how the labels were drawn, and whether their weights make up for it."""
    told, sampling = _SAMPLING[found.labels.sampling], found.labels.sampling
    if any(row.weight is not None for row in found.rows):
        plain = found.work_up.unweighted
        beside = "" if plain is None else f"; each counted once, kappa is {interval(plain)}"
        return f"{told}\neach estimate counts items by their weights{beside}"
    return f"{told}, {_NO_WEIGHTS}" if sampling == "stratified" else told


def _look(found: CriterionCalibration) -> str:
    look = found.decision.look
    if look == 1:
        return "1 on this label set (the next changed judge faces a harder bar)"
    shown = f"{count(found.revealed, 'earlier look')} revealed details"
    return f"{look} on this label set ({shown})"


def _tally(found: CriterionCalibration) -> str:
    tally = found.tally
    parts = [f"{tally.judged:,} judged"]
    parts += [f"{n:,} unjudged ({plain(cause)})" for cause, n in tally.unjudged.items()]
    parts += [f"{n:,} set aside ({plain(why)})" for why, n in tally.set_aside.items()]
    return f"{count(tally.items, 'item')}: {', '.join(parts)}"


def _why(result: Calibration, found: CriterionCalibration) -> list[str]:
    told = [t for t in (_worst_confusion(found), _ruled_out(result, found)) if t]
    return labelled("Why", "\n".join(told)) if told else []


def _worst_confusion(found: CriterionCalibration) -> str | None:
    """Say which mistake is made most, with the share of that level it befalls."""
    names, cells = found.spec.names, found.evidence.confusion.table
    wrong = [(cells[i][j], i, j) for i in range(len(names)) for j in range(len(names)) if i != j]
    most, human, judge = max(wrong)
    total = sum(cells[human])
    if not most or not total:
        return None
    share = f"{most / total:.0%} ({most} of {total})"
    return f'The judge says "{names[judge]}" for {share} of the items people call "{names[human]}".'


def _ruled_out(result: Calibration, found: CriterionCalibration) -> str | None:
    """Say which check settles it, the most telling first."""
    evidence, asked = found.evidence, result.policy.bar
    for check in found.decision.checks:
        if not check.ruled_out:
            continue
        if check.name in ("agreement", "pass_agreement"):
            kappa = evidence.gate_agreement
            if check.name == "pass_agreement" and evidence.pass_agreement is not None:
                kappa = evidence.pass_agreement
            of = "" if check.name == "agreement" else " of passing or failing"
            return (
                f"More labels would not change this: even the high end{of}, "
                f"{bound(kappa.high or 0.0, asked)}, is under {number(asked)}."
            )
        if check.name in _SETTLED:
            return _SETTLED[check.name]
        return _shifted(check, found)
    return None


def _shifted(check: Check, found: CriterionCalibration) -> str:
    evidence = found.evidence
    of, shift = "mean level", evidence.signed_error
    if check.name == "pass_rate_shift":
        of, shift = "pass rate", evidence.pass_shift
    side = "below" if shift is not None and (shift.value or 0.0) < 0 else "above"
    allowed = number(check.required)
    return f"Its {of} is {side} people's: {shift_text(shift)}, within {allowed} is asked."


def _uncertified(result: Calibration, found: CriterionCalibration, named: Named) -> list[str]:
    facts = _about(result, found)
    wrong = disagreements(found)
    if wrong and found.verdict is not None:
        some = f"{count(len(wrong), 'disagreement')}, worst first: {listed(wrong, 3)}"
        facts.append(("Look at", f"{some}\nall of them: add --disagreements FILE"))
    facts.append(("Next", next_step(result, found, named)))
    lines = [line for label, text in facts for line in labelled(label, text)]
    return [*lines, "No certificate was written; `score` will refuse this judge."]


def disagreements(found: CriterionCalibration) -> list[str]:
    """Return the items on which judge and human differ, the farthest apart first."""
    numbers = found.spec.numbers
    apart: dict[str, float] = {}
    for row in found.rows:
        if row.set_aside is not None or row.human is None or row.human == row.judge:
            continue
        gap = 0.5 if row.judge is None else abs(numbers[row.human] - numbers[row.judge])
        apart[row.item] = max(gap, apart.get(row.item, 0.0))
    return sorted(apart, key=lambda item: -apart[item])
