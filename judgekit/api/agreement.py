"""The on-ramp: a table of existing verdicts and labels, measured in full; no rubric needed."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import get_args

import numpy as np

from judgekit.api.evidence import copied_notes, slice_values
from judgekit.calibration.align import Subject, align
from judgekit.calibration.decide import decide
from judgekit.calibration.measure import measure
from judgekit.calibration.policy import Policy
from judgekit.calibration.probabilities import ProbabilityEvidence, probability_evidence
from judgekit.calibration.production import Stated, at_production
from judgekit.calibration.result import Agreement
from judgekit.calibration.rows import Row, ScaleSpec, tally
from judgekit.calibration.scope import output_length
from judgekit.calibration.slices import slice_reports
from judgekit.calibration.workup import work_up
from judgekit.errors import InputError
from judgekit.fingerprint import fingerprint
from judgekit.importers.cells import as_id, as_text
from judgekit.importers.table import File, Table, read_table
from judgekit.importers.verdicts import VerdictColumns, Verdicts, off_scale_note, read_verdicts
from judgekit.importers.where import parse_where, select
from judgekit.judging.item import Item
from judgekit.labels.levelmap import check_level_map
from judgekit.labels.levels import plain, scale_text
from judgekit.rubric.model import Criterion
from judgekit.rubric.scale import Kind, Level, Scale, Value, Weights, number_text


def measure_agreement(  # noqa: PLR0913  (the command's options)
    file: File,
    columns: VerdictColumns,
    criterion: Criterion,
    *,
    level_map: Mapping[str, str] | None = None,
    where: Sequence[str] = (),
    policy: Policy | None = None,
    slices: Sequence[str] = (),
    prevalence: Stated | None = None,
) -> Agreement:
    """Measure a judge's verdicts against people's labels, in full.

    Args:
        file: A CSV or JSONL file, or a table read from one.
        columns: Which column holds the verdicts, and which the labels.
        criterion: The scale, for example from :func:`declare_scale`.
        level_map: Levels as written -> levels of the scale.
        where: ``COLUMN=VALUE``: only rows that say so.
        policy: What a certificate would ask; the ordinary policy by default.
        slices: Columns to tell agreement apart by.
        prevalence: Share of what passes in production, or of each level: agreement is shown there.

    Raises:
        InputError: the file cannot be used; with file and line.
    """
    table, asked = _selected(read_table(file), columns, where), policy or Policy()
    check_level_map(level_map or {}, [criterion])
    said = read_verdicts(table, criterion, columns, level_map)
    subjects = [Subject(i.id, i.case, length=output_length(i)) for i in said.items]
    levels = {item: found for item, found in said.levels.items() if found}
    spec = ScaleSpec.of(criterion)
    rows = tuple(align(subjects, levels, said.outcomes, {}))
    evidence = measure(rows, spec)
    off = off_scale_note(said.outcomes)
    both = [row for row in rows if row.rater is not None and row.judge is not None]
    same = copied_notes((r.item, str(r.rater), r.human, r.judge) for r in both)
    return Agreement(
        judge=columns.judge,
        human=columns.human,
        spec=spec,
        rows=rows,
        evidence=evidence,
        work_up=work_up(rows, spec),
        tally=tally(rows),
        decision=decide(rows, spec, evidence, asked),
        policy=asked,
        notes=(*said.notes, *([off] if off else ()), *same),
        chances=columns.probability,
        probabilities=_probabilities(rows, spec, said) if columns.probability else None,
        slices=slice_reports(rows, spec, slice_values(said.items, slices)),
        production=None if prevalence is None else at_production(rows, spec, prevalence),
    )


def _selected(table: Table, columns: VerdictColumns, where: Sequence[str]) -> Table:
    """Return the table with only the rows that say so: others are not even read."""
    if not where:
        return table
    items = [
        Item(
            id=as_id(row.values.get(columns.item or "id", row.values.get("item_id")))
            or str(number),
            fields={},
            case=as_text(row.values.get(columns.case or "case")),
            metadata=row.values,
            line=number,
        )
        for number, row in enumerate(table.rows)
    ]
    kept = select(items, parse_where(where))
    return replace(table, rows=tuple(table.rows[item.line or 0] for item in kept))


def _probabilities(rows: Sequence[Row], spec: ScaleSpec, said: Verdicts) -> ProbabilityEvidence:
    """Measure the probabilities; the dice are seeded by what is measured."""
    measured = {"rows": [row.to_json(spec) for row in rows], "chances": said.probabilities}
    rng = np.random.default_rng(int(fingerprint(measured)[:12], 16))
    return probability_evidence(rows, spec, said.probabilities, rng)


MOST_LEVELS = 101
"""Levels of the widest scale that is measured: 0 to 100."""


def declare_scale(
    levels: str | Sequence[Value],
    *,
    kind: Kind | None = None,
    passes: str | Sequence[Value] | None = None,
    weights: Weights | None = None,
    not_applicable: bool = False,
) -> Criterion:
    """Return a criterion that is a scale and nothing else.

    Args:
        levels: Every level, the lowest first, used or not: ``"1,2,3,4,5"`` or a list.
        kind: What kind of scale; by default two levels are binary, numbers ordinal, words nominal.
            Binary levels that are words are fail and pass, in this order.
        passes: Ordinal: the lowest level that passes; nominal: all that pass.
        weights: Of kappa; by default quadratic for ordinal scales, else unweighted.
        not_applicable: Judge and people may say ``na``.

    Raises:
        InputError: these levels make no scale.
    """
    values = [_value(v) for v in listed_levels(levels)]
    if len(values) < 2 or len(set(map(str, values))) < len(values):
        raise InputError(
            "a scale has two different levels or more",
            hint="declare all of them, used or not: --levels 1,2,3,4,5",
        )
    if len(values) > MOST_LEVELS:
        raise InputError(
            f"a scale has at most {MOST_LEVELS} levels, not {len(values)}",
            hint="put levels together: people do not tell that many apart",
        )
    words = any(isinstance(v, str) for v in values)
    found = kind or ("binary" if len(values) == 2 else "nominal" if words else "ordinal")
    scale = _scale(values, found)
    given = None if passes is None else [_index(scale, v) for v in listed_levels(passes)]
    if weights is not None and weights != "unweighted" and found in ("nominal", "pairwise"):
        ordered = "if the levels are in order, the lowest first: --kind ordinal"
        hint = ordered if found == "nominal" else None
        raise InputError(f"a {found} scale has no order for {weights} weights", hint=hint)
    edge: Value | None = None
    passing: tuple[Value, ...] = ()
    if given is not None and found == "ordinal":
        edge = scale.values[min(given)]
    elif given is not None and found == "nominal":
        passing = tuple(scale.values[i] for i in given)
    elif given is not None:
        raise InputError(f"a {found} scale has its pass line in itself; leave --passes out")
    return Criterion(
        name="agreement",
        question="",
        scale=scale,
        passes_at=edge,
        passing=passing,
        not_applicable="" if not_applicable else None,
        weights=weights or ("quadratic" if found == "ordinal" else "unweighted"),
    )


def assumed_kind(criterion: Criterion) -> str:
    """Return what to tell people of a kind of scale that they did not state."""
    scale, names = criterion.scale, criterion.scale.names
    if scale.kind == "binary":
        told = f"{names[0]} fails and {names[1]} passes; if neither is better: --kind nominal"
    elif scale.kind == "ordinal":
        told = "numbers have an order; if they are only names: --kind nominal"
    else:
        told = "words have no order; if they stand in order, the lowest first: --kind ordinal"
    return f"--kind is not said, and {scale.kind} is assumed: {told}"


def listed_levels(text: str | Sequence[Value]) -> list[Value]:
    """Return the levels of ``"1,2,3"``, as they were written; a list is returned as it is."""
    if not isinstance(text, str):
        return list(text)
    return [part.strip() for part in next(csv.reader([text], skipinitialspace=True), [])]


def _value(written: Value) -> Value:
    number = plain(written)
    if isinstance(number, float):
        return int(number) if number.is_integer() else number
    return written


def _scale(values: Sequence[Value], kind: Kind) -> Scale:
    if kind not in get_args(Kind):
        raise InputError(f"{kind!r} is no kind of scale: {', '.join(get_args(Kind))}")
    names = [number_text(v) for v in values]
    if kind == "binary":
        if len(values) != 2:
            raise InputError(f"a binary scale has two levels, not {len(values)}")
        order = list(zip(values, names, strict=True))
        if set(values) != {0, 1}:
            order = [(position, name) for position, name in enumerate(names)]
        pairs = sorted(order, key=lambda pair: float(pair[0]))
    elif kind == "ordinal" and any(isinstance(v, str) for v in values):
        pairs = list(enumerate(names, start=1))
    elif kind == "ordinal":
        pairs = sorted(zip(values, names, strict=True), key=lambda pair: float(pair[0]))
    else:
        pairs = list(zip(values, names, strict=True))
    return Scale(kind=kind, levels=tuple(Level(value=v, name=n, definition="") for v, n in pairs))


def _index(scale: Scale, written: Value) -> int:
    found = scale.index(written)
    if found is None:
        raise InputError(f"{written!r} is not a level of the scale ({scale_text(scale)})")
    return found
