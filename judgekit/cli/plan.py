"""``judgekit plan``."""

from __future__ import annotations

import math
from typing import Annotated, Literal

import typer

from judgekit.api.again import judge_words
from judgekit.api.plan import plan as plan_calibration
from judgekit.cli import options as opt
from judgekit.cli.run import FALLS_SHORT, FINE
from judgekit.cli.screen import document_or_lines
from judgekit.errors import InputError
from judgekit.reports.plan import plan_json, plan_lines
from judgekit.storage.project import open_project

PlannedJudge = Annotated[
    str | None,
    typer.Argument(metavar="[JUDGE]", help="Take scale and policy from this judge."),
]
Expect = Annotated[float, typer.Option(metavar="KAPPA", help="How good the judge is expected.")]
Bar = Annotated[
    float | None, typer.Option(metavar="KAPPA", help="What the gate asks; default: the policy's.")
]
KindOfScale = Annotated[
    Literal["binary", "nominal", "ordinal", "pairwise"] | None,
    typer.Option("--kind", help="Kind of scale; default: binary for two levels, else ordinal."),
]
Levels = Annotated[int | None, typer.Option(metavar="N", help="Levels of the scale; default 2.")]
WeightsOf = Annotated[
    Literal["unweighted", "linear", "quadratic"] | None,
    typer.Option("--weights", help="Agreement weights; default: by the kind of scale."),
]
PassesAt = Annotated[
    int | None, typer.Option(metavar="N", help="Ordinal: the lowest level that passes.")
]
Prevalence = Annotated[
    str | None,
    typer.Option(metavar="SHARES", help="Share of each level, 0.7,0.3; of two, the last: 0.3."),
]
JudgeShares = Annotated[
    str | None, typer.Option(metavar="SHARES", help="The same of the judge, where it differs.")
]
Raters = Annotated[int, typer.Option(metavar="N", help="People who each label every item.")]
HumanAgreement = Annotated[
    float | None, typer.Option(metavar="KAPPA", help="Agreement between two people.")
]
PerCase = Annotated[int, typer.Option(metavar="N", help="Outputs of one case.")]
Icc = Annotated[
    float | None, typer.Option(metavar="R", help="How alike those are, 0 to 1; default 0.3.")
]
Power = Annotated[float, typer.Option(metavar="CHANCE", help="Chance to be certified.")]
WhichLook = Annotated[
    int, typer.Option(metavar="N", help="Which look at the label set; later ones ask more.")
]
AtLooks = Annotated[
    str | None, typer.Option(metavar="N,N,...", help="Items at which to look on the way.")
]


def plan(
    judge: PlannedJudge = None,
    expect: Expect = 0.80,
    bar: Bar = None,
    criterion: opt.CriterionName = None,
    kind: KindOfScale = None,
    levels: Levels = None,
    weights: WeightsOf = None,
    passes_at: PassesAt = None,
    prevalence: Prevalence = None,
    judge_shares: JudgeShares = None,
    raters: Raters = 1,
    human_agreement: HumanAgreement = None,
    per_case: PerCase = 1,
    icc: Icc = None,
    power: Power = 0.80,
    look: WhichLook = 1,
    looks: AtLooks = None,
    as_json: opt.Json = False,
) -> int:
    """Say how many labels a gate needs, before there are any.

    Labelled sets are drawn from what you expect and held against the gate. Exit 1 when no number
    of labels gets there; the reason is given.
    """
    found = plan_calibration(
        expect,
        judge=judge,
        criterion=criterion,
        bar=bar,
        kind=kind,
        levels=levels,
        weights=weights,
        passes_at=passes_at,
        prevalence=_numbers("--prevalence", prevalence),
        judge_shares=_numbers("--judge-shares", judge_shares),
        raters=raters,
        human_agreement=human_agreement,
        per_case=per_case,
        icc=icc,
        power=power,
        look=look,
        looks=None if looks is None else [_whole(n) for n in _numbers("--looks", looks) or ()],
    )
    lines = plan_lines(found, _typed(judge))
    document_or_lines(plan_json(found, judge, criterion), lines, as_json=as_json)
    return FINE if found.items is not None else FALLS_SHORT


def _typed(judge: str | None) -> str | None:
    """Return a judge as ``calibrate`` takes it: a rubric file needs a model."""
    return None if judge is None else judge_words(open_project(), judge, judge, None)


def _numbers(option: str, text: str | None) -> list[float] | None:
    if text is None:
        return None
    try:
        found = [float(part) for part in text.split(",")]
    except ValueError:
        found = []
    if not found or not all(map(math.isfinite, found)):
        raise InputError(f"{option} {text!r} is no list of numbers", hint="as in 0.7,0.3")
    return found


def _whole(number: float) -> int:
    if not number.is_integer():
        raise InputError(f"--looks are whole numbers of items, not {number:g}")
    return int(number)
