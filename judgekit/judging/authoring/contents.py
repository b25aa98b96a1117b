"""The object a model gave to the content of a rubric; what is settled before stays as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from judgekit.judging.authoring.draft import (
    POINTWISE,
    Draft,
    DraftAnchor,
    DraftLevel,
    NoDraft,
    line_of,
    lines_of,
    number_of,
    slug,
)
from judgekit.rubric.criteria import PAIRWISE_INPUTS
from judgekit.rubric.scale import fold, spelling

if TYPE_CHECKING:
    from collections.abc import Sequence

    from judgekit.judging.authoring.draft import Frame
    from judgekit.rubric.scale import Kind, Value

MOST_LEVELS, MOST_ANCHORS = 12, 12
_TRUE = {"true", "yes", "1"}
_Entry = dict[str, Any]


class _Unfit(Exception):
    """The object is no draft."""


def contents(data: _Entry, frame: Frame) -> Draft | NoDraft:
    """Return the draft that an object is, in the reply's form or in a rubric's own.

    Args:
        data: What was read.
        frame: What is settled: inputs, levels and kinds given there are not the model's to change.
    """
    try:
        return _draft(_flat(data), frame)
    except _Unfit as unfit:
        return NoDraft("unreadable", str(unfit))


def _flat(data: _Entry) -> _Entry:
    """Return the form that is asked for, or a rubric's own, with the levels in one list."""
    if "highest" in data and "lowest" in data:
        ends = _entries([data["highest"], data["lowest"]], "levels")
        return {
            **data,
            "levels": [ends[0], *_entries(data.get("between") or [], "levels"), ends[1]],
        }
    if "criteria" not in data:
        return data
    criteria = _entries(data["criteria"], "criteria")
    if len(criteria) != 1:
        raise _Unfit(f"it holds {len(criteria)} criteria, and a draft is one criterion")
    criterion = criteria[0]
    levels = _best_first(_entries(criterion.get("levels"), "levels"))
    passing = _passing(criterion, levels)
    return {
        **data,
        **criterion,
        "name": criterion.get("criterion") or data.get("rubric"),
        "levels": [{"passes": i in passing, **level} for i, level in enumerate(levels)],
    }


def _best_first(levels: list[_Entry]) -> list[_Entry]:
    values = [number_of(_line(level.get("value"))) for level in levels]
    known = [value for value in values if value is not None]
    if len(known) < len(levels):
        return levels
    order = sorted(range(len(levels)), key=lambda i: known[i], reverse=True)
    return [levels[i] for i in order]


def _passing(criterion: _Entry, levels: Sequence[_Entry]) -> set[int]:
    """Return the places of the levels that pass, as a rubric says it."""

    def at(written: Any) -> int | None:
        wanted = spelling(_line(written))
        for i, level in enumerate(levels):
            if wanted in {spelling(_line(level.get(key))) for key in ("value", "name")}:
                return i
        return None

    named = criterion.get("passing")
    found = {at(one) for one in named} if isinstance(named, list) else set()
    edge = at(criterion["passes_at"]) if criterion.get("passes_at") is not None else None
    return {i for i in found if i is not None} | set(range(-1 if edge is None else edge + 1))


def _draft(data: _Entry, frame: Frame) -> Draft:
    entries = _entries(data.get("levels"), "levels")
    if not 1 < len(entries) <= MOST_LEVELS:
        raise _Unfit(f"it has {len(entries)} levels; a scale has 2 to {MOST_LEVELS}")
    kind = _kind(data, frame)
    inputs = frame.inputs or _inputs(data, kind)
    levels = tuple(_level(entry, inputs) for entry in entries)
    if frame.levels:
        levels = _settled(entries, levels, frame)
    if kind in ("ordinal", "binary"):  # below the lowest there is nothing
        levels = (*levels[:-1], levels[-1]._replace(drops_when=""))
    task, not_applicable = (_line(data.get(key)) for key in ("task", "not_applicable"))
    return Draft(
        name=frame.name or slug(_line(data.get("name"))) or slug(frame.wish) or "criterion",
        question=_line(data.get("question")),
        kind=kind,
        inputs=inputs,
        levels=_valued(entries, levels, kind, frame),
        task=task,
        not_applicable=not_applicable,
    )


def _kind(data: _Entry, frame: Frame) -> Kind:
    said = fold(_line(data.get("scale")))
    if said and said not in frame.kinds:
        raise _Unfit(f"its scale is {said[:40]!r}, and here it can be {' or '.join(frame.kinds)}")
    return next((kind for kind in frame.kinds if kind == said), frame.kinds[0])


def _inputs(data: _Entry, kind: Kind) -> tuple[str, ...]:
    said = data.get("inputs")
    named = [fold(_line(one)) for one in said] if isinstance(said, list) else []
    if kind == "pairwise":
        return PAIRWISE_INPUTS
    return tuple(name for name in POINTWISE if name in named or name == "output")


def _level(entry: _Entry, inputs: Sequence[str]) -> DraftLevel:
    name, definition, drops = (_line(entry.get(k)) for k in ("name", "definition", "drops_when"))
    anchors = _entries(entry.get("anchors") or [], "anchors")[:MOST_ANCHORS]
    found = [_anchor(one, inputs) for one in anchors]
    passes = fold(_line(entry.get("passes"))) in _TRUE
    return DraftLevel(
        name=name,
        definition=definition,
        drops_when=drops,
        passes=passes,
        anchors=tuple(anchor for anchor in found if anchor.fields),
    )


def _anchor(entry: _Entry, inputs: Sequence[str]) -> DraftAnchor:
    texts = {name: lines_of(_text(entry.get(name))) for name in inputs}
    fields = {name: text for name, text in texts.items() if text}
    item = _line(entry.get("item"))
    return DraftAnchor(fields=fields, reason=_line(entry.get("reason")), item=item)


def _settled(
    entries: Sequence[_Entry], levels: Sequence[DraftLevel], frame: Frame
) -> tuple[DraftLevel, ...]:
    """Return the levels that labels use, with what the model says of each; no other."""
    said: dict[str, DraftLevel] = {}
    for entry, level in zip(entries, levels, strict=True):
        for key in ("level", "value", "name"):
            written = _line(entry.get(key))
            known = next((x for x in frame.levels if spelling(x) == spelling(written)), None)
            if known is not None:
                said.setdefault(known, level)
                break
    order = list(frame.levels) if frame.numbered else [*said]
    order += [known for known in frame.levels if known not in order]
    if frame.numbered:
        return tuple(said.get(known, DraftLevel(known)) for known in order)
    return tuple(said.get(known, DraftLevel(known))._replace(name=known) for known in order)


def _valued(
    entries: Sequence[_Entry], levels: Sequence[DraftLevel], kind: Kind, frame: Frame
) -> tuple[DraftLevel, ...]:
    """Return the levels with their values: those of a file, where it has them, or the usual."""
    values = level_values(len(levels), kind, frame)
    own = [number_of(_line(entry.get("value"))) for entry in entries]
    counted = kind in ("ordinal", "binary") and not frame.levels
    if counted and None not in own and len(set(own)) == len(levels):
        values = [*own]
    return tuple(lv._replace(value=v) for lv, v in zip(levels, values, strict=True))


def level_values(count: int, kind: Kind, frame: Frame) -> list[Value | None]:
    """Return the values of so many levels, best first: the labels' numbers, or by their order."""
    if frame.numbered:
        return [number_of(level) for level in frame.levels]
    if kind in ("nominal", "pairwise"):
        return [None] * count
    lowest = 0 if kind == "binary" else 1
    return [*reversed(range(lowest, count + lowest))]


def _entries(value: Any, what: str) -> list[_Entry]:
    if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
        raise _Unfit(f"it holds no list of {what}")
    return value


def _text(value: Any) -> str:
    """Return a value as text; only what is text or a number is any."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if not isinstance(value, str | int | float):
        raise _Unfit(f"a text in it is a {type(value).__name__}")
    return str(value)


def _line(value: Any) -> str:
    return line_of(_text(value))
