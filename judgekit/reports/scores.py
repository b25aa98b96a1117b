"""Scores and refusals as a person reads them."""

from __future__ import annotations

from collections.abc import Sequence

from judgekit.calibration.certificate import Certificate
from judgekit.calibration.record import EstimateRecord
from judgekit.errors import GateRefusal, Reason
from judgekit.judging.judgments import Judgments
from judgekit.reports.amounts import dollars
from judgekit.reports.estimates import interval
from judgekit.reports.hints import hint_lines
from judgekit.reports.words import count, number, percent, table, wrapped
from judgekit.scoring.score import CriterionScore, Scores

_INDENT = "  "
_SHARES = "share of each level, with 95% intervals"


def refusal_lines(refusal: GateRefusal) -> list[str]:
    """Return a refusal: every reason, and the command that gets further."""
    return ["Refused: nothing was scored.", *_reasons(refusal.reasons)]


def _reasons(reasons: Sequence[Reason]) -> list[str]:
    """Return reasons as two columns: the code, and what it means with the way out below."""
    width = max([15, *(len(reason.code) for reason in reasons)])
    hang = " " * len(f"{_INDENT}{'':<{width}}  ")
    lines: list[str] = []
    for reason in reasons:
        lines += wrapped(reason.message, first=f"{_INDENT}{reason.code:<{width}}  ", rest=hang)
        if reason.next:
            lines.append(hang + reason.next)
    return lines


def score_lines(
    scores: Scores,
    judgments: Judgments,
    certificates: dict[str, Certificate],
    *,
    out: str | None,
) -> list[str]:
    """Return the figures of each criterion, the certificate they rest on, and what it cost."""
    lines: list[str] = []
    for one in scores.criteria:
        lines += [*_criterion(scores.judge, one, certificates[one.criterion])]
    lines += _cost(judgments)
    if out:
        lines.append(f"{_INDENT}one row for each item: {out}")
    return lines


def _criterion(judge: str, one: CriterionScore, certificate: Certificate) -> list[str]:
    name = judge if judge == one.criterion else f"{judge}, {one.criterion}"
    lines: list[str] = []
    if one.withheld:
        lines.append(f"{name}: no figure is given.")
        lines += _reasons(one.withheld)
    elif one.corrected is not None or one.corrected_levels:
        lines += _corrected(name, one)
    else:
        lines += wrapped(f"{name}: {_uncorrected(one)}.", rest=_INDENT)
        if one.uncorrected is None:
            lines += table([[level, _share(found)] for level, found in one.levels.items()])
        told = f"uncorrected: what the judge alone says; {one.why}."
        lines += wrapped(told, first=_INDENT, rest=_INDENT)
    lines += wrapped(_tally(one), first=_INDENT, rest=_INDENT)
    lines += wrapped(_certificate(one, certificate), first=_INDENT, rest=_INDENT)
    return lines


def _corrected(name: str, one: CriterionScore) -> list[str]:
    """Return the corrected figure first, then the judge's and the labels' own beside it."""
    figure = one.corrected
    first = figure or next(iter(one.corrected_levels.values()))
    how = f"corrected with {count(first.n_labels, 'label')}, {first.population} population"
    if figure is None:
        lines = wrapped(f"{name}: {_SHARES} ({how}).", rest=_INDENT)
        lines += table(
            [
                [level, _share(found), f"uncorrected {_share(one.levels[level])}"]
                for level, found in one.corrected_levels.items()
            ]
        )
    else:
        lines = wrapped(f"{name}: {_figure(figure)} ({how}).", rest=_INDENT)
        if one.uncorrected is not None:
            alone = f"{_value(one.uncorrected)}  (what the judge alone would say)"
            lines.append(_beside("uncorrected") + alone)
        if figure.human_only is not None:
            lines += wrapped(_figure(figure.human_only), first=_beside("labels alone"))
    if first.note is not None:
        lines += wrapped(f"{first.note}.", first=_INDENT, rest=_INDENT)
    return lines + wrapped(f"assumes that {first.assumption}.", first=_INDENT, rest=_INDENT)


def _beside(label: str) -> str:
    return f"{_INDENT}{label:<15}  "


def _uncorrected(one: CriterionScore) -> str:
    found = one.uncorrected
    text = _SHARES if found is None else _figure(found)
    return text if found is not None and found.value is None else f"{text} (uncorrected)"


def _figure(found: EstimateRecord) -> str:
    """Return ``91.2% pass, 95% interval 87.9 to 94.1``, or why there is no number."""
    if found.value is None:
        what = "pass rate" if found.metric == "pass_rate" else "mean level"
        return f"{what} {interval(found)}"
    if found.metric == "pass_rate":
        return f"{_value(found)}, {found.confidence:.0%} interval {_ends(found)}"
    return f"mean level {interval(found)}"


def _value(found: EstimateRecord) -> str:
    if found.metric == "pass_rate":
        return f"{percent(found.value)} pass"
    return f"mean level {number(found.value)}"


def _share(found: EstimateRecord) -> str:
    if found.value is None:
        return interval(found)
    return f"{percent(found.value)}  ({_ends(found)})"


def _ends(found: EstimateRecord) -> str:
    return f"{percent(found.low)} to {percent(found.high)}".replace("%", "")


def _tally(one: CriterionScore) -> str:
    tally = one.tally
    lost = sum(tally.unjudged.values())
    parts = [f"{tally.judged:,} judged"]
    if tally.not_applicable:
        parts.append(f"{tally.not_applicable} not applicable")
    if lost:
        causes = ", ".join(f"{n} {cause.replace('_', ' ')}" for cause, n in tally.unjudged.items())
        parts.append(f"{lost} not ({causes})")
    return f"{count(tally.items, 'item')}: {', '.join(parts)}"


def _certificate(one: CriterionScore, certificate: Certificate) -> str:
    text = f"certificate {certificate.short}, valid until {certificate.expires_at:%Y-%m-%d}"
    told = {
        "demonstration": "rests on demonstration labels, not on independent raters",
        "recorded": "the judge is declared by the rows, not observed",
        "single-rater": "rests on one rater",
        "majority": "rests on the majority of several raters, not on each",
        "human-level": "human-level: held to how far people agree, not to a fixed bar",
    }
    said = [told.get(stamp, stamp) for stamp in one.stamps]
    return f"{text}; {'; '.join(said)}" if said else text


def _cost(judgments: Judgments) -> list[str]:
    text = cost_text(judgments)
    return [] if text is None else wrapped(text, first=_INDENT, rest=_INDENT)


def cost_text(judgments: Judgments) -> str | None:
    """Return how many replies there were, how many of them cost nothing, and what the rest cost."""
    total = max(0, judgments.asked + judgments.cached - judgments.failed)
    if not total:
        return None
    cost = "cost unknown" if judgments.cost_usd is None else dollars(judgments.cost_usd)
    return f"{count(total, 'reply', 'replies')}, {judgments.cached:,} of them cached, {cost}"


def error_lines(message: str, hint: str | None) -> list[str]:
    """Return an error and the way out; messages that hold lines of their own keep them."""
    return [*message.split("\n"), *(hint_lines(hint) if hint else [])]
