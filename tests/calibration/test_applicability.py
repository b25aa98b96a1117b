"""Does the criterion apply? The 2 x 2 of human and judge, and rows that carry both answers."""

import json

import pytest
from hypothesis import given
from sklearn.metrics import cohen_kappa_score

from judgekit.calibration.align import HumanLevel, Subject, align
from judgekit.calibration.applicability import Applicability, applicability
from judgekit.calibration.measure import measure
from judgekit.calibration.rows import Row, ScaleSpec, tally
from judgekit.errors import CertificateError
from judgekit.judging.judgment import Judgment, Unjudged
from judgekit.stats import Estimate, path_score
from tests.calibration.make import GOOD, spec
from tests.calibration.strategies import calibrations, unhurried


def row(n: int, *, human: int | None, judge: int | str | None, rater: str = "ann") -> Row:
    """A pair, made as the program makes it: None is "does not apply", a word is a cause."""
    said = (
        Unjudged("", "tone", judge)  # type: ignore[arg-type]
        if isinstance(judge, str)
        else Judgment("", "tone", judge)
    )
    (made,) = align([Subject(f"i{n}")], {f"i{n}": [HumanLevel(rater, human)]}, {f"i{n}": said}, {})
    return made


def rows(*counts: tuple[int, int | None, int | str | None]) -> tuple[Row, ...]:
    """So many items of each (human, judge)."""
    each = [(human, judge) for n, human, judge in counts for _ in range(n)]
    return tuple(row(n, human=human, judge=judge) for n, (human, judge) in enumerate(each))


TABLE = rows((40, 1, 1), (5, 0, 1), (3, 1, None), (2, None, 0), (10, None, None))


def found(of: tuple[Row, ...]) -> Applicability:
    """The 2 x 2, where there must be one."""
    made = applicability(of)
    assert made is not None
    return made


def test_nobody_said_so() -> None:
    """Where nobody ever said "does not apply" there is nothing to tell."""
    assert applicability(GOOD) is None
    assert applicability(()) is None


def test_the_table() -> None:
    """Rows are the human's answer, columns the judge's; which level was given does not matter."""
    one = found(TABLE)

    assert one.table == ((45, 3), (2, 10))
    assert (one.unusable, one.unrecorded) == ((0, 0), 0)
    human = [r.set_aside is not None for r in TABLE]
    judge = [r.judge_na for r in TABLE]
    assert one.agreement.value == pytest.approx(cohen_kappa_score(human, judge))
    table = [[45.0, 3, 0, 0], [2, 10, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]
    interval = path_score(table, [[float(i == j) for j in range(4)] for i in range(4)])
    assert isinstance(interval, Estimate)
    assert one.agreement.low == pytest.approx(interval.low)
    assert one.raw_agreement.value == pytest.approx(55 / 60)
    assert one.raw_agreement.pairs == 60


def test_unusable_replies_disagree() -> None:
    """An unreadable reply is no answer here either; what the run never got is left out."""
    one = found((*TABLE, *rows((4, 1, "unreadable"), (1, None, "refused"))))
    lost = found((*TABLE, *rows((4, 1, "provider_error"), (3, None, "missing"))))

    assert one.unusable == (4, 1)
    assert one.table == ((45, 3), (2, 10))
    assert one.raw_agreement.value == pytest.approx(55 / 65)
    assert (one.agreement.value or 0) < (found(TABLE).agreement.value or 0)
    assert lost == found(TABLE)


def test_older_evidence() -> None:
    """Evidence that kept no judge's answer beside a human's "does not apply" says how many."""
    old = Row("old", rater="ann", set_aside="human_na")
    one = found((*TABLE, old))

    assert one.unrecorded == 1
    assert one.model_copy(update={"unrecorded": 0}) == found(TABLE)


def test_everybody_says_it_does_not_apply() -> None:
    """One category: no kappa, and the reason."""
    one = found(rows((20, None, None)))

    assert one.table == ((0, 0), (0, 20))
    assert one.agreement.undefined == "single_category"
    assert one.raw_agreement.value == 1


def test_raters_of_one_item_are_no_further_items() -> None:
    """Pairs are counted, and the interval is clustered by item."""
    raters = [
        row(n, human=None if n % 3 else 1, judge=None if n % 4 else 1, rater=rater)
        for n in range(30)
        for rater in ("ann", "bob")
    ]

    one = found(tuple(raters))

    assert (one.agreement.n, one.agreement.pairs) == (30, 60)
    assert one.agreement.clusters == 30


def test_other_items_set_aside_take_no_part() -> None:
    """Worked examples and unlabelled items have no human answer."""
    aside = (Row("x", set_aside="unlabelled"), Row("y", set_aside="rubric_example"))

    assert found((*TABLE, *aside)) == found(TABLE)


def test_figures_of_levels_stay_as_they_are() -> None:
    """What the judge says where a human says "does not apply" is in no other figure."""
    plain = tuple(r for r in TABLE if r.set_aside is None)
    without = {"applicability": None, "humans": None}
    more, less = measure(TABLE, spec("binary")), measure(plain, spec("binary"))

    assert more.model_copy(update=without) == less.model_copy(update=without)
    counts = tally((*TABLE, row(99, human=None, judge="unreadable")))
    assert counts.set_aside == {"human_na": 13}
    assert counts.unjudged == {}
    assert counts.items == counts.judged + 13


@unhurried
@given(calibrations())
def test_rows_survive_their_file(made: tuple[ScaleSpec, tuple[Row, ...]]) -> None:
    """Every row reads back as it was written, and every figure with it."""
    scale, before = made
    after = tuple(Row.from_json(json.loads(json.dumps(r.to_json(scale))), scale) for r in before)

    assert after == before
    assert applicability(after) == applicability(before)


def test_the_file_carries_the_judge_beside_a_human_na() -> None:
    """The judge's level, its "na" or the cause stands in the row that is set aside."""
    scale = spec("binary")
    aside = {"item": "i0", "rater": "ann", "set_aside": "human_na"}

    for judge, told in ((1, {"judge": 1}), (None, {"judge": "na"}), ("empty", {"cause": "empty"})):
        assert row(0, human=None, judge=judge).to_json(scale) == {**aside, **told}
    assert Row.from_json(aside, scale) == Row("i0", rater="ann", set_aside="human_na")


@pytest.mark.parametrize(
    "told",
    [
        {"set_aside": "human_na", "judge": 1, "cause": "empty"},
        {"set_aside": "unlabelled", "judge": 1},
        {"set_aside": "other_split", "cause": "empty"},
        {"set_aside": "human_na", "judge": 7},
    ],
)
def test_rows_that_cannot_be(told: dict[str, object]) -> None:
    """Two outcomes in one row, a judgment of what nobody labelled, a level off the scale."""
    with pytest.raises(CertificateError):
        Row.from_json({"item": "i0", "rater": "ann", **told}, spec("binary"))
