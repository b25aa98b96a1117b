"""DeepEval: a judge as a metric.

::

    evaluate(test_cases=[...], metrics=[Judge("tone")])
"""

from __future__ import annotations

from typing import Any

from deepeval.metrics import BaseMetric
from deepeval.test_case import LLMTestCase

from judgekit.adapters.lent import LentJudge, lend
from judgekit.adapters.outcome import Outcome, raise_unscored


class Judge(BaseMetric):
    """One criterion of a judge, lent with ``how``; what it does not judge is an error.

    It is never a skipped metric: a test case passes whose metrics are skipped.
    """

    def __init__(self, judge: str | LentJudge, **how: Any) -> None:
        # DeepEval copies a metric by its arguments: a copy asks the same lent judge.
        self.judge = self.lent = lend(judge, **{"runner": "deepeval", **how})
        self.evaluation_model = f"judgekit/{self.lent.version or 'not-certified'}"
        self.threshold, self.async_mode = self.lent.threshold, True
        self._name = self.lent.column

    def measure(self, test_case: LLMTestCase, *_: Any, **__: Any) -> float | None:
        """Judge a test case, or raise; blocking twin of :meth:`a_measure`."""
        return self._take(self.lent.score(**fields(test_case)))

    async def a_measure(self, test_case: LLMTestCase, *_: Any, **__: Any) -> float | None:
        """Judge a test case, or raise where there is no value."""
        return self._take(await self.lent.ascore(**fields(test_case)))

    def is_successful(self) -> bool:
        """Return whether the level passes."""
        return self.error is None and bool(self.success)

    @property
    def __name__(self) -> str:
        return self._name

    def _take(self, outcome: Outcome) -> float | None:
        self.score, self.success, self.evaluation_cost = None, None, outcome.cost_usd
        raise_unscored([outcome])
        self.score, self.reason = outcome.number, outcome.stamped
        self.success = outcome.passed is not False
        return self.score


def fields(case: LLMTestCase) -> dict[str, Any]:
    """Return what a test case holds of an item."""
    given = {"input": case.input, "output": case.actual_output, "reference": case.expected_output}
    named = {**(case.metadata or {}), "context": case.retrieval_context or case.context}
    return {**given, "context": named, "case": case.name}
