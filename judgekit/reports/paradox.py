"""What the margins do to kappa, one sentence for each thing that is worth knowing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from judgekit.calibration.record import EstimateRecord
from judgekit.calibration.workup import WorkUp
from judgekit.reports.words import count, labelled, number
from judgekit.stats.estimate import Estimate, Undefined
from judgekit.stats.paradox import Paradox, Sign


def beside_lines(found: WorkUp, names: Sequence[str], *, column: int = 8) -> list[str]:
    """Return what stands beside kappa, and a sentence for each condition that clouds it.

    ``names`` are the levels, in scale order. Nothing is returned where nothing was paired.
    """
    if found.paradox is None:
        return []
    told = [_short(found, found.paradox, names)]
    told += _sentences(found.paradox, names)
    return labelled("Beside", "\n".join(told), column=column)


def paradox_json(work_up: WorkUp) -> dict[str, Any] | None:
    """Return the indices of each level, the largest kappa, and the conditions that hold."""
    paradox = work_up.paradox
    if paradox is None:
        return None
    ceiling, even = (
        None if isinstance(found, Undefined) else found
        for found in (paradox.ceiling, paradox.even_agreement)
    )
    return {
        "kappa_max": ceiling,
        "even_agreement": even,
        "levels": [
            {
                "level": at.level,
                "labels": at.labels,
                "prevalence_index": at.prevalence_index,
                "bias_index": at.bias_index,
            }
            for at in paradox.levels
        ],
        "warnings": [
            {"condition": s.condition, "level": s.level, "observed": s.observed, "limit": s.limit}
            for s in paradox.signs
        ],
    }


def _short(found: WorkUp, paradox: Paradox, names: Sequence[str]) -> str:
    """Return AC1, the two indices and the largest kappa, in one line."""
    parts = [f"AC1 {_with_ends(found.figures.get('gwet_ac1'))}"]
    if len(names) == 2:
        last = paradox.levels[-1]
        parts.append(
            f'of "{names[-1]}": prevalence index {number(last.prevalence_index)}, bias index '
            f"{number(last.bias_index)}"
        )
    else:
        most = max(paradox.levels, key=lambda at: at.prevalence_index)
        parts.append(
            f'most common "{names[most.level]}": prevalence index {number(most.prevalence_index)}'
        )
    if isinstance(paradox.ceiling, float):
        parts.append(f"largest kappa with these margins {number(paradox.ceiling)}")
    return "; ".join(parts)


def _with_ends(found: EstimateRecord | None) -> str:
    if found is None or found.value is None:
        return "undefined"
    return f"{number(found.value)} ({number(found.low)} to {number(found.high)})"


def _sentences(paradox: Paradox, names: Sequence[str]) -> list[str]:
    """Return one sentence for each kind of condition that holds."""
    by_kind: dict[str, list[Sign]] = {}
    for sign in paradox.signs:
        by_kind.setdefault(sign.condition, []).append(sign)
    told = [
        f'"{_name(sign, names)}" is nearly all there is: chance alone agrees often, and kappa '
        "falls with every miss of the rest."
        for sign in by_kind.get("common_level", ())
    ]
    if "chance_gap" in by_kind and isinstance(paradox.even_agreement, float):
        told.append(
            f"Corrected as if all levels were equally common, agreement is "
            f"{number(paradox.even_agreement)}: high, like AC1, wherever one level is common, and "
            "silent on whether the rare one is seen."
        )
    if "rare_level" in by_kind:
        told.append(_rare(by_kind["rare_level"], paradox, names))
    if "rate_shift" in by_kind:
        told.append(_rate_shift(by_kind["rate_shift"], names))
    ceilings = by_kind.get("low_ceiling", ())
    told += [f"With these margins kappa cannot exceed {number(s.observed)}." for s in ceilings]
    return told


def _rare(signs: Sequence[Sign], paradox: Paradox, names: Sequence[str]) -> str:
    parts = []
    for sign in signs:
        at = paradox.levels[sign.level or 0]
        met = ""
        if isinstance(at.recall, Estimate):
            ends = f"{number(at.recall.low)} to {number(at.recall.high)}"
            met = f", recall {number(at.recall.value)} ({ends})"
        parts.append(f'"{_name(sign, names)}" has {count(at.labels, "label")}{met}')
    return f"Rare: {'; '.join(parts)}. Label more of these, and weight them back to the population."


def _rate_shift(signs: Sequence[Sign], names: Sequence[str]) -> str:
    more = [f'"{_name(sign, names)}"' for sign in signs if sign.observed < 0]
    less = [f'"{_name(sign, names)}"' for sign in signs if sign.observed > 0]
    parts = [f"{', '.join(more)} more" if more else "", f"{', '.join(less)} less" if less else ""]
    most = max(abs(sign.observed) for sign in signs)
    told = " and ".join(part for part in parts if part)
    return f"The judge gives {told} often than people (bias index up to {number(most)})."


def _name(sign: Sign, names: Sequence[str]) -> str:
    return names[sign.level or 0]
