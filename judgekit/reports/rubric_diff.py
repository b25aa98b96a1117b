"""Two rubrics compared, as a person reads it and as a document."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from judgekit.reports.commands import command_lines
from judgekit.reports.spans import Line, Span, wording
from judgekit.reports.words import count, labelled, wrapped
from judgekit.rubric.wording import compare_words

if TYPE_CHECKING:
    from judgekit.calibration.certificate import Certificate
    from judgekit.rubric.change import Change, Effect
    from judgekit.rubric.cosmetics import Cosmetic
    from judgekit.rubric.difference import CriterionDifference, Difference

FORMAT = "judgekit.rubric-diff/1"
_COLUMN = 9
_KIND = 13
_DOES: dict[Effect, str] = {
    "shown": "what the model is shown",
    "read": "how its answer is read",
    "passes": "what passes",
    "counted": "how disagreement is counted",
}
_NOT_SHOWN = "Part of the rubric, though this template does not show it."
Voids = Sequence[tuple["Certificate", str, str]]
"""Certificates, where each stands, and the command that measures its judge again."""


def diff_lines(found: Difference, sides: tuple[str, str], *, coloured: bool) -> list[Line]:
    """Return the report on what differs; what it voids is told by :func:`voids_lines`.

    Args:
        found: What differs.
        sides: What the two rubrics are called.
        coloured: Whether old and new words are told apart by colour.
    """
    changes = [change for one in found.criteria for change in one.changes]
    if changes:
        places = count(len(changes), "place")
        said = f"the meaning changed in {places}"
        lines = _plain(f"{sides[0]} -> {sides[1]}: {said}.")
    elif found.cosmetic:
        lines = _plain(f"{sides[0]} -> {sides[1]}: only cosmetic edits. A judge is shown the same.")
    else:
        lines = _plain(f"{sides[0]} -> {sides[1]}: no difference.")
    for one in found.criteria:
        for change in one.changes:
            lines += [[Span("")], *_change(change, one, coloured=coloured)]
    if found.cosmetic:
        lines += [[Span("")], *_plain("Cosmetic: no part of the fingerprint")]
        for edit in found.cosmetic:
            lines += _plain(*_cosmetic(edit))
    return lines


def voids_lines(voids: Voids) -> list[Line]:
    """Return which certificates are voided, and what to do about it."""
    lines: list[str] = []
    for certificate, path, _ in voids:
        judge = f"{certificate.judge.name} on {certificate.criterion}"
        told = (
            f"certificate {certificate.short} ({judge}, {certificate.issued_at:%Y-%m-%d}): {path}"
        )
        lines += labelled("Voids", told, column=_COLUMN)
    if not voids:
        lines = labelled("Voids", "no certificate of this project", column=_COLUMN)
    commands = list(dict.fromkeys(command for _, _, command in voids))
    advised = [[Span(line)] for line in command_lines("Next", commands, column=_COLUMN)]
    return [[Span("")], *_plain(*lines), *advised]


def version_lines(before: int, after: int) -> list[Line]:
    """Return what is to be said of the version where the meaning changed, if anything is."""
    if after > before:
        return []
    said = f"still {after}" if after == before else f"{after}, and {before} before"
    told = f"{said}: a rubric that means something else needs a new number, version: {before + 1}"
    return [[Span("")], *_plain(*labelled("Version", told, column=_COLUMN))]


def _plain(*lines: str) -> list[Line]:
    return [
        [Span(part)] for line in lines for part in (wrapped(line) if len(line) > 80 else [line])
    ]


def _change(change: Change, one: CriterionDifference, *, coloured: bool) -> list[Line]:
    title = ", ".join(
        part
        for part in (
            one.before or one.after,
            change.level and f"level {change.level}",
            None if change.part == "level" else change.part,
            change.detail,
        )
        if part
    )
    place = _place(change)
    lines: list[Line] = [[Span(title, "bold"), Span(f"  {place}" if place else "")]]
    lines += _texts(change, coloured=coloured)
    return [*lines, *([Span(line)] for line in wrapped(_does(change), first="    ", rest="    "))]


def _place(change: Change) -> str:
    """Return where a change stands in the two files: ``line 14 -> 15``."""
    before, after = change.lines
    if before is None or after is None or before == after:
        line = after if before is None else before
        return "" if line is None else f"line {line}"
    return f"line {before} -> {after}"


def _texts(change: Change, *, coloured: bool) -> list[Line]:
    before, after = change.texts
    if not change.known:
        said = ["    It differs; what it said is not kept, so not known is how."]
        for word, text in (("said", before), ("says", after)):
            if text is not None:
                said += wrapped(f"It {word}: {text}", first="    ", rest="      ")
        return _plain(*said)
    if before is None and after is None:
        return []
    return [*wording(before, after, coloured=coloured)]


def _does(change: Change) -> str:
    """Return what a change does, in a sentence."""
    effects = [_DOES[effect] for effect in change.effects]
    if not effects:
        return _NOT_SHOWN
    if "shown" not in change.effects and "read" not in change.effects:
        return f"Changes only {' and '.join(effects)}: the model is shown the same."
    return f"Changes {', '.join(effects[:-1])}{' and ' if effects[1:] else ''}{effects[-1]}."


def _cosmetic(edit: Cosmetic) -> list[str]:
    parts = [edit.detail] if edit.detail else []
    if edit.before is not None and edit.after is not None:
        parts.append(f"{edit.before} -> {edit.after}")
    elif edit.before is not None or edit.after is not None:
        parts.append("taken out" if edit.after is None else "added")
    where = " -> ".join(dict.fromkeys(f"{line}" for line in edit.lines if line is not None))
    parts += [f"(line {where})"] if where else []
    return wrapped(" ".join(parts), first=f"  {edit.kind:<{_KIND}}", rest=" " * (_KIND + 2))


def diff_json(found: Difference, voids: Voids) -> dict[str, Any]:
    """Return what differs as a document."""
    return {
        "meaning_changed": found.changed,
        "criteria": [
            {
                "before": one.before,
                "after": one.after,
                "changes": [_change_json(change) for change in one.changes],
            }
            for one in found.criteria
        ],
        "cosmetic": [
            {
                "kind": edit.kind,
                "detail": edit.detail,
                "before": edit.before,
                "after": edit.after,
                "lines": list(edit.lines),
            }
            for edit in found.cosmetic
        ],
        "voids": [
            {
                "certificate": certificate.id,
                "path": path,
                "judge": certificate.judge.name,
                "criterion": certificate.criterion,
                "next": command,
            }
            for certificate, path, command in voids
        ],
    }


def _change_json(change: Change) -> dict[str, Any]:
    before, after = change.texts
    words = compare_words(before or "", after or "") if change.known else ()
    return {
        "part": change.part,
        "level": change.level,
        "detail": change.detail,
        "before": before,
        "after": after,
        "known": change.known,
        "words": [{"kind": word.kind, "text": word.text} for word in words],
        "changes": list(change.effects),
        "lines": list(change.lines),
    }
