"""promptfoo: a judge as a Python assertion.

::

    assert:
      - type: python
        value: file://judgekit_tone.py       # made by: judgekit export promptfoo tone
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from judgekit.adapters.lent import LentJudge, lend
from judgekit.adapters.outcome import Outcome, raise_unscored


def assertion(judge: str, **how: Any) -> Any:
    """Return a judge, lent with ``how``, as the function that a promptfoo assertion calls."""
    lent = lend(judge, **{"runner": "promptfoo", **how})

    def get_assert(output: Any, context: Mapping[str, Any]) -> dict[str, Any]:
        return graded(lent, output, context)

    return get_assert


def graded(lent: LentJudge, output: Any, context: Mapping[str, Any]) -> dict[str, Any]:
    """Return the grading result of an output: one component for each criterion."""
    named = context.get("vars") or {}
    question = named.get("input", context.get("prompt"))
    outcomes = lent.score_each(input=question, output=output, context=named)
    if "'not-python'" in str((context.get("test") or {}).get("assert")):
        raise_unscored(outcomes)  # else the failure would be turned into a pass
    parts = [*map(as_grade, outcomes)]
    if len(parts) == 1:
        return parts[0]
    failed = [part for part in parts if not part["pass"]]
    return {
        "pass": not failed,
        "score": 0.0 if failed else 1.0,
        "reason": "; ".join(part["reason"] for part in failed) or "every criterion passes",
        "componentResults": parts,
        "namedScores": {k: v for part in parts for k, v in part["namedScores"].items()},
    }


def as_grade(outcome: Outcome) -> dict[str, Any]:
    """Return an outcome in promptfoo's words; what has no value fails, and names no score."""
    passes = outcome.value is not None and outcome.passed is not False
    number = None if outcome.value is None else outcome.number
    return {
        "pass": passes,
        "score": float(passes) if number is None else number,
        "reason": outcome.told if outcome.value is None else outcome.explanation or outcome.level,
        "metadata": outcome.facts,
        "namedScores": {} if number is None else {outcome.name: number},
    }
