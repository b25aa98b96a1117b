"""The evidence, row by row: which human and which judge said what of which item. No text."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pydantic import Field, ValidationError, model_validator

from judgekit.errors import CertificateError
from judgekit.judging.judgment import Cause
from judgekit.rubric.frozen import Frozen
from judgekit.rubric.scale import NA, Kind, Value, Weights

if TYPE_CHECKING:
    from collections.abc import Iterable

    from judgekit.rubric.model import Criterion

HUMAN_NA = "human_na"
"""Set aside because the human says that the criterion does not apply."""


class ScaleSpec(Frozen):
    """What of a criterion is needed to recompute every figure: its scale, in scale order."""

    kind: Kind
    values: tuple[Value, ...]
    names: tuple[str, ...]
    passes: tuple[bool, ...] | None
    weights: Weights

    @model_validator(mode="after")
    def _consistent(self) -> ScaleSpec:
        sizes = {len(self.values), len(set(self.values)), len(self.names)}
        if self.passes is not None:
            sizes.add(len(self.passes))
        if len(sizes) > 1 or min(sizes) < 2:
            raise ValueError("a scale has two levels or more, each with its value and name")
        ordered = self.kind in ("ordinal", "binary")
        if ordered and any(isinstance(value, str) for value in self.values):
            raise ValueError(f"the levels of {self.kind} scales are numbers")
        return self

    @classmethod
    def of(cls, criterion: Criterion) -> ScaleSpec:
        """Return the spec of a criterion."""
        scale = criterion.scale
        return cls(
            kind=scale.kind,
            values=scale.values,
            names=scale.names,
            passes=criterion.passes,
            weights=criterion.weights,
        )

    @property
    def numbers(self) -> list[float]:
        """Return numbers to weigh levels by: their values, or positions where they are words."""
        if any(isinstance(v, str) for v in self.values):
            return [float(i) for i in range(len(self.values))]
        return [float(v) for v in self.values]


@dataclass(frozen=True, slots=True)
class Row:
    """One (item, human rater) pair, or one item that was set aside.

    Attributes:
        item: Item id.
        case: Its case, or None when it is a case of its own.
        rater: The human rater; None where the whole item is set aside.
        human: The human's level, as an index in scale order; None on set-aside rows.
        judge: The judge's level index, or None. Of the rows set aside only those of a human's
            "does not apply" tell what the judge said.
        judge_na: True when the judge said the criterion does not apply.
        cause: Why there is no judgment, or None.
        set_aside: Why the item takes no part, or None.
        text: Short digest of the item text the labels and judgments are about, or None.
        weight: Sampling weight, or None for 1.
        stratum: Sampling stratum, or None.
        length: Characters of the judged output (of a pair: A's less B's), or None where its
            text is not at hand.
    """

    item: str
    case: str | None = None
    rater: str | None = None
    human: int | None = None
    judge: int | None = None
    judge_na: bool = False
    cause: Cause | None = None
    set_aside: str | None = None
    text: str | None = None
    weight: float | None = None
    stratum: str | None = None
    length: int | None = None

    def to_json(self, spec: ScaleSpec) -> dict[str, Any]:
        """Return the row as it stands in an evidence file, levels by value."""
        out: dict[str, Any] = {"item": self.item}
        for name in ("case", "rater", "set_aside"):
            if getattr(self, name) is not None:
                out[name] = getattr(self, name)
        judge = NA if self.judge_na else None if self.judge is None else spec.values[self.judge]
        if self.set_aside is None:
            out["human"] = None if self.human is None else spec.values[self.human]
        if self.set_aside is None or judge is not None:
            out["judge"] = judge
        for name in ("cause", "weight", "stratum", "length", "text"):
            if getattr(self, name) is not None:
                out[name] = getattr(self, name)
        return out

    @classmethod
    def from_json(cls, data: Any, spec: ScaleSpec) -> Row:
        """Read a row of an evidence file.

        Raises:
            CertificateError: it is no row, or does not fit the scale it is said to be about.
        """
        try:
            told = _RowFile.model_validate(data)
            judge = None if told.judge in (None, NA) else _index(told.judge, spec)
            return cls(
                item=told.item,
                case=told.case,
                rater=told.rater,
                human=None if told.set_aside is not None else _index(told.human, spec),
                judge=judge,
                judge_na=told.judge == NA,
                cause=told.cause,
                set_aside=told.set_aside,
                text=told.text,
                weight=told.weight,
                stratum=told.stratum,
                length=told.length,
            )
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"])) or "the row"
            raise CertificateError(
                f"an evidence row cannot be read: {where}: {first['msg'].lower()}"
            ) from error
        except ValueError as error:
            raise CertificateError(f"an evidence row does not fit its scale: {error}") from error


class _RowFile(Frozen):
    """A row as an evidence file has it."""

    item: str
    case: str | None = None
    rater: str | None = None
    human: Value | None = None
    judge: Value | None = None
    cause: Cause | None = None
    set_aside: str | None = None
    text: str | None = None
    weight: float | None = Field(None, gt=0)
    stratum: str | None = None
    length: int | None = None

    @model_validator(mode="after")
    def _whole(self) -> _RowFile:
        if self.set_aside is None and (self.judge is None) == (self.cause is None):
            raise ValueError("it has a judgment, or a cause why there is none")
        told = (self.judge is not None) + (self.cause is not None)
        if self.set_aside is not None and told > (self.set_aside == HUMAN_NA):
            raise ValueError("what is set aside has no judgment")
        return self


def _index(value: Value | None, spec: ScaleSpec) -> int:
    if value not in spec.values:
        raise ValueError(f"{value!r} is not a level of it")
    return spec.values.index(value)


class Tally(Frozen):
    """Every item accounted for: ``items = judged + sum(unjudged) + sum(set_aside)``."""

    items: int
    labelled: int
    judged: int
    paired: int
    unjudged: dict[str, int]
    set_aside: dict[str, int]


def tally(rows: Iterable[Row]) -> Tally:
    """Count the items of an evidence table; each item counts once, however many raters it has.

    An item is set aside only when none of its rows takes part.
    """
    first: dict[str, Row] = {}
    for row in rows:
        known = first.setdefault(row.item, row)
        if known.set_aside is not None and row.set_aside is None:
            first[row.item] = row
    set_aside = Counter(r.set_aside for r in first.values() if r.set_aside is not None)
    taking_part = [r for r in first.values() if r.set_aside is None]
    unjudged = Counter(r.cause for r in taking_part if r.cause is not None)
    judged = len(taking_part) - sum(unjudged.values())
    return Tally(
        items=len(first),
        labelled=len(first) - set_aside.get("unlabelled", 0),
        judged=judged,
        paired=judged,
        unjudged={str(k): unjudged[k] for k in sorted(unjudged, key=str)},
        set_aside={str(k): set_aside[k] for k in sorted(set_aside, key=str)},
    )
