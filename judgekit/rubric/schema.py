"""The front matter of a rubric as a JSON schema, for editors that know YAML.

It says what may be written where, and refuses what makes a rubric unusable, as far as a schema can
tell: not what one text has to do with another (a level given twice, a pass line off the scale).
Whether a rubric is any good is for the linter. Every rubric that can be used is taken.

An editor reads ``yes``, ``2`` and an empty value as something else than text, this package as they
are written: so most texts may be a number or a boolean, and what may be left out may be empty.
"""

from __future__ import annotations

from typing import Any, get_args

from judgekit.rubric.criteria import PAIRWISE_INPUTS, POINTWISE_INPUTS
from judgekit.rubric.scale import Kind, Weights
from judgekit.rubric.schema_kinds import BINARY_LEVELS, KINDS, given, is_kind
from judgekit.rubric.schema_words import CRITERION, INPUT, NAME, SAID, TITLE, VALUE

FORMAT = "judgekit.rubric/1"
_WORDS = ["string", "number", "boolean"]


def front_matter_schema() -> dict[str, Any]:
    """Return the schema (JSON Schema 2020-12), each time the same text."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Front matter of a judgekit rubric",
        "$comment": FORMAT,
        **_object(
            {
                "rubric": _text(
                    "The rubric's name: one line of at most 100 characters.", pattern=TITLE
                ),
                "version": _version(),
                "description": _text(
                    "What the rubric is for, in a sentence. Not shown.", empty=True
                ),
                "inputs": _inputs(),
                "criteria": _list(
                    {"$ref": "#/$defs/criterion"}, "Each is judged by itself.", least=1
                ),
            },
            needed=("rubric", "version", "criteria"),
        ),
        "allOf": [_not_mixed(), _pairs_shown(), _usual_inputs()],
        "$defs": {
            "criterion": _criterion(),
            "level": _level(),
            "anchor": _anchor(),
            **BINARY_LEVELS,
        },
    }


def _version() -> dict[str, Any]:
    return {
        "description": "Counts up whenever the meaning changes.",
        "type": ["integer", "string"],
        "minimum": 1,
        "pattern": r"^\s*\+?[1-9][0-9]*\s*$",
    }


def _inputs() -> dict[str, Any]:
    one = {
        "description": "A field of the item.",
        "type": ["string", "boolean", "null"],
        "pattern": INPUT,
        "patternErrorMessage": "letters, digits and _, and no word the template uses itself",
    }
    told = "What the judge is shown of an item; input and output by default."
    return _list(one, told, least=1) | {"uniqueItems": True}


def _not_mixed() -> dict[str, Any]:
    """Pairwise and other criteria see other items."""
    pairwise = is_kind("pairwise")
    some = {"properties": {"criteria": {"contains": pairwise}}}
    return {"if": some, "then": {"properties": {"criteria": {"items": pairwise}}}}


def _pairs_shown() -> dict[str, Any]:
    """A pairwise rubric that says what it shows, shows both outputs."""
    some = given("criteria", {"type": "array", "contains": is_kind("pairwise")})
    both = [{"contains": {"const": name}} for name in ("output_a", "output_b")]
    return {"if": some, "then": {"properties": {"inputs": {"allOf": both}}}}


def _usual_inputs() -> dict[str, Any]:
    """A rubric that does not say what it shows, has examples of the usual inputs."""

    def anchored(names: tuple[str, ...]) -> dict[str, Any]:
        fields = {"propertyNames": {"enum": [*names, "reason"]}}
        level = {"properties": {"anchors": {"items": fields}}}
        return {"properties": {"levels": {"items": level}}}

    of_kind = {
        "if": is_kind("pairwise"),
        "then": anchored(PAIRWISE_INPUTS),
        "else": anchored(POINTWISE_INPUTS),
    }
    unsaid = {"not": {"required": ["inputs"]}}
    return {"if": unsaid, "then": {"properties": {"criteria": {"items": of_kind}}}}


def _criterion() -> dict[str, Any]:
    return _object(
        {
            "criterion": _text(
                "Its name: at most 64 letters, digits, _ - and .", pattern=CRITERION
            ),
            "question": _text("The one thing the judge is asked."),
            "scale": {
                "description": "What kind of levels it has.",
                "enum": list(get_args(Kind)),
            },
            "levels": _list({"$ref": "#/$defs/level"}, "Every level, the best first.", least=2),
            "passes_at": _text(
                "Ordinal: the lowest level that passes, by value or name.", empty=True
            ),
            "passing": _list(
                {"description": "A level.", "type": [*_WORDS, "null"]},
                "Nominal: the levels that pass.",
                empty=True,
            ),
            "not_applicable": _text("When the criterion does not apply to an item.", empty=True),
            "weights": {
                "description": "How kappa weighs disagreements; quadratic on ordinal scales.",
                "enum": [*get_args(Weights), None],
            },
        },
        needed=("criterion", "question", "scale", "levels"),
    ) | {"allOf": [{"if": is_kind(kind), "then": then} for kind, then in KINDS.items()]}


def _level() -> dict[str, Any]:
    number = {"minimum": -1e9, "maximum": 1e9}
    return _object(
        {
            "value": _value("A number on ordinal scales: the higher, the better.", VALUE) | number,
            "name": _value("A word for it, unlike all others.", NAME),
            "definition": _text("What a reader sees in an output of this level."),
            "drops_when": _text("The one thing that makes it the next lower level.", empty=True),
            "anchors": _list(
                {"$ref": "#/$defs/anchor"}, "Worked examples, shown to the judge.", empty=True
            ),
        },
        needed=("definition",),
    ) | {"anyOf": [{"required": ["value"]}, {"required": ["name"]}]}


def _anchor() -> dict[str, Any]:
    role = {"description": "Who speaks.", "type": _WORDS}
    message = {"type": "object", "properties": {"role": role}, "required": ["role"]}
    chat = _list(message, "A chat.", least=1)
    return {
        "description": "One item of this level: its fields, and why it has the level.",
        "type": "object",
        "properties": {
            "reason": _text("Why it has this level and no other.", empty=True),
            "level": False,
        },
        "additionalProperties": {"anyOf": [{"type": [*_WORDS, "null"]}, chat]},
        "minProperties": 1,
        "if": {"required": ["reason"]},
        "then": {"minProperties": 2},
    }


def _object(properties: dict[str, Any], needed: tuple[str, ...]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(needed),
        "additionalProperties": False,
    }


def _text(description: str, *, pattern: str = SAID, empty: bool = False) -> dict[str, Any]:
    kinds = [*_WORDS, "null"] if empty else _WORDS
    told = description if pattern != SAID else "it says nothing"
    return {
        "description": description,
        "type": kinds,
        "pattern": pattern,
        "patternErrorMessage": told,
    }


def _value(description: str, pattern: str) -> dict[str, Any]:
    return {
        "description": description,
        "type": [*_WORDS, "null"],
        "pattern": pattern,
        "patternErrorMessage": "a word or two on one line; what does not apply is no level",
    }


def _list(
    items: dict[str, Any], description: str, *, least: int = 0, empty: bool = False
) -> dict[str, Any]:
    found = {"description": description, "type": ["array", "null"] if empty else "array"}
    return found | {"items": items} | ({"minItems": least} if least else {})
