"""What no number of labels mends: where a bar lies out of a planned judge's reach."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from judgekit.stats import identity
from judgekit.stats.kappa import kappa_and_variance
from judgekit.stats.planned_tables import margins

if TYPE_CHECKING:
    from judgekit.calibration.planned_world import Design
    from judgekit.calibration.policy import Policy

_ROUNDING = 1e-9


class Obstacle(NamedTuple):
    """Why the bar is out of reach: a code for programs, why, and what to do about it."""

    code: str
    message: str
    next: str


def obstacle(design: Design, policy: Policy, look: int) -> Obstacle | None:
    """Return the first reason why more labels would not help, the most basic first."""
    if look > policy.max_looks:
        return Obstacle(
            "look_budget_spent",
            f"The policy allows {policy.max_looks} looks at one label set; this would be "
            f"look {look}.",
            "Label a fresh set, and plan it as look 1.",
        )
    asked = policy.bar
    return (_humans(design, asked) or _judge(design, asked) or _pass_line(design, asked)) or _shift(
        design, policy
    )


def _humans(design: Design, asked: float) -> Obstacle | None:
    """What people agree among themselves bounds what a judge can agree with one of them."""
    agreed, ceiling = design.human_agreement, design.ceiling
    if agreed is None or ceiling is None:
        return None
    mend = "Sharpen the rubric until people agree more; more labels do not mend this."
    if ceiling <= asked + _ROUNDING:
        told = (
            f"Two people agree {agreed:.2f}, so even a judge that knew the truth would agree "
            f"with one of them about {ceiling:.2f}."
        )
        return Obstacle("ceiling_below_bar", told, mend)
    if design.raters > 1 and agreed < asked - _ROUNDING:
        told = (
            f"The people agree {agreed:.2f} among themselves, less than the {asked:.2f} asked of "
            "the judge; with labels enough the gate refuses for that."
        )
        return Obstacle("humans_disagree", told, mend)
    if design.kappa > ceiling + _ROUNDING:
        lower = math.floor(ceiling * 100) / 100
        told = (
            f"Kappa {design.kappa:.2f} is not to be expected: two people agree {agreed:.2f}, so a "
            f"judge agrees with one of them about {lower:.2f} at most."
        )
        return Obstacle("expected_above_ceiling", told, f"Plan again with --expect {lower:.2f}.")
    return None


def _judge(design: Design, asked: float) -> Obstacle | None:
    if design.kappa > asked + _ROUNDING:
        return None
    if design.kappa < asked - _ROUNDING:
        told = "More labels make it only surer that it falls short."
        code = "expected_below_bar"
    else:
        told = "A judge at the bar itself passes at most 2.5% of the time, whatever the number."
        code = "expected_at_bar"
    return Obstacle(code, told, "Improve the judge first: its kappa must lie above the bar.")


def _pass_line(design: Design, asked: float) -> Obstacle | None:
    """The gate asks the bar of passing and failing too, and there an ordinal judge may be weak."""
    if design.spec.kind != "ordinal" or design.spec.passes is None:
        return None
    found = pass_kappa(design, design.kappa)
    if found > asked + _ROUNDING:
        return None
    told = f"Its kappa of passing and failing would be {found:.2f}, and the bar holds for that too."
    near, far = design.kappa, 1.0
    try:
        reached = pass_kappa(design, far) > asked
    except ValueError:
        reached = False
    if not reached:
        return Obstacle("pass_line_below_bar", told, "Move the pass line, or ask less.")
    for _ in range(30):
        middle = (near + far) / 2
        near, far = (near, middle) if pass_kappa(design, middle) > asked else (middle, far)
    wanted = f"A kappa above {far:.2f} on the levels is needed, or another pass line."
    return Obstacle("pass_line_below_bar", told, wanted)


def pass_kappa(design: Design, kappa: float) -> float:
    """Return the kappa of the pass decision that goes with a kappa of the levels.

    Raises:
        ValueError: the planned shares do not allow that kappa.
    """
    passes = np.array(design.spec.passes)
    fold = np.stack([~passes, passes], axis=1).astype(np.float64)
    return float(kappa_and_variance(fold.T @ design.table_at(kappa) @ fold, identity(2))[0])


def _shift(design: Design, policy: Policy) -> Obstacle | None:
    if design.spec.kind != "ordinal":
        return None
    r, c = margins(design.human, design.judge)
    if design.spec.passes is not None:
        shift, allowed = float((c - r) @ np.array(design.spec.passes)), policy.max_pass_shift
        what = "pass rate"
    else:
        v = np.array(design.spec.numbers)
        shift, what = float((c - r) @ v), "mean level"
        allowed = policy.max_level_shift * float(np.ptp(v)) / (len(v) - 1)
    if abs(shift) <= allowed + _ROUNDING:
        return None
    return Obstacle(
        "decision_shifted",
        f"Its {what} would lie {shift:+.2f} from the people's; {allowed:.2f} is allowed.",
        "Mend the judge's leniency first: with labels enough the gate refuses for it.",
    )
