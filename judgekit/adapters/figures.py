"""What a runner's own summary shows of a judge: the corrected figure, and what it corrects.

Only over what belongs to the one run: an item of another run of the same judge is in no figure,
and one of this run that has no judgment counts as such.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from typing import Any

from judgekit.adapters.aggregate import Given
from judgekit.adapters.lent import LentJudge
from judgekit.adapters.outcome import Outcome
from judgekit.adapters.texts import make_item
from judgekit.errors import GateRefusal, InputError, JudgingError
from judgekit.scoring.corrected import Population
from judgekit.scoring.correction import POPULATIONS
from judgekit.scoring.score import CriterionScore

FIGURES = ("corrected", "uncorrected")
Figures = dict[str, dict[str, float]]

_givers: dict[str, tuple[LentJudge, Population]] = {}
"""Who gave an outcome, by the outcome's id, and what its items are."""


def figures_of_items(
    lent: LentJudge, population: Population, items: Iterable[Mapping[str, Any]]
) -> dict[str, float]:
    """Return what a judge's judgments of these items come to.

    Args:
        lent: The judge, which was asked for them.
        population: What the items are, as in :func:`judgekit.score`.
        items: What it was asked with, item by item.

    Returns:
        For each criterion, as the runner calls it, ``..._corrected`` and ``..._uncorrected``, each
        with ``_low`` and ``_high``. What is not known, or withheld, is left out; all is where the
        judge has been refused since.
    """

    def name(item: Mapping[str, Any]) -> str:
        try:
            return make_item(lent.inputs, **item).id
        except InputError:
            return ""

    found = _figures(lent, population, [name(item) for item in items])
    return {f"{name}_{kind}": value for name, of in found.items() for kind, value in of.items()}


def shown_figures(
    lent: LentJudge, population: Population, items: Iterable[Mapping[str, Any]]
) -> dict[str, float]:
    """Return the same, for a judge that may not have been asked yet: its replies are cached.

    Raises:
        JudgingError: there is no figure; the message says why.
    """
    rows = list(items)
    if not lent.given:
        for row in rows:
            lent.score_each(**row)
    found = figures_of_items(lent, population, rows)
    if not found:
        why = f"there is no figure over the values of {lent.judge}"
        raise JudgingError(f"{why}: {_withheld(lent, population)}")
    return found


def told_figures(
    lent: LentJudge, population: Population, items: Iterable[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """Return the same as results with a ``key`` and ``score``; of no figure one with a comment."""
    try:
        found = shown_figures(lent, population, items)
    except JudgingError as error:
        return [{"key": f"{lent.name}_corrected", "score": None, "comment": str(error)}]
    return [{"key": key, "score": value} for key, value in found.items()]


def _withheld(lent: LentJudge, population: Population) -> str:
    """Return why there is no figure."""
    try:
        found = lent.corrected(population)
    except (GateRefusal, InputError) as error:
        return str(error)
    told = [reason.message for reason in found.withheld]
    return (
        " ".join(told)
        or "there is none on such a scale; judgekit correct shows the share of each level"
    )


def remember(lent: LentJudge, population: Population, outcome: Outcome) -> Outcome:
    """Return an outcome by which :func:`figures_of_outcomes` will know its judge."""
    if name := outcome.metadata.get("judgekit_id"):
        _givers[str(name)] = lent, population
    return outcome


def figures_of_outcomes(outcomes: Iterable[Mapping[str, Any]]) -> dict[str, float]:
    """Return what outcomes with values come to, by their metadata, and their judge's other ones.

    For hooks that see only what has a value: what else the judge was asked counts as unjudged.
    """
    known = [one for one in outcomes if one.get("judgekit_id") in _givers]
    if not known:
        return {}
    lent, population = _givers[known[0]["judgekit_id"]]
    last = {row.item: row for row in lent.given if row.item}
    unjudged = [row.item for row in last.values() if row.cause is not None]
    unusable = ["" for row in lent.given if not row.item]
    items = [one["judgekit_item"] for one in known]
    return _figures(lent, population, [*items, *unjudged, *unusable]).get(lent.column, {})


class Runs:
    """What a judge gives in one run after another, for hooks that see the bare values of a run.

    Args:
        lent: The judge.
        population: What its items are, as in :func:`judgekit.score`.
    """

    def __init__(self, lent: LentJudge, population: Population) -> None:
        self._lent, self._population = lent, checked(population)
        self._values: Sequence[float] | None = None
        self._begin = self._end = len(lent.given)

    def figure(self, name: str, values: Sequence[float]) -> float:
        """Return one figure of the run that ended last.

        Args:
            name: One of `FIGURES`, or with ``_low`` or ``_high``.
            values: The values of the run: the same object for each figure of it.

        Raises:
            JudgingError: the figure is unknown or withheld, or these are not the run's values.
        """
        if values is not self._values:
            self._values, self._begin, self._end = values, self._end, len(self._lent.given)
        rows = self._lent.given[self._begin : self._end]
        if len(values) == sum(row.level is not None for row in rows):
            found = _figures(self._lent, self._population, [row.item for row in rows])
            if name in (known := found.get(self._lent.column, {})):
                return known[name]
        why = _withheld(self._lent, self._population)
        raise JudgingError(f"the {name} figure of {self._lent.judge} is not shown: {why}")


def checked(population: Population) -> Population:
    """Return what the items are said to be.

    Raises:
        InputError: there is no such population; said before anything is asked.
    """
    if population not in POPULATIONS:
        known = ", ".join(POPULATIONS)
        raise InputError(f"there is no population {population!r}; say one of {known}")
    return population


def _figures(lent: LentJudge, population: Population, items: list[str]) -> Figures:
    """Return the figures over the items of these ids; an id nothing is known of is unjudged."""
    known: dict[tuple[str, str], list[Given]] = {}
    for row in lent.given:
        known.setdefault((row.criterion, row.item), []).append(row)
    prints = {row.criterion: row.fingerprint for row in lent.given}
    if not items or lent.version is None or len(prints) < len(lent.criteria):
        return {}
    part = copy(lent)
    part.given = []
    for criterion in lent.criteria:
        name, asked = criterion.name, Counter(items)
        for item in items:  # the same text of two cases is two rows; the last are of this run
            rows = known.get((name, item)) or [
                Given(name, prints[name], item, None, None, "missing")
            ]
            part.given.append(rows[-min(asked[item], len(rows))])
            asked[item] -= 1
    try:
        scores = part.corrected(population)
    except GateRefusal:
        return {}
    return {lent.columns[one.criterion]: _shown(one) for one in scores.criteria}


def _shown(one: CriterionScore) -> dict[str, float]:
    records = {name: getattr(one, name) for name in FIGURES}
    return {
        f"{name}{end}": getattr(record, field)
        for name, record in records.items()
        if record is not None and record.value is not None
        for end, field in (("", "value"), ("_low", "low"), ("_high", "high"))
    }
