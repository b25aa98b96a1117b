"""Two rubrics compared: what of the second means something else, and what only looks otherwise.

The rule is the fingerprint's own: a criterion has changed when the digests of its meaning differ,
or its name. What the rubrics say is compared to tell where and how.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from judgekit.fingerprint import canonical_json
from judgekit.rubric.change import Change, Shown, Side, effects, passing_text
from judgekit.rubric.cosmetics import BUILT_IN, cosmetics, without_comments
from judgekit.rubric.difference_levels import level_changes, pair_levels
from judgekit.rubric.meaning import meaning_parts
from judgekit.rubric.outline import outline
from judgekit.rubric.syntax import templates_meaning

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from judgekit.rubric.change import Lines, Part
    from judgekit.rubric.cosmetics import Cosmetic
    from judgekit.rubric.difference_levels import Pairs
    from judgekit.rubric.model import Criterion, Rubric

T = TypeVar("T")
Numbered = list[tuple[int, str]]
"""Lines with their numbers from 0."""


class RubricText(NamedTuple):
    """A rubric, and the text of the file it was read from."""

    rubric: Rubric
    text: str


class CriterionDifference(NamedTuple):
    """What became of one criterion.

    Attributes:
        before: Its name in the first rubric; None where the second has a new one.
        after: Its name in the second; None where it is gone.
        changes: What means something else; empty where a judge is the same on it.
    """

    before: str | None
    after: str | None
    changes: tuple[Change, ...]


class Difference(NamedTuple):
    """What of a rubric means something else, criterion by criterion, and what does not.

    ``cosmetic`` holds the edits that leave every fingerprint as it is.
    """

    criteria: tuple[CriterionDifference, ...]
    cosmetic: tuple[Cosmetic, ...]

    @property
    def changed(self) -> bool:
        """Return whether any criterion means something else: no certificate holds for both."""
        return any(one.changes for one in self.criteria)


def difference(before: RubricText, after: RubricText, criterion: str | None = None) -> Difference:
    """Compare two rubrics.

    Args:
        before: The one that certificates may have been issued for.
        after: What became of it.
        criterion: Only this criterion.

    Raises:
        UnknownName: neither has a criterion of that name.
    """
    lines = [outline(one.text, one.rubric) for one in (before, after)]
    found = []
    for old, new in _pairs(before.rubric, after.rubric, criterion):
        a = None if old is None else Side(before.rubric, old, lines[0])
        b = None if new is None else Side(after.rubric, new, lines[1])
        names = (None if old is None else old.name), (None if new is None else new.name)
        found.append(CriterionDifference(*names, tuple(_of_criterion(a, b))))
    meant = any(one.changes for one in found)
    return Difference(tuple(found), cosmetics(before, after, changed=meant))


def same_meaning(a: tuple[Rubric, Criterion], b: tuple[Rubric, Criterion]) -> bool:
    """Tell whether a judge, all else alike, has the same fingerprint on both criteria."""
    return a[1].name == b[1].name and meaning_parts(*a) == meaning_parts(*b)


def _pairs(
    before: Rubric, after: Rubric, only: str | None
) -> list[tuple[Criterion | None, Criterion | None]]:
    """Return each criterion with what became of it: by name, or the only one without a match."""
    new = {one.name: one for one in after.criteria}
    pairs = [(one, new.pop(one.name, None)) for one in before.criteria]
    lone = [at for at, (_, match) in enumerate(pairs) if match is None]
    if len(lone) == len(new) == 1:
        pairs[lone[0]] = (pairs[lone[0]][0], new.popitem()[1])
    found = [*pairs, *((None, one) for one in new.values())]
    if only is None:
        return found
    named = [pair for pair in found if any(one and one.name == only for one in pair)]
    return named or [(before.criterion(only), None)]


def _of_criterion(a: Side | None, b: Side | None) -> Iterator[Change]:
    if a is None or b is None:
        names = (None if side is None else side.criterion.name for side in (a, b))
        lines = (None if side is None else side.line(()) for side in (a, b))
        yield Change("criterion", None, None, _two(names), ("shown", "read"), _two(lines))
        return
    if same_meaning((a.rubric, a.criterion), (b.rubric, b.criterion)):
        return
    found = list(_changes(a, b))
    yield from found or [Change("prompt", effects=("shown",))]


def _changes(a: Side, b: Side) -> Iterator[Change]:
    shown = Shown(a.rubric, a.criterion)
    pairs = pair_levels(a.criterion.scale.levels, b.criterion.scale.levels)
    yield from _texts(a, b, shown)
    yield from _scale(a, b, shown)
    yield from level_changes(a, b, shown, pairs)
    yield from _passes(a, b, pairs)
    old, new = a.rubric.inputs, b.rubric.inputs
    if old != new:
        lines = a.lines.get(("inputs",)), b.lines.get(("inputs",))
        yield Change("inputs", None, None, (", ".join(old), ", ".join(new)), ("shown",), lines)
    yield from _prompt(a, b)


def _texts(a: Side, b: Side, shown: Shown) -> Iterator[Change]:
    """Yield the changes of what a criterion says in words of its own."""
    parts: tuple[tuple[Part, str], ...] = (
        ("criterion", "name"),
        ("question", "question"),
        ("not_applicable", "not_applicable"),
    )
    for part, key in parts:
        old, new = getattr(a.criterion, key), getattr(b.criterion, key)
        if old != new:
            told = effects(("shown", shown.by(**{key: new})), ("read", None in (old, new)))
            lines = a.line((part,)), b.line((part,))
            yield Change(part, None, None, (old, new), told, lines)


def _scale(a: Side, b: Side, shown: Shown) -> Iterator[Change]:
    old, new = a.criterion.scale.kind, b.criterion.scale.kind
    if old != new:
        seen = effects(("shown", shown.by(scale=replace(a.criterion.scale, kind=new))))
        lines = a.line(("scale",)), b.line(("scale",))
        yield Change("scale", None, None, (old, new), (*seen, "read", "counted"), lines)
    weights = a.criterion.weights, b.criterion.weights
    if weights[0] != weights[1]:
        lines = a.line(("weights",), ("scale",)), b.line(("weights",), ("scale",))
        yield Change("weights", None, None, weights, ("counted",), lines)


def _passes(a: Side, b: Side, pairs: Pairs) -> Iterator[Change]:
    """Yield the pass line, unless it differs only by levels that came, went or were renamed."""

    def passing(side: Side, at: int) -> list[bool] | None:
        passes = side.criterion.passes
        if passes is None:
            return None
        levels = side.criterion.scale.levels
        stayed = [pair[at] for pair in pairs if None not in pair]
        return [passes[levels.index(one)] for one in stayed if one is not None]

    if passing(a, 0) == passing(b, 1):
        return
    criteria = a.criterion, b.criterion
    texts = (passing_text(c.scale.values, c.scale.names, c.passes) for c in criteria)
    lines = (side.line(("passes_at",), ("passing",), ("scale",)) for side in (a, b))
    yield Change("pass line", None, None, _two(texts), ("passes",), _two(lines))


def _two(both: Iterable[T]) -> tuple[T, T]:
    """Return what a generator gives for the two sides."""
    first, second = both
    return first, second


def _prompt(a: Side, b: Side) -> Iterator[Change]:
    """Yield the templates that differ, where they could show an item otherwise."""
    old, new = a.rubric, b.rubric
    if _meaning(old) == _meaning(new):
        return
    sources = [{"": side.body, **side.templates} for side in (old, new)]
    names = [n for n in dict.fromkeys([*sources[0], *sources[1]]) if _differs(n, sources)]
    for name in names or [""]:
        said = (source.get(name) for source in sources)
        told = _two(None if one is None else without_comments(one) for one in said)
        texts = _two(None if one is None else "\n".join(t for _, t in one) for one in told)
        begins = (None, None) if name else _two(s.lines.get(("body",)) for s in (a, b))
        yield Change("prompt", None, name or None, texts, ("shown",), _first_lines(told, begins))


def _meaning(rubric: Rubric) -> str:
    return canonical_json(templates_meaning(rubric.body, rubric.templates))


def _differs(name: str, sources: Sequence[dict[str, str]]) -> bool:
    """Tell whether a template of that name says other things itself, whatever it includes."""
    texts = [source.get(name) for source in sources]
    if None in texts:
        return not name.startswith(BUILT_IN)
    old, new = (canonical_json(templates_meaning(text or "", {})) for text in texts)
    return old != new


def _first_lines(bodies: tuple[Numbered | None, Numbered | None], begins: Lines) -> Lines:
    """Return the line of each file on which two bodies first differ, by words if they do."""
    whole = [body or [(0, "")] for body in bodies]
    said = [[line for line in body if line[1].strip()] or body[:1] for body in whole]
    texts = [[text for _, text in body] for body in said]
    old, new = whole if texts[0] == texts[1] else said
    same = 0
    while same < min(len(old), len(new)) and old[same][1] == new[same][1]:
        same += 1
    return _two(
        None if begin is None else begin + lines[min(same, len(lines) - 1)][0]
        for begin, lines in zip(begins, (old, new), strict=True)
    )
