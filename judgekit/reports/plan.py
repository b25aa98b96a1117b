"""A plan as a person reads it, and as a program does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from judgekit.calibration.planned_looks import ALPHA, Scheme
from judgekit.calibration.planned_rare import Chosen, EvenMix
from judgekit.calibration.planning import Plan
from judgekit.reports.words import count, labelled, listed, number, table, wrapped

_COLUMN = len("Choosing  ")
_BY_ITSELF = ("too_many_labels", "expected_above_ceiling", "look_budget_spent")
_NEEDS = {
    "agreement": "agreement (low end)",
    "labelled_items": "labelled items",
    "labels_per_class": "labels in each class",
    "pass_agreement": "pass or fail (low end)",
}


def plan_lines(plan: Plan, judge: str | None = None) -> list[str]:
    """Return the report of a plan: the number, what it rests on, what to do next."""
    lines = [*_outcome(plan), ""]
    for label, text in (("Planned", _planned(plan)), ("Asked", _asked(plan))):
        lines += labelled(label, text, column=_COLUMN)
    for block in (_chances(plan), _needs(plan), _looks(plan)):
        lines += ["", *block] if block else []
    return [*lines, "", *_advice(plan, judge)]


def _outcome(plan: Plan) -> list[str]:
    design, kappa = plan.design, number(plan.design.kappa)
    if plan.items is None and plan.obstacle is not None:
        said = plan.obstacle.message
        if plan.obstacle.code not in _BY_ITSELF:
            asked = number(plan.policy.bar)
            said = f"No number of labels gets a judge of kappa {kappa} over {asked}. {said}"
        return wrapped(said, rest="  ")
    items = rounded(plan.items or 0)
    told = count(items, "label")
    if design.raters > 1:
        told = f"{count(items, 'item')}, {items * design.raters:,} labels"
    if design.per_case > 1:
        told += f" in {count(rounded((plan.items or 0) // design.per_case), 'case')}"
    power = _percent(plan.power)
    return wrapped(f"About {told}: a chance of {power} that a judge of kappa {kappa} is certified.")


def _planned(plan: Plan) -> str:
    design, spec = plan.design, plan.design.spec
    shares = [f"{name} ({_percent(p)})" for name, p in zip(spec.names, design.human, strict=True)]
    told = [f"{spec.kind} scale, levels {listed(shares, 8)}"]
    if design.judge is not None:
        told.append(f"the judge says {listed([_percent(p) for p in design.judge], 8)}")
    if design.raters > 1 or design.human_agreement is not None:
        known = design.human_agreement is not None
        agreed = f"agree {number(design.human_agreement)}" if known else "agree as the judge does"
        told.append(f"{count(design.raters, 'rater')}, people {agreed}")
    else:
        told.append("one rater")
    if design.per_case > 1:
        told.append(f"{design.per_case} outputs of a case, alike by {number(design.icc)}")
    return "; ".join(told)


def _asked(plan: Plan) -> str:
    confidence = plan.policy.look_confidence(plan.look)
    of = f"the {100 * confidence:.6g}% interval"
    at = "" if plan.look == 1 else f" at look {plan.look}"
    return f"low end of {of}{at} at {number(plan.policy.bar)} or more; all items judged"


def _chances(plan: Plan) -> list[str]:
    rows = [
        [_percent(chance), _items(n), *([] if plan.design.raters == 1 else [_labels(plan, n)])]
        for chance, n in plan.chances
    ]
    if not rows:
        return []
    head = ["chance of CALIBRATED", "items", *([] if plan.design.raters == 1 else ["labels"])]
    return table([head, *rows], right=range(1, len(head)))


def _labels(plan: Plan, items: int | None) -> str:
    return _items(None if items is None else items * plan.design.raters)


def _needs(plan: Plan) -> list[str]:
    policy = plan.policy
    asked = {
        "labelled_items": str(policy.min_items),
        "labels_per_class": str(policy.min_per_class),
    }
    rows = [
        [_NEEDS[name], f">= {asked.get(name, number(policy.bar))}", _items(n)]
        for name, n in plan.needs
    ]
    if not rows:
        return []
    head = [f"each check alone, {_percent(plan.power)}", "asked", "items"]
    return table([head, *rows], right=(2,))


def _looks(plan: Plan) -> list[str]:
    rows = [
        [_way(scheme), _percent(scheme.chance), f"{rounded(round(scheme.mean_items)):,}"]
        for scheme in plan.schemes
        if scheme.chance is not None and scheme.mean_items is not None
    ]
    if not rows:
        return []
    return table([["looking on the way", "certified", "items, mean"], *rows], right=(1, 2))


def _way(scheme: Scheme) -> str:
    looks = listed([f"{n:,}" for n in scheme.looks], 4)
    if scheme.name == "ledger":
        return f"calibrate at {looks}"
    if scheme.name == "equal":
        return f"the same, {ALPHA:g}/{len(scheme.looks)} at each"
    return f"e-process, every pair up to {looks}"


def _advice(plan: Plan, judge: str | None) -> list[str]:
    facts = []
    if plan.schemes:
        facts.append(("Looks", _about_looks(plan)))
    if plan.chosen is not None:
        facts.append(("Choosing", _about_choice(plan.chosen, plan.design.spec.names)))
    if plan.even_mix is not None:
        facts.append(("Even mix", _about_mix(plan.even_mix)))
    if plan.obstacle is None:
        facts.append(("Ceiling", _about_ceiling(plan.design.ceiling)))
    facts.append(("Next", _next(plan, judge)))
    return [line for label, text in facts for line in labelled(label, text, column=_COLUMN)]


def _about_looks(plan: Plan) -> str:
    told = "`calibrate` halves what each further look may spend; "
    told += "the other ways are planned in advance and run from the library"
    missing = [s.why for s in plan.schemes if s.why]
    return f"{told}; no e-process: {missing[0]}" if missing else told


def _about_ceiling(ceiling: float | None) -> str:
    if ceiling is None:
        return "not known: say how well people agree with --human-agreement KAPPA"
    return f"about {number(ceiling)}: no judge agrees better with one of these people"


def _about_choice(choice: Chosen, names: Sequence[str]) -> str:
    each = [f"{rounded(n):,} it calls {name}" for n, name in zip(choice.each, names, strict=True)]
    told = f"let the judge grade about {rounded(choice.screened):,} items first and label "
    told += f"{listed(each, 8)}: about {rounded(choice.items):,} in all, "
    return told + "with weight and stratum columns"


def _about_mix(mix: EvenMix) -> str:
    told = f"of as many items of each level about {rounded(mix.items):,} do (kappa would be "
    told += f"{number(mix.kappa)} there); they stand among about {rounded(mix.screened):,} items, "
    return told + (
        "to be found by other means than this judge, and the certificate speaks of that mix only"
    )


def _next(plan: Plan, judge: str | None) -> str:
    if plan.obstacle is not None:
        return plan.obstacle.next
    return f"judgekit calibrate {judge or 'JUDGE'} --labels FILE"


def rounded(n: int) -> int:
    """Round up to two digits: a simulated number is no more exact."""
    step = int(10 ** max(0, len(str(n)) - 2))
    return -(-n // step) * step


def _items(n: int | None) -> str:
    return "too many" if n is None else f"{rounded(n):,}"


def _percent(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.3g}%"


def plan_json(plan: Plan, judge: str | None = None, criterion: str | None = None) -> dict[str, Any]:
    """Return the document of ``plan --json`` (judgekit.plan/1).

    ``items`` are things to label, ``labels`` what all raters write of them. ``reason`` is null
    when there is a number.
    """
    design, policy = plan.design, plan.policy
    return {
        "format": "judgekit.plan/1",
        "judge": judge,
        "criterion": criterion,
        "planned": _planned_json(plan),
        "asked": {
            "min_agreement": policy.bar,
            "min_items": policy.min_items,
            "min_per_class": policy.min_per_class,
            "look": plan.look,
            "confidence": policy.look_confidence(plan.look),
        },
        "power": plan.power,
        "items": plan.items,
        "labels": plan.labels,
        "chances": [
            {"chance": c, "items": n, "labels": None if n is None else n * design.raters}
            for c, n in plan.chances
        ],
        "checks": [{"name": name, "items": n} for name, n in plan.needs],
        "looks": [_scheme_json(scheme) for scheme in plan.schemes],
        "chosen": plan.chosen and asdict(plan.chosen),
        "even_mix": plan.even_mix and asdict(plan.even_mix),
        "human_ceiling": design.ceiling,
        "reason": plan.obstacle and plan.obstacle._asdict(),
    }


def _planned_json(plan: Plan) -> dict[str, Any]:
    design, spec = plan.design, plan.design.spec
    return {
        "kappa": design.kappa,
        "kind": spec.kind,
        "weights": spec.weights,
        "levels": [
            {"value": value, "name": name, "share": share}
            for value, name, share in zip(spec.values, spec.names, design.human, strict=True)
        ],
        "judge_shares": None if design.judge is None else list(design.judge),
        "raters": design.raters,
        "human_agreement": design.human_agreement,
        "per_case": design.per_case,
        "icc": design.icc if design.per_case > 1 else None,
    }


def _scheme_json(scheme: Scheme) -> dict[str, Any]:
    return {
        "scheme": scheme.name,
        "looks": list(scheme.looks),
        "chance": scheme.chance,
        "mean_items": scheme.mean_items,
        "why": scheme.why,
    }
