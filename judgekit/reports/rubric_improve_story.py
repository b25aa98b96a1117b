"""How a rubric was improved, as values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from judgekit.calibration.evidence import EstimateRecord
from judgekit.calibration.rows import Tally
from judgekit.judging.improving.edits import Edit
from judgekit.linting.violations import Violation

Outcome = Literal["improved", "not_shown", "nothing_better"]
"""``improved``: the interval of the difference lies above 0. ``not_shown``: a candidate agrees
better on dev, and the interval holds 0. ``nothing_better``: no candidate agrees better."""


class Splits(NamedTuple):
    """How the labelled items were parted.

    Attributes:
        told: By the file's ``column``, or by ``hash``.
        left_alone: Items of neither train nor dev.
        test: Those of them that are of the test; ``test_cases``: the cases they belong to.
    """

    told: str
    left_alone: int
    test: int = 0
    test_cases: int = 0


class Calls(NamedTuple):
    """What some requests took.

    Attributes:
        asked: Requests for which calls were made.
        cached: Requests answered by the cache.
        cost_usd: What replies of known cost came to.
        unpriced: Calls whose cost is not known.
    """

    asked: int = 0
    cached: int = 0
    cost_usd: float = 0.0
    unpriced: int = 0

    def plus(self, other: Calls) -> Calls:
        """Return both together."""
        return Calls(
            self.asked + other.asked,
            self.cached + other.cached,
            self.cost_usd + other.cost_usd,
            self.unpriced + other.unpriced,
        )


class Gain(NamedTuple):
    """How near the judge came to people on a minibatch of train, before and after, 0 to ``of``."""

    before: float
    after: float
    of: int


@dataclass(frozen=True, slots=True)
class Round:
    """One round: a minibatch of train, a proposal, and what came of it.

    Attributes:
        number: Counted from 1.
        shown: Items of train that the reflector was shown.
        edits: What it proposed; () where nothing could be read.
        why: Why the proposal was thrown away before anything was judged, or None.
        gain: What it did on the minibatch; None where it was not judged.
        agreement: Its agreement on dev; None where it did no better on the minibatch.
        base: The round whose proposal it builds on; 0 for the rubric itself.
    """

    number: int
    shown: tuple[str, ...] = ()
    edits: tuple[Edit, ...] = ()
    why: str | None = None
    gain: Gain | None = None
    agreement: EstimateRecord | None = None
    base: int = 0


@dataclass(frozen=True, slots=True)
class ImproveResult:
    """What became of improving a rubric. Nothing is certified by it.

    Attributes:
        judge: The judge, as it is named.
        model: The model it asks.
        reflector: The model that proposed the edits.
        criterion: The criterion.
        rubric_file: The rubric that was to be improved; it is as it was.
        file: The new version; None where nothing better was found.
        version: The version of the rubric, and of the new one.
        text: The text of the new version; "" without one.
        diff: What it changes, as a unified diff, line by line.
        outcome: What is shown.
        before: Agreement on dev with the rubric as it is: unjudged items count as disagreement.
        after: The same with the new version; None without one.
        difference: The paired difference, after less before, with its 95% interval.
        kept: The round whose proposal was kept; None without one.
        candidates: How many candidates were measured on dev.
        rounds: What was done.
        train: Items of train that took part, and on how many of them judge and people differ.
        dev: Every item of dev accounted for, as judged with the rubric as it is.
        splits: How the parts were told.
        taken: Items of train that became worked examples -> the level they stand under.
        violations: What the linter finds in the new version and not in the old one.
        asked_judge: What the judge's calls took; ``asked_reflector``: the reflector's.
        notes: Remarks for people.
        next: Commands that come next.
    """

    judge: str
    model: str
    reflector: str
    criterion: str
    rubric_file: str
    file: str | None
    version: tuple[int, int]
    text: str
    diff: tuple[str, ...]
    outcome: Outcome
    before: EstimateRecord
    after: EstimateRecord | None
    difference: EstimateRecord | None
    kept: int | None
    candidates: int
    rounds: tuple[Round, ...]
    train: tuple[int, int]
    dev: Tally
    splits: Splits
    taken: Mapping[str, str]
    violations: tuple[Violation, ...]
    asked_judge: Calls
    asked_reflector: Calls
    notes: tuple[str, ...]
    next: tuple[str, ...]
