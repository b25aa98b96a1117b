"""What is reached without reading: by the commonest level, and by the length of the output."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from judgekit.calibration.check import Check
from judgekit.calibration.pairs import agreement_weights, for_the_gate
from judgekit.calibration.record import EstimateRecord
from judgekit.fingerprint import sha256_text
from judgekit.judging.judgment import INCOMPLETE
from judgekit.rubric.frozen import Frozen
from judgekit.rubric.scale import Level, find_sides, number_text
from judgekit.stats.agreement import agreement
from judgekit.stats.estimate import Undefined
from judgekit.stats.kappa_difference import kappa_difference
from judgekit.stats.length import Order, length_judge
from judgekit.stats.levels import sensitivity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from judgekit.calibration.rows import Row, ScaleSpec
    from judgekit.stats.arrays import FloatArray, IntArray
    from judgekit.stats.estimate import Estimate
    from judgekit.stats.table import Pairs

Mask = npt.NDArray[np.bool_]

FOLDS = 5
ENOUGH_TEXT = 0.5
"""Share of the pairs whose length must be known; the rest is then set beside no rival."""
NEXT_TO_NOTHING = 0.05
"""A judge that is shown to be less than this much of kappa ahead of length is not ahead of it."""
ALIKE_FACTOR, ALIKE_CHARACTERS = 1.5, 10
"""Outputs are all about as long when the longest twentieth begins below 1.5 times, or within ten
characters of, where the shortest ends: what they differ by then is a word, not verbosity."""
_POWER = 1.2816
"""Standard errors that raise a chance from one half to 90%: 80% is promised, and the error that the
number rests on is itself an estimate."""


class Baselines(Frozen):
    """What a judge must be better than, on the pairs the gate counts.

    Attributes:
        majority: Raw agreement of whoever always says the commonest level; the kappa is 0.
        judge: The judge's kappa on the pairs whose length is known; None without enough of them.
        length: Kappa of a judge that sees only length, there too: the better of two rules, of which
            one is fitted to people's levels out of fold, and one to the judge's own.
        beats_length: The judge's kappa less that, paired.
        without_length: How many pairs have no length: the text is not at hand.
    """

    majority: EstimateRecord
    judge: EstimateRecord | None
    length: EstimateRecord | None
    beats_length: EstimateRecord | None
    without_length: int


def baselines(rows: Sequence[Row], spec: ScaleSpec) -> Baselines | None:
    """Return what is reached without reading, or None when there is no pair to compare.

    The rival by length is the best that the labels of the other folds allow
    (:func:`judgekit.stats.length.length_judge`), and says one level throughout where outputs are
    all about as long. All outputs of a case are in one fold, which is told by a hash of the case:
    adding labels moves none. The interval of the difference is about the rules that these labels
    gave, as if they were asked of fresh items.

    Where labels are few or noisy that rule cuts a little beside the best place. A judge that counts
    characters and cuts in the best place would be ahead of it, the more surely the more labels
    there are. So a second rule is fitted to what the judge itself says: of a judge that counts it
    is the judge again. The rival is the one of the two that agrees more with people.

    Args:
        rows: The evidence rows of one criterion; their ``length`` is what is known of the text.
        spec: Its scale; kappa has the criterion's own agreement weights.
    """
    taking = [row for row in rows if row.set_aside is None and row.cause not in INCOMPLETE]
    if not taking:
        return None
    told = [row for row in taking if row.length is not None]
    judge = length = beats = None
    if len(told) >= ENOUGH_TEXT * len(taking):
        judge, length, beats = _against_length(told, spec)
    return Baselines(
        majority=_majority(for_the_gate(taking, spec)),
        judge=judge,
        length=length,
        beats_length=beats,
        without_length=len(taking) - len(told),
    )


def length_check(found: Baselines | None) -> Check | None:
    """Ask that the judge is better than length alone; None where lengths are not known.

    It passes when the low end of the difference of the two kappas is above 0. It is ruled out when
    the high end is below :data:`NEXT_TO_NOTHING`: then the judge has been shown to know next to
    nothing that a count of characters does not. In between (a judge at .90 where length gives .85,
    on forty items) more labels can tell.
    """
    if found is None or found.judge is None or found.length is None or found.beats_length is None:
        return None
    difference, required = found.beats_length, "> 0 over length alone"
    if difference.low is None or difference.high is None:
        return Check(
            name="beats_length",
            required=required,
            observed=difference.undefined,
            passed=False,
            reason="agreement_undefined",
        )
    return Check(
        name="beats_length",
        required=required,
        observed={
            "judge": found.judge.value,
            "length": found.length.value,
            "low": difference.low,
        },
        passed=difference.low > 0,
        reason="below_baseline",
        ruled_out=difference.low <= 0 and difference.high < NEXT_TO_NOTHING,
    )


def labels_to_tell(found: Baselines) -> int | None:
    """Return about how many more items tell judge and length apart, in 90% of such samples.

    Either way: the judge is ahead, or next to nothing is left between them. 0 when it is settled;
    None where nothing was measured to go by.
    """
    check, difference = length_check(found), found.beats_length
    if check is not None and (check.passed or check.ruled_out):
        return 0
    if difference is None or difference.value is None or difference.low is None:
        return None
    # The interval is about two errors each way; the widening at small n is kept.
    error = (difference.value - difference.low) / 1.96
    gap = max(difference.value, NEXT_TO_NOTHING - difference.value)
    needed = difference.n * ((1.96 + _POWER) * error / gap) ** 2
    return max(1, math.ceil(needed) - difference.n)


def _against_length(
    rows: Sequence[Row], spec: ScaleSpec
) -> tuple[EstimateRecord, EstimateRecord, EstimateRecord]:
    """Return the kappas of the judge and of length, and their difference, on the same pairs."""
    pairs = for_the_gate(rows, spec)
    weights = agreement_weights(spec, pairs.extra)
    judge = EstimateRecord.of("gate_agreement", agreement(pairs, weights))
    names = "length_agreement", "beats_length"
    size = _Lengths.of(rows, spec)
    said = size.fitted_to_people(pairs)
    if isinstance(said, Undefined):
        none = replace(said, n=pairs.n_items, pairs=len(pairs))
        return judge, EstimateRecord.of(names[0], none), EstimateRecord.of(names[1], none)
    rival, own = agreement(replace(pairs, judge=said), weights), size.fitted_to_judge(pairs)
    if not isinstance(own, Undefined):
        other = agreement(replace(pairs, judge=own), weights)
        if _value(other) > _value(rival):
            said, rival = own, other
    ahead = kappa_difference(pairs, said, weights)
    return judge, EstimateRecord.of(names[0], rival), EstimateRecord.of(names[1], ahead)


def _value(found: Estimate | Undefined) -> float:
    return -math.inf if isinstance(found, Undefined) else found.value


class _Lengths(NamedTuple):
    """The lengths of the pairs, and of what kind their scale is."""

    length: FloatArray
    folds: list[int]
    agreement: FloatArray
    order: Order
    sides: tuple[int, int]

    @classmethod
    def of(cls, rows: Sequence[Row], spec: ScaleSpec) -> _Lengths:
        order, sides = _order(spec)
        length = np.array([row.length for row in rows], dtype=np.float64)
        if _alike(length, of_pairs=order == "pairwise"):
            length = np.zeros(len(rows))
        return cls(length, [_fold(row) for row in rows], agreement_weights(spec), order, sides)

    def fitted_to_people(self, pairs: Pairs) -> IntArray | Undefined:
        """Return what a rule says that is fitted to people's levels, out of fold."""
        length, agreed = self.length, self.agreement
        return length_judge(
            length,
            pairs.human,
            self.folds,
            agreed,
            order=self.order,
            sides=self.sides,
            weight=pairs.weight,
        )

    def fitted_to_judge(self, pairs: Pairs) -> IntArray | Undefined:
        """Return what a rule says that is fitted to the judge's own levels.

        No label of a person is in it, and cuts in one place hardly bend to noise: on an ordered
        scale, and of pairs, it is fitted to all items at once. A level for each bin does bend: what
        a judge that agrees with people says of an item is its label over again. So the rule of
        levels without an order is fitted to the other folds here too.
        """
        told = pairs.judge < len(self.agreement)
        if self.order != "nominal":
            return self._fitted(pairs, told, np.ones(len(pairs), dtype=np.bool_))
        said, of = np.zeros(len(pairs), dtype=np.int64), np.array(self.folds)
        for fold in np.unique(of):
            here = of == fold
            some = self._fitted(pairs, told & ~here, here)
            if isinstance(some, Undefined):
                return some
            said[here] = some
        return said

    def _fitted(self, pairs: Pairs, seen: Mask, asked: Mask) -> IntArray | Undefined:
        """Return what a rule says of some items that is fitted to the judge's levels of others.

        They are two folds, and only the one that is asked for is kept.
        """
        if not seen.any():
            return Undefined("too_few_items", len(pairs), "length_judge")
        sampled = np.ones(len(pairs)) if pairs.weight is None else pairs.weight
        told = pairs.judge < len(self.agreement)
        commonest = np.bincount(pairs.judge[told], weights=sampled[told]).argmax()
        said = length_judge(
            np.concatenate([self.length[seen], self.length[asked]]),
            np.concatenate([pairs.judge[seen], np.full(int(asked.sum()), commonest)]),
            np.repeat([0, 1], [int(seen.sum()), int(asked.sum())]),
            self.agreement,
            order=self.order,
            sides=self.sides,
            weight=np.concatenate([sampled[seen], sampled[asked]]),
        )
        return said if isinstance(said, Undefined) else said[int(seen.sum()) :]


def _alike(lengths: FloatArray, *, of_pairs: bool) -> bool:
    """Tell whether outputs are all about as long, so that length says nothing of them.

    Where the one word in which two outputs differ tells their level, a count of characters would
    tell it too, and still not be what the judge goes by. Of pairs only the difference is known.
    """
    if of_pairs:
        return bool(np.quantile(np.abs(lengths), 0.95) < ALIKE_CHARACTERS)
    short, long = np.quantile(lengths, [0.05, 0.95])
    return bool(long - short < ALIKE_CHARACTERS or long < ALIKE_FACTOR * short)


def _order(spec: ScaleSpec) -> tuple[Order, tuple[int, int]]:
    """Return how the levels lie, and which are the sides of a pairwise scale."""
    if spec.kind == "pairwise":
        named = zip(spec.values, spec.names, strict=True)
        levels = [Level(value=v, name=name, definition=number_text(v)) for v, name in named]
        sides = find_sides(levels)
        return ("nominal", (0, 1)) if sides is None else ("pairwise", sides)
    return ("nominal" if spec.kind == "nominal" else "ordered"), (0, 1)


def _fold(row: Row) -> int:
    case = f"item {row.item}" if row.case is None else f"case {row.case}"
    return int(sha256_text(f"fold of {case}")[:8], 16) % FOLDS


def _majority(pairs: Pairs) -> EstimateRecord:
    """Return the share of the commonest human level."""
    sampled = np.ones(len(pairs)) if pairs.weight is None else pairs.weight
    commonest = int(np.bincount(pairs.human, weights=sampled).argmax())
    ones = np.ones(len(pairs), dtype=np.int64)
    same = (pairs.human == commonest).astype(np.int64)
    found = sensitivity(replace(pairs, human=ones, judge=same, k=2, extra=0), [False, True])
    return EstimateRecord.of("majority_agreement", replace(found, method="majority/wilson"))
