"""Damages of the scale: values, names and pass line of its levels."""

from __future__ import annotations

from tests.linting.patient import Damage, Damaged, Patient, ordinal, pointwise

_LOOKS_LIKE = str.maketrans("aeopcxyi", "аеорсхуі")  # Cyrillic


def _swapped_values(p: Patient) -> Damaged | None:
    one, other = p.levels[0].value, p.levels[1].value
    if one is None or other is None:
        return None
    first, second = p.span(one.node), p.span(other.node)
    a, b = p.text[slice(*first)], p.text[slice(*second)]
    text = p.text[: first[0]] + b + p.text[first[1] : second[0]] + a + p.text[second[1] :]
    return Damaged(text, frozenset({p.line(one), p.line(other)}))


def _without_level(p: Patient) -> Damaged | None:
    middle = p.levels[1]
    first = p.text.rfind("\n", 0, p.span(middle.node)[0]) + 1
    end = p.text.index("\n", p.span(middle.node)[1] - 1) + 1
    if middle.value and p.criterion.passes_at and middle.value.value == p.criterion.passes_at.value:
        return None  # then the pass line is off the scale, which is another damage
    beside = {p.line(p.levels[0].node), p.line(first)}
    return Damaged(p.text[:first] + p.text[end:], frozenset(beside))


def _one_level(p: Patient) -> Damaged:
    first = p.text.rfind("\n", 0, p.span(p.levels[1].node)[0]) + 1
    end = p.text.index("\n", p.span(p.levels[-1].node)[1] - 1) + 1
    owner = p.line(p.criterion.keys["levels"]) - 1
    lines = {owner, p.line(p.levels[0].node), p.line(p.criterion.node)}
    return Damaged(p.text[:first] + p.text[end:], frozenset(lines))


def _far_value(p: Patient) -> Damaged | None:
    top = max(int(level.number or 0) for level in p.levels)
    value = next(level.value for level in p.levels if level.number == top)
    done = p.put(value, str(top + 3))
    below = max((lv for lv in p.levels if lv.number != top), key=lambda level: level.number or 0)
    passes = p.criterion.passes_at
    if done is None or (passes is not None and passes.value == str(top)):
        return None
    return done._replace(lines=done.lines | {p.line(below.node)})


def _too_many(p: Patient) -> Damaged:
    """Six more levels below, which say what they are in words of their own."""
    first = p.levels[-1]
    column = p.span(first.node)[0] - p.text.rfind("\n", 0, p.span(first.node)[0]) - 1
    end = p.text.index("\n", p.span(first.node)[1] - 1) + 1
    least, pad = int(first.number or 0), " " * column
    more = "".join(
        f"{pad[:-2]}- value: {least - 1 - n}\n{pad}name: step {'abcdef'[n]}\n"
        f"{pad}definition: The reply has {number} errors.\n"
        for n, number in enumerate(("five", "six", "seven", "eight", "nine", "ten"))
    )
    levels = p.line(p.criterion.keys["levels"])
    beside = {p.line(p.criterion.keys["scale"]), levels - 1, levels}
    return Damaged(p.text[:end] + more + p.text[end:], frozenset(beside))


def _shuffled(p: Patient) -> Damaged | None:
    """The first two levels as wholes in each other's place."""
    (a, b), (c, d) = (_block(p, n) for n in (0, 1))
    text = p.text[:a] + p.text[c:d] + p.text[a:b] + p.text[d:]
    second = p.line(a) + p.text.count("\n", c, d)
    return Damaged(text, frozenset({p.line(a), second}))


def _block(p: Patient, level: int) -> tuple[int, int]:
    begin, end = p.span(p.levels[level].node)
    return p.text.rfind("\n", 0, begin) + 1, p.text.index("\n", end - 1) + 1


def _second_name(p: Patient, pattern: str) -> Damaged | None:
    return p.put(p.levels[1].name, pattern.format(p.name(0)))


def _foreign_letter(p: Patient) -> Damaged | None:
    new = p.name(0).translate(_LOOKS_LIKE)
    return p.put(p.levels[0].name, new) if new != p.name(0) else None


def _lowest(p: Patient) -> Damaged:
    return p.inserted(p.criterion.ranked[0].node, "drops_when: One thing is missing.")


def _passes_all(p: Patient) -> Damaged | None:
    value = p.criterion.ranked[0].value
    return p.put(p.criterion.passes_at, value.value) if value else None


def _binary(p: Patient) -> Damaged | None:
    """Three levels that are said to be two: at either of the two lines."""
    done = p.put(p.criterion.keys["scale"], "binary")
    return done and done._replace(lines=done.lines | {p.line(p.criterion.keys["levels"]) - 1})


def _passing_names(p: Patient) -> Damaged | None:
    return p.renamed(p.criterion.node, "passes_at", "passing")


SCALE: dict[str, Damage] = {
    "delete a level": ordinal(_without_level, least=3),
    "delete all levels but one": _one_level,
    "a value three steps away": ordinal(_far_value),
    "swap two values": ordinal(_swapped_values),
    "two levels in each other's place": ordinal(_shuffled, least=3),
    "the same value twice": ordinal(
        lambda p: p.put(p.levels[1].value, p.levels[0].value.value)  # type: ignore[union-attr]
    ),
    "a value in words": ordinal(lambda p: p.put(p.levels[0].value, "high")),
    "delete a value": ordinal(lambda p: p.without(p.levels[0].node, "value")),
    "more levels than anybody tells apart": ordinal(_too_many),
    "the same name twice": lambda p: _second_name(p, "{}"),
    "one name within another": pointwise(lambda p: _second_name(p, "not {}")),
    "a name with an ending": pointwise(lambda p: _second_name(p, "{}ish")),
    "a name with one letter more": pointwise(lambda p: _second_name(p, "{}s")),
    "a name in capitals": lambda p: p.put(p.levels[1].name, p.name(0).upper()),
    "a letter of another script in a name": _foreign_letter,
    "a level named n/a": lambda p: p.put(p.levels[1].name, "n/a"),
    "a name on two lines": lambda p: p.put(p.levels[1].name, "one\ntwo"),
    "a border below the lowest": ordinal(_lowest),
    "delete the pass line": ordinal(lambda p: p.without(p.criterion.node, "passes_at")),
    "a pass line off the scale": ordinal(lambda p: p.put(p.criterion.passes_at, "9")),
    "a pass line below everything": ordinal(_passes_all),
    "a pass line of another kind of scale": ordinal(_passing_names),
    "a scale misspelt": lambda p: p.put(p.criterion.keys["scale"], "ordnal"),
    "a scale of another kind": ordinal(_binary, least=3),
    "weights that are none": lambda p: p.inserted(p.criterion.node, "weights: cubic"),
}
