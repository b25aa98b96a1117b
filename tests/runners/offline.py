"""No way out of this machine: telemetry is switched off, and what tries all the same is caught."""

from __future__ import annotations

import os
import sys
from typing import Any

SWITCHES = {
    "DO_NOT_TRACK": "1",
    "DEEPEVAL_TELEMETRY_OPT_OUT": "1",
    "LANGSMITH_TRACING": "false",
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    "MLFLOW_DISABLE_TELEMETRY": "true",
    "MLFLOW_GENAI_EVAL_MAX_WORKERS": "4",  # more of them run its SQLite out of connections
    "PROMPTFOO_DISABLE_REMOTE_GENERATION": "1",
    "PROMPTFOO_DISABLE_SHARING": "1",
    "PROMPTFOO_DISABLE_TELEMETRY": "1",
    "PROMPTFOO_DISABLE_UPDATE": "1",
}
HERE = {"127.0.0.1", "::1", "localhost", "None"}
attempts: list[str] = []
"""The places on other machines that this process tried to reach."""


def go_offline(home: str | None = None) -> None:
    """Keep this process to this machine, and it and its children to a home folder."""
    os.environ.update(SWITCHES, OPENAI_API_KEY="sk-of-the-test", COLUMNS="80")
    if home is not None:
        os.environ["HOME"] = home
    sys.addaudithook(_watch)


def _watch(event: str, arguments: tuple[Any, ...]) -> None:
    if event not in {"socket.connect", "socket.getaddrinfo"}:
        return
    place = arguments[1] if event == "socket.connect" else arguments[:2]
    if isinstance(place, tuple) and str(place[0]) not in HERE:
        attempts.append(f"{place[0]}:{place[1]}")
        raise OSError(f"there is no network in these tests: {place}")
