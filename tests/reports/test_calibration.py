"""What a person reads after ``calibrate``: outcome, evidence, next step, in this order."""

import re
from typing import Any

import pytest

from judgekit.calibration.policy import Policy
from judgekit.calibration.result import Calibration
from judgekit.calibration.rows import Row
from judgekit.judging.judge import Judge
from judgekit.reports.advice import Named
from judgekit.reports.calibration import calibration_lines, disagreements
from tests.calibration.make import GOOD, calibration, judge, rubric, table_rows


def text(result: Calibration) -> str:
    """The report, without what changes with every field (an id) and what is simulated."""
    lines = "\n".join(calibration_lines(result, Named("tone", "labels/tone.csv")))
    lines = re.sub(r"-[0-9a-f]{6}\.json", "-XXXXXX.json", lines)
    return re.sub(r"About \d+ more", "About N more", lines)


def flat(*arguments: Any, **more: Any) -> str:
    """The same in one line, for what may wrap anywhere."""
    return " ".join(shown(*arguments, **more).split())


def shown(*arguments: Any, **more: Any) -> str:
    """The report of a calibration of these rows."""
    return text(calibration(*arguments, **more))


BAD = table_rows([[30, 20], [25, 35]])
OPEN = table_rows([[25, 3], [4, 28]], {"unreadable": 1})
GRADES = judge(rubric("ordinal", passes_at=3))
KIND = table_rows([[20 if j == min(i + 1, 4) else 0 for j in range(5)] for i in range(5)])


def test_certified() -> None:
    """The verdict and the figure, every check, the table, the certificate, what to do next."""
    assert shown(GOOD, source="demonstration") == CERTIFIED


CERTIFIED = r"""
tone: CALIBRATED.  kappa 0.85, 95% interval 0.73 to 0.93, asked 0.60 or more.

  check                      asked    found
  agreement (low end)        >= 0.60  0.73                           ok
  labelled items             >= 30    110  (100 recommended)         ok
  labels in each class       >= 10    bad 55, good 55                ok
  items judged               >= 95%   110 of 110                     ok
  sensitivity + specificity  > 1      1.85                           ok
  beats length alone         yes      not compared: no text at hand
  rubric examples in labels  none     none                           ok

  human \ judge  bad  good
  bad             52     3  recall 0.95 (0.85 to 0.98)
  good             5    50  recall 0.91 (0.80 to 0.96)

Beside       AC1 0.85 (0.73 to 0.93); of "good": prevalence index -0.02, bias
             index 0.02; largest kappa with these margins 0.96

Certificate  certificates/tone-tone-XXXXXX.json, valid until 2027-02-28
Labels       demonstration: written for this example by its authors, not by
             independent raters; 1 rater; 110 items: 110 judged
Drawn        not stated: the figures hold for this mix of items, and scores stay
             uncorrected (--sampling)
Look         1 on this label set (the next changed judge faces a harder bar)
Next         judgekit score tone ITEMS --out scores.jsonl
""".strip()


def test_not_calibrated() -> None:
    """Why comes first: the commonest mistake, and that more labels would not help."""
    assert shown(BAD) == NOT_CALIBRATED


NOT_CALIBRATED = r"""
tone: NOT CALIBRATED.  kappa 0.18, 95% interval 0.00 to 0.36, asked 0.60 or
        more.

Why     The judge says "bad" for 42% (25 of 60) of the items people call "good".
        More labels would not change this: even the high end, 0.36, is under
        0.60.

  check                      asked    found
  agreement (low end)        >= 0.60  0.00                           no
  labelled items             >= 30    110  (100 recommended)         ok
  labels in each class       >= 10    bad 50, good 60                ok
  items judged               >= 95%   110 of 110                     ok
  sensitivity + specificity  > 1      1.18                           ok
  beats length alone         yes      not compared: no text at hand
  rubric examples in labels  none     none                           ok

  human \ judge  bad  good
  bad             30    20  recall 0.60 (0.46 to 0.72)
  good            25    35  recall 0.58 (0.46 to 0.70)

Beside  AC1 0.18 (0.00 to 0.36); of "good": prevalence index 0.05, bias index
        0.05; largest kappa with these margins 0.91

Labels  human; 1 rater; 110 items: 110 judged
Drawn   not stated: the figures hold for this mix of items, and scores stay
        uncorrected (--sampling)
Look    1 on this label set (the next changed judge faces a harder bar)
Look at 45 disagreements, worst first: i0030, i0031, i0032 and 42 more
        all of them: add --disagreements FILE
Next    Sharpen what tells "bad" from "good" (45 of 45 errors are there), or try
        a stronger model:
        judgekit calibrate tone --model MODEL --labels labels/tone.csv
No certificate was written; `score` will refuse this judge.
""".strip()


def test_inconclusive() -> None:
    """How many more labels would decide; what the unjudged items do to the figure."""
    assert shown(OPEN) == INCONCLUSIVE


INCONCLUSIVE = r"""
tone: INCONCLUSIVE.  kappa 0.74, 95% interval 0.53 to 0.87, asked 0.60 or more.
        Unjudged items count as disagreement: without them 0.77, 95% interval
        0.56 to 0.88; had they been the worst possible answers, 0.74, 95%
        interval 0.52 to 0.86.

  check                      asked    found
  agreement (low end)        >= 0.60  0.53                           no
  labelled items             >= 30    60  (100 recommended)          ok
  labels in each class       >= 10    bad 29, good 32                ok
  items judged               >= 95%   60 of 61                       ok
  sensitivity + specificity  > 1      1.77                           ok
  beats length alone         yes      not compared: no text at hand
  rubric examples in labels  none     none                           ok

  human \ judge  bad  good  unjudged
  bad             25     3         1  recall 0.89 (0.73 to 0.96)
  good             4    28         0  recall 0.88 (0.72 to 0.95)

Beside  AC1 0.77 (0.56 to 0.88); of "good": prevalence index 0.05, bias index
        0.02; largest kappa with these margins 0.97

Labels  human; 1 rater; 61 items: 60 judged, 1 unjudged (unreadable)
Drawn   not stated: the figures hold for this mix of items, and scores stay
        uncorrected (--sampling)
Look    1 on this label set (the next changed judge faces a harder bar)
Look at 8 disagreements, worst first: i0025, i0026, i0027 and 5 more
        all of them: add --disagreements FILE
Next    About N more labels would decide (80% chance if the judge is as good
        as it looks).
No certificate was written; `score` will refuse this judge.
""".strip()


def test_no_verdict() -> None:
    """A run with holes: how many, what is allowed, and that running again is enough."""
    found = flat(table_rows([[40, 3], [4, 40]], {"provider_error": 10, "missing": 1}))

    assert found.startswith("tone: NO VERDICT. kappa 0.84, ")
    assert "11 items of 98 got no answer and are left out." in found
    assert "count as disagreement" not in found
    assert "10 unjudged (provider error)" in found
    assert "Next 1 missing, 10 provider error; at most 5% of the items may be lost." in found
    assert "Run it again" in found
    assert "Look " not in found  # nothing was entered in the ledger


def test_one_level_throughout() -> None:
    """Undefined in words, and the level that needs labels."""
    found = shown(table_rows([[0, 0], [0, 50]]))

    assert found.startswith("tone: INCONCLUSIVE.  kappa undefined (single category), asked 0.60")
    assert re.search(r"undefined \(single category\) +no", found)
    assert "no labels" in found
    assert "no label at all for bad: label such\n        items first." in found


def test_too_kind() -> None:
    """Shifted: how far, and what is allowed."""
    found = shown(KIND, GRADES)

    assert "Its pass rate is above people's: +0.20  (0.12 to 0.28), within 0.10 is" in found
    assert "what drops an output from 2 to 1" in found
    assert "quadratic kappa 0.80" in found


def test_too_harsh_without_a_pass_line() -> None:
    """The mean level, and the other way."""
    rows = table_rows([[20 if j == max(i - 1, 0) else 0 for j in range(5)] for i in range(5)])
    found = shown(rows, judge(rubric("ordinal")))

    assert "Its mean level is below people's: -0.80  (-0.88 to -0.72), within 0.50" in found


def test_no_better_than_a_coin() -> None:
    """The humans' levels do not matter to this judge."""
    found = shown(table_rows([[9, 41], [9, 41]]), policy=Policy(min_agreement=-1))

    assert "It tells good from bad no better than a coin." in found


def test_a_later_look() -> None:
    """Which look, the bound it used, and what came before."""
    found = shown(GOOD, look=3)

    assert "(look 3: 98.75% bound)" in found
    assert re.search(r"looks +<= 5 +3 +ok", found)
    assert "Look         3 on this label set (2 earlier looks revealed details)" in found


def test_the_looks_are_spent() -> None:
    """Fresh labels are the way out."""
    found = shown(GOOD, look=6)

    assert re.search(r"looks +<= 5 +6 +no", found)
    assert "fresh labels are needed" in found


def test_too_many_unusable_replies() -> None:
    """More labels do not mend it, and the commonest causes are named once."""
    found = shown(table_rows([[40, 3], [4, 40]], {"refused": 10, "unreadable": 2}))

    assert re.search(r"items judged +>= 95% +87 of 99 +no", found)
    assert found.count("10 refused") == 1
    assert "more\n        labels do not mend that" in found


def test_rubric_examples_among_the_labels() -> None:
    """Found, set aside, named."""
    rows = (*GOOD, *(Row(f"leak{n}", set_aside="rubric_example") for n in range(4)))
    found = flat(rows, leaked={f"leak{n}": "good" for n in range(4)})

    assert "rubric examples in labels none leak0, leak1, leak2 and 1 more" in found
    assert "4 set aside (rubric example)" in found


def test_several_raters_are_shown_one_by_one() -> None:
    """Each rater's own kappa with the judge."""
    rows = [
        Row(f"i{n}", None, who, n % 2, n % 2 if (n + k) % (6 + k) else 1 - n % 2)
        for n in range(60)
        for k, who in enumerate(("ann", "bob"))
    ]
    found = shown(rows)

    assert "2 raters; 60 items" in found
    assert re.search(r"Raters +kappa with each: ann 0\.\d\d, 95% interval", found)
    assert "bob 0." in found


def test_a_recorded_judge_is_declared() -> None:
    """Nobody observed it, and nobody can ask another model for it."""
    recorded = judge(recorded=True, model="house-judge")

    assert "'house-judge': declared by the rows, not observed" in shown(GOOD, recorded)
    assert "judgekit score tone --judgments FILE --out" in shown(GOOD, recorded)
    assert "--model" not in shown(BAD, recorded)
    assert "Run it again" not in shown(table_rows([[40, 3], [4, 40]], {"missing": 9}), recorded)


def test_few_items_and_thin_levels_are_warned_of() -> None:
    """Below what is recommended; levels that carry no evidence of their own."""
    table = [[2, 0, 0, 0, 0], [0, 20, 0, 0, 0], [0, 0, 20, 0, 0], [0, 0, 0, 20, 0], [0, 0, 0, 0, 3]]
    found = flat(table_rows(table), GRADES)

    assert "Warning 65 labelled items; 100 are recommended" in found
    assert 'fewer than 10 labels: "grade 1" (2), "grade 5" (3)' in found


LONG = [{"name": f"a rather long level name {n}", "definition": f"it is {n}"} for n in range(9)]
MANY = table_rows([[20 if i == j else 2 for j in range(9)] for i in range(9)])
WIDE_JUDGE = judge(rubric("nominal", levels=LONG), name="a-judge-with-quite-a-long-name")


@pytest.mark.parametrize(
    ("rows", "of", "more"),
    [
        (GOOD, judge(), {"source": "demonstration"}),
        (GOOD, judge(recorded=True), {"look": 5}),
        (GOOD[:9], judge(), {}),
        (BAD, judge(), {}),
        (OPEN, judge(), {}),
        ((), judge(), {}),
        ((Row("i", set_aside="unlabelled"),), judge(), {}),
        (KIND, GRADES, {"look": 6}),
        (MANY, WIDE_JUDGE, {}),
        (table_rows([[0] * 9] * 9, {"refused": 40}), WIDE_JUDGE, {}),
        (table_rows([[40, 3], [4, 40]], {"provider_error": 10, "unreadable": 9}), judge(), {}),
        (table_rows([[0, 0], [0, 50]]), judge(), {}),
        (table_rows([[0, 0], [10, 90]]), judge(), {}),
        (table_rows([[30, 2, 1], [3, 4, 1], [0, 1, 25]], na={0: 1}), judge(rubric("pairwise")), {}),
    ],
)
def test_it_fits_the_screen_and_says_nothing_strange(
    rows: tuple[Row, ...], of: Judge, more: dict[str, Any]
) -> None:
    """Eighty columns, no nan, no None, no minus zero, no trailing space."""
    result = calibration(rows, of, **more)
    lines = calibration_lines(result, Named("tone", "labels/tone.csv"))

    assert [line for line in lines if len(line) > 80] == []
    assert [line for line in lines if line != line.rstrip()] == []
    whole = "\n".join(lines)
    assert not re.search(r"\bnan\b|\bNone\b|-0\.00|\binf\b", whole)
    outcome = whole.index(":")
    assert outcome < whole.index("  check ") < whole.rindex("Next ")


def test_wide_tables_use_short_heads() -> None:
    """Numbers where levels have them, letters where they are words; the names stand in the rows."""
    grades, words = shown(KIND, GRADES), shown(MANY, WIDE_JUDGE)

    assert re.search(r"^  human \\ judge +1 +2 +3 +4 +5$", grades, re.MULTILINE)
    assert re.search(r"^  1 grade 1 +0 +20 +0 +0 +0  recall 0\.00", grades, re.MULTILINE)
    assert re.search(r"^  human \\ judge +a +b +c .* i$", words, re.MULTILINE)
    assert "  i a rather long level name 8   2 " in words


def test_disagreements_worst_first() -> None:
    """By distance on the scale; unjudged items come after what is certainly wrong."""
    rows = [
        Row("right", None, "ann", 2, 2),
        Row("one", None, "ann", 2, 3),
        Row("four", None, "ann", 0, 4),
        Row("lost", None, "ann", 2, cause="refused"),
        Row("na", None, "ann", 2, judge_na=True),
        Row("aside", set_aside="unlabelled"),
        Row("two", None, "ann", 2, 2),
        Row("two", None, "bob", 0, 2),
    ]
    (found,) = calibration(rows, GRADES).criteria

    assert disagreements(found) == ["four", "two", "one", "lost", "na"]


def test_several_criteria_follow_each_other() -> None:
    """One block each, an empty line between, named by judge and criterion."""
    (first,) = calibration(GOOD).criteria
    result = calibration(BAD, judge(name="other"))
    both = Calibration(result.judge, (*result.criteria, first), result.judgments, result.policy)

    blocks = text(both).split("\n\nother, tone: ")

    assert blocks[0].startswith("other, tone: NOT CALIBRATED")
    assert blocks[1].startswith("CALIBRATED")
