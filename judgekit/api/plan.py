"""How many labels a gate needs, asked before there are any."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TypedDict, Unpack

import numpy as np

from judgekit.api.setup import JudgeSetup, load_judge
from judgekit.calibration.planned_world import Design
from judgekit.calibration.planning import Plan, plan_labels
from judgekit.calibration.policy import MOST_LOOKS, Policy
from judgekit.calibration.rows import ScaleSpec
from judgekit.errors import InputError, UnknownName
from judgekit.fingerprint import fingerprint
from judgekit.rubric.scale import Kind, Weights
from judgekit.storage.project import open_project

USUAL_ICC = 0.3
"""Taken for outputs of one case when nothing is said."""
_MOST_LEVELS, _MOST_RATERS, _MOST_PER_CASE = 100, 50, 1000
_MOST_ITEMS = 100_000


class PlanOptions(TypedDict, total=False):
    """What a plan may be told; everything has a default.

    Attributes:
        judge: A judge of the project, or a rubric file, whose scale and policy to take.
        criterion: Which of the judge's criteria, where it has several.
        bar: What the low end of the agreement must reach; by default the project's policy.
        kind: Kind of the scale, where no judge is named: binary for two levels, else ordinal.
        levels: How many levels it has; 2 by default.
        weights: Agreement weights; quadratic for ordinal scales, else unweighted.
        passes_at: Ordinal: the lowest level that passes, counted from 1.
        prevalence: Share of each level among human labels in scale order; with two levels the
            share of the last alone will do. Equal shares by default.
        judge_shares: The same of the judge; as the humans' by default.
        raters: Human raters who each label every item.
        human_agreement: Kappa between two human raters.
        per_case: Outputs of one case.
        icc: How alike outputs of one case are, 0 to 1; 0.3 by default.
        power: Chance of CALIBRATED to reach; 0.80 by default.
        look: Which look at the label set the calibration is to be; 1 by default.
        looks: Items at which to look on the way.
    """

    judge: str | JudgeSetup | None
    criterion: str | None
    bar: float | None
    kind: Kind | None
    levels: int | None
    weights: Weights | None
    passes_at: int | None
    prevalence: float | Sequence[float] | None
    judge_shares: float | Sequence[float] | None
    raters: int
    human_agreement: float | None
    per_case: int
    icc: float | None
    power: float
    look: int
    looks: Sequence[int] | None


def plan(
    expect: float = 0.80, *, project: str | Path = ".", **options: Unpack[PlanOptions]
) -> Plan:
    """Return how many items to label for a judge of this kappa to be certified.

    The same question always gets the same answer: the dice are seeded by it.

    Args:
        expect: The kappa the judge is expected to have with one human rater, above 0.
        project: The project whose policy holds, or a folder in it.
        options: See :class:`PlanOptions`.

    Raises:
        InputError: a number is out of range, or the parts do not fit together.
    """
    spec, policy = _asked(project, options)
    design = _design(spec, expect, options)
    power = _within("power", options.get("power", 0.80), 0.05, 0.99)
    look = _whole("look", options.get("look", 1), 1, MOST_LOOKS)
    looks = _looks(options.get("looks"))
    asked = {"design": _plain(design), "policy": policy, "power": power, "look": look}
    seed = int(fingerprint({**asked, "policy": policy.model_dump(mode="json")})[:12], 16)
    rng = np.random.default_rng(seed)
    return plan_labels(design, policy, rng=rng, power=power, look=look, looks=looks)


def _plain(design: Design) -> dict[str, object]:
    told = {name: getattr(design, name) for name in Design.__dataclass_fields__ if name != "spec"}
    return {**told, "spec": design.spec.model_dump(mode="json")}


def _asked(project: str | Path, options: PlanOptions) -> tuple[ScaleSpec, Policy]:
    """Return the scale and the policy: a judge's, or those described."""
    judge = options.get("judge")
    if judge is None:
        if options.get("criterion") is not None:
            raise InputError("a criterion belongs to a judge", hint="name the judge too")
        spec, policy = _described(options), open_project(project).policy
    else:
        setup = judge
        if isinstance(setup, str):
            setup = load_judge(setup, project=project, recorded=True)
        spec, policy = _of_judge(setup, options), setup.project.policy
    bar = options.get("bar")
    if bar is not None:
        asked = _within("bar", bar, -1.0, 0.999)
        policy = policy.model_copy(update={"min_agreement": asked, "route": "fixed"})
    return spec, policy


def _of_judge(setup: JudgeSetup, options: PlanOptions) -> ScaleSpec:
    described = [
        n for n in ("kind", "levels", "weights", "passes_at") if options.get(n) is not None
    ]
    if described:
        raise InputError(
            f"{described[0]} is given, and {setup.named!r} has a scale of its own",
            hint="name a judge or describe a scale, not both",
        )
    criteria = {c.name: c for c in setup.judge.rubric.criteria}
    name = options.get("criterion")
    if name is None and len(criteria) > 1:
        raise InputError(
            f"{setup.named!r} has {len(criteria)} criteria, and each is planned on its own",
            hint=f"name one with --criterion: {', '.join(criteria)}",
        )
    name = name or next(iter(criteria))
    if name not in criteria:
        raise UnknownName("criterion", name, criteria, file=setup.rubric_file)
    return ScaleSpec.of(criteria[name])


def _described(options: PlanOptions) -> ScaleSpec:
    k = _whole("levels", options.get("levels") or 2, 2, _MOST_LEVELS)
    kind: Kind = options.get("kind") or ("binary" if k == 2 else "ordinal")
    if kind == "binary" and k != 2:
        raise InputError(f"a binary scale has two levels, not {k}", hint="see --kind")
    values: tuple[int | float | str, ...] = (0, 1) if kind == "binary" else tuple(range(1, k + 1))
    if kind == "pairwise":
        if k > 3:
            raise InputError(f"a pairwise scale has A, B and a tie, not {k} levels")
        values = ("A", "B", "tie")[:k]
    usual: Weights = "quadratic" if kind == "ordinal" else "unweighted"
    weights: Weights = options.get("weights") or usual
    if weights != "unweighted" and kind in ("nominal", "pairwise"):
        raise InputError(f"a {kind} scale has no order for {weights} weights")
    return ScaleSpec(
        kind=kind,
        values=values,
        names=tuple(str(v) for v in values),
        passes=_passes(kind, k, options.get("passes_at")),
        weights=weights,
    )


def _passes(kind: Kind, k: int, passes_at: int | None) -> tuple[bool, ...] | None:
    if passes_at is None:
        return (False, True) if kind == "binary" else None
    if kind != "ordinal":
        raise InputError(f"passes_at belongs to ordinal scales, not {kind} ones")
    line = _whole("passes_at", passes_at, 2, k)
    return tuple(level >= line for level in range(1, k + 1))


def _design(spec: ScaleSpec, expect: float, options: PlanOptions) -> Design:
    per_case = _whole("per_case", options.get("per_case", 1), 1, _MOST_PER_CASE)
    icc, agreed = options.get("icc"), options.get("human_agreement")
    if icc is not None and per_case == 1:
        raise InputError("icc is of outputs of one case", hint="say how many: --per-case N")
    k, judge = len(spec.values), options.get("judge_shares")
    human = _shares("prevalence", options.get("prevalence"), k) or (1 / k,) * k
    design = Design(
        spec,
        _within("expect", expect, 0.01, 1.0),
        human,
        judge=_shares("judge_shares", judge, k),
        raters=_whole("raters", options.get("raters", 1), 1, _MOST_RATERS),
        human_agreement=None if agreed is None else _within("human_agreement", agreed, 0.01, 1.0),
        per_case=per_case,
        icc=_within("icc", USUAL_ICC if icc is None else icc, 0.0, 1.0) if per_case > 1 else 0.0,
    )
    try:
        design.table  # noqa: B018  (found out here, where it can be said plainly)
    except ValueError as error:
        raise InputError(
            f"no judge has kappa {expect:g} with these shares of levels: {error}",
            hint="lower --expect, or bring --judge-shares nearer to the humans' shares",
        ) from error
    return design


def _shares(name: str, given: float | Sequence[float] | None, k: int) -> tuple[float, ...] | None:
    if given is None:
        return None
    shares = (given,) if isinstance(given, int | float) else tuple(given)
    if len(shares) == 1 and k == 2:
        shares = (1 - shares[0], shares[0])
    if len(shares) != k:
        raise InputError(
            f"{name} has {len(shares)} share{'s' * (len(shares) != 1)}, the scale has {k} levels",
            hint="give the share of each level in scale order: 0.1,0.2,0.7",
        )
    if not all(share > 0 for share in shares):
        raise InputError(
            f"{name}: every level needs a share above 0, not {min(shares):g}",
            hint="a level that never comes cannot be evidenced",
        )
    if abs(sum(shares) - 1) > 0.011:  # a third is written 0.33
        raise InputError(f"{name}: the shares add up to {sum(shares):g}, not 1")
    return tuple(share / sum(shares) for share in shares)


def _looks(given: Sequence[int] | None) -> tuple[int, ...] | None:
    if given is None:
        return None
    looks = tuple(_whole("looks", n, 2, _MOST_ITEMS) for n in given)
    if not looks or len(looks) > MOST_LOOKS or list(looks) != sorted(set(looks)):
        raise InputError(f"looks are rising numbers of items, at most {MOST_LOOKS} of them")
    return looks


def _within(name: str, value: float, least: float, most: float) -> float:
    if not least <= value <= most:
        raise InputError(f"{name} must lie between {least:g} and {most:g}, not {value:g}")
    return float(value)


def _whole(name: str, value: int, least: int, most: int) -> int:
    if not math.isfinite(value) or value != int(value):
        raise InputError(f"{name} must be a whole number, not {value:g}")
    return int(_within(name, value, least, most))
