"""Inspect AI: a judge as a scorer.

::

    from judgekit.adapters.inspect import judge

    Task(dataset=..., solver=..., scorer=judge("tone"))
"""

from __future__ import annotations

from typing import Any

from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, Value, metric, scorer
from inspect_ai.solver import TaskState

from judgekit.adapters.figures import checked, figures_of_outcomes, remember
from judgekit.adapters.lent import lend
from judgekit.adapters.outcome import Outcome
from judgekit.scoring.corrected import Population


@metric(scores="unreduced")
def judged() -> Metric:
    """The corrected figure over all samples with its interval, beside the uncorrected one."""

    def compute(scores: list[SampleScore]) -> Value:
        return {**figures_of_outcomes(one.score.metadata or {} for one in scores)}

    return compute


@scorer(metrics=[judged()])
def judge(name: str, population: Population = "unknown", **how: Any) -> Scorer:
    """Return one criterion of a judge, lent with ``how``, as a scorer.

    Inspect calls an evaluation without any score a success: a judge that is not certified is
    refused before anything is asked, but with ``on_refused="unscored"``.
    """
    lent = lend(name, **{"runner": "inspect", "on_refused": "raise", **how})
    stated, _ = checked(population), lent.column  # told before anything is asked

    async def score(state: TaskState, target: Target) -> Score:
        messages = [] if isinstance(state.input, str) else state.input
        said = [{"role": m.role, "content": m.text} for m in messages]
        given = {"output": state.output.completion, "reference": target.text or None}
        given |= {"context": state.metadata, "case": str(state.sample_id)}
        question = said if len(said) > 1 else state.input_text
        return as_score(remember(lent, stated, await lent.ascore(input=question, **given)))

    return score


def as_score(outcome: Outcome) -> Score:
    """Return an outcome in Inspect's words."""
    facts = outcome.facts
    if outcome.value is None:
        return Score.unscored(reason=outcome.reason_code, explanation=outcome.told, metadata=facts)
    return Score(value=outcome.value, explanation=outcome.explanation, metadata=facts)
