"""A drafted rubric as a person reads it: what came of it, each step with its cost, what is next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from judgekit.judging.authoring.draft import Draft, NoDraft
from judgekit.reports.amounts import dollars
from judgekit.reports.commands import command_lines
from judgekit.reports.lint import lint_json, lint_lines
from judgekit.reports.prose import fitted, paragraph, shortened
from judgekit.reports.rubric_draft_story import (
    Call,
    Checked,
    DraftResult,
    Linted,
    Step,
    Tried,
    Wrote,
)
from judgekit.reports.words import count, listed, short, wrapped
from judgekit.rubric.scale import number_text

_FORMAT = "judgekit.rubric_draft/1"
_COLUMN = 9
_LONGEST_NAME = 60
NOT_CERTIFIED = (
    "Nothing is certified by drafting: this rubric was measured against nobody, and score "
    "refuses it until calibrate has measured it against people."
)
_MEASURES = {
    "yes": "yes, says the model itself",
    "partly": "partly, says the model itself",
    "no": "no, says the model itself",
}


def draft_lines(result: DraftResult) -> list[str]:
    """Return the report: the outcome, the steps that led there, and what comes next."""
    lines = wrapped(_outcome(result))
    lines += wrapped(NOT_CERTIFIED)
    lines.append("")
    for step in result.steps:
        lines += step_lines(step)
    if result.untried is not None:
        lines += _block("trial", f"never ran: {result.untried}")
    lines += _block("kept", _kept(result))
    lines += _block("calls", f"{result.model}: {calls_text(result.calls)}")
    lines += _rests_on(result)
    if result.violations:
        lines += ["", *lint_lines(result.violations, {result.file: result.text}, files=1)]
    if result.next:
        lines += ["", *command_lines("Next", result.next, column=_COLUMN)]
    return lines


def step_lines(step: Step) -> list[str]:
    """Return one step, with what its calls cost."""
    match step:
        case Wrote():
            return _block(f"mend {step.round}" if step.round else "draft", _wrote(step))
        case Linted():
            return _block("lint", _linted(step))
        case Tried():
            return list(_tried(step))
        case Checked():
            return list(_checked(step))


def step_words(step: Step) -> str:
    """Return the first line of a step, for whoever waits."""
    return step_lines(step)[0].rstrip()


def calls_text(calls: Sequence[Call]) -> str:
    """Return how many calls were made and what they cost; an unknown cost is never 0."""
    made = [call for call in calls if not call.cached]
    cached = len(calls) - len(made)
    parts = [count(len(made), "call")]
    if cached:
        parts.append(f"{cached} cached")
    known = [call.cost_usd for call in made if call.cost_usd is not None]
    if known:
        parts.append(dollars(sum(known)))
    if len(known) < len(made):
        parts.append("cost unknown" if not known else f"{len(made) - len(known)} of unknown cost")
    return ", ".join(parts)


def _block(label: str, text: str) -> list[str]:
    return paragraph(label, text, column=_COLUMN)


def _outcome(result: DraftResult) -> str:
    found = len(result.violations)
    if not result.usable:
        said = f"{count(found, 'violation')}; it cannot be judged with as it is"
    else:
        said = f"{count(found, 'violation')} left" if found else "no violations"
    tried = [s for s in result.steps if isinstance(s, Tried) and s.round == result.round]
    if tried and tried[0].why is not None:
        said += ", and it could not be tried"
    if result.unjudged:
        said += f", {count(result.unjudged, 'item')} of its trial got no level"
    return f"{result.file}: drafted, {said}."


def _kept(result: DraftResult) -> str:
    return f"mend {result.round}" if result.round else "the first draft"


def _wrote(step: Wrote) -> str:
    draft = step.draft
    if isinstance(draft, NoDraft):
        return f"no rubric ({draft.cause}): {shortened(draft.why)}; {calls_text(step.calls)}"
    if step.same:
        return f"it wrote nothing new; {calls_text(step.calls)}"
    return f"{shortened(draft.question)}\n{_levels(draft)}; {calls_text(step.calls)}"


def _levels(draft: Draft) -> str:
    names = [
        short(level.name, _LONGEST_NAME)
        + ("" if level.value is None else f" ({number_text(level.value)})")
        for level in draft.levels
    ]
    examples = count(sum(len(level.anchors) for level in draft.levels), "worked example")
    return f"{draft.kind}: {', '.join(names)}; {examples}"


def _linted(step: Linted) -> str:
    if not step.violations:
        return "no violations"
    codes = listed(list(dict.fromkeys(f"{v.rule} ({v.code})" for v in step.violations)), most=4)
    usable = "" if step.usable else "; not usable yet"
    return f"{count(len(step.violations), 'violation')}{usable}: {codes}"


def _tried(step: Tried) -> Iterator[str]:
    if step.why is not None:
        yield from _block("trial", f"not tried: {step.why}")
        return
    told = f"{count(len(step.rows), 'item')}, uncalibrated: levels of single items only"
    yield from _block("trial", f"{told}; {calls_text(step.calls)}")
    for row in step.rows:
        said = row["level"] or (f"unjudged ({row['cause']})" if row["cause"] else "not applicable")
        yield from _block("", f"{row['item_id']}: {said}")
        if row["reason"]:
            pad = " " * (_COLUMN + 4)
            yield from fitted(shortened(str(row["reason"])), first=pad, rest=pad)


def _checked(step: Checked) -> Iterator[str]:
    found = step.check
    said = "no answer" if found.measures is None else _MEASURES[found.measures]
    if found.measures is None and found.why is not None:
        said += f": {shortened(found.why)}"
    yield from _block("check", f"measures what was asked? {said}; {calls_text(step.calls)}")
    for doubt in found.doubts:
        yield from _block("", f"doubt: {shortened(doubt)}")


def _rests_on(result: DraftResult) -> list[str]:
    source = result.source
    lines: list[str] = []
    if source.example:
        lines += _block("example", f"started from {source.example}")
    if source.split is not None:
        lines += _block("labels", _labels(result))
    if result.taken:
        named = listed([f"{item} ({level})" for item, level in result.taken.items()], most=12)
        lines += _block("anchors", f"taken from labelled items: {named}")
    if result.outside:
        told = f"labelled items outside train, which calibrate refuses: {listed(result.outside)}"
        lines += _block("", told)
    for note in source.notes:
        lines += _block("note", note)
    return lines


def _labels(result: DraftResult) -> str:
    source = result.source
    how = "the split column" if source.split == "column" else "the hash of each case"
    told = f"levels {', '.join(source.levels)}; train by {how}: "
    told += f"{count(len(source.shown), 'item')} shown to the drafter"
    if source.cases:
        told += f"\ncases it has seen: {listed(source.cases, most=20)}"
    return told


def draft_json(result: DraftResult) -> dict[str, Any]:
    """Return the document of ``rubric draft --json``."""
    source, check = result.source, result.check
    return {
        "format": _FORMAT,
        "file": result.file,
        "rubric": result.name,
        "text": result.text,
        "certified": False,
        "usable": result.usable,
        "violations": lint_json(result.violations),
        "unjudged": result.unjudged,
        "untried": result.untried,
        "check": None if check is None else _check_json(check),
        "model": result.model,
        "kept": result.round,
        "steps": [step_json(step) for step in result.steps],
        "calls": _calls_json(result.calls),
        "labels": None
        if source.split is None
        else {
            "levels": list(source.levels),
            "split": source.split,
            "train_cases_seen": list(source.cases),
            "items_shown": list(source.shown),
            "anchors_taken": dict(result.taken),
            "anchors_outside_train": list(result.outside),
        },
        "example": source.example,
        "notes": list(source.notes),
        "next": list(result.next),
    }


def step_json(step: Step) -> dict[str, Any]:
    """Return one step."""
    match step:
        case Wrote(draft=NoDraft() as none):
            told: dict[str, Any] = {"cause": none.cause, "why": none.why}
        case Wrote(draft=Draft() as draft):
            told = {
                "question": draft.question,
                "scale": draft.kind,
                "levels": [level.name for level in draft.levels],
                "changed": not step.same,
            }
        case Linted():
            told = {"usable": step.usable, "violations": lint_json(step.violations)}
        case Tried():
            told = {"items": list(step.rows), "why": step.why}
        case Checked():
            told = _check_json(step.check)
    name = {Wrote: "draft", Linted: "lint", Tried: "trial", Checked: "check"}[type(step)]
    if isinstance(step, Checked):
        return {"step": name, **told, "calls": _calls_json(step.calls)}
    if isinstance(step, Linted):
        return {"step": name, "round": step.round, **told}
    if isinstance(step, Wrote) and step.round:
        name = "mend"
    return {"step": name, "round": step.round, **told, "calls": _calls_json(step.calls)}


def _check_json(check: Any) -> dict[str, Any]:
    return {"measures": check.measures, "doubts": list(check.doubts), "why": check.why}


def _calls_json(calls: Sequence[Call]) -> dict[str, Any]:
    made = [call for call in calls if not call.cached]
    costs = [call.cost_usd for call in made]
    return {
        "asked": len(made),
        "cached": len(calls) - len(made),
        "cost_usd": None if None in costs else sum(c for c in costs if c is not None),
        "each": [call._asdict() for call in calls],
    }
