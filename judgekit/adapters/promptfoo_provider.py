"""promptfoo: a judge as the provider that grades ``llm-rubric`` assertions.

    defaultTest: {options: {provider: file://judgekit_tone_provider.py}}
    tests: [{assert: [{type: llm-rubric, value: tone}]}]

An output that is JSON comes as data, and is shown as JSON again, with other blanks.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from judgekit.adapters.lent import LentJudge, lend
from judgekit.adapters.outcome import Outcome, stamp


def provider(judge: str, **how: Any) -> Any:
    """Return a judge, lent with ``how``, as the function that promptfoo calls a provider by."""
    lent = lend(judge, **{"runner": "promptfoo", **how})

    def call_api(prompt: str, options: object, context: Mapping[str, Any]) -> dict[str, Any]:  # noqa: ARG001
        return answered(lent, context)

    return call_api


def answered(lent: LentJudge, context: Mapping[str, Any]) -> dict[str, Any]:
    """Return the grade of an output; an error where there is no value.

    The assertion's text names the judge, or one of its criteria. Any other text asks for something
    that was never calibrated.
    """
    named = dict(context.get("vars") or {})
    output, asked = named.pop("output", None), named.pop("rubric", None)
    text = output if isinstance(output, str) else json.dumps(output, ensure_ascii=False)
    names = [criterion.name for criterion in lent.criteria]
    if asked not in (lent.judge, *names):
        told = " or ".join(dict.fromkeys([lent.judge, *names]))
        return {"error": f"judgekit: this judge has a rubric of its own; write value: {told}"}
    outcomes = lent.score_each(input=named.get("input"), output=text, context=named)
    return as_answer([one for one in outcomes if asked in (lent.judge, one.criterion)])


def as_answer(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Return outcomes in the words that promptfoo reads a grader's answer by."""
    unscored = [outcome.told for outcome in outcomes if outcome.value is None]
    if unscored:
        return {"error": f"{'; '.join(unscored)} {stamp(outcomes)}"}
    passed = all(outcome.passed is not False for outcome in outcomes)
    grade = {
        "pass": passed,
        "score": outcomes[0].number if len(outcomes) == 1 else float(passed),
        "reason": "; ".join(outcome.explanation or str(outcome.level) for outcome in outcomes),
    }
    facts = {outcome.name: outcome.facts for outcome in outcomes}
    return {"output": json.dumps(grade), "metadata": {"judgekit": facts}}
