"""What a runner hands over, as the inputs of a rubric."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from judgekit.api.material import text_digest
from judgekit.errors import InputError
from judgekit.judging.item import Item, Text

PAIR = ("output_a", "output_b")


def make_item(
    inputs: Sequence[str],
    *,
    input: object = None,  # noqa: A002  (the runners' word)
    output: object = None,
    reference: object = None,
    context: object = None,
    case: str | None = None,
) -> Item:
    """Return the item a rubric with these inputs is asked about.

    What is no text becomes one: lists of chat messages stay as they are, a list of texts (passages)
    is joined by blank lines, a mapping of one entry is that entry, anything else is JSON. A mapping
    whose keys are inputs of the rubric gives these. None, NaN and an empty mapping are how runners
    say that there is nothing; an empty text is a text.

    Its id is the digest of its text, by which labelled items are known again.

    Args:
        inputs: The rubric's inputs.
        input: What the output answers.
        output: What is to be judged; for a pair a mapping of ``output_a`` and ``output_b``, or two.
        reference: What it is compared with.
        context: More inputs by name, or the input ``context``.
        case: The group it belongs to.

    Raises:
        InputError: an input is missing; the message names what was handed over.
    """
    given = {"input": input, "output": output, "reference": reference, "context": context}
    try:
        fields = _fields(inputs, given)
    except RecursionError:
        raise InputError("a value is nested too deeply", hint="hand over a text") from None
    item = Item(id="", fields=fields, case=case)
    return item._replace(id=text_digest(item, inputs) or "")


def _fields(inputs: Sequence[str], given: dict[str, object]) -> dict[str, Text]:
    """Return the text of each input.

    Raises:
        InputError: one is missing.
    """
    output = given["output"]
    if PAIR[0] in inputs and isinstance(output, list | tuple) and len(output) == len(PAIR):
        given["output"] = dict(zip(PAIR, output, strict=True))
    found: dict[str, object] = {}
    for name, value in given.items():
        if _is_nothing(value):
            continue
        named = _named(inputs, name, value)
        if not named and name in inputs and not (name == "context" and isinstance(value, Mapping)):
            named = {name: value}
        # What was handed over under its own name stands; metadata only fills in what is missing.
        found.update({n: v for n, v in named.items() if _is_nothing(found.get(n)) or n == name})
    fields = {name: text_of(found[name]) for name in inputs if not _is_nothing(found.get(name))}
    missing = [name for name in inputs if name not in fields]
    if missing:
        raise InputError(
            f"the judge needs {_listed(missing)}, and the runner handed over {_seen(given)}",
            hint=_way_out(missing[0]),
        )
    return fields


def text_of(value: object) -> Text:
    """Return a value as item text: text and chat messages as they are, else as JSON."""
    if isinstance(value, str):
        return value
    if isinstance(value, list | tuple) and value:
        if all(_is_message(part) for part in value):
            return [_as_json(dict(part)) for part in value]
        if all(isinstance(part, str) for part in value):
            return "\n\n".join(value)
    if isinstance(value, Mapping) and len(value) == 1:
        return text_of(next(iter(value.values())))
    return _json(value)


def _as_json(value: object) -> Any:
    """Return a value as it would be read again."""
    return json.loads(_json(value))


def _json(value: object) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, default=_plain)
    except Exception as error:  # noqa: BLE001  (an object of the user's, which may raise anything)
        message = f"a value of type {type(value).__name__} is no text and has no JSON"
        raise InputError(f"{message}: {type(error).__name__}", hint="hand over a text") from None


def _named(inputs: Sequence[str], place: str, value: object) -> dict[str, object]:
    """Return the inputs that a mapping names.

    What is judged gives nothing but itself: an answer that has a ``reference`` of its own must not
    take the place of the reference, nor the question bring along its answer; and where there is no
    answer, an earlier one among the metadata is none.
    """
    if not isinstance(value, Mapping):
        return {}
    named = {name: value[name] for name in inputs if not _is_nothing(value.get(name))}
    if place == "context":
        return {n: v for n, v in named.items() if n != "output"}
    return {n: v for n, v in named.items() if n.startswith("output") is (place == "output")}


def _way_out(name: str) -> str:
    if name in ("input", "output", "reference"):
        return f"pass it: {name}=..."
    return f"pass it by name: context={{{name!r}: ...}}, or as the runner names further inputs"


def _is_nothing(value: object) -> bool:
    """Tell whether this is how a runner says that there is nothing, in a mapping of one too."""
    if isinstance(value, Mapping):
        return len(value) <= 1 and all(map(_is_nothing, value.values()))
    missing = isinstance(value, float) and math.isnan(value)
    return value is None or missing or type(value).__name__ in ("NAType", "NaTType")  # of pandas


def _is_message(part: object) -> bool:
    return isinstance(part, Mapping) and "role" in part and "content" in part


def _plain(value: Any) -> object:
    """Return what JSON does not know as what it does: a model of pydantic as its fields."""
    dump = getattr(value, "model_dump", None)
    return dump(mode="json") if callable(dump) else str(value)


def _seen(given: Mapping[str, object]) -> str:
    told = [
        f"{name} with {', '.join(map(str, value))}" if isinstance(value, Mapping) else name
        for name, value in given.items()
        if value is not None
    ]
    return _listed(told) or "nothing"


def _listed(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if names[1:] else names)
