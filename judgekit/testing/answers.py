"""What the stub model says: an answer that depends on nothing but the question."""

from __future__ import annotations

import hashlib
import json
import math
import re
from typing import Any

REASON = "Because the answer matches the criterion in most respects."
Request = dict[str, Any]


def digest_of(request: Request) -> bytes:
    """Return the hash of the messages: what the answer and the faults are decided by."""
    text = json.dumps(request.get("messages"), sort_keys=True)
    return hashlib.blake2b(text.encode(), digest_size=8).digest()


def prompt_of(request: Request) -> str:
    """Return the text of all messages, one after the other."""
    contents = [m.get("content") for m in request.get("messages") or () if isinstance(m, dict)]
    return "\n".join(c if isinstance(c, str) else json.dumps(c) for c in contents)


def answer(request: Request, levels: str | None = None, turn: int = 0) -> str:
    """Return the reply text to ``request``.

    With a JSON schema in ``response_format``, a document that follows it. Otherwise a document
    with a reason and a level; the level is one of the matches of the regular expression
    ``levels`` in the prompt, or a number from 1 to 5. Another ``turn`` is another answer.
    """
    pick = int.from_bytes(digest_of(request), "big") + turn
    wanted = request.get("response_format")
    if isinstance(wanted, dict) and wanted.get("type") == "json_schema":
        schema = (wanted.get("json_schema") or {}).get("schema") or {}
        return json.dumps(_follow(schema, pick, schema))
    found = sorted(set(re.findall(levels, prompt_of(request)))) if levels else []
    level = found[pick % len(found)] if found else pick % 5 + 1
    return json.dumps({"reason": REASON, "level": level})


def _follow(
    schema: dict[str, Any], pick: int, root: dict[str, Any], path: tuple[str, ...] = ()
) -> Any:
    """Return a value that follows ``schema``; every choice in it is made by ``pick``.

    Parts of a document differ: each nested one has choices and texts of its own.
    """
    if "$ref" in schema:
        node: Any = root
        for name in str(schema["$ref"]).removeprefix("#/").split("/"):
            node = node[name]
        return _follow(node, pick, root, path)
    if "enum" in schema:
        return schema["enum"][pick % len(schema["enum"])]
    branches = schema.get("anyOf") or schema.get("oneOf") or schema.get("allOf")
    if branches:
        return _follow(branches[0], pick, root, path)
    kind = schema.get("type")
    kind = kind[0] if isinstance(kind, list) else kind
    if kind == "object" or "properties" in schema:
        parts = schema.get("properties", {}).items()
        return {
            name: _follow(part, pick + at * _is_nested(part), root, (*path, name))
            for at, (name, part) in enumerate(parts)
        }
    if kind == "array":
        return [_follow(schema.get("items", {}), pick, root, path)]
    return schema.get("const", _plain(kind, pick, path))


def _is_nested(schema: dict[str, Any]) -> bool:
    return "properties" in schema or "properties" in schema.get("items", {})


def _plain(kind: Any, pick: int, path: tuple[str, ...]) -> Any:
    """Return a value of a plain JSON type; a text in a nested part says where it stands."""
    values: dict[Any, Any] = {
        "integer": pick % 5 + 1,
        "number": pick % 5 / 4,
        "boolean": bool(pick & 1),
        "null": None,
    }
    return values.get(kind, f"The {' '.join(path)}." if path[1:] else REASON)


def contradict(text: str, request: Request, levels: str | None = None) -> str:
    """Return ``text`` with a second, different answer to the same question after it."""
    others = (answer(request, levels, turn) for turn in (1, 2))
    other = next((o for o in others if o != text), "None of this holds.")
    return f"{text}\n\nOn second thought:\n{other}"


def off_scale(text: str) -> str:
    """Return ``text`` with its last field replaced by a level that no scale has."""
    try:
        document = json.loads(text)
    except ValueError:
        return "Level: 731"
    if not isinstance(document, dict) or not document:
        return "731"
    name = list(document)[-1]
    document[name] = 731 if isinstance(document[name], int) else "level-731"
    return json.dumps(document)


def logprobs_of(text: str, request: Request) -> dict[str, Any]:
    """Return the token probabilities of ``text``, as a model would list them.

    Words, numbers and single characters are the tokens. A token that could be another level (a
    number from 1 to 5, or a name that the schema lists) has a probability of 0.7, and the other
    levels share what is left; every other token is nearly certain.
    """
    listed = int(request.get("top_logprobs") or 0)
    levels = _levels(request)
    content = []
    for token in re.findall(r"\w+|\W", text):
        if token in levels:
            rest = [name for name in levels if name != token]
            chances = {token: 0.7 if rest else 1.0, **{n: 0.3 / len(rest) for n in rest}}
        else:
            chances = {token: 0.999, "\n": 0.001}
        listing = [{"token": t, "logprob": math.log(p), "bytes": None} for t, p in chances.items()]
        content.append({**listing[0], "top_logprobs": listing[:listed]})
    return {"content": content, "refusal": None}


def _levels(request: Request) -> list[str]:
    schema = json.dumps(request.get("response_format") or {})
    named = [
        name for found in re.findall(r'"enum": (\[[^\]]*\])', schema) for name in json.loads(found)
    ]
    return [str(name) for name in named] or ["1", "2", "3", "4", "5"]
