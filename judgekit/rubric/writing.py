"""A rubric as the text of a file: front matter as people write it, then the template.

What is written reads back as the same rubric, beside the same templates.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from judgekit.rubric.scale import number_text
from judgekit.rubric.templates import PAIRWISE, POINTWISE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from judgekit.rubric.model import Criterion, Rubric
    from judgekit.rubric.scale import Anchor, Level

_WIDTH = 100
_PLAIN = re.compile(r"[^\W_][^\x00-\x1f\x7f-\x9f\u2028\u2029]*")
"""What needs no quotes, unless one of the next holds for it."""
_NOT_PLAIN = re.compile(r": |:$| #|\s$|\ufeff|[\ud800-\udfff\ufffe\uffff]|^(?:null|Null|NULL)$")
_NOT_IN_LIST = re.compile(r"[\[\]{},]")
_NOT_IN_BLOCK = re.compile(
    "[^\t\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)
_ESCAPED = re.compile('[\\\\"\x00-\x1f\x7f-\xa0\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]')
_ESCAPES = {"\\": r"\\", '"': r"\"", "\n": r"\n", "\t": r"\t"}
_BETWEEN_WORDS = re.compile(r"(?<=\S) (?=[^\s#-])")


def rubric_text(rubric: Rubric, *, description: str | None = None) -> str:
    """Return the text of a rubric file.

    Args:
        rubric: The rubric. Its templates are not written: they stand in files of their own.
        description: A line for people that no judge is shown.
    """
    lines = [f"rubric: {_line(rubric.name)}", f"version: {rubric.version}"]
    if description:
        lines[1:1] = _entry("description", description, 0)
    lines += [f"inputs: {_list(rubric.inputs)}", "criteria:"]
    for criterion in rubric.criteria:
        lines += _item(list(_criterion(criterion)), 2)
    body = "" if _is_default(rubric) else rubric.body
    return "\n".join(["---", *lines, "---", body])


def front_text(front: Mapping[str, Any]) -> str:
    """Return the text of a rubric file with this front matter and the built-in template.

    Args:
        front: What stands in it, as texts, lists and mappings; whether it is a rubric is for the
            parser to say.
    """
    return "\n".join(["---", *_mapping(front, 0), "---", ""])


def _is_default(rubric: Rubric) -> bool:
    pairwise = rubric.criteria[0].scale.kind == "pairwise"
    return rubric.body == f'{{% extends "{PAIRWISE if pairwise else POINTWISE}" %}}'


def _criterion(criterion: Criterion) -> Iterator[str]:
    scale = criterion.scale
    yield f"criterion: {_line(criterion.name)}"
    yield from _entry("question", criterion.question, 4)
    yield f"scale: {scale.kind}"
    if criterion.passes_at is not None:
        yield f"passes_at: {number_text(criterion.passes_at)}"
    if criterion.passing:
        names = [
            n for v, n in zip(scale.values, scale.names, strict=True) if v in criterion.passing
        ]
        yield f"passing: {_list(names)}"
    if criterion.weights != ("quadratic" if scale.kind == "ordinal" else "unweighted"):
        yield f"weights: {criterion.weights}"
    yield "levels:"
    # People list the best level first; a scale that goes by value is kept the other way round.
    ordered = scale.kind in ("ordinal", "binary")
    for level in reversed(scale.levels) if ordered else scale.levels:
        yield from _item(list(_level(level)), 2)
    if criterion.not_applicable is not None:
        yield from _entry("not_applicable", criterion.not_applicable, 4)


def _level(level: Level) -> Iterator[str]:
    value = number_text(level.value)
    if level.value != level.name:  # a level that goes by its name has no other value
        yield f"value: {_line(value)}"
    if isinstance(level.value, str) or level.name != value:  # else it is called by its value
        yield f"name: {_line(level.name)}"
    yield from _entry("definition", level.definition, 8)
    if level.drops_when is not None:
        yield from _entry("drops_when", level.drops_when, 8)
    if level.anchors:
        yield "anchors:"
        for anchor in level.anchors:
            yield from _item(list(_anchor(anchor)), 2)


def _anchor(anchor: Anchor) -> Iterator[str]:
    for name, text in anchor.fields.items():
        yield from _entry(name, text, 12)
    if anchor.reason is not None:
        yield from _entry("reason", anchor.reason, 12)


def _item(lines: Sequence[str], indent: int) -> list[str]:
    """Return the lines of a mapping as one entry of a list."""
    pad = " " * indent
    return [f"{pad}- {lines[0]}", *(f"{pad}  {line}" if line else "" for line in lines[1:])]


def _entry(key: str, value: Any, indent: int) -> list[str]:
    """Return the lines of a key and its value, as a person would lay them out.

    Args:
        key: The key.
        value: A text, or a list or mapping of them.
        indent: How far in the file the key will be indented, which lines are measured with.
    """
    if isinstance(value, list | tuple) and value:
        return [f"{key}:", *(line for one in value for line in _nested(one, indent + 2))]
    if isinstance(value, dict) and value:
        return [f"{key}:", *(f"  {line}" for line in _mapping(value, indent + 2))]
    if not isinstance(value, str):
        return [f"{key}: {_other(value)}"]
    if "\n" in value and _fits_block(value):
        return [f"{key}: |-", *(f"  {one}" if one else "" for one in value.split("\n"))]
    if len(key) + len(value) + indent + 2 > _WIDTH and _fits_block(value) and "\n" not in value:
        folded = _folded(value, _WIDTH - indent - 2)
        if len(folded) > 1:
            return [f"{key}: >-", *(f"  {one}" for one in folded)]
    return [f"{key}: {_line(value)}"]


def _nested(value: Any, indent: int) -> list[str]:
    """Return the lines of one entry of a list of values."""
    if isinstance(value, dict) and value:
        return _item(list(_mapping(value, indent + 2)), 2)
    if isinstance(value, list | tuple) and value:
        return _item([f"- {_flow(one)}" for one in value], 2)
    return [f"  - {_other(value)}"]


def _mapping(value: Mapping[str, Any], indent: int) -> Iterator[str]:
    for name, one in value.items():
        yield from _entry(_line(name), one, indent)


def _flow(value: Any) -> str:
    """Return a value on one line, whatever it is made of."""
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_flow, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{_quoted(k)}: {_flow(v)}' for k, v in value.items())}}}"
    return _quoted(value) if isinstance(value, str) else _other(value)


def _other(value: Any) -> str:
    """Return what is no text as it is written on one line."""
    if isinstance(value, str):
        return _line(value)
    if value is None:
        return "null"
    return _flow(value) if isinstance(value, list | tuple | dict) else str(value)


def _list(names: Sequence[str]) -> str:
    return f"[{', '.join(_quoted(n) if _NOT_IN_LIST.search(n) else _line(n) for n in names)}]"


def _line(text: str) -> str:
    """Return a text on one line, in quotes where YAML needs them."""
    plain = _PLAIN.fullmatch(text) and not _NOT_PLAIN.search(text)
    return text if plain else _quoted(text)


def _quoted(text: str) -> str:
    return f'"{_ESCAPED.sub(_escape, text)}"'


def _escape(found: re.Match[str]) -> str:
    character = found[0]
    return _ESCAPES.get(character) or f"\\u{ord(character):04x}"


def _fits_block(text: str) -> bool:
    """Tell whether a text can stand below its key as it is, for people to read."""
    outer = text[:1].isspace() or text.endswith(("\n", " ", "\t"))
    return not outer and not _NOT_IN_BLOCK.search(text) and bool(text)


def _folded(text: str, width: int) -> list[str]:
    """Break a line between words, so that it reads back as the same line."""
    lines, start = [], 0
    cuts = [found.start() for found in _BETWEEN_WORDS.finditer(text)]
    for at, cut in enumerate(cuts):
        end = cuts[at + 1] if at + 1 < len(cuts) else len(text)
        if end - start > width:
            lines.append(text[start:cut])
            start = cut + 1
    return [*lines, text[start:]]
