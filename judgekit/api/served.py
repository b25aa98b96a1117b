"""Asking a certified judge: no further than the models it was calibrated on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from judgekit.api.admission import as_typed
from judgekit.api.recording import record_run
from judgekit.api.runtime import How, first_unasked, judge_items_async
from judgekit.api.setup import JudgeSetup
from judgekit.calibration.gate import CertifiedJudge
from judgekit.judging.item import Item
from judgekit.judging.judgments import Judgments
from judgekit.rubric.model import Criterion
from judgekit.running.model import KeptModel
from judgekit.scoring.score import served_changes


async def ask_certified(
    setup: JudgeSetup, certified: CertifiedJudge, items: Sequence[Item], how: How
) -> Judgments:
    """Ask a certified judge about items, on the criteria it is certified for.

    One item goes first: a model that was never calibrated stops the run before it costs.

    Raises:
        GateRefusal: the endpoint serves a model that was never calibrated.
    """
    criteria = [setup.judge.rubric.criterion(name) for name in certified.certificates]
    with record_run(setup, criteria, "score", needed=not how.offline) as recording:
        return await _ask(setup, certified, items, criteria, replace(how, recording=recording))


async def _ask(
    setup: JudgeSetup,
    certified: CertifiedJudge,
    items: Sequence[Item],
    criteria: Sequence[Criterion],
    how: How,
) -> Judgments:
    known = [set(c.models_served) for c in certified.certificates.values()]
    kept = KeptModel(setup.open_model, lambda name: all(name in of for of in known if of))
    how = replace(how, open_model=kept.open)
    try:
        probe = items[0] if how.refresh else first_unasked(setup, items, criteria)
        first = None
        if probe is not None and not how.offline:
            first = await judge_items_async(
                *(setup, [probe]),
                criteria=criteria,
                how=replace(how, progress=None),
            )
            _check_served(first, certified, setup)
            if how.max_cost_usd is not None:
                how = replace(how, max_cost_usd=max(0.0, how.max_cost_usd - (first.cost_usd or 0)))
        rest = list(items[1:]) if how.refresh else items
        said = await judge_items_async(setup, rest, criteria=criteria, how=how)
    finally:
        await kept.close()
    _check_served(said, certified, setup)
    return said if first is None else _joined(first, said, items)


def _joined(first: Judgments, said: Judgments, items: Sequence[Item]) -> Judgments:
    """Count the call made for the first item as the call it was, not as a reply from the cache."""
    again = len(said.items) == len(items)
    costs = (first.cost_usd, said.cost_usd)
    outcomes = {
        name: {**of, **{i: o for i, o in first.outcomes[name].items() if not o.cached}}
        for name, of in said.outcomes.items()
    }
    return replace(
        said,
        items=items,
        outcomes=outcomes,
        asked=first.asked + said.asked,
        failed=first.failed + said.failed,
        not_asked=said.not_asked + (0 if again else first.not_asked),
        cached=max(0, said.cached - again * (first.asked - first.failed)),
        cost_usd=None if None in costs else sum(c for c in costs if c is not None),
    )


def _check_served(said: Judgments, certified: CertifiedJudge, setup: JudgeSetup) -> None:
    reasons = [
        reason
        for name, certificate in certified.certificates.items()
        for reason in served_changes(said.replies[name], certificate)
    ]
    if reasons:
        raise as_typed(reasons, setup, certified.certificates.values())
