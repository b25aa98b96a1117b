"""Model and sampling settings: they belong to a judge in ``judgekit.toml``, not to its rubric."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from judgekit.importers.graders.grader import Draft
from judgekit.importers.graders.node import Node, Place, Unread
from judgekit.importers.graders.notes import Notes

_OWN = ("model", "temperature", "max_tokens", "api_base")
_NAMES = {
    "max_completions_tokens": "max_tokens",
    "max_completion_tokens": "max_tokens",
    "max_output_tokens": "max_tokens",
    "apiBaseUrl": "api_base",
    "apiHost": "api_base",
    "base_url": "api_base",
}
_PARAMS = ("top_p", "seed", "reasoning_effort", "frequency_penalty", "presence_penalty", "stop")
_OPENAI = re.compile(r"(?:gpt-|o\d|chatgpt-|ft:gpt)")
_KINDS = {"chat", "completion", "responses", "messages", "text"}


def model_id(said: str) -> str:
    """Return a model's name in another tool as litellm writes it: ``openai/gpt-4.1-mini``."""
    provider, sign, rest = said.partition(":")
    if sign and "/" not in provider and not _OPENAI.match(said):
        parts = [part for part in rest.lstrip("/").split(":") if part not in _KINDS]
        return f"{provider}/{':'.join(parts)}"
    return f"openai/{said}" if _OPENAI.match(said) else said


def settings_of(node: Node | None) -> dict[str, Any]:
    """Return the parameters of a model that ``judgekit.toml`` knows, from a mapping of them."""
    found: dict[str, Any] = {}
    for key, value in ({} if node is None else node.entries).items():
        name = _NAMES.get(key, key)
        plain = isinstance(value.value, str | int | float)
        if plain and name in (*_OWN, *_PARAMS):
            found[name] = value.value
    return found


def note_settings(found: Mapping[str, Any], at: Place, notes: Notes) -> dict[str, Any]:
    """Note that a grader names its model; return what goes into ``judgekit.toml``."""
    if not found:
        return {}
    said = ", ".join(f"{key} = {_toml(value)}" for key, value in found.items())
    message = "the model and its sampling are no part of a rubric"
    notes.add("import-model", at, message, f"in judgekit.toml: {said}")
    return dict(found)


def note_unread_model(node: Node | None, notes: Notes) -> None:
    """Note that only running the code would tell which model is asked."""
    if node is not None and isinstance(node.value, Unread):
        message = f"the model is chosen by code: {node.value.source}"
        notes.add("import-model", node.at, message, "in judgekit.toml: model = NAME")


def toml_lines(name: str, rubric: str, drafts: Sequence[Draft]) -> list[str]:
    """Return a judge's table for ``judgekit.toml``; one for each model where they differ.

    Args:
        name: The judge's name.
        rubric: The rubric file.
        drafts: The criteria.
    """
    distinct: list[dict[str, Any]] = []
    for draft in drafts:
        if draft.settings and draft.settings not in distinct:
            distinct.append(draft.settings)
    lines: list[str] = []
    for number, settings in enumerate(distinct, start=1):
        judge = name if number == 1 else f"{name}-{number}"
        lines += ["", f"[judges.{_key(judge)}]", f"rubric = {_toml(rubric)}"]
        lines += [f"{key} = {_toml(settings[key])}" for key in _OWN if key in settings]
        params = {key: value for key, value in settings.items() if key not in _OWN}
        if params:
            inside = ", ".join(f"{key} = {_toml(value)}" for key, value in params.items())
            lines.append(f"params = {{ {inside} }}")
    return lines[1:]


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else _toml(name)


def _toml(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
