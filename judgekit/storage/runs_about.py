"""What is known of one recorded run: its ``run.json``, and whether it is still going."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError

from judgekit.storage.disk import shown
from judgekit.storage.runs import ABOUT, ROWS, RUN_FORMAT, is_held
from judgekit.storage.runs_rows import strict_json


class Tally(BaseModel):
    """What a run came to; every item is accounted for."""

    model_config = ConfigDict(frozen=True, extra="allow")

    items: int = 0
    judged: int = 0
    unjudged: dict[str, int] = Field(default_factory=dict)
    asked: int = 0
    cached: int = 0
    failed: int = 0
    not_asked: int = 0
    cost_usd: float | None = None
    unpriced: int = 0
    tokens_in: int | None = None
    tokens_out: int | None = None
    seconds: float | None = None


class About(BaseModel):
    """A ``run.json``; keys that this version does not know are kept."""

    model_config = ConfigDict(frozen=True, extra="allow")

    format: str
    id: str
    command: str
    started_at: AwareDatetime
    ended_at: AwareDatetime | None = None
    state: str
    judge: str | None = None
    fingerprints: dict[str, str] = Field(default_factory=dict)
    model: str | None = None
    parameters: dict[str, Any] = Field(default_factory=dict)
    rubric: dict[str, Any] | None = None
    shared: dict[str, list[dict[str, Any]]] = Field(default_factory=dict)
    tally: Tally | None = None


class RecordedRun(NamedTuple):
    """One run.

    Attributes:
        id: Its name.
        folder: Where it stands.
        about: What ``run.json`` says, with the ``state`` it is in now: ``running``, ``done``,
            ``failed``, ``stopped``, ``killed``, or ``unknown`` when run.json cannot be read.
        problem: What is wrong with run.json, or None.
    """

    id: str
    folder: Path
    about: dict[str, Any]
    problem: str | None = None

    @property
    def state(self) -> str:
        """Return the state it is in."""
        return str(self.about["state"])


def read_run(place: Path) -> RecordedRun:
    """Return the run that stands in a folder, whatever is wrong with its ``run.json``."""
    try:
        path = place / ABOUT
        if not path.is_file():
            raise ValueError("it is missing")  # noqa: TRY301
        data = strict_json(path.read_bytes())
        found = data.get("format") if isinstance(data, dict) else None
        if found != RUN_FORMAT:
            newer = str(found).startswith(RUN_FORMAT.partition("/")[0])
            raise ValueError(  # noqa: TRY301
                f"its format is {found!r}, this version reads {RUN_FORMAT!r}: upgrade judgekit"
                if newer
                else "it is not what judgekit writes"
            )
        about = About.model_validate(data).model_dump(mode="json")
    except (OSError, ValueError, RecursionError) as error:
        why = f"{shown(place / ABOUT)} cannot be used: {_why(error)}"
        state = "running" if is_held(place / ROWS) else "unknown"
        return RecordedRun(place.name, place, {"id": place.name, "state": state}, why)
    about["id"] = place.name
    if about["state"] == "running" and not is_held(place / ROWS):
        about["state"] = "killed"
    return RecordedRun(place.name, place, about)


def _why(error: Exception) -> str:
    if isinstance(error, ValidationError):
        first = error.errors(include_input=False)[0]
        return f"{'.'.join(map(str, first['loc']))}: {first['msg'].lower()}"
    if isinstance(error, OSError):
        return error.strerror or "the disk would not give it"
    return str(error) or type(error).__name__
