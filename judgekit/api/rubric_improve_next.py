"""What comes after an improvement: remarks, and commands that follow from what was found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from shlex import quote, split
from typing import NamedTuple

import numpy as np

from judgekit.api.again import option_words, reading_words
from judgekit.api.material import ReadOptions
from judgekit.api.plan import USUAL_ICC
from judgekit.api.rubric_draft_next import too_few
from judgekit.api.rubric_improve_material import Grounds
from judgekit.api.setup import JudgeSetup
from judgekit.calibration.evidence import EstimateRecord
from judgekit.calibration.planned_gate import Gate, clustered, hold
from judgekit.calibration.planned_limits import obstacle
from judgekit.calibration.planned_world import Design, draw
from judgekit.calibration.policy import Policy
from judgekit.calibration.rows import ScaleSpec
from judgekit.reports.commands import file_word
from judgekit.reports.estimates import why_undefined
from judgekit.reports.rubric_improve_story import Outcome
from judgekit.reports.words import count, percent
from judgekit.rubric.model import Criterion
from judgekit.storage.disk import is_stream

FEW = 30
"""Items of dev from which small gains can be told from luck."""

_LIKELY = 0.5
"""The chance of a verdict from which on a look at the test is advised."""
_RUNS, _MOST = 1000, 2000
"""Sets that are drawn, and most items of one: with so many more make no difference."""
_MORE_ROUNDS = 5


class Named(NamedTuple):
    """What the user named.

    Attributes:
        setup: The judge.
        criterion: The criterion that is improved.
        labels: The labels; ``items``: the items' text, where it stands apart.
        reading: How the two are read.
        rounds: How many proposals were asked for; ``reflector``: of whom, where that was said.
        max_cost_usd: The budget, where there was one.
    """

    setup: JudgeSetup
    criterion: str
    labels: str | Path
    items: str | Path | None
    reading: ReadOptions
    rounds: int
    reflector: str | None
    max_cost_usd: float | None


class Found(NamedTuple):
    """What came of it.

    Attributes:
        outcome: What is shown.
        file: The new version, if there is one.
        wrong: On how many items of train judge and people differed.
        candidates: How many candidates were measured on dev.
        before: Agreement on dev with the rubric as it is.
        after: The same with the new version, if there is one.
    """

    outcome: Outcome
    file: str | None
    wrong: int
    candidates: int
    before: EstimateRecord
    after: EstimateRecord | None


class Ahead(NamedTuple):
    """What a calibration on the test may come to.

    Attributes:
        ready: Whether it is likely enough to end in a certificate.
        why: Why not; "" where it is.
        words: The options by which ``judgekit plan`` is asked the same; None where no number of
            labels would do.
    """

    ready: bool
    why: str = ""
    words: str | None = ""


def ahead(
    grounds: Grounds, criterion: Criterion, policy: Policy, kappa: float | None
) -> Ahead | None:
    """Return what a calibration on the test may come to, for a judge that agrees as on dev.

    Sets of the test's size are drawn and held against the gate, as ``judgekit plan`` does; no
    item of the test is looked at, they are only counted.

    Args:
        grounds: What is known of the labels.
        criterion: The criterion.
        policy: What the gate asks.
        kappa: Agreement on dev.
    """
    if kappa is None or kappa < 0.01:
        return None
    expect, test = min(1.0, round(kappa, 2)), grounds.splits
    spec, per_case = ScaleSpec.of(criterion), max(1, round(test.test / max(1, test.test_cases)))
    shares = _shares(grounds, len(spec.values))
    human = tuple(share / sum(shares) for share in shares)
    icc = USUAL_ICC if per_case > 1 else 0.0
    design = Design(spec, expect, human, per_case=per_case, icc=icc)
    words = option_words(
        [
            ("--expect", f"{expect:g}"),
            ("--prevalence", ",".join(f"{share:g}" for share in shares)),
            ("--per-case", None if per_case == 1 else str(per_case)),
        ]
    )
    few = too_few(test.test, test.test_cases, policy)
    if few is not None:
        return Ahead(ready=False, why=few, words=words)
    stop = obstacle(design, policy, 1)
    if stop is not None:
        told = f"no number of labels would certify a judge like this: {stop.message}"
        return Ahead(ready=False, why=told.rstrip("."), words=None)
    chance = _chance(design, Gate(spec, policy, policy.look_confidence(1)), test.test)
    if chance >= _LIKELY:
        return Ahead(ready=True)
    why = f"with the {count(test.test, 'labelled item')} of the test, a judge that agrees with "
    why += f"people as on dev would be certified with a chance of {percent(chance)}"
    return Ahead(ready=False, why=why, words=words)


def _shares(grounds: Grounds, levels: int) -> tuple[float, ...]:
    """Return the share of each level among what people said of dev, as one types it; none is 0."""
    said = Counter(level for people in grounds.dev.people.values() for level in people)
    whole = sum(said.values()) + levels / 2
    return tuple(max(0.001, round((said[at] + 0.5) / whole, 3)) for at in range(levels))


def _chance(design: Design, gate: Gate, items: int) -> float:
    """Return how often sets of so many items pass everything that a plan simulates."""
    items = min(items, _MOST) // design.per_case * design.per_case
    human, judge = draw(design, _RUNS, items, np.random.default_rng(0))
    held = hold(clustered(human, judge, gate.spec, design.per_case), gate)
    return float(np.mean(np.all(list(held.values()), axis=0)))


def notes(grounds: Grounds, found: Found, test: Ahead | None) -> list[str]:
    """Return the remarks on what was found."""
    told, items = [], len(grounds.dev.items)
    if found.before.undefined is not None:
        why = why_undefined(found.before)
        told.append(f"agreement on dev is undefined ({why}): label outputs of more levels")
    if found.file is not None:
        if found.candidates > 1:
            told.append(
                f"it is the best of {found.candidates} candidates on dev: the interval of the "
                "difference is wider than 95%, so that all of them together err no more often than "
                "one would"
            )
        told.append(
            "it was chosen by these very items of dev, which flatters it: "
            "calibrate measures it on items that nobody has looked at"
        )
    if found.outcome == "not_shown":
        told.append("keep the rubric as it is until improvement is shown")
    if items < FEW:
        told.append(f"dev has only {count(items, 'item')}: small gains cannot be told from luck")
    if _decides(found) and test is not None and not test.ready:
        told.append(test.why if test.words is None else f"{test.why}; plan says how many would do")
    return told


def _decides(found: Found) -> bool:
    """Whether the next thing to do is a calibration: of what is better, or of what is good."""
    return found.outcome == "improved" or (not found.wrong and found.before.undefined is None)


def next_commands(named: Named, found: Found, items: int, test: Ahead | None) -> tuple[str, ...]:
    """Return the commands that follow from what was found, in their order.

    Args:
        named: What the user named.
        found: What came of it.
        items: How many items dev has.
        test: What a calibration on the test may come to.
    """
    setup, file = named.setup, found.file
    if file is not None and is_stream(Path(file)):
        return ()
    old = file_word(setup.rubric_file)
    commands = [] if file is None else [f"judgekit rubric diff {old} {file_word(file)}"]
    if _decides(found):
        if file is not None:
            commands.append(f"mv {file_word(file)} {old}")
        return (*commands, *_measured(named, test))
    if found.before.undefined is None and items >= FEW:
        commands.append(_again(named))
    return tuple(commands)


def _measured(named: Named, test: Ahead | None) -> Sequence[str]:
    """Return how to measure on the test, or how to learn how many labels that takes."""
    if test is None:
        return ()
    if test.ready:
        return (f"judgekit calibrate {named.setup.named} --labels {_files(named)} --split test",)
    if test.words is None:
        return (_again(named),)
    judge = quote(split(named.setup.named)[0])  # a plan asks no model
    several = len(named.setup.judge.rubric.criteria) > 1
    criterion = option_words([("--criterion", named.criterion if several else None)])
    return (f"judgekit plan {judge}{test.words}{criterion}",)


def _again(named: Named) -> str:
    """Return the command that goes on from here with more rounds."""
    more = [
        ("--reflector", named.reflector),
        ("--rounds", str(named.rounds + _MORE_ROUNDS)),
        ("--max-cost", None if named.max_cost_usd is None else f"{named.max_cost_usd:g}"),
    ]
    judge = named.setup.named
    return f"judgekit rubric improve {judge} --labels {_files(named)}{option_words(more)}"


def _files(named: Named) -> str:
    """Return the labels, and how they are read, as they are typed."""
    items = option_words([("--items", None if named.items is None else str(named.items))])
    return f"{file_word(named.labels)}{items}{reading_words(named.reading)}"
