"""What a lent judge answers: one value, or why there is none.

Every runner has its own idea of a score. This is the one thing all adapters translate from.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from judgekit.errors import GateRefusal, JudgingError, Reason

Status = Literal["scored", "not_applicable", "unjudged", "refused"]
Scalar = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one item on one criterion.

    Attributes:
        name: What the criterion is called in a runner's results: letters, digits and ``_``.
        criterion: The criterion's own name.
        status: ``scored``; ``not_applicable``: the judge says the criterion does not apply;
            ``unjudged``: no usable judgment; ``refused``: the judge is not certified.
        value: The level's value, as ``judgekit score`` writes it; None if and only if not scored.
            Text where the rubric's levels have text for values.
        share: The value between the lowest level, 0, and the highest, 1, for runners that know
            only such; for nominal criteria 1 where the level passes and 0 where it does not. None
            where there is no value or no such order.
        passed: Whether the level passes; None where the scale has no pass line.
        level: The level's name.
        explanation: The judge's reason, or why there is no value.
        reason_code: A refusal's first code, or the cause of an unjudged item; else None.
        metadata: What belongs beside the value wherever it goes; flat.
        cost_usd: What the calls for it cost; None when that is not known, 0 from the cache.
        tokens_in: Tokens of the prompts, where known.
        tokens_out: Tokens of the replies, where known.

    Raises:
        ValueError: a value without the status ``scored``, or the other way round.
    """

    name: str
    criterion: str
    status: Status
    value: float | str | None = None
    share: float | None = None
    passed: bool | None = None
    level: str | None = None
    explanation: str | None = None
    reason_code: str | None = None
    metadata: Mapping[str, Scalar] = field(default_factory=dict)
    cost_usd: float | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None

    def __post_init__(self) -> None:
        if (self.value is None) is (self.status == "scored"):
            raise ValueError(f"status {self.status!r} with the value {self.value!r}")

    @property
    def number(self) -> float | None:
        """Return the value where it is a number, else the share; None where neither is."""
        return self.value if isinstance(self.value, int | float) else self.share

    @property
    def facts(self) -> dict[str, Scalar]:
        """Return the metadata, as a dictionary of the caller's own."""
        return dict(self.metadata)

    @property
    def certificate(self) -> str:
        """Return the id of the certificate the value rests on, or ``not-certified``."""
        return str(self.metadata.get("judgekit_certificate") or "not-certified")

    @property
    def stamped(self) -> str:
        """Return the explanation with the metadata behind it, for runners that keep only a text."""
        return f"{self.explanation or self.level or self.status} {stamp([self])}"

    @property
    def told(self) -> str:
        """Return why there is no value, as one line that names judgekit and the code."""
        return f"judgekit[{self.reason_code or self.status}]: {self.explanation or self.status}"


def stamp(outcomes: Sequence[Outcome]) -> str:
    """Return their metadata as a text that ``judgekit correct`` knows again at the end of one."""
    facts = [one.facts for one in outcomes]
    return f"[judgekit {json.dumps(facts, ensure_ascii=False, separators=(',', ':'))}]"


def raise_unscored(outcomes: Sequence[Outcome]) -> None:
    """Raise where an outcome has no value, for runners that know no other way to say so.

    The message ends with the metadata of all of them: it is all that such a runner keeps.

    Raises:
        GateRefusal: the judge is not certified.
        JudgingError: the item was not judged, or the criterion does not apply to it.
    """
    first = next((one for one in outcomes if one.value is None), None)
    if first is None:
        return
    message = f"{first.told} {stamp(outcomes)}"
    if first.status == "refused":
        raise GateRefusal([Reason(first.reason_code or "no_certificate", message, None)])
    raise JudgingError(message)
