"""The pass rate of a test's checks, with its interval, and whether it is enough."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Literal, NamedTuple

from judgekit.adapters.aggregate import Given, aggregate
from judgekit.adapters.outcome import Outcome
from judgekit.adapters.texts import text_of
from judgekit.api.setup import JudgeSetup
from judgekit.calibration.record import EstimateRecord
from judgekit.errors import Reason
from judgekit.reports.estimates import why_undefined
from judgekit.reports.words import count, percent, short, wrapped
from judgekit.scoring.corrected import Population
from judgekit.stats.quantiles import critical

Verdict = Literal["passes", "falls_short", "inconclusive", "undefined"]
_WORDS: dict[Verdict, str] = {
    "passes": "PASSES",
    "falls_short": "FALLS SHORT",
    "inconclusive": "INCONCLUSIVE",
    "undefined": "NO VERDICT",
}
SHOWN = 3
"""How many checks that did not pass are shown."""


class Rate(NamedTuple):
    """The pass rate of some checks.

    Attributes:
        found: The rate; None where there is none, with the reason in ``why``.
        corrected: Whether known judge error is taken off.
        cases: How many cases the checks are of.
        these_only: Whether it is a figure about just these cases: they are too few to speak for
            others, and their replays are what varies.
        why: Why there is no rate.
        withheld: Why a rate is withheld; usually empty.
    """

    found: EstimateRecord | None
    corrected: bool = False
    cases: int = 0
    these_only: bool = False
    why: str | None = None
    withheld: tuple[Reason, ...] = ()


def rate_of(setup: JudgeSetup, rows: Sequence[Given], population: Population) -> Rate:
    """Return the pass rate over the checks of one criterion, as ``judgekit score`` makes it.

    Checks of one case are alike and are clustered; where there are too few cases for that, the
    rate is one of these cases only, over their replays.

    Args:
        setup: The judge.
        rows: What it gave, at least one.
        population: What the checks are; with ``unknown`` nothing is corrected.

    Raises:
        GateRefusal: the judge is not certified any more.
    """
    cases = len({row.case for row in rows})
    score = aggregate(setup, rows, population=population).scores.criteria[0]
    these_only = _too_few(score.uncorrected) and not score.withheld
    if these_only:
        alone = [row._replace(case=f"check {i}") for i, row in enumerate(rows)]
        score = aggregate(setup, alone, population=population).scores.criteria[0]
    corrected = population != "unknown"
    found = score.corrected if corrected else score.uncorrected
    why = None if found is not None else score.why
    return Rate(found, corrected, cases, these_only, why, score.withheld)


def _too_few(found: EstimateRecord | None) -> bool:
    return found is not None and found.undefined == "too_few_clusters"


class Tested(NamedTuple):
    """What the checks of one test come to.

    Attributes:
        at_least: What the low end of the rate must reach; None where every check must pass.
        outcomes: What became of each check.
        outputs: What was checked, one by one.
        rate: Their pass rate.
    """

    at_least: float | None
    outcomes: Sequence[Outcome]
    outputs: Sequence[object]
    rate: Rate

    @property
    def verdict(self) -> Verdict:
        """Return whether it is enough.

        Unjudged checks count neither way; too many of them, and there is no verdict.
        """
        if self.rate.withheld:
            return "undefined"
        if self.at_least is None:
            return "falls_short" if self._failed else "passes"
        found = self.rate.found
        if found is None or found.low is None or found.high is None:
            return "undefined"
        if found.low >= self.at_least:
            return "passes"
        return "falls_short" if found.high < self.at_least else "inconclusive"

    def facts(self) -> dict[str, object]:
        """Return what a reader of the test's result must be able to see."""
        found = self.rate.found
        told: dict[str, object] = {"verdict": self.verdict, "at_least": self.at_least}
        if found is not None and found.metric == "pass_rate" and found.value is not None:
            told |= {"rate": found.value, "low": found.low, "high": found.high}
            told["uncorrected"] = not self.rate.corrected
        if self.rate.withheld:
            told["reason_code"] = self.rate.withheld[0].code
        return told

    def lines(self) -> list[str]:
        """Return the failure as a person reads it."""
        name = self.outcomes[0].name
        lines = wrapped(f"{name} {_WORDS[self.verdict]}: {self._sentence()}", rest="  ")
        lines += wrapped(self._about(), first="  ", rest="  ")
        lines += wrapped(_certificate(self.outcomes[0]), first="  ", rest="  ")
        pairs = zip(self.outcomes, self.outputs, strict=True)
        failed = [_shown(outcome, output) for outcome, output in pairs if outcome.passed is False]
        more = len(failed) - SHOWN
        return lines + failed[:SHOWN] + ([f"  and {more} more"] if more > 0 else [])

    @property
    def _failed(self) -> int:
        return sum(outcome.passed is False for outcome in self.outcomes)

    def _sentence(self) -> str:
        """Return the outcome in one sentence."""
        found = self.rate.found
        if self.rate.withheld:
            return " ".join(reason.message for reason in self.rate.withheld)
        if self.at_least is None:
            checks = count(len(self.outcomes), "check")
            return f"{self._failed} of {checks} did not pass; asked: that all do."
        asked = f"; asked: a low end of {percent(self.at_least)}"
        if found is None or found.value is None:
            why = self.rate.why or (found and why_undefined(found)) or "nothing passes or fails"
            return f"no rate: {why}{asked}."
        return f"{_rate(found)}{asked}."

    def _about(self) -> str:
        """Return what the figure rests on."""
        odd = Counter(o.reason_code or o.status for o in self.outcomes if o.value is None)
        parts = [count(len(self.outcomes), "check")]
        if self.rate.cases != len(self.outcomes):
            parts[0] += f" of {count(self.rate.cases, 'case')}"
        if self.rate.these_only:
            these = "this case" if self.rate.cases == 1 else "these cases"
            parts.append(f"a figure about {these} only")
        parts += [f"{n} without a value ({cause})" for cause, n in odd.items()]
        if self.at_least is None and self.rate.found and self.rate.found.value is not None:
            parts.append(_rate(self.rate.found))
        parts.append("corrected" if self.rate.corrected else "uncorrected")
        needed = _needed(self.at_least)
        if self.verdict == "inconclusive" and len(self.outcomes) < needed:
            parts.append(f"{needed} are needed even if all pass")
        return "; ".join(parts) + "."


def _rate(found: EstimateRecord) -> str:
    ends = f"{percent(found.low)} to {percent(found.high)}"
    return f"{percent(found.value)} pass, {found.confidence:.0%} interval {ends}"


def _shown(outcome: Outcome, output: object) -> str:
    """Return a check that did not pass on one line: its level, what was judged, and why."""
    said = " ".join(str(text_of(output)).split()) if output is not None else ""
    why = " ".join((outcome.explanation or "no reason").split())
    return short(f'  {outcome.level}: "{short(said, 36)}": {why}', 79)


def _needed(at_least: float | None) -> int:
    """Return how many checks it takes to show a rate when all of them pass (Wilson)."""
    return 0 if at_least is None else math.ceil(critical(0.95) ** 2 * at_least / (1 - at_least))


def _certificate(outcome: Outcome) -> str:
    facts = outcome.metadata
    until, low = facts.get("judgekit_expires"), facts.get("judgekit_agreement_low")
    told = f"certificate {outcome.certificate[:6]}, valid until {until}"
    return f"{told}; agreement with people {low:.2f} or more" if isinstance(low, float) else told
