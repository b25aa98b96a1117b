"""What a criterion may hold by the kind of its scale, in the JSON schema of the front matter."""

from __future__ import annotations

from typing import Any

from judgekit.rubric.levels import FALSE_WORDS, TRUE_WORDS
from judgekit.rubric.schema_words import NUMBER, any_case

# ``errorMessage`` and ``patternErrorMessage`` are what editors show instead of words of their own;
# to a validator they mean nothing.


def given(key: str, schema: dict[str, Any]) -> dict[str, Any]:
    """Return what is true of an object that has a key whose value is like that."""
    return {"type": "object", "properties": {key: schema}, "required": [key]}


def is_kind(kind: str) -> dict[str, Any]:
    """Return what is true of criteria with that kind of scale."""
    return given("scale", {"const": kind})


def _level_of(number: int, words: frozenset[str]) -> dict[str, Any]:
    """Return what is true of one level of a binary scale: by its value or else by its name."""
    word = [{"const": number == 1}, {"type": "string", "pattern": f"^{any_case(words)}"}]
    figure = {"type": "string", "pattern": rf"^\s*\+?{number}(?:\.0*)?\s*$"}
    by_value = given("value", {"anyOf": [{"const": number}, figure, *word]})
    return {"anyOf": [by_value, {"allOf": [_UNVALUED, given("name", {"anyOf": word})]}]}


def _only(kinds: str, key: str) -> str:
    return f"{key} belongs to {kinds} scales"


_UNVALUED = {"not": given("value", {"not": {"type": "null"}})}
_NO_LINE = {"type": "null", "errorMessage": _only("ordinal", "passes_at")}
_NO_LIST: dict[str, Any] = {"enum": [[], None], "errorMessage": _only("nominal", "passing")}
_UNWEIGHTED = {
    "enum": ["unweighted", None],
    "errorMessage": "without an order of levels there are no weights: leave them out",
}
_NUMBERED = {
    "properties": {
        "value": {
            "type": ["number", "string"],
            "pattern": NUMBER,
            "errorMessage": "ordinal levels have numbers for values; the word for it is its name",
        },
    },
    "required": ["value"],
}
_BOTH = "a binary scale has exactly the levels 1 and 0"
_BINARY = {
    "properties": {
        "value": {
            "minimum": 0,
            "maximum": 1,
            "multipleOf": 1,
            "pattern": rf"^(?:\s*\+?[01](?:\.0*)?\s*$|{any_case(TRUE_WORDS | FALSE_WORDS)})",
            "errorMessage": _BOTH,
        }
    },
    "if": _UNVALUED,
    "then": given("name", {"pattern": f"^{any_case(TRUE_WORDS | FALSE_WORDS)}"}),
}

KINDS: dict[str, dict[str, Any]] = {
    "ordinal": {"properties": {"levels": {"items": _NUMBERED}, "passing": _NO_LIST}},
    "binary": {
        "properties": {
            "levels": {
                "items": _BINARY,
                "allOf": [
                    {"contains": {"$ref": f"#/$defs/{which}"}, "errorMessage": _BOTH}
                    for which in ("one", "zero")
                ],
                "maxItems": 2,
            },
            "passes_at": {
                "enum": [1, "1", None],
                "errorMessage": "on a binary scale the level 1 passes: leave passes_at out",
            },
            "passing": _NO_LIST,
        }
    },
    "nominal": {"properties": {"passes_at": _NO_LINE, "weights": _UNWEIGHTED}},
    "pairwise": {
        "properties": {
            "levels": {"maxItems": 3},
            "passes_at": _NO_LINE,
            "weights": _UNWEIGHTED,
        }
    },
}
"""Kind -> what else holds of a criterion of that kind."""

BINARY_LEVELS = {"one": _level_of(1, TRUE_WORDS), "zero": _level_of(0, FALSE_WORDS)}
"""The two levels that :data:`KINDS` refers to."""
