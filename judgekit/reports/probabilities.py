"""How good a judge's probabilities are, as a person reads it and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from judgekit.calibration.evidence import EstimateRecord
from judgekit.calibration.forecasts import FOLDS, LEAST_ITEMS, ForecastEvidence, Quality
from judgekit.calibration.probabilities import CapturedMass, Event, ProbabilityEvidence
from judgekit.calibration.rows import ScaleSpec
from judgekit.reports.documents import estimate_json
from judgekit.reports.estimates import why_undefined
from judgekit.reports.words import count, labelled, number, percent, table
from judgekit.stats.estimate import Undefined
from judgekit.stats.reliability import Bin
from judgekit.stats.token_levels import LEAST_MASS, TRUSTED_MASS

_ALL = 0.999
_FINE = 3
_EXPECTED = {
    "pearson": "Pearson's r",
    "spearman": "Spearman's rho",
    "kendall_tau_b": "Kendall's tau-b",
    "lin_ccc": "Lin's concordance",
    "root_mean_squared_error": "root mean squared error",
    "mean_absolute_error": "mean absolute error",
    "signed_error": "expected level - human",
    "mean_level": "mean expected level",
}
_TITLES: dict[Event, tuple[str, str]] = {
    "pass": ("probability of a pass", "people pass"),
    "likeliest": ("probability of being right", "is right"),
}
_EVENTS: dict[Event, str] = {
    "pass": "the probabilities of a pass are",
    "likeliest": (
        "the probabilities of the likeliest level, taken as those of agreeing with people (no "
        "level is declared a pass), are"
    ),
}


def probability_lines(
    found: ProbabilityEvidence, spec: ScaleSpec, columns: Sequence[str], *, verdicts: bool
) -> list[str]:
    """Return whether the probabilities can be believed, and every figure behind that.

    ``columns`` are those they were read from; ``verdicts`` says whether the judge's verdicts are a
    column of their own.
    """
    blocks = [
        [*labelled("Chances", _what(found, spec, columns, verdicts=verdicts)), *_trust(found)],
        _expected_lines(found),
        _score_lines(found),
        _error_lines(found.forecasts),
        _bin_lines(found),
    ]
    return [line for block in blocks if block for line in (*block, "")][:-1]


def probability_json(
    found: ProbabilityEvidence | None, columns: Sequence[str]
) -> dict[str, Any] | None:
    """Return every figure; None where there are no probabilities."""
    if found is None:
        return None
    mass, same, told = found.mass, found.is_verdict, found.forecasts
    return {
        "columns": list(columns),
        "items": found.items,
        "without": found.without,
        "captured_mass": None if mass is None else _mass_json(mass),
        "likeliest_is_verdict": None if same is None else {"items": same[0], "of": same[1]},
        "expected_level": {name: estimate_json(one) for name, one in found.expected.items()},
        "event": found.event,
        "rate": estimate_json(told.rate),
        "base_rate": {name: estimate_json(one) for name, one in told.base_rate.items()},
        "forecasts": {name: _quality_json(one) for name, one in _all(told)},
    }


def reliability_json(found: ProbabilityEvidence | None) -> list[dict[str, Any]]:
    """Return the bins of the reliability diagrams in one flat list, empty bins included."""
    if found is None:
        return []
    return [
        {
            "forecasts": name,
            "low": one.low,
            "high": one.high,
            "labels": one.n,
            "happened": happened,
            "forecast": one.forecast,
            "share": estimate_json(EstimateRecord.of("reliability", one.share)),
        }
        for name, quality in _all(found.forecasts)
        if isinstance(quality, Quality)
        for one, happened in zip(quality.bins, quality.happened, strict=True)
    ]


def _all(told: ForecastEvidence) -> list[tuple[str, Quality | Undefined]]:
    return [("as_given", told.as_given), *told.mapped.items()]


def _mass_json(mass: CapturedMass) -> dict[str, Any]:
    return {
        "mean": estimate_json(mass.mean),
        "least": mass.least,
        "flagged": mass.flagged,
        "dropped": mass.dropped,
    }


def _quality_json(found: Quality | Undefined) -> dict[str, Any]:
    if isinstance(found, Undefined):
        return {"undefined": found.reason}
    error = found.calibration
    return {
        "brier": estimate_json(found.brier),
        "log_loss": estimate_json(found.log_loss),
        "calibration_error": estimate_json(error.error),
        "floor": error.floor,
        "floor_high": error.floor_high,
        "excess": error.excess,
    }


def _what(
    found: ProbabilityEvidence, spec: ScaleSpec, columns: Sequence[str], *, verdicts: bool
) -> str:
    """Say which column is of what, how much probability the levels hold, and what fits."""
    of = f"{columns[0]} of passing"
    if len(columns) > 1:
        of = ", ".join(f'{c} of "{name}"' for c, name in zip(columns, spec.names, strict=True))
    items = count(found.items + found.without, "labelled item")
    told = [f"{of}; usable for {found.items:,} of {items}."]
    if found.mass is not None and found.mass.mean.value is not None:
        told.append(_mass(found.mass))
    if verdicts and found.is_verdict is not None:
        same, of_all = found.is_verdict
        told.append(f"The likeliest level is the verdict of {same:,} of {count(of_all, 'item')}.")
    return "\n".join(told)


def _mass(mass: CapturedMass) -> str:
    if mass.least >= _ALL:
        return f"The levels hold {percent(_ALL)} of the probability or more, in every item."
    told = (
        f"The levels hold {percent(mass.mean.value)} of the probability on average "
        f"({percent(mass.mean.low)} to {percent(mass.mean.high)}), {percent(mass.least)} at least."
    )
    if mass.flagged:
        told += f" Under {TRUSTED_MASS:.0%}: {count(mass.flagged, 'item')}, to be looked at."
    if mass.dropped:
        told += f" Under {LEAST_MASS:.0%}: {count(mass.dropped, 'item')}, left out."
    return told


def _trust(found: ProbabilityEvidence) -> list[str]:
    """Say whether the probabilities are right, as far as the labels can tell, and what mends them.

    Wrong is what exceeds the largest error that right ones are likely to have by chance.
    """
    error = found.forecasts.as_given.calibration
    if error.error.value is None or error.floor is None or error.floor_high is None:
        why = why_undefined(error.error)
        return labelled("Trust", f"Whether they are right is not known: {why}.")
    value, floor, limit = (
        number(one, _FINE) for one in (error.error.value, error.floor, error.floor_high)
    )
    told = (
        f"{_EVENTS[found.event]} off by {value} on average. Right ones would be off by {floor} by "
        f"chance alone, seldom by more than {limit}."
    )
    if _in_order(found.forecasts.as_given):
        return labelled("Trust", f"No sign of anything wrong: {told}")
    told = f"Not to be taken at their word: {told}"
    mends = [
        f"{_label(name)} ({number(quality.calibration.error.value, _FINE)})"
        for name, quality in found.forecasts.mapped.items()
        if isinstance(quality, Quality) and _in_order(quality)
    ]
    return labelled("Trust", told + (f" Mended by {' or '.join(mends)}." if mends else ""))


def _in_order(found: Quality) -> bool:
    value, limit = found.calibration.error.value, found.calibration.floor_high
    return value is not None and limit is not None and value <= limit


def _expected_lines(found: ProbabilityEvidence) -> list[str]:
    if not found.expected:
        return []
    rows: list[tuple[str, ...]] = [("expected level", "value", "95% interval")]
    for name, label in _EXPECTED.items():
        rows.append((label, *_two(found.expected[name])))
    return table(rows)


def _score_lines(found: ProbabilityEvidence) -> list[str]:
    """Return Brier score and log loss: as given, after each map, and of the bare rate."""
    told, title = found.forecasts, _TITLES[found.event][0]
    rows: list[tuple[str, ...]] = [(title, "Brier score", "log loss")]
    for name, quality in _all(told):
        if isinstance(quality, Undefined):
            rows.append((_label(name), _no_map(quality), ""))
        else:
            rows.append((_label(name), _one(quality.brier), _one(quality.log_loss)))
    if told.rate.value is not None:
        always = f"always saying {number(told.rate.value)}"
        rows.append((always, _one(told.base_rate["brier"]), _one(told.base_rate["log_loss"])))
    return table(rows)


def _error_lines(told: ForecastEvidence) -> list[str]:
    """Return the calibration error beside its floor; and how the maps were made."""
    rows: list[tuple[str, ...]] = [("calibration error", "", "by chance", "seldom over", "excess")]
    for name, quality in _all(told):
        if isinstance(quality, Quality):
            error = quality.calibration
            chance = (error.floor, error.floor_high, error.excess)
            cells = [number(one, _FINE) if one is not None else "" for one in chance]
            rows.append((_label(name), _one(error.error, _FINE), *cells))
    lines = table(rows, right=(2, 3, 4))
    if len(rows) > 2:
        lines.append(f"  A map is fitted on {FOLDS - 1} of {FOLDS} parts and judged on the rest.")
    return lines


def _bin_lines(found: ProbabilityEvidence) -> list[str]:
    """Return the reliability diagram as a table; empty bins are left out."""
    told = found.forecasts.as_given
    rows: list[tuple[str, ...]] = [("said", "labels", "mean", _TITLES[found.event][1])]
    rows += [
        (f"{at.low:.1f} to {at.high:.1f}", f"{at.n:,}", number(at.forecast), _share(at, happened))
        for at, happened in zip(told.bins, told.happened, strict=True)
        if at.n
    ]
    return table(rows, right=(1, 2)) if len(rows) > 1 else []


def _share(at: Bin, happened: int) -> str:
    share = EstimateRecord.of("reliability", at.share)
    if share.value is None:
        return f"{happened:,} of {at.n:,} ({_two(share)[1]})"
    return _one(share)


def _label(name: str) -> str:
    return name.replace("_", " ")


def _no_map(found: Undefined) -> str:
    if found.reason == "too_few_items":
        return f"too few items ({LEAST_ITEMS} needed)"
    return f"undefined ({found.reason.replace('_', ' ')})"


def _one(found: EstimateRecord, digits: int = 2) -> str:
    value, rest = _two(found, digits)
    return f"{value} ({rest})"


def _two(found: EstimateRecord, digits: int = 2) -> tuple[str, str]:
    if found.value is None:
        return "undefined", why_undefined(found)
    ends = f"{number(found.low, digits)} to {number(found.high, digits)}"
    return number(found.value, digits), ends
