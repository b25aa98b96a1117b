"""Rows from JSON: one object a line, or one list of objects, each with its line number."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any, NoReturn

from judgekit.errors import InputError
from judgekit.importers.row import Row

BLANKS = " \t\r\n"
"""What JSON calls white space. U+2028, U+2029 and U+0085 are text, and end no line."""


class _Unusable(ValueError):
    """Something the decoder would let pass."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise _Unusable(f"the key {twice!r} occurs twice in one object")
    return found


def _constant(word: str) -> NoReturn:
    raise _Unusable(f"{word} is no JSON value: leave the key out or write null")


def _finite(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise _Unusable(f"the number {digits[:40]} is too large")
    return number


_DECODER = json.JSONDecoder(
    object_pairs_hook=_object, parse_constant=_constant, parse_float=_finite
)


def json_lines(file: str, text: str) -> Iterator[Row]:
    r"""Yield a row for each line that is not blank; lines end at ``\n`` only.

    Raises:
        InputError: a line is not one JSON object; it carries the line.
    """
    for number, line in enumerate(text.split("\n"), 1):
        content = line.strip(BLANKS)
        if not content:
            continue
        value, end = _decode(file, content, 0, number)
        if end != len(content):
            raise InputError(
                "not valid JSON: more text follows the value",
                hint="JSONL has one object on each line.",
                file=file,
                line=number,
            )
        yield _row(file, number, value)


def json_list(file: str, text: str) -> Iterator[Row]:
    """Yield a row for each object of one JSON list.

    Raises:
        InputError: the text is not one list of objects; it carries the line.
    """
    position, line = _skip(text, 0, 1)
    if text[position] != "[":
        raise InputError(
            "the file holds one value, not a list of objects",
            hint="Write a list, [{...}, {...}], or one object on each line (JSONL).",
            file=file,
            line=line,
        )
    position, line = _skip(text, position + 1, line)
    closed = text[position : position + 1] == "]"
    while not closed:
        value, end = _decode(file, text, position, line)
        yield _row(file, line, value)
        position, line = _skip(text, end, line + text.count("\n", position, end))
        mark = text[position : position + 1]
        if mark not in {",", "]"}:
            raise InputError("not valid JSON: expected ',' or ']'", file=file, line=line)
        closed = mark == "]"
        if not closed:
            position, line = _skip(text, position + 1, line)
    position, line = _skip(text, position + 1, line)
    if position < len(text):
        raise InputError("not valid JSON: more text follows the list", file=file, line=line)


def _skip(text: str, position: int, line: int) -> tuple[int, int]:
    """Return the position behind white space, and its line."""
    while position < len(text) and text[position] in BLANKS:
        line += text[position] == "\n"
        position += 1
    return position, line


def _decode(file: str, text: str, position: int, line: int) -> tuple[Any, int]:
    """Return the value that starts at a position, and where it ends."""
    try:
        return _DECODER.raw_decode(text, position)
    except json.JSONDecodeError as exc:
        behind = text.count("\n", position, exc.pos)
        column = exc.pos - max(text.rfind("\n", 0, exc.pos), -1)
        problem = f"not valid JSON: {exc.msg[0].lower()}{exc.msg[1:]} (column {column})"
        raise InputError(problem, file=file, line=line + behind) from None
    except RecursionError:
        raise InputError("the JSON is nested too deeply", file=file, line=line) from None
    except _Unusable as exc:
        raise InputError(str(exc), file=file, line=line) from None
    except ValueError:  # Python's own, of whole numbers of thousands of digits
        hint = "write it as text, in quotes, if it is to be kept"
        raise InputError("a number has too many digits", hint=hint, file=file, line=line) from None


def _row(file: str, line: int, value: Any) -> Row:
    if isinstance(value, dict):
        return Row(line, value)
    what = {list: "a list", str: "a text", type(None): "null"}.get(type(value), repr(value))
    hint = "One list of objects for the whole file is named .json." if what == "a list" else None
    raise InputError(
        f"each row must be a JSON object, this is {what}", hint=hint, file=file, line=line
    )


def is_broken(value: Any) -> bool:
    """Tell whether a value holds half a surrogate pair, which no file can be written with."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return True
    return False


def mend(value: Any) -> Any:
    r"""Return the value with halves of surrogate pairs (a lone ``\ud83d``) as U+FFFD."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, list):
        return [mend(part) for part in value]
    if isinstance(value, dict):
        return {mend(key): mend(part) for key, part in value.items()}
    return value
