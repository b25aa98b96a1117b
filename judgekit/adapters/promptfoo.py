"""promptfoo: a judge as a Python assertion.

assert: [{type: python, value: file://judgekit_tone.py}]  # judgekit export promptfoo tone
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from judgekit.adapters.lent import LentJudge, lend
from judgekit.adapters.outcome import Outcome, raise_unscored

BELOW = -1e6
"""The score of nothing where a mean is asked for: no mean with it in it reaches a threshold."""


def assertion(judge: str, **how: Any) -> Any:
    """Return a judge, lent with ``how``, as the function that a promptfoo assertion calls."""
    lent = lend(judge, **{"runner": "promptfoo", **how})

    def get_assert(output: Any, context: Mapping[str, Any]) -> dict[str, Any]:
        return graded(lent, output, context)

    return get_assert


def graded(lent: LentJudge, output: Any, context: Mapping[str, Any]) -> dict[str, Any]:
    """Return the grading result of an output: one component for each criterion."""
    named, test = context.get("vars") or {}, str(context.get("test"))
    question = named.get("input", context.get("prompt"))
    outcomes = lent.score_each(input=question, output=output, context=named)
    if "'not-python'" in test:
        raise_unscored(outcomes)  # else the failure would be turned into a pass
    parts = [as_grade(one, BELOW if "'threshold'" in test else 0.0) for one in outcomes]
    if len(parts) == 1:
        return parts[0]
    failed = [part for part in parts if not part["pass"]]
    return {
        "pass": not failed,
        "score": min([0.0, *(part["score"] for part in failed)]) if failed else 1.0,
        "reason": "; ".join(part["reason"] for part in failed) or "every criterion passes",
        "componentResults": parts,
        "namedScores": {k: v for part in parts for k, v in part["namedScores"].items()},
    }


def as_grade(outcome: Outcome, nothing: float = 0.0) -> dict[str, Any]:
    """Return an outcome in promptfoo's words; what has no value fails, and names no score."""
    passes = outcome.value is not None and outcome.passed is not False
    number = None if outcome.value is None else outcome.number
    unnamed = float(passes) if outcome.value is not None else nothing
    return {
        "pass": passes,
        "score": unnamed if number is None else number,
        "reason": outcome.told if outcome.value is None else outcome.explanation or outcome.level,
        "metadata": outcome.facts,
        "namedScores": {} if number is None else {outcome.name: number},
    }
