"""The tools whose graders can be read: one line each, and how a file of it is known."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from judgekit.errors import InputError, UnknownName
from judgekit.importers.graders.grader import Draft, reviewed
from judgekit.importers.graders.notes import Notes
from judgekit.importers.graders.source import Source, read_source
from judgekit.linting.violations import Violation
from judgekit.registry import load

TOOLS: dict[str, tuple[str, str]] = {
    "openai": ("judgekit.importers.graders.openai", "OpenAI graders"),
    "promptfoo": ("judgekit.importers.graders.promptfoo", "promptfoo assertions"),
    "deepeval": ("judgekit.importers.graders.deepeval", "DeepEval G-Eval metrics"),
    "prometheus": ("judgekit.importers.graders.prometheus", "Prometheus score rubrics"),
    "mlflow": ("judgekit.importers.graders.mlflow", "MLflow judges"),
    "autorubric": ("judgekit.importers.graders.autorubric", "autorubric rubrics"),
}
"""Tool -> the module that reads it, and what it reads.

Each module has ``recognises(source) -> bool`` and ``read(source, notes) -> list[Draft]``. They are
asked in this order: the plainer the form of a tool, the later.
"""


class ReadGraders(NamedTuple):
    """What was read.

    Attributes:
        tool: The tool it was.
        drafts: Its graders, in the order they stand in.
        notes: What could not be carried over so far.
        text: The source's text.
    """

    tool: str
    drafts: list[Draft]
    notes: Notes
    text: str

    @property
    def lost(self) -> tuple[Violation, ...]:
        """Return what could not be carried over, by line."""
        return tuple(self.notes.found)


def read_graders(
    path: str | os.PathLike[str], *, tool: str | None = None, only: Sequence[str] = ()
) -> ReadGraders:
    """Read the graders in a file of another tool; nothing in it is run.

    Args:
        path: The file.
        tool: The tool; told by the file's form when None.
        only: The names of the graders to read; all when empty.

    Raises:
        InputError: the file cannot be read, or holds no grader.
        UnknownName: there is no such tool or grader.
    """
    source = read_source(path)
    if tool is not None and tool not in TOOLS:
        raise UnknownName("tool", tool, TOOLS)
    notes = Notes(source.file, source.text)
    try:
        tool = tool or _told(source)
        drafts = _part(tool, "read")(source, notes)
    except RecursionError as error:
        raise InputError("it is nested too deeply", file=source.file) from error
    if not drafts:
        what = TOOLS[tool][1]
        hint = notes.found[0].message if notes.found else "another tool? --from " + ", ".join(TOOLS)
        raise InputError(f"there are no {what} in this file", file=source.file, hint=hint)
    drafts = reviewed(drafts, notes)
    if only:
        drafts = _chosen(drafts, only, source.file)
        notes.keep({draft.at for draft in drafts})
    return ReadGraders(tool, drafts, notes, source.text)


def _told(source: Source) -> str:
    """Return the tool a file is of, by its form."""
    for tool in TOOLS:
        if _part(tool, "recognises")(source):
            return tool
    hint = f"say which tool it is of: --from {', '.join(TOOLS)}"
    raise InputError("this is no grader of a tool that is known", file=source.file, hint=hint)


def _part(tool: str, name: str) -> Callable[..., Any]:
    function: Callable[..., Any] = load(f"{TOOLS[tool][0]}:{name}")
    return function


def _chosen(drafts: list[Draft], only: Sequence[str], file: str) -> list[Draft]:
    known = [draft.name for draft in drafts]
    for name in only:
        if name not in known:
            raise UnknownName("grader", name, known, file=file)
    return [draft for draft in drafts if draft.name in only]
