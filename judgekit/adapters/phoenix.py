"""Phoenix evals: a judge as an evaluator.

::

    from judgekit.adapters.phoenix import Judge

    evaluate_dataframe(dataframe, [Judge("tone")], max_retries=0)
"""

from __future__ import annotations

from typing import Any

from phoenix.evals import Evaluator, Score
from pydantic import create_model

from judgekit.adapters.lent import lend
from judgekit.adapters.outcome import Outcome


class Judge(Evaluator):
    """A judge: a score for each criterion.

    An evaluation without scores is no failed one: a judge that is not certified is refused before
    anything is asked, but with ``on_refused="unscored"``.

    Args:
        judge: The judge, and ``how`` to lend it, as :func:`judgekit.adapters.lent.lend` takes it.
        how: Other arguments of ``lend``: ``criterion``, ``project``, ``on_refused`` ...
    """

    def __init__(self, judge: str, **how: Any) -> None:
        self.lent = lend(judge, **{"runner": "phoenix", "on_refused": "raise", **how})
        fields: dict[str, Any] = dict.fromkeys(self.lent.inputs, (Any, ...))
        schema = create_model("Inputs", **fields)
        super().__init__(name=self.lent.name, kind="llm", direction="maximize", input_schema=schema)

    def _evaluate(self, eval_input: dict[str, Any]) -> list[Score]:
        given = {"output": eval_input.get("output"), "context": eval_input}
        return [as_score(outcome) for outcome in self.lent.score_each(**given)]

    async def _async_evaluate(self, eval_input: dict[str, Any]) -> list[Score]:
        given = {"output": eval_input.get("output"), "context": eval_input}
        return [as_score(outcome) for outcome in await self.lent.ascore_each(**given)]


def as_score(outcome: Outcome) -> Score:
    """Return an outcome in Phoenix's words."""
    return Score(
        name=outcome.name,
        score=outcome.number,
        label=outcome.level or outcome.status,
        explanation=outcome.explanation if outcome.value is not None else outcome.told,
        metadata=outcome.facts,
        kind="llm",
        direction="maximize",
    )
