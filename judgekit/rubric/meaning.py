"""What a rubric means, part by part: the rule behind "did it change?".

Two rubrics mean the same when a judge is shown the same and its answers are read the same way.
Comments, key order, the file's name, the version number and templates' layout outside the
prompt are no part of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from judgekit.fingerprint import fingerprint
from judgekit.rubric.render import render
from judgekit.rubric.scale import number_text
from judgekit.rubric.syntax import templates_meaning

if TYPE_CHECKING:
    from collections.abc import Sequence

    from judgekit.rubric.model import Criterion, Rubric
    from judgekit.rubric.scale import Level


def meaning_parts(rubric: Rubric, criterion: Criterion) -> dict[str, str]:
    """Return a digest for each part of one criterion's meaning.

    Keys: ``question``, ``scale``, one ``level VALUE`` for each level, ``pass line``,
    ``not applicable``, ``weights``, ``inputs`` and ``prompt`` (the rendered probe items and the
    syntax of every template, so that a branch no probe takes counts as well).
    """
    prompt = [
        [render(rubric, criterion, probe) for probe in probes(rubric.inputs)],
        templates_meaning(rubric.body, rubric.templates),
    ]
    return {**said_parts(rubric, criterion), "prompt": fingerprint(prompt)[:16]}


def said_parts(rubric: Rubric, criterion: Criterion) -> dict[str, str]:
    """Return the parts of :func:`meaning_parts` but for the prompt: nothing is rendered."""
    scale = criterion.scale
    parts: dict[str, Any] = {
        "question": criterion.question,
        "scale": [scale.kind, list(scale.values), list(scale.names)],
        "pass line": criterion.passes,
        "not applicable": criterion.not_applicable,
        "weights": criterion.weights,
        "inputs": list(rubric.inputs),
    }
    for level in scale.levels:
        parts[f"level {number_text(level.value)}"] = _level(level)
    return {name: fingerprint(part)[:16] for name, part in parts.items()}


def changed_parts(before: dict[str, str], after: dict[str, str]) -> list[str]:
    """Return the names of the parts that differ, most telling first.

    The rendered prompt differs whenever any other part does, so it is named only on its own.
    """
    names = [n for n in sorted(before.keys() | after.keys()) if before.get(n) != after.get(n)]
    told = [n for n in names if n != "prompt"]
    return sorted(told, key=lambda n: not n.startswith("level")) or names


def probes(inputs: Sequence[str]) -> list[dict[str, Any]]:
    """Return the fixed items a rubric is rendered with to see what a model would be shown."""
    plain = {name: f"probe text of {name}" for name in inputs}
    chat = [{"role": "user", "content": "probe question"}, {"role": "assistant", "content": "ok"}]
    return [
        plain,
        dict.fromkeys(inputs, ""),
        {name: chat if name in ("input", "output") else text for name, text in plain.items()},
        {name: f"línea uno\n<b>{name}</b> {{{{ 1 }}}}\n" + "long " * 400 for name in inputs},
    ]


def _level(level: Level) -> list[Any]:
    anchors = [[sorted(a.fields.items()), a.reason] for a in level.anchors]
    return [level.value, level.name, level.definition, level.drops_when, anchors]
