"""pydantic-evals: a judge as an evaluator, and its corrected figure in the report.

tone = Judge("tone")
Dataset(cases=..., evaluators=[tone], report_evaluators=[Corrected(tone, "same")])
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from pydantic_evals.evaluators import EvaluationReason, Evaluator, EvaluatorContext, ReportEvaluator
from pydantic_evals.reporting.analyses import ReportAnalysis, ScalarResult

from judgekit.adapters.figures import shown_figures
from judgekit.adapters.lent import lend
from judgekit.adapters.outcome import raise_unscored
from judgekit.scoring.corrected import Population


@dataclass(repr=False, init=False)
class Judge(Evaluator[Any, Any, Any]):
    """A judge, lent with ``how``; what it does not judge is a failure, and in no average."""

    judge: str
    how: dict[str, Any] = field(default_factory=dict)

    def __init__(self, judge: str, **how: Any) -> None:
        self.judge, self.how = judge, how.pop("how", {}) | how  # as one, it comes from a file
        self.lent = lend(judge, **{"runner": "pydantic-evals", **self.how})

    def get_evaluator_version(self) -> str | None:
        """Return the id of its certificate."""
        return self.lent.version

    async def evaluate(self, ctx: EvaluatorContext[Any, Any, Any]) -> dict[str, EvaluationReason]:
        """Return the value of each criterion, or raise: the case is then among the failures."""
        outcomes = await self.lent.ascore_each(**fields(ctx))
        raise_unscored(outcomes)
        return {one.name: EvaluationReason(one.value, one.stamped) for one in outcomes}


@dataclass(repr=False)
class Corrected(ReportEvaluator[Any, Any, Any]):
    """The corrected figure over a whole report, with its interval; a failure where it is none."""

    judge: Judge | dict[str, Any]
    population: Population

    def evaluate(self, ctx: Any) -> list[ReportAnalysis]:
        """Return each figure that is known."""
        judge = self.judge if isinstance(self.judge, Judge) else Judge(**self.judge)
        found = shown_figures(judge.lent, self.population, map(fields, ctx.report.cases))
        return [ScalarResult(title=title, value=value) for title, value in found.items()]


def fields(case: Any) -> dict[str, Any]:
    """Return what a case holds of an item, while it is evaluated and in a report."""
    given = {"input": case.inputs, "output": case.output, "reference": case.expected_output}
    return {**given, "context": case.metadata, "case": case.name}
