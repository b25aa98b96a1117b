"""What a person reads of several raters: how they agree, the ceiling, each one, the stand-in."""

import json
from typing import Any

import pytest

from judgekit.calibration.applicability import applicability
from judgekit.calibration.humans import HumanEvidence, human_evidence
from judgekit.calibration.policy import Policy
from judgekit.calibration.record import EstimateRecord
from judgekit.calibration.rows import Row
from judgekit.reports.human_json import applicability_json, humans_json
from judgekit.reports.humans import Bar, applicability_lines, human_facts, human_lines
from tests.calibration.make import GOOD, spec
from tests.calibration.raters import crowd, several

ALIKE = {"ann": 0.9, "bob": 0.85, "cy": 0.8}
FIXED = Bar.of(Policy())


def evidence(knows: dict[str, float], *, n: int = 100, **more: Any) -> HumanEvidence:
    """What raters who know this much show."""
    humans, judge = crowd(9, n, knows, **more)
    found = human_evidence(several(humans, judge), spec("binary"))
    assert found is not None
    return found


def flat(found: HumanEvidence, bar: Bar = FIXED) -> str:
    """The lines in one, for what may wrap anywhere."""
    return " ".join(" ".join(human_lines(found, bar)).split())


def among(found: HumanEvidence, low: float, high: float) -> HumanEvidence:
    """The same raters with another interval of their agreement."""
    ends = {"value": (low + high) / 2, "low": low, "high": high}
    return found.model_copy(
        update={"human_agreement": found.human_agreement.model_copy(update=ends)}
    )


def test_three_raters() -> None:
    """Every line of the block, in order, at most 80 columns wide."""
    found = evidence(ALIKE)

    assert "\n".join(human_lines(found, FIXED)) == THREE


THREE = """
People  agree with each other 0.76, 95% interval 0.63 to 0.86 (mean kappa of two
        raters; 3 raters, 100 items with two levels or more).
Ceiling people reach the 0.60 asked of the judge. The judge agrees with people
        0.63: 0.12 less than they do with each other, 95% interval 0.28 less to
        0.03 more.
Each    kappa with the other raters: ann 0.77 (0.63 to 0.88), bob 0.78 (0.64 to
        0.89), cy 0.73 (0.57 to 0.86). Nobody stands out.
Test    alternative annotator test: the judge may stand in for 3 of 3 raters if
        they are experts (0.20 worse allowed), 3 if skilled annotators (0.15
        worse allowed), 0 if crowd workers (0.10 worse allowed); half is a pass.
        It is as near to the others as the rater it replaces, or nearer, 89.0%
        of the time (81.2% to 93.8%).
""".strip()


@pytest.mark.parametrize(
    ("ends", "said"),
    [
        ((0.65, 0.80), "people reach the 0.60 asked of the judge."),
        ((0.50, 0.70), "whether people reach the 0.60 asked of the judge is not known."),
        ((0.30, 0.50), "people do not reach the 0.60 asked of the judge, so no judge can be held"),
    ],
)
def test_the_ceiling_in_words(ends: tuple[float, float], said: str) -> None:
    """One sentence for each place the interval may lie in."""
    assert said in flat(among(evidence(ALIKE), *ends))


def test_the_rubric_is_named_as_the_fault() -> None:
    """When people disagree, what to do is said: the rubric, or the other route."""
    said = flat(among(evidence(ALIKE), 0.3, 0.5))

    assert "The fault is the rubric's" in said
    assert 'route = "human-level"' in said


def test_human_level_route() -> None:
    """On that route the margin is told, and no bar."""
    said = flat(evidence(ALIKE), Bar.of(Policy(route="human-level")))

    assert "the policy lets the judge be 0.10 below people" in said
    assert "0.60 asked" not in said


def test_an_outlier_is_named_with_its_numbers() -> None:
    """Who, how far below the others, the interval, and how many items."""
    said = flat(evidence({**ALIKE, "dan": 0.1}))

    assert "Outlier dan agrees with the others 0." in said
    assert "less than they do with each other, 95% interval" in said
    assert "100 items: read some of those labels." in said
    assert "Nobody stands out" not in said


def test_two_raters() -> None:
    """Which of two stands out cannot be said, so nothing is said of each."""
    labels = [label for label, _ in human_facts(evidence({"ann": 0.9, "bob": 0.9}), FIXED)]

    assert labels == ["People", "Ceiling", "Test"]


def test_too_few_items_for_the_stand_in() -> None:
    """Twenty items: agreement, but no test."""
    assert "no rater shares 30 items (or cases) with another" in flat(evidence(ALIKE, n=20))


def test_a_rater_left_out_of_the_test_is_told() -> None:
    """The rate is over tested raters; the others are counted."""
    humans, judge = crowd(9, 60, ALIKE)
    some = {**humans, "cy": [*humans["cy"][:20], *[None] * 40]}
    found = human_evidence(several(some, judge), spec("binary"))
    assert found is not None

    assert "1 rater with too few items: not tested." in flat(found)


@pytest.mark.parametrize(
    ("n", "said"),
    [
        (9, "9 items with levels of two raters, 10 needed"),
        (0, "no item has levels of two raters"),
    ],
)
def test_people_who_share_too_little(n: int, said: str) -> None:
    """One line, and no figure."""
    shared = several({"ann": [i % 2 for i in range(n)], "bob": [0] * n}, [0] * n)
    alone = tuple(
        Row(f"{rater}{i}", rater=rater, human=i % 2, judge=0)
        for rater in ("ann", "bob")
        for i in range(40)
    )
    found = human_evidence((*shared, *alone), spec("binary"))
    assert found is not None

    assert human_facts(found, FIXED) == [("People", f"how far they agree is not known: {said}.")]


def test_people_of_one_level() -> None:
    """Everybody said the same of everything."""
    found = human_evidence(several({"a": [1] * 40, "b": [1] * 40}, [1] * 40), spec("binary"))
    assert found is not None

    assert "all raters gave one and the same level" in flat(found)


@pytest.mark.parametrize("raters", [2, 3, 16])
def test_eighty_columns(raters: int) -> None:
    """However many raters, and however long their names."""
    knows = {f"rater-{i}-of-the-second-round": 0.7 for i in range(raters)}

    assert max(map(len, human_lines(evidence(knows), FIXED))) <= 80
    assert max(map(len, human_lines(evidence(knows), FIXED, column=13))) <= 80


def applies(*more: Row) -> tuple[Row, ...]:
    """A table of both answers."""
    aside = [
        Row(f"n{i}", rater="ann", judge=1 if i < 2 else None, judge_na=i >= 2, set_aside="human_na")
        for i in range(12)
    ]
    na = [Row(f"j{i}", rater="ann", human=1, judge_na=True) for i in range(3)]
    return (*GOOD, *aside, *na, *more)


def test_applicability() -> None:
    """The 2 x 2, kappa with its interval, and how often the answer is the same."""
    found = applicability(applies())
    assert found is not None

    assert "\n".join(applicability_lines(found)) == APPLIES


APPLIES = r"""
  human \ judge   applies  does not apply
  applies             110               3
  does not apply        2              10

Applies kappa 0.78, 95% interval 0.53 to 0.90; the same answer for 96.0% of 125
        labels.
""".strip("\n")


def test_unusable_and_unrecorded_answers_are_counted() -> None:
    """A column for replies that were no answer; a sentence for older evidence."""
    unread = Row("u", rater="ann", human=1, cause="unreadable")
    found = applicability(applies(unread, Row("o", rater="ann", set_aside="human_na")))
    assert found is not None
    lines = applicability_lines(found)

    assert lines[0].split()[-1] == "unusable"
    assert [line.split()[-1] for line in lines[1:3]] == ["1", "0"]
    assert "Of 1 label the judge's answer is not on record." in " ".join(" ".join(lines).split())


def test_json() -> None:
    """Estimates carry ``undefined`` only where there is no value, at every depth."""
    told = humans_json(evidence(ALIKE, n=9))
    assert told is not None
    assert told["human_agreement"]["undefined"] == "too_few_items"
    assert told["human_agreement"]["value"] is None

    full = humans_json(evidence(ALIKE))
    assert "undefined" not in json.dumps(full)
    assert full is not None
    assert full["pairs"][0]["first"] == "ann"
    assert humans_json(None) is None

    two = applicability_json(applicability(applies()))
    assert two is not None
    assert two["table"] == [[110, 3], [2, 10]]
    assert applicability_json(None) is None


def test_a_record_is_what_it_was() -> None:
    """The block reads records only: it tells the same of evidence read back from a file."""
    found = evidence(ALIKE)
    again = HumanEvidence.model_validate_json(found.model_dump_json())

    assert isinstance(again.gap, EstimateRecord)
    assert human_lines(again, FIXED) == human_lines(found, FIXED)
