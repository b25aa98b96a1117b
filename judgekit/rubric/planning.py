"""Whether a rubric's prompt can be worked out once, and its plan where it can."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from judgekit.rubric.fence import fence
from judgekit.rubric.meaning import probes
from judgekit.rubric.plan import Plan, signs_of
from judgekit.rubric.render import TemplateFails, render, render_fenced
from judgekit.rubric.taint import only_shows

if TYPE_CHECKING:
    from collections.abc import Mapping

    from judgekit.rubric.model import Criterion, Rubric


def plan_of(rubric: Rubric, criterion: Criterion) -> Plan | None:
    """Return the plan of one criterion, or None when its template has to be run for every item.

    The syntax of the templates must prove that items are only shown, and the fixed items a
    rubric is tried with must be shown the same by plan and template.
    """
    if not only_shows(rubric):
        return None
    sample = fence(signs_of(rubric.inputs))
    try:
        plan = Plan(rubric.inputs, sample, render_fenced(rubric, criterion, sample))
        if plan.safe() and all(_agree(plan, rubric, criterion, p) for p in probes(rubric.inputs)):
            return plan
    except TemplateFails:
        pass
    return None


def _agree(plan: Plan, rubric: Rubric, criterion: Criterion, probe: Mapping[str, Any]) -> bool:
    values = plan.values(probe)
    return values is not None and plan.fill(values) == render(rubric, criterion, probe)
