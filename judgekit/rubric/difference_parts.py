"""What changed where of one of the two rubrics only digests of its parts are left.

A certificate keeps a digest of each part of the meaning, and the scale: which parts differ is
known from it, how they differ only of the scale, the pass line and the weights.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from judgekit.rubric.change import Change, level_text, passing_text
from judgekit.rubric.meaning import changed_parts
from judgekit.rubric.scale import number_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from judgekit.rubric.change import Effect, Lines, Part, Side, Texts
    from judgekit.rubric.scale import Value

_TEXTS: dict[str, tuple[Part, str]] = {
    "question": ("question", "question"),
    "not applicable": ("not_applicable", "not_applicable"),
}


class Known(NamedTuple):
    """What is known of one criterion of a rubric.

    Attributes:
        criterion: Its name.
        parts: The digests of its meaning.
        kind: The kind of its scale.
        values: The values of the levels, in scale order.
        names: Their names.
        passes: Which of them pass; None without a pass line.
        weights: How disagreement is weighed.
        side: The criterion itself, where its rubric is at hand.
    """

    criterion: str
    parts: Mapping[str, str]
    kind: str
    values: Sequence[Value]
    names: Sequence[str]
    passes: Sequence[bool] | None
    weights: str
    side: Side | None = None

    @property
    def levels(self) -> str:
        """Return the kind of the scale and its levels, in a line."""
        pairs = zip(self.values, self.names, strict=True)
        return f"{self.kind}: {', '.join(level_text(v, n) for v, n in pairs)}"


def parts_changes(before: Known, after: Known) -> Iterator[Change]:
    """Yield what differs, as exactly as it is known."""
    if before.criterion != after.criterion:
        yield Change("criterion", None, None, (before.criterion, after.criterion), ("shown",))
    for part in changed_parts(dict(before.parts), dict(after.parts)):
        if part.startswith("level "):
            yield _level(part.removeprefix("level "), before, after)
        else:
            yield _other(part, before, after)


def _level(value: str, before: Known, after: Known) -> Change:
    part = f"level {value}"
    lines = _lines(before, after, ("level", value))
    if part in before.parts and part in after.parts:
        return Change("level", value, None, (None, None), ("shown",), lines, known=False)
    texts = _named(value, before), _named(value, after)
    return Change("level", value, None, texts, ("shown", "read"), lines)


def _named(value: str, one: Known) -> str | None:
    pairs = zip(one.values, one.names, strict=True)
    return next((level_text(v, name) for v, name in pairs if number_text(v) == value), None)


def _other(part: str, before: Known, after: Known) -> Change:
    effects: tuple[Effect, ...] = ("shown",)
    match part:
        case "scale":
            lines = _lines(before, after, ("scale",))
            scale: Texts = (before.levels, after.levels)
            return Change("scale", None, None, scale, ("read", "counted"), lines)
        case "pass line":
            lines = _lines(before, after, ("passes_at",), ("passing",), ("scale",))
            return Change("pass line", None, None, _passing(before, after), ("passes",), lines)
        case "weights":
            lines = _lines(before, after, ("weights",), ("scale",))
            weights: Texts = (before.weights, after.weights)
            return Change("weights", None, None, weights, ("counted",), lines)
        case "question" | "not applicable":
            told, key = _TEXTS[part]
            texts = _said(before, key), _said(after, key)
            lines = _lines(before, after, (key,))
            return Change(told, None, None, texts, effects, lines, known=False)
        case "inputs":
            shown = _inputs(before), _inputs(after)
            return Change("inputs", None, None, shown, effects, known=False)
        case _:
            return Change("prompt", effects=effects, known=False)


def _passing(before: Known, after: Known) -> Texts:
    was, is_ = (passing_text(one.values, one.names, one.passes) for one in (before, after))
    return was, is_


def _said(one: Known, key: str) -> str | None:
    return None if one.side is None else getattr(one.side.criterion, key)


def _inputs(one: Known) -> str | None:
    return None if one.side is None else ", ".join(one.side.rubric.inputs)


def _lines(before: Known, after: Known, *paths: tuple[str, ...]) -> Lines:
    was, is_ = (None if one.side is None else one.side.line(*paths) for one in (before, after))
    return was, is_
