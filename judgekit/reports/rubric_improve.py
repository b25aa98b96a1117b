"""An improved rubric as a person reads it: what is shown, the rounds, the diff, what is next."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from judgekit.reports.amounts import cost_text
from judgekit.reports.commands import command_lines
from judgekit.reports.documents import estimate_json
from judgekit.reports.estimates import interval, why_undefined
from judgekit.reports.lint import lint_json, lint_lines
from judgekit.reports.prose import cells, fitted, paragraph, shortened
from judgekit.reports.rubric_improve_story import Calls, ImproveResult, Round
from judgekit.reports.words import WIDTH, count, listed, number, wrapped

_FORMAT = "judgekit.rubric_improve/1"
_COLUMN = 11
_POINTS = "one for each item that the judge sorts as people do, less the further it is off"
NOT_CERTIFIED = (
    "Nothing is certified by improving: read the edits, accept them or not, and let calibrate "
    "measure the new version on the test."
)
NOT_SHOWN = (
    "Nothing is certified by improving, and this version is no better as far as dev can tell: it "
    "is there to be read."
)


def improve_lines(result: ImproveResult) -> list[str]:
    """Return the report: what is shown, what was done, the diff, and what comes next."""
    lines = wrapped(_outcome(result))
    if result.file is not None:
        lines += wrapped(NOT_CERTIFIED if result.outcome == "improved" else NOT_SHOWN)
    lines.append("")
    lines += _figures(result)
    for one in result.rounds:
        lines += _block(f"round {one.number}", _round(one))
    if any(one.gain is not None for one in result.rounds):
        lines += _block("points", _POINTS)
    lines += _block("judge", f"{result.model}: {_calls(result.asked_judge)}")
    lines += _block("reflector", f"{result.reflector}: {_calls(result.asked_reflector)}")
    if result.taken:
        named = listed([f"{item} ({level})" for item, level in result.taken.items()], most=12)
        lines += _block("anchors", f"taken from train: {named}")
    for note in result.notes:
        lines += _block("note", note)
    if result.violations:
        lines += ["", *lint_lines(result.violations, {str(result.file): result.text}, files=1)]
    if result.diff:
        lines += ["", *(part for line in result.diff for part in _fitting(line))]
    if result.next:
        lines += ["", *command_lines("Next", result.next, column=_COLUMN)]
    return lines


def _block(label: str, text: str) -> list[str]:
    return paragraph(label, text, column=_COLUMN)


def _outcome(result: ImproveResult) -> str:
    if result.file is None:
        if not result.train[1]:
            told = "judge and people agree on every item of train, so there is nothing to learn"
        else:
            told = f"nothing better was found in {count(len(result.rounds), 'round')}"
        return f"{result.rubric_file}: {told}. Nothing was written."
    kept = f"{result.file}: version {result.version[1]}, the proposal of round {result.kept}"
    if result.outcome == "improved":
        return f"{kept}; agreement on dev is improved."
    found = result.difference
    if found is None or found.undefined is not None:
        why = "unknown" if found is None else why_undefined(found)
        return f"{kept}; no improvement shown: the difference is undefined ({why})."
    return f"{kept}; no improvement shown: the interval of the difference holds 0."


def _figures(result: ImproveResult) -> Iterator[str]:
    size, wrong = result.train
    yield from _block("train", f"{count(size, 'item')}, judge and people differ on {wrong:,}")
    yield from _block("dev", f"kappa before: {interval(result.before)} ({_sizes(result)})")
    if result.after is not None:
        yield from _block("", f"kappa after: {interval(result.after)}")
    if result.difference is not None:
        found = result.difference
        cases = "" if found.clusters is None else f", by {count(found.clusters, 'case')}"
        yield from _block("", f"difference in kappa, paired: {interval(found, 3)}{cases}")
    how = "the split column" if result.splits.told == "column" else "the hash of each case"
    left = count(result.splits.left_alone, "labelled item")
    yield from _block("test", f"{left} left alone: parts by {how}")


def _sizes(result: ImproveResult) -> str:
    told = [count(result.dev.judged, "item") + " judged"]
    told += [f"{n:,} unjudged ({why})" for why, n in result.dev.unjudged.items()]
    told += [f"{n:,} set aside ({why})" for why, n in result.dev.set_aside.items()]
    return ", ".join(told)


def _fitting(line: str) -> list[str]:
    """Return a line of a diff, a long one in several: each with its sign, hanging below."""
    sign, text = line[:1], line[1:]
    if cells(line) <= WIDTH or sign not in "+- " or line.startswith(("+++ ", "--- ")):
        return [line]
    indent = " " * (len(text) - len(text.lstrip()))
    return fitted(text, first=f"{sign}{indent}", rest=f"{sign}{indent}  ")


def _round(one: Round) -> str:
    if not one.shown:
        return "judge and people agree on its items: nothing was asked"
    lines = [] if one.base == 0 else [f"on top of round {one.base}"]
    for edit in one.edits:
        of = f" of {edit.level!r}" * bool(edit.level)
        of += f" from item {shortened(edit.item)}" * bool(edit.item)
        lines.append(f"{edit.what}{of}: {shortened(edit.text)}")
    return "\n".join([*lines, _became(one)])


def _became(one: Round) -> str:
    if one.why is not None:
        return f"-> thrown away: {shortened(one.why)}"
    if one.gain is None:
        return "-> not judged"
    before, after, of = number(one.gain.before), number(one.gain.after), one.gain.of
    told = f"-> on {count(of, 'item')} of train: {before} of {of:,} points before, {after} after"
    if one.agreement is None:
        return f"{told}; not better, so not looked at on dev"
    return f"{told}; kappa on dev {number(one.agreement.value)}"


def _calls(calls: Calls) -> str:
    parts = [count(calls.asked, "call"), f"{calls.cached:,} cached"]
    return ", ".join([*parts, cost_text(calls.cost_usd, calls.unpriced, calls.asked)])


def improve_json(result: ImproveResult) -> dict[str, Any]:
    """Return the document of ``rubric improve --json``."""
    return {
        "format": _FORMAT,
        "judge": result.judge,
        "criterion": result.criterion,
        "rubric": result.rubric_file,
        "outcome": result.outcome,
        "certified": False,
        "file": result.file,
        "version": result.version[1] if result.file else None,
        "text": result.text or None,
        "diff": "\n".join(result.diff) or None,
        "before": estimate_json(result.before),
        "after": estimate_json(result.after),
        "difference": estimate_json(result.difference),
        "kept": result.kept,
        "candidates": result.candidates,
        "rounds": [_round_json(one) for one in result.rounds],
        "train": {"items": result.train[0], "differ": result.train[1]},
        "dev": result.dev.model_dump(),
        "split": result.splits._asdict(),
        "anchors_taken": dict(result.taken),
        "violations": lint_json(result.violations),
        "model": result.model,
        "reflector": result.reflector,
        "calls": {
            "judge": _calls_json(result.asked_judge),
            "reflector": _calls_json(result.asked_reflector),
        },
        "notes": list(result.notes),
        "next": list(result.next),
    }


def _round_json(one: Round) -> dict[str, Any]:
    return {
        "round": one.number,
        "base": one.base,
        "items": list(one.shown),
        "edits": [edit._asdict() for edit in one.edits],
        "thrown_away": one.why,
        "train": None if one.gain is None else one.gain._asdict(),
        "dev": estimate_json(one.agreement),
    }


def _calls_json(calls: Calls) -> dict[str, Any]:
    unknown = calls.unpriced and not calls.cost_usd
    return {**calls._asdict(), "cost_usd": None if unknown else calls.cost_usd}
