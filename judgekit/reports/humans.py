"""What several raters say of each other and of the judge, as a person reads it."""

from __future__ import annotations

from typing import NamedTuple

from judgekit.calibration.applicability import Applicability
from judgekit.calibration.ceiling import ceiling
from judgekit.calibration.evidence import EstimateRecord
from judgekit.calibration.humans import HumanEvidence, StandInTest
from judgekit.calibration.policy import Policy
from judgekit.reports.estimates import interval, why_undefined
from judgekit.reports.words import count, labelled, number, percent, table
from judgekit.stats.estimate import MIN_CLUSTERS

_KINDS = {"expert": "experts", "skilled": "skilled annotators", "crowd": "crowd workers"}
_COLUMN = 8


class Bar(NamedTuple):
    """What people are held against: the bar of the fixed route, or the other route's margin."""

    asked: float
    margin: float | None = None

    @classmethod
    def of(cls, policy: Policy) -> Bar:
        """Return the bar of a policy."""
        human_level = policy.route == "human-level"
        return cls(policy.bar, policy.human_margin if human_level else None)


def human_lines(found: HumanEvidence, bar: Bar, *, column: int = _COLUMN) -> list[str]:
    """Return how people agree, where that leaves the judge, each rater, and the stand-in test."""
    facts = human_facts(found, bar)
    return [line for label, text in facts for line in labelled(label, text, column=column)]


def human_facts(found: HumanEvidence, bar: Bar) -> list[tuple[str, str]]:
    """Return the same as pairs of a label and a text."""
    if found.human_agreement.value is None:
        return [("People", f"how far they agree is not known: {_why_unknown(found)}.")]
    facts = [("People", _people(found)), ("Ceiling", f"{_ceiling(found, bar)} {_gap(found)}")]
    if len(found.people) > 2:
        facts.append(("Each", _each(found)))
        facts += [("Outlier", text) for text in _outliers(found)]
    return [*facts, ("Test", _stand_in(found))]


def applicability_lines(found: Applicability, *, column: int = _COLUMN) -> list[str]:
    """Return the 2 x 2 of applicability and how far human and judge agree on it."""
    heads, unusable = ["applies", "does not apply"], any(found.unusable)
    rows = [["human \\ judge", *heads, *(["unusable"] if unusable else [])]]
    for i, head in enumerate(heads):
        counts = [*found.table[i], *([found.unusable[i]] if unusable else [])]
        rows.append([head, *(f"{n:,}" for n in counts)])
    same = found.raw_agreement
    told = f"kappa {interval(found.agreement)}; the same answer for {percent(same.value)}"
    told += f" of {count(same.pairs, 'label')}."
    if found.unrecorded:
        told += f" Of {count(found.unrecorded, 'label')} the judge's answer is not on record."
    right = range(1, len(rows[0]))
    return [*table(rows, right=right), "", *labelled("Applies", told, column=column)]


def _why_unknown(found: HumanEvidence) -> str:
    if not found.items:
        return "no item has levels of two raters"
    why = found.human_agreement.undefined or "unknown"
    if why == "single_category":
        return "all raters gave one and the same level"
    if why == "too_few_clusters":
        return f"levels of two raters: {why_undefined(found.human_agreement)}"
    there = f"{count(found.items, 'item')} with levels of two raters"
    return f"{there}, {MIN_CLUSTERS} needed" if found.items < MIN_CLUSTERS else there


def _people(found: HumanEvidence) -> str:
    among = found.human_agreement
    return (
        f"agree with each other {interval(among)} (mean kappa of two raters; "
        f"{count(len(found.people), 'rater')}, {count(among.n, 'item')} with two levels or more)."
    )


def _ceiling(found: HumanEvidence, bar: Bar) -> str:
    asked = number(bar.asked)
    if bar.margin is not None:
        return (
            "human level is asked, not a fixed bar: "
            f"the policy lets the judge be {number(bar.margin)} below people."
        )
    told = {
        "reached": f"people reach the {asked} asked of the judge.",
        "ceiling_unknown": f"whether people reach the {asked} asked of the judge is not known.",
        "humans_disagree": (
            f"people do not reach the {asked} asked of the judge, so no judge can be held to it. "
            "The fault is the rubric's: sharpen what tells its levels apart and label again. For "
            'a matter of taste the policy can ask for human level: route = "human-level".'
        ),
    }
    return told[ceiling(found, bar.asked) or "ceiling_unknown"]


def _gap(found: HumanEvidence) -> str:
    gap = found.gap
    if gap.value is None:
        return ""
    return (
        f"The judge agrees with people {number(found.judge_agreement.value)}: {_apart(gap.value)} "
        f"than they do with each other, {_ends(gap)}."
    )


def _apart(value: float) -> str:
    size = number(abs(value))
    return f"{size} {'less' if value < 0 and float(size) else 'more'}"


def _ends(gap: EstimateRecord) -> str:
    ends = [_apart(end or 0.0) for end in (gap.low, gap.high)]
    return f"{gap.confidence:.0%} interval {ends[0]} to {ends[1]}"


def _each(found: HumanEvidence) -> str:
    told = [f"{person.rater} {_short(person.agreement)}" for person in found.people]
    quiet = "" if any(p.outlier for p in found.people) else " Nobody stands out."
    return f"kappa with the other raters: {', '.join(told)}.{quiet}"


def _short(found: EstimateRecord) -> str:
    if found.value is None:
        return f"undefined ({why_undefined(found)})"
    return f"{number(found.value)} ({number(found.low)} to {number(found.high)})"


def _outliers(found: HumanEvidence) -> list[str]:
    return [
        f"{person.rater} agrees with the others {_apart(person.gap.value)} than they do with each "
        f"other, {_ends(person.gap)}, {count(person.shared, 'item')}: read some of those labels."
        for person in found.people
        if person.outlier and person.gap is not None and person.gap.value is not None
    ]


def _stand_in(found: HumanEvidence) -> str:
    tests = [test for test in found.stand_in if test.winning_rate is not None]
    if not tests:
        return "alternative annotator test: no rater shares 30 items (or cases) with another."
    share, skipped = tests[0].advantage, tests[0].skipped
    first = f"{_won(tests[0])} of {count(len(tests[0].tested), 'rater')} if they are"
    told = f"{first} {_kind(tests[0])}, " + ", ".join(f"{_won(t)} if {_kind(t)}" for t in tests[1:])
    text = (
        f"alternative annotator test: the judge may stand in for {told}; half is a pass. It is as "
        f"near to the others as the rater it replaces, or nearer, {percent(share.value)} of the "
        f"time ({percent(share.low)} to {percent(share.high)})."
    )
    if skipped:
        text += f" {count(len(skipped), 'rater')} with too few items: not tested."
    return text


def _won(test: StandInTest) -> int:
    return sum(one.rejected for one in test.tested)


def _kind(test: StandInTest) -> str:
    return f"{_KINDS[test.annotators]} ({number(test.epsilon)} worse allowed)"
