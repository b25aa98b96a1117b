"""The inputs of a rubric as its file lists them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import yaml

from judgekit.rubric.source import plain_text

if TYPE_CHECKING:
    from judgekit.linting.subject import Subject


def input_list(subject: Subject) -> yaml.SequenceNode | None:
    """Return the list of inputs; None where the file has none."""
    front = subject.reading.front
    for key, value in front.value if front is not None else ():
        if plain_text(key) == "inputs" and isinstance(value, yaml.SequenceNode):
            return value
    return None


def input_nodes(subject: Subject) -> list[yaml.ScalarNode]:
    """Return the inputs that the file lists."""
    listed = input_list(subject)
    nodes = listed.value if listed is not None else ()
    return [node for node in nodes if isinstance(node, yaml.ScalarNode)]
