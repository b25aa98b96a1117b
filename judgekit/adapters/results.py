"""The outcomes of a judge, found again in whatever file a runner has kept its results in.

Every adapter puts the same metadata beside a value, as an object where the runner keeps objects
and at the end of the explanation where it keeps only that. So no runner's format has to be known.
"""

from __future__ import annotations

import contextlib
import csv
import io
import json
import re
from ast import literal_eval
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

from judgekit.adapters.seal import PREFIX, holds
from judgekit.errors import InputError
from judgekit.importers.text import load_text

STATUS = f"{PREFIX}status"
_STAMP = re.compile(r"\[judgekit (?=[\[{])")
_FACT = re.compile(rf"[\"']({PREFIX}(?:judge|criterion|id|item))[\"']:\s?[\"']([^\"'\\]*)[\"']")
_NEEDED = ("id", "judge", "criterion", "fingerprint")
_JUDGED = frozenset(
    {"actual_output", "actualOutput", "context", "expected", "expected_output", "expectedOutput"}
    | {"input", "inputs", "output", "outputs", "prompt", "reference", "retrieval_context"}
    | {"retrievalContext", "target", "vars"}
)
"""What runners call the texts of an item."""
_TELLS = re.compile(r"(?i)^$|reason|error|expla|comment|rationale|message|fail|stack|note|why")
"""What runners call the text beside a value, or in the place of one."""
_CUT = re.compile(rf"\s*\{{\s*[\"']{PREFIX}")
"""How a cell of metadata begins, although it may not end."""
_DECODER = json.JSONDecoder()


_OBJECT, _CELL, _STAMPED = range(3)
"""The forms in which runners keep what stands beside a value: the first that is there counts."""


class _Seen(NamedTuple):
    """What looks like an outcome, whose it is, in which form, and whether it is an error's."""

    facts: dict[str, Any]
    judge: str
    form: int
    failed: bool


class Found(NamedTuple):
    """What a file holds of a judge's outcomes.

    Attributes:
        facts: The metadata of each outcome, once.
        refused: Those of judges that were not certified, and gave no value.
        altered: What looks like an outcome and is not as a judge gave it.
    """

    facts: list[dict[str, Any]]
    refused: list[dict[str, Any]]
    altered: list[dict[str, Any]]


def find_outcomes(path: str | Path) -> Found:
    """Return the outcomes in a file of results: JSON, JSON lines or CSV.

    Raises:
        InputError: the file cannot be read, or is none of these.
    """
    seen = list(_walk(_values(str(path))))
    best: dict[str, int] = {}
    for one in seen:
        best[one.judge] = min(one.form, best.get(one.judge, one.form))
    kinds: dict[str, dict[str, dict[str, Any]]] = {"known": {}, "refused": {}, "altered": {}}
    for number, (facts, judge, form, failed) in enumerate(seen):
        # Where a runner keeps objects, a value in a text is quoted; only errors are kept as text.
        if form == best[judge] or failed:
            name = str(facts.get(f"{PREFIX}id") or number)
            kinds[_kind(facts)].setdefault(name, facts)
    altered = kinds["altered"]
    known = [facts for name, facts in kinds["known"].items() if name not in altered]
    return Found(known, [*kinds["refused"].values()], [*altered.values()])


def _kind(facts: dict[str, Any]) -> str:
    whole = facts[STATUS] == "refused" or all(f"{PREFIX}{one}" in facts for one in _NEEDED)
    if not (holds(facts) and whole):
        return "altered"
    return "refused" if facts[STATUS] == "refused" else "known"


def _values(file: str) -> Iterator[Any]:
    """Yield what a file holds, value by value."""
    if Path(file).suffix == ".eval":
        raise InputError(
            "an Inspect log in its own compressed form",
            hint=f"write it as JSON first: inspect log dump {file} > results.json",
            file=file,
        )
    text = load_text(file)
    if text.lstrip()[:1] not in ("{", "["):
        csv.field_size_limit(max(csv.field_size_limit(), len(text)))
        names: list[str] = []
        for row in csv.reader(io.StringIO(text, newline="")):
            names = names or row
            yield [{name: cell} for name, cell in zip_longest(names, row, fillvalue="")]
        return
    try:
        yield _read(text, file)
    except InputError:
        lines = io.StringIO(text, newline="\n")
        yield from (_read(line, file, n) for n, line in enumerate(lines, 1) if line.strip())


def _read(text: str, file: str, line: int | None = None) -> Any:
    """Return what JSON says.

    Raises:
        InputError: it is none, or cannot be read.
    """
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise InputError(f"not valid JSON: {error.msg}", file=file, line=line) from None
    except ValueError as error:  # a number that is too long
        raise InputError(f"not to be read: {error}", file=file, line=line) from None
    except RecursionError:
        raise InputError("nested too deeply to be read", file=file, line=line) from None


def _walk(values: Iterator[Any]) -> Iterator[_Seen]:
    """Yield every object that says what became of an item, however deep it stands.

    What was judged may hold such objects as well, of other items at other times; they are none.
    """
    for whole in values:
        waiting = [(whole, _OBJECT, "")]
        while waiting:
            value, form, key = waiting.pop()
            if isinstance(value, dict):
                if STATUS in value:
                    judge = str(value.get(f"{PREFIX}judge"))
                    yield _Seen(value, judge, form, "error" in key.casefold())
                else:
                    inner = [(v, form, str(k)) for k, v in value.items() if k not in _JUDGED]
                    waiting.extend(reversed(inner))
            elif isinstance(value, list):
                waiting.extend((one, form, key) for one in reversed(value))
            elif isinstance(value, str) and PREFIX in value and form != _STAMPED:
                found = [(*one, key) for one in _in_text(value)]
                waiting.extend(one for one in found if one[1] != _STAMPED or _TELLS.search(key))


def _in_text(text: str) -> Iterator[tuple[Any, int]]:
    """Yield what a text holds, with its form: what it is as a whole, or the stamp it ends with."""
    if text.lstrip()[:1] in ("{", "["):
        for read in (json.loads, literal_eval):  # cells hold JSON, or what Python prints
            with contextlib.suppress(ValueError, SyntaxError, RecursionError, MemoryError):
                yield read(text), _CELL
                return
        if _CUT.match(text):
            yield _damaged(text), _CELL
            return
    ends = [match.end() for match in _STAMP.finditer(text)]
    if ends:  # what stands before it may be quoted
        try:
            yield _DECODER.raw_decode(text, ends[-1])[0], _STAMPED
        except (ValueError, RecursionError):
            yield _damaged(text[ends[-1] :]), _STAMPED


def _damaged(text: str) -> dict[str, Any]:
    """Return what is left of metadata that was cut: that there was an outcome, and whose."""
    return {STATUS: "altered", **dict(_FACT.findall(text))}
