"""What of the levels of a scale means something else."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any

from judgekit.fingerprint import canonical_json
from judgekit.rubric.change import Change, Shown, effects, level_text
from judgekit.rubric.fence import shown_text
from judgekit.rubric.scale import fold, number_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from judgekit.rubric.change import Effect, Lines, Part, Side, Texts
    from judgekit.rubric.scale import Anchor, Level

_ORDER = "order"
Pairs = list[tuple["Level | None", "Level | None"]]
"""Each level before with what it has become; None where it is new, or gone."""


def pair_levels(before: Sequence[Level], after: Sequence[Level]) -> Pairs:
    """Return which level has become which: those that share most, never two that share nothing."""
    likeness = [
        (_likeness(old, new), -abs(i - j), i, j)
        for i, old in enumerate(before)
        for j, new in enumerate(after)
    ]
    become: dict[int, int] = {}
    for score, _, i, j in sorted(likeness, key=lambda one: (-one[0], -one[1], one[2])):
        if score and i not in become and j not in become.values():
            become[i] = j
    pairs: Pairs = [
        (old, after[become[i]] if i in become else None) for i, old in enumerate(before)
    ]
    return pairs + [(None, new) for j, new in enumerate(after) if j not in become.values()]


def _likeness(old: Level, new: Level) -> int:
    same = [
        number_text(old.value) == number_text(new.value),
        fold(old.name) == fold(new.name),
        old.definition == new.definition,
        bool(old.drops_when) and old.drops_when == new.drops_when,
        bool(old.anchors) and old.anchors == new.anchors,
    ]
    return sum(same)


def level_changes(a: Side, b: Side, shown: Shown, pairs: Pairs) -> Iterator[Change]:
    """Yield every change of the levels, and of their order."""
    for old, new in pairs:
        if old is not None and new is not None:
            yield from _of_pair(a, b, shown, old, new)
        else:
            yield _come_or_gone(a, b, shown, old, new)
    if a.criterion.scale.kind not in ("ordinal", "binary"):  # those stand by value
        yield from _order(a, b, shown, pairs)


def _of_pair(a: Side, b: Side, shown: Shown, old: Level, new: Level) -> Iterator[Change]:
    value, after = number_text(old.value), number_text(new.value)
    path, path_after = ("level", value), ("level", after)

    def change(part: Part, texts: Texts, *more: Effect) -> Change:
        seen = effects(("shown", shown.by_level(old, **_one(new, part))))
        lines = a.line((*path, part), path), b.line((*path_after, part), path_after)
        return Change(part, value, None, texts, (*seen, *more), lines)

    counted = effects(("counted", not isinstance(old.value, str)))
    named_by_value = (value, after) == (old.name, new.name)
    if value != after and not (named_by_value and isinstance(old.value, str)):
        yield change("value", (value, after), "read", *counted)
    if old.name != new.name and not (named_by_value and counted):
        yield change("name", (old.name, new.name), "read")
    if old.definition != new.definition:
        yield change("definition", (old.definition, new.definition))
    if old.drops_when != new.drops_when:
        yield change("drops_when", (old.drops_when, new.drops_when))
    for detail, (n, m), texts in _anchors(old.anchors, new.anchors):
        lines = _anchor_line(a, path, n, detail), _anchor_line(b, path_after, m, detail)
        yield change("anchors", texts)._replace(detail=detail, lines=lines)


def _one(level: Level, key: str) -> dict[str, Any]:
    """Return the field of a level; of one that goes by its value or its name, the other as well."""
    together = key in ("value", "name") and level.name == number_text(level.value)
    return {name: getattr(level, name) for name in (("value", "name") if together else (key,))}


def _anchor_line(side: Side, level: tuple[str, ...], at: int | None, detail: str) -> int | None:
    anchors = (*level, "anchors")
    if at is None:
        return side.line(anchors) if detail == _ORDER else None
    anchor = (*anchors, str(at))
    return side.line((*anchor, detail.rpartition(" ")[2]), anchor)


def _come_or_gone(a: Side, b: Side, shown: Shown, old: Level | None, new: Level | None) -> Change:
    levels = a.criterion.scale.levels
    if new is None:
        without = [level for level in levels if level is not old]
        seen, one, side = shown.by_levels(without), old, a
    else:
        seen, one, side = shown.by_levels([*levels, new]), new, b
    assert one is not None  # noqa: S101  (a pair of levels has at least one)
    value, passes = number_text(one.value), side.criterion.passes
    passing = passes is not None and passes[side.criterion.scale.levels.index(one)]
    text = f"{level_text(one.value, one.name)}: {one.definition}"
    line = side.line(("level", value))
    told = effects(("shown", seen), ("read", True), ("passes", passing))
    if new is None:
        return Change("level", value, None, (text, None), told, (line, None))
    return Change("level", value, None, (None, text), told, (None, line))


def _order(a: Side, b: Side, shown: Shown, pairs: Pairs) -> Iterator[Change]:
    """Yield the order that levels are listed in, where those that stayed changed places."""
    stayed = [(old, new) for old, new in pairs if old is not None and new is not None]
    before = [old for old, _ in stayed]
    after = [new for new in b.criterion.scale.levels if any(new is two for _, two in stayed)]
    if all(new is at for (_, new), at in zip(stayed, after, strict=True)):
        return
    was = {id(new): old for old, new in stayed}
    seen = effects(("shown", shown.by_levels([was[id(new)] for new in after])), ("counted", True))
    lines = a.line(("levels",)), b.line(("levels",))
    yield Change("scale order", None, None, (_listed(before), _listed(after)), seen, lines)


def _listed(levels: Sequence[Level]) -> str:
    return ", ".join(level_text(level.value, level.name) for level in levels)


def _anchors(
    before: Sequence[Anchor], after: Sequence[Anchor]
) -> Iterator[tuple[str, Lines, Texts]]:
    """Yield what of the anchors changed, which of them it is on both sides, and both texts."""
    old, new = ([canonical_json(asdict(one)) for one in some] for some in (before, after))
    if old != new and Counter(old) == Counter(new):
        was, is_ = (" / ".join(map(_brief, some)) for some in (before, after))
        yield _ORDER, (None, None), (was, is_)
        return
    for tag, i, j, k, n in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        both = min(j - i, n - k)
        for at in range(both):
            for field, texts in _fields(before[i + at], after[k + at]):
                yield f"anchor {i + at + 1} {field}", (i + at + 1, k + at + 1), texts
        for at in range(i + both, j):
            yield f"anchor {at + 1}", (at + 1, None), (_whole(before[at]), None)
        for at in range(k + both, n):
            yield f"anchor {at + 1}", (None, at + 1), (None, _whole(after[at]))


def _fields(before: Anchor, after: Anchor) -> Iterator[tuple[str, Texts]]:
    old, new = ({**one.fields, "reason": one.reason} for one in (before, after))
    for name in dict.fromkeys([*old, *new]):
        if old.get(name) != new.get(name):
            yield name, _texts(old.get(name), new.get(name))


def _texts(before: Any, after: Any) -> Texts:
    """Return two item texts to compare; as JSON, where the transcripts hide the difference."""
    was, is_ = (None if value is None else shown_text(value, "") for value in (before, after))
    if was != is_:
        return was, is_
    return canonical_json(before), canonical_json(after)


def _whole(anchor: Anchor) -> str:
    fields = {**anchor.fields, "reason": anchor.reason}
    told = [(name, shown_text(text, "")) for name, text in fields.items() if text is not None]
    return "\n".join(f"{name}: {text}" for name, text in told)


def _brief(anchor: Anchor) -> str:
    text = " ".join(shown_text(list(anchor.fields.values())[-1], "").split())
    return text if len(text) <= 40 else f"{text[:39]}…"
