"""The text of a rubric, from drafts of its criteria."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice
from typing import Any

import yaml

from judgekit.importers.graders.grader import Draft, DraftLevel
from judgekit.importers.graders.notes import Notes
from judgekit.importers.graders.prompt import in_order
from judgekit.rubric.templates import PAIRWISE, POINTWISE

_OPENS = re.compile(r"\{+(?=[{%#])")
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")
_STEERING = re.compile("[\u202a-\u202e\u2066-\u2069]")
"""What makes text show in another order than a judge reads it in."""
_LONGEST_NAME = 100


class _Dumper(yaml.SafeDumper):
    """Block style: texts of several lines below a ``|``, nothing where there is nothing."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> Any:  # noqa: FBT001, FBT002  (the library's signature)
        """Indent lists below their key, as people do."""
        return super().increase_indent(flow, indentless=False)


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.Node:
    return dumper.represent_scalar(
        "tag:yaml.org,2002:str", text, style="|" if "\n" in text else None
    )


def _nothing(dumper: yaml.SafeDumper, _: None) -> yaml.Node:
    return dumper.represent_scalar("tag:yaml.org,2002:null", "")


def _list(dumper: yaml.SafeDumper, items: list[Any]) -> yaml.Node:
    short = all(not isinstance(item, dict) for item in items)
    return dumper.represent_sequence("tag:yaml.org,2002:seq", items, flow_style=short)


_Dumper.add_representer(str, _text)
_Dumper.add_representer(list, _list)
_Dumper.add_representer(type(None), _nothing)


def sorted_kinds(drafts: Sequence[Draft], notes: Notes) -> list[Draft]:
    """Return the drafts that go into one rubric: pairs and single outputs cannot share one."""
    single = [draft for draft in drafts if draft.kind != "pairwise"]
    for draft in drafts:
        if single and draft.kind == "pairwise":
            message = f"{draft.name!r} compares outputs, the other criteria look at one: left out"
            help_ = f"import it by itself: --grader {draft.name}"
            notes.add("import-kinds-mixed", draft.at, message, help_)
    return single or list(drafts)


def write_rubric(name: str, drafts: Sequence[Draft], notes: Notes) -> str:
    """Return the text of a rubric.

    Args:
        name: The rubric's name.
        drafts: Its criteria, one or more; all of pairs, or none.
        notes: Where it is noted when criteria that saw other fields now see the same.
    """
    inputs = in_order(name for draft in drafts for name in draft.inputs)
    _note_shared(drafts, inputs, notes)
    front: dict[str, Any] = {"rubric": _one_line(name), "version": 1}
    if inputs:
        front["inputs"] = list(inputs)
    front["criteria"] = [_criterion(draft) for draft in drafts]
    pairwise = all(draft.kind == "pairwise" for draft in drafts)
    text = yaml.dump(
        _clean(front), Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=96, indent=2
    )
    return f"---\n{text}---\n{_body(drafts, PAIRWISE if pairwise else POINTWISE)}"


def _note_shared(drafts: Sequence[Draft], inputs: Sequence[str], notes: Notes) -> None:
    """Note which criteria did not show an input before; once for those that lacked the same."""
    alike: dict[frozenset[str], list[Draft]] = {}
    for draft in drafts:
        alike.setdefault(frozenset(draft.inputs), []).append(draft)
    for shown, those in alike.items():
        more = len(inputs) - len(shown)
        if not more:
            continue
        lacked = ", ".join(islice((one for one in inputs if one not in shown), 10))
        lacked += f" and {more - 10} more" if more > 10 else ""
        names = ", ".join(repr(draft.name) for draft in those[:5])
        names += f" and {len(those) - 5} more" if len(those) > 5 else ""
        message = f"{names} did not show {lacked}; in one rubric it is shown to all"
        help_ = f"import them apart: --grader {those[0].name}"
        notes.add("import-inputs-shared", those[0].at, message, help_)


def _one_line(name: str) -> str:
    return " ".join(_CONTROL.sub(" ", name).split())[:_LONGEST_NAME] or "imported"


def _criterion(draft: Draft) -> dict[str, Any]:
    told: dict[str, Any] = {
        "criterion": draft.name,
        "question": draft.question,
        "scale": draft.kind,
    }
    if draft.passes_at is not None:
        told["passes_at"] = draft.passes_at
    if draft.passing:
        told["passing"] = list(draft.passing)
    highest_first = draft.levels[::-1] if draft.kind in ("ordinal", "binary") else draft.levels
    told["levels"] = [_level(level) for level in highest_first]
    if draft.not_applicable:
        told["not_applicable"] = draft.not_applicable
    return told


def _level(level: DraftLevel) -> dict[str, Any]:
    told: dict[str, Any] = {}
    if level.value is not None:
        told["value"] = level.value
    if level.name is not None:
        told["name"] = level.name
    return {**told, "definition": level.definition}


def _clean(value: Any) -> Any:
    """Return a value in which every text can stand in front matter."""
    if isinstance(value, dict):
        return {key: _clean(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_clean(inner) for inner in value]
    if not isinstance(value, str):
        return value
    value = _STEERING.sub("", value.replace("\t", "  "))
    lines = [_CONTROL.sub(" ", line).rstrip() for line in value.splitlines()]
    return "\n".join(lines).strip()


def _body(drafts: Sequence[Draft], template: str) -> str:
    """Return the template: the built-in one, and in its task block what the prompts say."""
    extends = f'{{% extends "{template}" %}}\n'
    tasks = {draft.name: inert(draft.task) for draft in drafts}
    if not any(tasks.values()):
        return ""
    if len(set(tasks.values())) == 1:
        return f"{extends}{{% block task %}}\n{tasks[drafts[0].name]}\n{{% endblock %}}\n"
    lines = [extends, "{% block task %}\n"]
    for name, task in tasks.items():
        word = "if" if len(lines) == 2 else "elif"
        if task:
            lines += [f'{{% {word} criterion.name == "{name}" %}}\n', f"{task}\n"]
    return "".join([*lines, "{% endif %}\n", "{% endblock %}\n"])


def inert(text: str) -> str:
    """Return text as a template that renders as that text: what would be Jinja is written out."""
    return _OPENS.sub(lambda found: f"{{{{ '{found[0]}' }}}}", _clean(text))
