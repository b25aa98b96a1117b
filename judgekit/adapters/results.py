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
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

from judgekit.adapters.seal import PREFIX, holds
from judgekit.errors import InputError
from judgekit.importers.text import load_text

STATUS = f"{PREFIX}status"
_STAMP = re.compile(r"\[judgekit (?=\{)")
_NEEDED = ("id", "judge", "criterion", "fingerprint")
_JUDGED = frozenset(
    {"actual_output", "actualOutput", "context", "expected", "expected_output", "expectedOutput"}
    | {"input", "inputs", "output", "outputs", "prompt", "reference", "retrieval_context"}
    | {"retrievalContext", "target", "vars"}
)
"""What runners call the texts of an item."""
_DECODER = json.JSONDecoder()


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
    known: dict[str, dict[str, Any]] = {}
    refused: dict[str, dict[str, Any]] = {}
    altered: dict[str, dict[str, Any]] = {}
    for number, facts in enumerate(_walk(_values(str(path)))):
        name = str(facts.get(f"{PREFIX}id") or number)
        whole = facts[STATUS] == "refused" or all(f"{PREFIX}{one}" in facts for one in _NEEDED)
        if not (holds(facts) and whole):
            altered.setdefault(name, facts)
        elif facts[STATUS] == "refused":
            refused.setdefault(name, facts)
        else:
            known.setdefault(name, facts)
    return Found([*known.values()], [*refused.values()], [*altered.values()])


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
            cells = zip_longest(names, row)
            yield [cell for name, cell in cells if cell is not None and name not in _JUDGED]
        return
    try:
        yield json.loads(text)
    except RecursionError:
        raise InputError("nested too deeply to be read", file=file) from None
    except json.JSONDecodeError:
        for number, line in enumerate(io.StringIO(text, newline="\n"), 1):
            if line.strip():
                try:
                    yield json.loads(line)
                except json.JSONDecodeError as error:
                    message = f"not valid JSON: {error.msg}"
                    raise InputError(message, file=file, line=number) from None
                except RecursionError:
                    message = "nested too deeply to be read"
                    raise InputError(message, file=file, line=number) from None


def _walk(values: Iterator[Any]) -> Iterator[dict[str, Any]]:
    """Yield every object that says what became of an item, however deep it stands.

    What was judged may hold a stamp as well, of another item at another time; it is no result.
    """
    for whole in values:
        yield from _walk_one(whole)


def _walk_one(whole: Any) -> Iterator[dict[str, Any]]:
    waiting = [(whole, False)]
    while waiting:
        value, judged = waiting.pop()
        if isinstance(value, dict):
            if STATUS in value:
                yield value
            else:
                inner = [(one, judged or key in _JUDGED) for key, one in value.items()]
                waiting.extend(reversed(inner))
        elif isinstance(value, list):
            waiting.extend((one, judged) for one in reversed(value))
        elif isinstance(value, str) and PREFIX in value and not judged:
            waiting.extend((one, False) for one in _stamps(value))


def _stamps(text: str) -> Iterator[Any]:
    """Yield the objects that stand in a text: a stamp, or JSON in a cell."""
    if text.lstrip()[:1] in ("{", "["):
        with contextlib.suppress(ValueError, RecursionError):
            yield json.loads(text)
            return
    for begin in [match.end() for match in _STAMP.finditer(text)]:
        try:
            value, _ = _DECODER.raw_decode(text, begin)
        except (ValueError, RecursionError):
            continue
        yield value
