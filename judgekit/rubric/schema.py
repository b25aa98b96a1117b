"""The front matter of a rubric as a JSON schema, for editors that know YAML.

It says what may be written where, and what each key is for. Whether a rubric is any good is for
the linter; a file that the schema takes may still be refused.
"""

from __future__ import annotations

from typing import Any, get_args

from judgekit.rubric.scale import Kind, Weights

FORMAT = "judgekit.rubric/1"
# To editors \w is ASCII only, and names are not.
_NAME = r"^[^\s/\\_.-][^\s/\\]{0,63}$"
_INPUT = r"^[^\s\d]\S*$"


def front_matter_schema() -> dict[str, Any]:
    """Return the schema (JSON Schema 2020-12), each time the same text."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Front matter of a judgekit rubric",
        "$comment": FORMAT,
        **_object(
            {
                "rubric": _text("The rubric's name, on one line.", maxLength=100),
                "version": {
                    "description": "Counts up whenever the meaning changes.",
                    "type": "integer",
                    "minimum": 1,
                },
                "description": _text("What the rubric is for, in a sentence. Not shown."),
                "inputs": _list(
                    _text("A field of the item.", pattern=_INPUT),
                    "What the judge is shown of an item; input and output by default.",
                    uniqueItems=True,
                ),
                "criteria": _list({"$ref": "#/$defs/criterion"}, "Each is judged by itself."),
            },
            needed=("rubric", "version", "criteria"),
        ),
        "$defs": {"criterion": _criterion(), "level": _level(), "anchor": _anchor()},
    }


def _criterion() -> dict[str, Any]:
    return _object(
        {
            "criterion": _text("Its name: letters, digits, _ - and .", pattern=_NAME),
            "question": _text("The one thing the judge is asked."),
            "scale": {
                "description": "What kind of levels it has.",
                "enum": list(get_args(Kind)),
            },
            "levels": _list({"$ref": "#/$defs/level"}, "Every level, the best first.", minItems=2),
            "passes_at": _value("Ordinal: the lowest level that passes, by value or name."),
            "passing": _list(_value("A level."), "Nominal: the levels that pass."),
            "not_applicable": _text("When the criterion does not apply to an item."),
            "weights": {
                "description": "How kappa weighs disagreements; quadratic on ordinal scales.",
                "enum": list(get_args(Weights)),
            },
        },
        needed=("criterion", "question", "scale", "levels"),
    )


def _level() -> dict[str, Any]:
    return _object(
        {
            "value": _value("A number on ordinal scales: the higher, the better."),
            "name": _value("A word for it, unlike all others."),
            "definition": _text("What a reader sees in an output of this level."),
            "drops_when": _text("The one thing that makes it the next lower level."),
            "anchors": _list({"$ref": "#/$defs/anchor"}, "Worked examples, shown to the judge."),
        },
        needed=("definition",),
    ) | {"anyOf": [{"required": ["value"]}, {"required": ["name"]}]}


def _anchor() -> dict[str, Any]:
    message = _object({"role": _text("Who speaks.")}, needed=("role",))
    message["additionalProperties"] = True
    said = {"anyOf": [{"type": ["string", "number", "boolean"]}, _list(message, "A chat.")]}
    return {
        "description": "One item of this level: its fields, and why it has the level.",
        "type": "object",
        "properties": {"reason": _text("Why it has this level and no other."), "level": False},
        "additionalProperties": said,
        "minProperties": 1,
    }


def _object(properties: dict[str, Any], needed: tuple[str, ...]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(needed),
        "additionalProperties": False,
    }


def _text(description: str, **more: Any) -> dict[str, Any]:
    return {"description": description, "type": "string", "minLength": 1, **more}


def _value(description: str) -> dict[str, Any]:
    return {"description": description, "type": ["string", "number", "boolean"]}


def _list(items: dict[str, Any], description: str, **more: Any) -> dict[str, Any]:
    return {
        "description": description,
        "type": "array",
        "items": items,
        **({"minItems": 1} | more),
    }
