"""Advised commands as they have to be typed to work: the judge, the labels, how they are read."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from judgekit.api.material import ReadOptions
from judgekit.api.setup import JudgeSetup
from judgekit.reports.commands import file_word
from judgekit.storage.disk import shown
from judgekit.storage.project import JudgeEntry, Project

if TYPE_CHECKING:
    from judgekit.calibration.certificate import Certificate

ITEMS = "items"
"""Where a certificate's reading options keep the file of the items' text, if it was another."""


def option_words(said: Sequence[tuple[str, str | None]]) -> str:
    """Return options as they are typed, each behind a space; those that say nothing are left out.

    Args:
        said: Name and value of each, as in ``("--items", "my items.csv")``.
    """
    return "".join(f" {name} {quote(value)}" for name, value in said if value is not None)


def reading_words(options: ReadOptions) -> str:
    """Return the options of a command line that read the files this way; no default is said."""
    plain = ReadOptions()
    settled = {
        "--reference": None if options.reference == plain.reference else options.reference,
        "--adjudicator": None if options.adjudicator == plain.adjudicator else options.adjudicator,
    }
    return column_words(options) + option_words(
        [
            ("--level-map", _renames(options.level_map)),
            ("--criterion", options.criterion),
            *(("--where", text) for text in options.where),
            *settled.items(),
            ("--split", options.split),
        ]
    )


def column_words(options: ReadOptions) -> str:
    """Return those of the options that say which columns a file has; every reader takes them."""
    columns = options.columns
    return option_words(
        [
            ("--rater-columns", ",".join(options.rater_columns) or None),
            ("--item-column", columns.item),
            ("--rater-column", columns.rater),
            ("--level-column", columns.level),
            ("--criterion-column", columns.criterion),
            ("--case-column", columns.case),
        ]
    )


def _renames(level_map: dict[str, str]) -> str | None:
    """Return ``pass=1,fail=0``; a rename with a comma in it is quoted."""
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow(f"{old}={new}" for old, new in level_map.items())
    return line.getvalue() if level_map else None


def judge_words(project: Project, name: str, file: str | Path, model: str | None) -> str:
    """Return a judge as a command takes it: by its name, where the project has one of that name.

    Args:
        project: The project.
        name: What the judge is called.
        file: Its rubric file.
        model: The model it asks; None where that is not known.
    """
    if name in project.configuration.judges:
        return quote(name)
    return f"{file_word(file)} --model {quote(model or 'MODEL')}"


def label_words(
    project: Project,
    entry: JudgeEntry | None,
    certificate: Certificate | None = None,
    named: str | Path | None = None,
) -> str:
    """Return the label file to calibrate with, and how it is read, as they are typed.

    Args:
        project: The project.
        entry: The judge's table in it, if it has one.
        certificate: The certificate that does not hold any more: it knows how its labels were read.
        named: The label file, where the command that was typed names it.
    """
    path, remembered = _labels(project, None if entry is None else entry.labels, certificate, named)
    words = "FILE" if path is None else quote(shown(path))
    items = None
    if entry is not None and path is not None and _is(project, entry.labels, path):
        items = entry.items  # they are the text of the configured labels
    if certificate is None or not remembered:
        return words + _items_words(project, items)
    record = certificate.labels
    words += _items_words(project, record.options.get(ITEMS) or items)
    words += reading_words(ReadOptions.from_json(record.options))
    return words + option_words([("--split", record.split), ("--sampling", record.sampling)])


def _labels(
    project: Project,
    configured: str | None,
    certificate: Certificate | None,
    named: str | Path | None,
) -> tuple[Path | None, bool]:
    """Return the label file, and whether it is the one that the certificate remembers."""
    if named is not None:
        return Path(named), True  # it moved
    record = None if certificate is None else certificate.labels
    known = record is not None and record.configured == configured
    if known and record is not None and record.path is not None:
        path = project.path(record.path)
        if configured is None or path.exists():
            return path, True
    if configured is None:
        return None, known
    path = project.path(configured)
    return path, record is not None and _is(project, record.path, path)


def _items_words(project: Project, items: str | None) -> str:
    return option_words([("--items", None if items is None else shown(project.path(items)))])


def _is(project: Project, name: str | None, path: Path) -> bool:
    return name is not None and project.path(name).resolve() == path.resolve()


def typed(
    command: str,
    setup: JudgeSetup,
    certificate: Certificate | None = None,
    labels: str | Path | None = None,
) -> str:
    """Return an advised command with the judge and the labels as the user names them.

    Args:
        command: As the gate advises it: by the judge's name, with ``--labels FILE``.
        setup: The judge.
        certificate: The certificate that the command is to replace.
        labels: The label file, where the command that was refused names it.
    """
    words = label_words(setup.project, setup.entry, certificate, labels)
    command = command.replace("--labels FILE", f"--labels {words}")
    judge = setup.named + (" --judgments FILE" if setup.judge.recorded else "")
    spoken = {"calibrate": judge, "recheck": setup.named}
    if certificate is not None:
        spoken[f"rubric diff {certificate.short}"] = quote(setup.rubric_file)
    for verb, named in spoken.items():
        command = command.replace(f"{verb} {setup.judge.name}", f"{verb} {named}")
    return command
