"""LangSmith and openevals: a judge as an evaluator, and its corrected figure as a summary.

::

    tone = judge("tone")
    aevaluate(target, data, evaluators=[tone], summary_evaluators=[corrected(tone, "same")])
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from judgekit.adapters.figures import checked, told_figures
from judgekit.adapters.lent import lend
from judgekit.adapters.outcome import Outcome
from judgekit.scoring.corrected import Population

Results = dict[str, Any]
Evaluator = Callable[..., Awaitable[list[Results]]]


def judge(name: str, **how: Any) -> Evaluator:
    """Return a judge, lent with ``how``, as an evaluator: a result for each criterion.

    An experiment without scores is no failed one: a judge that is not certified is refused before
    anything is asked, but with ``on_refused="unscored"``.
    """
    lent = lend(name, **{"runner": "langsmith", "on_refused": "raise", **how})

    async def judged(inputs: Any = None, outputs: Any = None, reference_outputs: Any = None) -> Any:
        outcomes = await lent.ascore_each(**fields(inputs, outputs, reference_outputs))
        return [as_result(outcome) for outcome in outcomes]

    judged.__name__ = judged.__qualname__ = lent.name
    vars(judged)["lent"] = lent
    return judged


def fields(inputs: Any, outputs: Any, reference: Any) -> dict[str, Any]:
    """Return what LangSmith hands over, by the names of an item."""
    return {"input": inputs, "output": outputs, "reference": reference, "context": inputs}


def as_result(outcome: Outcome) -> Results:
    """Return an outcome in LangSmith's words."""
    why = outcome.explanation if outcome.value is not None else outcome.told
    said = {"score": outcome.number, "value": outcome.level or outcome.status}
    return {"key": outcome.name, **said, "comment": why, "metadata": outcome.facts}


def corrected(judged: Evaluator, population: Population) -> Callable[..., Results]:
    """Return a summary evaluator: the corrected figure over an experiment, with its interval."""
    lent, stated = vars(judged)["lent"], checked(population)

    def summary(inputs: Any, outputs: Any, reference_outputs: Sequence[Any]) -> Results:
        rows = map(fields, inputs, outputs, reference_outputs)
        return {"results": told_figures(lent, stated, rows)}

    return summary
