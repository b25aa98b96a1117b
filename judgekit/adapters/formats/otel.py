"""OpenTelemetry: each row a ``gen_ai.evaluation.result`` event, as OTLP/JSON log records.

The names are those of the semantic conventions for generative AI, in development as all of them
are. A row without a value has no ``gen_ai.evaluation.score.value``; why is its ``error.type``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from judgekit.adapters.outcome import Outcome
from judgekit.adapters.scored import ScoredItem, ScoredSet
from judgekit.adapters.seal import PREFIX
from judgekit.api.version import __version__

EVENT = "gen_ai.evaluation.result"
INFO = 9
"""The severity number of information."""


def otel(scored: ScoredSet, at: datetime) -> str:
    """Return one export request, on one line as the file exporter of a collector writes it.

    Args:
        scored: The rows.
        at: When they were scored.
    """
    own = {"name": "judgekit", "version": __version__}
    told = {"service.name": "judgekit", "service.version": __version__}
    nano = str(int(at.timestamp()) * 10**9 + at.microsecond * 1000)
    records = [_record(one, nano) for one in scored.items]
    scope = {"scope": own, "logRecords": records}
    request = {"resourceLogs": [{"resource": {"attributes": _listed(told)}, "scopeLogs": [scope]}]}
    return json.dumps(request, ensure_ascii=False, allow_nan=False) + "\n"


def _record(one: ScoredItem, nano: str) -> dict[str, Any]:
    return {
        "timeUnixNano": nano,
        "observedTimeUnixNano": nano,
        "severityNumber": INFO,
        "eventName": EVENT,
        "attributes": _listed(_attributes(one.outcome) | {"judgekit.item_id": one.item}),
    }


def _attributes(outcome: Outcome) -> dict[str, object]:
    """Return what the event says; what is not known is left out."""
    other = outcome.status if outcome.status == "not_applicable" else None
    told: dict[str, object] = {
        "gen_ai.evaluation.name": outcome.name,
        "gen_ai.evaluation.score.value": outcome.number,
        "gen_ai.evaluation.score.label": outcome.level or other,
        "gen_ai.evaluation.explanation": outcome.explanation,
        "error.type": outcome.reason_code,
        "judgekit.passed": outcome.passed,
    }
    if outcome.number is not None:
        told["gen_ai.evaluation.score.value"] = float(outcome.number)
    own = {f"judgekit.{k.removeprefix(PREFIX)}": v for k, v in outcome.metadata.items()}
    return {name: value for name, value in (told | own).items() if value is not None}


def _listed(attributes: Mapping[str, object]) -> list[dict[str, Any]]:
    return [{"key": key, "value": _any_value(value)} for key, value in attributes.items()]


def _any_value(value: object) -> dict[str, object]:
    """Return a value as protocol buffers write it in JSON: whole numbers are text there."""
    if isinstance(value, bool):
        return {"boolValue": value}
    if isinstance(value, int):
        return {"intValue": str(value)}
    if isinstance(value, float):
        return {"doubleValue": value}
    return {"stringValue": str(value)}
