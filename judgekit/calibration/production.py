"""Agreement where levels are as common as in production, when somebody says how common that is."""

from __future__ import annotations

import csv
import math
from typing import TYPE_CHECKING

import numpy as np

from judgekit.calibration.pairs import agreement_weights, for_the_gate
from judgekit.calibration.record import EstimateRecord
from judgekit.errors import InputError, suggest
from judgekit.rubric.frozen import Frozen
from judgekit.rubric.scale import fold, number_text
from judgekit.stats.prevalence import kappa_at

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from judgekit.calibration.rows import Row, ScaleSpec

_TOTAL = 0.005
"""Shares are written with two digits or three; they are scaled to add up to exactly 1."""


class Production(Frozen):
    """Agreement at stated shares of the human levels.

    Attributes:
        shares: The stated share of each level, by name, in scale order.
        labelled: Their shares among the labels.
        agreement: Kappa with all unjudged items as disagreement, as in the gate, at those shares.
    """

    shares: dict[str, float]
    labelled: dict[str, float]
    agreement: EstimateRecord


Stated = float | dict[str, float]
"""One share, of what passes; or the share of each level."""


def parse_prevalence(text: str) -> Stated:
    """Return what ``--prevalence`` says: ``0.95``, or ``good=0.95,bad=0.05``.

    Raises:
        InputError: it is no share, or no list of levels with their shares.
    """
    parts = next(csv.reader([text], skipinitialspace=True), []) or [""]
    if len(parts) == 1 and "=" not in parts[0]:
        return _share(parts[0], text)
    found: dict[str, float] = {}
    for part in parts:
        level, equals, share = part.rpartition("=")
        if not equals or not level.strip():
            raise _unreadable(text, part)
        found[level.strip()] = _share(share, text)
    return found


def at_production(rows: Sequence[Row], spec: ScaleSpec, stated: Stated) -> Production:
    """Return kappa where levels are as common as stated, the judge answering each as it does here.

    One share speaks of what passes; within each side levels stay as common as among the labels.

    Raises:
        InputError: the levels or their shares do not fit the scale.
    """
    pairs = for_the_gate(rows, spec)
    counts = np.bincount(pairs.human, weights=pairs.weight, minlength=len(spec.values))
    shares = _by_level(stated, spec) if isinstance(stated, dict) else _by_side(stated, spec, counts)
    found = kappa_at(pairs, agreement_weights(spec, pairs.extra), shares)
    labelled = counts / max(counts.sum(), 1e-12)
    return Production(
        shares=dict(zip(spec.names, map(float, shares), strict=True)),
        labelled=dict(zip(spec.names, map(float, labelled), strict=True)),
        agreement=EstimateRecord.of("production_agreement", found),
    )


def _by_level(stated: Mapping[str, float], spec: ScaleSpec) -> np.ndarray:
    texts = [number_text(value) for value in spec.values]
    place = {fold(name): i for i, name in enumerate(texts)}
    place |= {fold(name): i for i, name in enumerate(spec.names)}
    shares = np.full(len(texts), np.nan)
    for level, share in stated.items():
        if fold(level) not in place:
            near = suggest(level, [*spec.names, *texts])
            hint = f"Did you mean {near}?" if near else f"The levels are: {', '.join(spec.names)}"
            raise InputError(f"--prevalence: {level!r} is not a level of the scale", hint=hint)
        shares[place[fold(level)]] = share
    left, missing = 1.0 - float(np.nansum(shares)), np.isnan(shares)
    if missing.sum() == 1 and left >= -_TOTAL:
        shares[missing] = max(left, 0.0)
    if np.isnan(shares).any() or abs(float(shares.sum()) - 1) > _TOTAL:
        raise InputError(
            "--prevalence: the shares of all levels must add up to 1",
            hint=f"say them all: --prevalence {','.join(f'{name}=...' for name in spec.names)}",
        )
    scaled: np.ndarray = shares / shares.sum()
    return scaled


def _by_side(share: float, spec: ScaleSpec, counts: np.ndarray) -> np.ndarray:
    if spec.passes is None:
        raise InputError(
            "--prevalence with one share speaks of what passes, and this scale has no pass line",
            hint=f"say each level: --prevalence {','.join(f'{name}=...' for name in spec.names)}",
        )
    passes, shares = np.array(spec.passes), np.zeros(len(counts))
    for side, whole in ((passes, share), (~passes, 1 - share)):
        total = counts[side].sum()
        shares[side] = whole * (counts[side] / total if total > 0 else 1 / side.sum())
    return shares


def _share(text: str, whole: str) -> float:
    try:
        share = float(text)
    except ValueError:
        raise _unreadable(whole, text) from None
    if not (math.isfinite(share) and 0 <= share <= 1):
        raise _unreadable(whole, text)
    return share


def _unreadable(text: str, part: str) -> InputError:
    return InputError(
        f"--prevalence {text!r}: {part.strip()!r} is no share from 0 to 1",
        hint="Write the share of what passes, or of each level: --prevalence 0.95, or "
        "--prevalence good=0.95,bad=0.05",
    )
