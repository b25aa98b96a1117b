"""A grader of another tool as a rubric of ours, and what was lost on the way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from judgekit.errors import InputError
from judgekit.importers.graders.grader import Draft, criterion_name
from judgekit.importers.graders.settings import toml_lines
from judgekit.importers.graders.tools import read_graders
from judgekit.importers.graders.writer import sorted_kinds, write_rubric
from judgekit.importers.rubrics import template_loader
from judgekit.linting.violations import Violation, check
from judgekit.storage.disk import check_output, is_stream, write_text


@dataclass(frozen=True)
class ImportedRubric:
    """What came of an import.

    Attributes:
        source: The file it was read from.
        tool: The tool that file is of.
        name: The rubric's name.
        file: The file it was written to; where it was not, the one to write it to.
        written: Whether it was written to a file.
        text: The rubric's text.
        criteria: Its criteria, each a grader of the source.
        lost: What could not be carried over, at the lines of the source.
        found: What the linter says of the rubric, at the lines of the rubric.
        settings: The lines of ``judgekit.toml`` for the models the source names.
        sources: The text of both files, by name.
    """

    source: str
    tool: str
    name: str
    file: str
    written: bool
    text: str
    criteria: tuple[str, ...]
    lost: tuple[Violation, ...]
    found: tuple[Violation, ...]
    settings: tuple[str, ...]
    sources: dict[str, str]


def import_rubric(
    file: str | Path,
    *,
    tool: str | None = None,
    graders: Sequence[str] = (),
    out: str | Path | None = None,
    name: str | None = None,
    force: bool = False,
    kept: Sequence[str | Path | None] = (),
) -> ImportedRubric:
    """Read a grader of another tool and write it as a rubric; no code in the file is run.

    A definition that nobody wrote stays empty: such a rubric is written all the same, and its
    violations say where words are missing.

    Args:
        file: The file of the other tool.
        tool: The tool: ``openai``, ``promptfoo``, ``deepeval``, ``prometheus``, ``mlflow`` or
            ``autorubric``; None to tell it by the form.
        graders: The names of the graders to take; all when empty.
        out: The rubric file to write; None writes none.
        name: The rubric's name; else that of its only grader, or of the file.
        force: Replace a file that is there.
        kept: Files that may not be replaced even so.

    Raises:
        InputError: the file holds no grader, or the output would replace something.
        UnknownName: there is no such tool or grader.
    """
    source = str(file)
    check_output(None if out is None else _standing(Path(out)), source, *kept)
    if out is not None and Path(out).exists() and not (force or is_stream(Path(out))):
        hint = "name another file with --out, or replace it with --force"
        raise InputError("this file is there already", file=str(out), hint=hint)
    read = read_graders(source, tool=tool, only=graders)
    drafts = sorted_kinds(read.drafts, read.notes)
    name = name or _name(source, drafts)
    text = write_rubric(name, drafts, read.notes)
    target = str(out) if out is not None else f"rubrics/{criterion_name(name)}.jinja"
    found = check(text, file=target, load=template_loader(Path(target).parent))
    if out is not None:
        write_text(Path(out), text)
    return ImportedRubric(
        source=source,
        tool=read.tool,
        name=name,
        file=target,
        written=out is not None,
        text=text,
        criteria=tuple(draft.name for draft in drafts),
        lost=read.lost,
        found=tuple(found),
        settings=tuple(toml_lines(criterion_name(name), target, drafts)),
        sources={source: read.text, target: text},
    )


def _standing(path: Path) -> Path:
    """Return a path, or the first folder above it that is missing: ``write_text`` makes it."""
    for folder in reversed(path.absolute().parents):
        if not folder.exists() and not folder.is_symlink():
            return folder
    return path


def _name(source: str, drafts: Sequence[Draft]) -> str:
    return drafts[0].name if len(drafts) == 1 else criterion_name(Path(source).stem)
