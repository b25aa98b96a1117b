"""MLflow: a judge as a scorer.

::

    mlflow.genai.evaluate(data=..., scorers=[judge("tone")])
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mlflow.entities import AssessmentError, AssessmentSource, Feedback
from mlflow.genai.scorers import Scorer, scorer

from judgekit.adapters.figures import FIGURES, Runs
from judgekit.adapters.lent import lend
from judgekit.adapters.outcome import Outcome
from judgekit.scoring.corrected import Population


def judge(name: str, population: Population = "unknown", **how: Any) -> Scorer:
    """Return one criterion of a judge, lent with ``how``, as a scorer.

    Its metrics are the corrected figure (where ``population`` is stated) and the uncorrected one,
    each with its interval. A run passes where every row is judged and passes.
    """
    lent = lend(name, **{"runner": "mlflow", **how})
    runs = Runs(lent, population)

    def score(inputs: Any = None, outputs: Any = None, expectations: Any = None) -> Feedback:
        given = {"input": inputs, "output": outputs, "reference": expectations}
        return as_feedback(lent.score(**given, context=inputs))

    def passes(value: Any) -> bool:
        return lent.passes(value)

    def figure(kind: str) -> Callable[[Any], float]:
        def found(values: Any) -> float:
            return runs.figure(kind, values)

        found.__name__ = found.__qualname__ = kind
        return found

    shown = FIGURES[population == "unknown" :] if lent.rated else ()
    parts = [figure(f"{one}{end}") for one in shown for end in ("", "_low", "_high")]
    return scorer(score, name=lent.column, aggregations=parts, pass_if=passes)


def as_feedback(outcome: Outcome) -> Feedback:
    """Return an outcome in MLflow's words."""
    told = {k: str(v) for k, v in outcome.metadata.items() if v is not None}
    how: dict[str, Any] = {"name": outcome.name, "metadata": told}
    how["source"] = AssessmentSource("LLM_JUDGE", f"judgekit/{outcome.certificate}")
    if outcome.value is None:
        code = (outcome.reason_code or outcome.status).upper()
        return Feedback(error=AssessmentError(code, outcome.told), **how)
    value = outcome.value if outcome.number is None else outcome.number
    return Feedback(value=value, rationale=outcome.explanation, **how)
