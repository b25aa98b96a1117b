"""Braintrust and autoevals: a judge as a scorer.

::

    from judgekit.adapters.braintrust import Judge

    Eval("project", data=..., task=..., scores=[Judge("tone")])
"""

from __future__ import annotations

from typing import Any

from autoevals import Score, Scorer

from judgekit.adapters.lent import lend
from judgekit.adapters.outcome import Outcome


class Judge(Scorer):
    """One criterion of a judge, as a share: 0 is the lowest level and 1 the highest.

    An evaluation without scores is no failed one: a judge that is not certified is refused before
    anything is asked, but with ``on_refused="unscored"``.

    Args:
        judge: The judge, and ``how`` to lend it, as :func:`judgekit.adapters.lent.lend` takes it.
        how: Other arguments of ``lend``: ``criterion``, ``project``, ``on_refused`` ...
    """

    def __init__(self, judge: str, **how: Any) -> None:
        self.lent = lend(judge, **{"runner": "braintrust", "on_refused": "raise", **how})
        self.__name = self.lent.column

    def _name(self) -> str:
        return self.__name

    def _run_eval_sync(self, output: Any, expected: Any = None, **given: Any) -> Score:
        return as_score(self.lent.score(**fields(output, expected, given)))

    async def _run_eval_async(self, output: Any, expected: Any = None, **given: Any) -> Score:
        return as_score(await self.lent.ascore(**fields(output, expected, given)))


def fields(output: Any, expected: Any, given: dict[str, Any]) -> dict[str, Any]:
    """Return what Braintrust hands over, by the names of an item."""
    return {
        "input": given.get("input"),
        "output": output,
        "reference": expected,
        "context": given.get("metadata"),
    }


def as_score(outcome: Outcome) -> Score:
    """Return an outcome in Braintrust's words."""
    why = outcome.explanation if outcome.value is not None else outcome.told
    return Score(
        name=outcome.name, score=outcome.share, metadata={**outcome.facts, "rationale": why}
    )
