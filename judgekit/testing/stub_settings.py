"""How the stub behaves, and what it has counted."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from judgekit.testing.faults import check_faults


@dataclass(frozen=True, slots=True)
class StubSettings:
    """How the stub behaves.

    Attributes:
        latency_ms: How long a reply takes.
        faults: Rate of each fault, by name (see ``FAULTS``).
        retry_after: What the Retry-After header of a 429 says, in seconds.
        hang_s: How long a hanging reply takes.
        levels: Regular expression that finds the levels in a prompt without a schema.
        served: The model name that replies carry; None repeats the one asked for.
        refuses: What is answered by 400: names of parameters, and ``system`` for messages of the
            system, ``images`` for parts that are images.
    """

    latency_ms: float = 0.0
    faults: dict[str, float] = field(default_factory=dict)
    retry_after: float = 1.0
    hang_s: float = 60.0
    levels: str | None = None
    served: str | None = None
    refuses: tuple[str, ...] = ()

    def but(self, **changes: Any) -> StubSettings:
        """Return these settings with some changed; unknown names and rates are refused."""
        known = {name: getattr(self, name) for name in self.__dataclass_fields__}
        merged = StubSettings(**{**known, **changes})
        check_faults(merged.faults)
        return merged


class StubStats(NamedTuple):
    """What the stub has counted since it started or was reset.

    Attributes:
        requests: Chat requests received.
        answered: Responses sent whole, error responses included.
        in_flight: Requests received and not yet answered.
        peak: The most that were in flight at once.
        distinct: Different questions (by their messages).
        duplicates: Requests that repeated an earlier question.
        errors: How often each fault happened.
    """

    requests: int
    answered: int
    in_flight: int
    peak: int
    distinct: int
    duplicates: int
    errors: dict[str, int]
