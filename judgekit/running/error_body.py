"""What stands in the body of an error, in the several forms that endpoints give it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any


def error_in(document: Any) -> dict[str, Any] | None:
    """Return the error that a body tells of, or None; an empty one is none."""
    if isinstance(document, list) and document:
        document = document[0]
    if not isinstance(document, dict):
        return None
    if "error" not in document:
        return document if "message" in document or "detail" in document else None
    error = document["error"]
    if isinstance(error, dict):
        return error if error.get("message") or error.get("code") is not None else None
    return {"message": str(error)} if error else None


def status_in(code: Any) -> int | None:
    """Return the status that an error under a 200 gives as its code; 422 is a stopgap for none."""
    if isinstance(code, str) and code.isdigit():
        code = int(code)
    fits = isinstance(code, int) and 400 <= code < 600 and code != 422
    return code if fits else None


def words_in(error: Mapping[str, Any]) -> str:
    """Return what an error says in words; empty when it says nothing."""
    detail = error.get("detail")
    if isinstance(detail, list):
        detail = "; ".join(_complaint(one) for one in detail)
    metadata = error.get("metadata")
    # A gateway repeats what the model's own endpoint said.
    raw = metadata.get("raw") if isinstance(metadata, dict) else None
    parts: Iterable[Any] = (error.get("message") or detail, raw)
    return " ".join(p if isinstance(p, str) else json.dumps(p) for p in parts if p)


def _complaint(one: Any) -> str:
    if not isinstance(one, dict):
        return str(one)
    return f"{place_in([one]) or 'request'}: {one.get('msg')}"


def place_in(detail: Any) -> str | None:
    """Return the field that a validation error is about, as ``{"loc": ["body", "seed"]}``."""
    found = detail[0].get("loc") if isinstance(detail, list) and _first_is_dict(detail) else None
    parts = [str(part) for part in found if part != "body"] if isinstance(found, list) else []
    return ".".join(parts) or None


def _first_is_dict(values: list[Any]) -> bool:
    return bool(values) and isinstance(values[0], dict)


def codes_in(error: Mapping[str, Any]) -> Iterable[str]:
    """Yield the codes and types of an error."""
    for part in (error, error.get("innererror")):
        if isinstance(part, dict):
            yield from (str(part[name]) for name in ("code", "type", "status") if part.get(name))
