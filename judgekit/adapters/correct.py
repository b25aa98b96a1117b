"""From a runner's saved results to the corrected figure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from judgekit.adapters.aggregate import Given, aggregate
from judgekit.adapters.results import find_outcomes
from judgekit.adapters.seal import PREFIX
from judgekit.api.score import Scoring
from judgekit.api.setup import JudgeSetup, load_judge
from judgekit.calibration.scope import read_traits
from judgekit.errors import GateRefusal, InputError, Reason
from judgekit.judging.judgment import CAUSES, Cause
from judgekit.reports.words import count, listed
from judgekit.scoring.corrected import Population


def correct_results(
    files: Sequence[str | Path],
    *,
    judge: str | None = None,
    population: Population = "unknown",
    project: str | Path = ".",
) -> Scoring:
    """Return what the values a runner has kept come to, through the gate and with its interval.

    Args:
        files: The runner's saved results, JSON, JSON lines or CSV: each as long as it holds what
            the adapter put beside the values.
        judge: The judge whose values count; may be left out where there is one.
        population: What the items are, as in :func:`judgekit.score`.
        project: The project that has the judge, or a folder in it.

    Raises:
        InputError: a file cannot be read, or holds no values of the judge.
        GateRefusal: the judge is not certified now, or the values are of another one.
    """
    found = [find_outcomes(file) for file in files]
    facts = list({one[f"{PREFIX}id"]: one for file in found for one in file.facts}.values())
    refused = [one for file in found for one in file.refused]
    altered = [one for file in found for one in file.altered]
    name = judge or _only_judge(facts, refused, altered, files)
    mine, refused, altered = (
        [one for one in of if one.get(f"{PREFIX}judge", name) == name]
        for of in (facts, refused, altered)
    )
    if not mine and refused:
        raise GateRefusal([_nothing(refused)])
    if not mine:
        told = f"no values of a judge {name!r}"
        told += f", and {count(len(altered), 'value')} altered since" if altered else ""
        raise InputError(f"{listed([str(f) for f in files])}: {told}")
    _check_kept(refused)
    setup = load_judge(name, project=project)
    rows = [_given(one, setup) for one in mine]
    notes = []
    times = Counter((row.criterion, row.item) for row in rows if row.item)
    if again := sum(many > 1 for many in times.values()):
        notes.append(f"{count(again, 'item')} judged more than once: each time counts")
    if refused:
        notes.append(f"{count(len(refused), 'outcome')} refused at the time: counted as unjudged")
    if altered:
        notes.append(
            f"{count(len(altered), 'value')} altered since, or never given by a judge: counted as "
            "unjudged"
        )
    rows += _without_value([*refused, *altered], rows)
    return aggregate(setup, rows, population=population, notes=tuple(notes))


def _check_kept(refused: Sequence[Mapping[str, Any]]) -> None:
    """Raise where the endpoint began to serve another model between the values.

    Raises:
        GateRefusal: it did; whatever it said before may be of another model as well.
    """
    codes = {str(one.get(f"{PREFIX}reason_code")) for one in refused}
    if any("model_served_changed" in code for code in codes):
        message = "the endpoint served another model while these results were made."
        raise GateRefusal([Reason("model_served_changed", message, "judgekit status")])


def _without_value(facts: Sequence[Mapping[str, Any]], rows: Sequence[Given]) -> list[Given]:
    """Return what gave no usable value: leaving it out would flatter the figure."""
    prints = {row.criterion: row.fingerprint for row in rows}
    stated = [str(one.get(f"{PREFIX}criterion")) for one in facts]
    return [
        Given(name, prints[name], "", None, None, "missing")
        for said in stated
        for name in ([said] if said in prints else prints)
    ]


def _only_judge(
    facts: Sequence[Mapping[str, Any]],
    refused: Sequence[Mapping[str, Any]],
    altered: Sequence[Mapping[str, Any]],
    files: Sequence[str | Path],
) -> str:
    names = list(dict.fromkeys(str(one[f"{PREFIX}judge"]) for one in facts))
    if len(names) == 1:
        return names[0]
    if names:
        raise InputError(
            f"the results hold values of {count(len(names), 'judge')}: {listed(names)}",
            hint=f"name one: --judge {names[0]}",
        )
    if refused:
        raise GateRefusal([_nothing(refused)])
    told = f"; {count(len(altered), 'value')} were altered since" if altered else ""
    raise InputError(
        f"there are no values of a judge in these results{told}",
        hint="they must hold what the adapter put beside each value (judgekit_certificate ...); "
        "rows of `judgekit score` do once they are exported: judgekit export jsonl",
        file=str(files[0]) if files else None,
    )


def _nothing(refused: Sequence[Mapping[str, Any]]) -> Reason:
    codes = [str(one.get(f"{PREFIX}reason_code") or "no_certificate") for one in refused]
    code, _, _ = codes[0].partition(",")
    told = f"{count(len(refused), 'outcome')} refused ({listed(list(dict.fromkeys(codes)))})"
    message = f"the judge was not certified when it was asked: {told}."
    return Reason(code, message, "judgekit status")


def _given(facts: Mapping[str, Any], setup: JudgeSetup) -> Given:
    """Return what one outcome says, as far as a figure needs it."""
    criterion = setup.judge.rubric.criterion(str(facts[f"{PREFIX}criterion"]))
    status, level = facts[f"{PREFIX}status"], None
    if status == "scored":
        level = criterion.scale.index(facts[f"{PREFIX}value"])
    said = facts.get(f"{PREFIX}reason_code")
    cause: Cause | None = None
    if status == "unjudged" or (status == "scored" and level is None):
        cause = next((c for c in CAUSES if c == said), "missing")
    case = facts.get(f"{PREFIX}case")
    return Given(
        criterion.name,
        str(facts[f"{PREFIX}fingerprint"]),
        str(facts[f"{PREFIX}item"]),
        None if case is None else str(case),
        level,
        cause,
        read_traits(facts.get(f"{PREFIX}text")),
    )
