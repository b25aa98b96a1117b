"""What comes after a draft: commands that run as they are typed."""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from typing import NamedTuple

from judgekit.api.again import column_words, option_words, reading_words
from judgekit.api.material import ReadOptions
from judgekit.api.rubric_draft_material import Material
from judgekit.api.rubric_draft_place import free_path
from judgekit.api.setup import JudgeSetup
from judgekit.calibration.policy import Policy
from judgekit.judging.judge import without_secrets
from judgekit.reports.commands import file_word
from judgekit.reports.words import count as counted
from judgekit.stats.estimate import MIN_CLUSTERS
from judgekit.storage.disk import is_stream


class Files(NamedTuple):
    """The files that were named: items to try a draft on, labels, and how the two are read."""

    items: str | Path | None
    labels: str | Path | None
    reading: ReadOptions


def next_commands(
    setup: JudgeSetup, file: str, named: Files, material: Material, *, clean: bool, usable: bool
) -> tuple[str, ...]:
    """Return the commands that come after a draft, in their order.

    Args:
        setup: Who drafted.
        file: The rubric.
        named: The files it was drafted from.
        material: What was in them.
        clean: Nothing is wrong with it that is known.
        usable: It can be judged with.
    """
    items, labels, reading = named
    if is_stream(Path(file)):
        return ()
    rubric = file_word(file)
    found = [] if clean else [f"judgekit lint {rubric}"]
    if not usable:
        return tuple(found)
    judge = f"{rubric}{_options(setup)}"
    if items is not None and material.trial and not column_words(reading):
        # (try knows the usual names of columns only)
        found.append(f"judgekit try {judge} {file_word(items)}")
    if labels is None or few_tests(material, setup) is not None:
        return (*found, f"judgekit plan {rubric}")
    with_text = option_words([("--items", None if items is None else str(items))])
    path = Path(labels)
    if material.source.split != "column":
        path = free_path(path.with_name(f"{path.stem}-split{path.suffix}"))
        columns = f"{with_text}{column_words(reading)}"
        found.append(f"judgekit split {file_word(labels)}{columns} --out {file_word(path)}")
    read = f"{file_word(path)}{with_text}{reading_words(reading)} --split test"
    return (*found, f"judgekit calibrate {judge} --labels {read}")


def few_tests(material: Material, setup: JudgeSetup) -> str | None:
    """Return why no verdict can rest on the test of the labels; None where one can."""
    test = material.test
    return too_few(len(test), len(set(test)), setup.project.policy)


def too_few(items: int, cases: int, policy: Policy) -> str | None:
    """Return why no verdict can rest on a test of so many labelled items; None where one can.

    Args:
        items: How many.
        cases: How many cases they are of.
        policy: What the gate asks.
    """
    if items < policy.min_items:
        return f"the test has {counted(items, 'labelled item')}, and {policy.min_items} are asked"
    if cases < MIN_CLUSTERS:
        return f"the test is of {counted(cases, 'case')}, and {MIN_CLUSTERS} are needed"
    return None


def _options(setup: JudgeSetup) -> str:
    """Return the options that name the model again."""
    base, entry = setup.entry.api_base, setup.entry
    if base is not None and without_secrets(base) != base.rstrip("/"):
        base = "URL"  # it has a secret, which is not said back
    said = {"--model": entry.model, "--api-base": base, "--api-key-env": entry.api_key_env}
    return "".join(f" {name} {quote(value)}" for name, value in said.items() if value is not None)
