"""A file of another tool, read into what its form allows."""

from __future__ import annotations

import ast
import os
from dataclasses import dataclass
from pathlib import Path

from judgekit.importers.graders.node import Node, read_json, read_yaml
from judgekit.importers.graders.python import read_python
from judgekit.importers.text import load_text

_YAML = (".yaml", ".yml")


@dataclass(frozen=True, slots=True)
class Source:
    """A file of another tool.

    Attributes:
        file: Its name, as the user gave it.
        text: What stands in it.
        root: The document, where it is JSON or YAML.
        tree: The syntax tree, where it is Python.
    """

    file: str
    text: str
    root: Node | None = None
    tree: ast.Module | None = None

    @property
    def nodes(self) -> list[Node]:
        """Return every value of a JSON or YAML document, from the top."""
        return [] if self.root is None else self.root.walk()


def read_source(path: str | os.PathLike[str]) -> Source:
    """Read a file as JSON, YAML, Python or plain text, by its suffix, or else by what is in it.

    Raises:
        InputError: it cannot be read.
    """
    text, file = load_text(path), os.fspath(path)
    suffix = Path(file).suffix.lower()
    if suffix == ".py":
        return Source(file, text, tree=read_python(text, file))
    if suffix == ".json" or (suffix not in _YAML and text.lstrip().startswith("{")):
        return Source(file, text, root=read_json(text, file))
    return Source(file, text, root=read_yaml(text, file) if suffix in _YAML else None)
