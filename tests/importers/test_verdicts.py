"""A table of verdicts and labels: one row an item, or one row a rating."""

from dataclasses import replace
from pathlib import Path

import pytest

from judgekit.api.agreement import declare_scale
from judgekit.calibration.align import HumanLevel
from judgekit.errors import InputError, LabelError
from judgekit.importers.table import read_table
from judgekit.importers.verdicts import VerdictColumns, Verdicts, off_scale_note, read_verdicts
from judgekit.judging.judgment import Judgment, Unjudged
from judgekit.rubric.model import Criterion

FIVE = declare_scale("1,2,3,4,5")
WIDE = VerdictColumns(judge="judge", human=("ann", "bob"))


def read(tmp_path: Path, text: str, columns: VerdictColumns = WIDE, **how: object) -> Verdicts:
    """The verdicts of a CSV text."""
    path = tmp_path / "table.csv"
    path.write_text(text, encoding="utf-8")
    return read_verdicts(read_table(path), FIVE, columns, **how)  # type: ignore[arg-type]


def test_one_row_an_item(tmp_path: Path) -> None:
    """A blank label is none; a blank verdict is missing; one off the scale is no level."""
    found = read(tmp_path, "judge,ann,bob\n5,5,4\n4.0,,3\n,1,1\n9,2,2\n")

    assert [i.id for i in found.items] == ["1", "2", "3", "4"]
    assert found.levels["1"] == [HumanLevel("ann", 4), HumanLevel("bob", 3)]
    assert found.levels["2"] == [HumanLevel("bob", 2)]
    assert found.outcomes["2"] == Judgment("2", "agreement", 3)
    assert found.outcomes["3"] == Unjudged("3", "agreement", "missing")
    assert found.outcomes["4"] == Unjudged("4", "agreement", "out_of_scale", raw="9")
    assert off_scale_note(found.outcomes) == ('1 verdict of the judge off the scale, unjudged: "9"')


def test_usual_columns_are_taken(tmp_path: Path) -> None:
    """Id, case, text, weight and stratum by their usual names."""
    text = "id,case,output,weight,stratum,judge,ann,bob\nx,c1,some text,2.5,rare,1,1,2\n"
    found = read(tmp_path, text)

    (item,) = found.items
    assert (item.id, item.case, item.fields) == ("x", "c1", {"output": "some text"})
    assert found.levels["x"][1] == HumanLevel("bob", 1, 2.5, "rare")


def test_one_row_a_rating(tmp_path: Path) -> None:
    """The verdict is repeated, the labels differ by rater."""
    columns = VerdictColumns(judge="judge", human=("label",), rater="who", item="item")
    found = read(tmp_path, "item,judge,who,label\na,5,ann,5\na,5,bob,4\nb,1,ann,1\n", columns)

    assert [i.id for i in found.items] == ["a", "b"]
    assert found.levels["a"] == [HumanLevel("ann", 4), HumanLevel("bob", 3)]


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        ("judge,ann,bob\n1,1,2\n2,9,1\n", 'level 9 is not on the scale|level "9"', 3),
        ("judge,ann,bob\n1,,\n2,,\n", "no row has a human label", None),
        ("judge,ann\n1,1\n", "no column 'bob'", 1),
        ("id,judge,ann,bob\na,1,1,1\na,1,1,1\n", "item 'a' occurs twice", 3),
        ("id,judge,ann,bob\n,1,1,1\n", "the row has no item id", 2),
        ("judge,ann,bob,weight\n1,1,1,-2\n", "is not a positive number", 2),
    ],
)
def test_what_cannot_be_read(tmp_path: Path, text: str, message: str, line: int | None) -> None:
    """One clear message with the line."""
    with pytest.raises(InputError, match=message) as caught:
        read(tmp_path, text)

    assert caught.value.line == line


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("item,judge,who,label\na,5,ann,5\na,4,bob,4\n", "two different verdicts"),
        ("item,judge,who,label\na,5,ann,5\na,5,ann,4\n", "labelled twice by 'ann'"),
        ("item,judge,who,label\na,5,,5\n", "a label and no rater"),
    ],
)
def test_ratings_that_contradict(tmp_path: Path, text: str, message: str) -> None:
    """Rows of one item say one verdict, and each rater one label."""
    columns = VerdictColumns(judge="judge", human=("label",), rater="who", item="item")
    with pytest.raises(LabelError, match=message):
        read(tmp_path, text, columns)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (VerdictColumns(judge="judge", human=()), "no column of human labels"),
        (VerdictColumns(judge="ann", human=("ann", "bob")), "stands for the judge and for a"),
        (VerdictColumns(judge="judge", human=("ann", "bob"), rater="who"), "2 columns of labels"),
        (VerdictColumns(judge=None, human=("ann",)), "nothing says which level the judge gave"),
        (VerdictColumns(judge="jduge", human=("ann",)), "no column 'jduge'"),
        (VerdictColumns(judge="judge", human=("ann",), probability=("q",)), "no column 'q'"),
    ],
)
def test_columns_that_do_not_fit_their_part(
    tmp_path: Path, columns: VerdictColumns, message: str
) -> None:
    """Nothing is compared with itself, and nothing that was named is left out in silence."""
    with pytest.raises(InputError, match=message):
        read(tmp_path, "judge,ann,bob,who\n1,1,1,x\n", columns)


# --- Probabilities -------------------------------------------------------------------------------

YES = declare_scale("0,1")
ALONE = VerdictColumns(judge="judge", human=("ann",), probability=("p",))
THREE = declare_scale("1,2,3")
EACH = VerdictColumns(judge=None, human=("ann",), probability=("p1", "p2", "p3"))
HEAD = "ann,p1,p2,p3\n"


def chances(tmp_path: Path, text: str, columns: VerdictColumns, criterion: Criterion) -> Verdicts:
    """The verdicts of a CSV text with probabilities."""
    path = tmp_path / "table.csv"
    path.write_text(text, encoding="utf-8")
    return read_verdicts(read_table(path), criterion, columns)


def test_the_probability_of_passing(tmp_path: Path) -> None:
    """One column; a blank cell is none."""
    found = chances(tmp_path, "judge,ann,p\n1,1,0.25\n0,1,\n1,1,1\n", ALONE, YES)

    assert found.probabilities == {"1": (0.25,), "3": (1.0,)}
    assert found.notes == ()


def test_the_likeliest_level_is_the_verdict(tmp_path: Path) -> None:
    """Without a column of verdicts: none where nothing is told, or where little of it is levels."""
    text = HEAD + "1,.2,.5,.3\n2,.4,.4,0\n3,,,\n1,.1,.2,.1\n"
    found = chances(tmp_path, text, EACH, THREE)

    assert found.outcomes["1"] == Judgment("1", "agreement", 1)
    assert found.outcomes["2"] == Judgment("2", "agreement", 0)
    assert found.outcomes["3"] == Unjudged("3", "agreement", "missing")
    raw = "captured mass 0.40"
    assert found.outcomes["4"] == Unjudged("4", "agreement", "out_of_scale", raw=raw)
    assert set(found.probabilities) == {"1", "2", "4"}
    assert found.notes == ("no column of verdicts: the likeliest level is the verdict",)


def test_one_probability_is_a_verdict_of_two_levels(tmp_path: Path) -> None:
    """Of passing, so that above one half the item passes."""
    columns = VerdictColumns(judge=None, human=("ann",), probability=("p",))
    found = chances(tmp_path, "ann,p\n1,0.7\n0,0.5\n0,0.1\n", columns, YES)

    assert [o.level for o in found.outcomes.values() if isinstance(o, Judgment)] == [1, 0, 0]


def test_a_level_that_was_not_listed(tmp_path: Path) -> None:
    """A blank beside others is 0, and said."""
    found = chances(tmp_path, HEAD + "1,,.9,\n2,.5,.5,\n", EACH, THREE)

    assert found.probabilities == {"1": (0.0, 0.9, 0.0), "2": (0.5, 0.5, 0.0)}
    assert "3 blank probabilities beside others of the same row read as 0" in found.notes


@pytest.mark.parametrize(
    ("cells", "message", "hint"),
    [
        ("1.25,0,0", 'p1 "1.25" is no probability', "percentage"),
        ("0,-0.7,0", 'p2 "-0.7" is no probability', "log-probability"),
        ("0,0,high", 'p3 "high" is no probability', "from 0 to 1"),
        ("0,0,nan", 'p3 "nan" is no probability', "from 0 to 1"),
        ("0,50%,0", 'p2 "50%" is no probability', "from 0 to 1"),
        (".5,.5,.5", "add up to 1.5", "one answer"),
    ],
)
def test_no_probability(tmp_path: Path, cells: str, message: str, hint: str) -> None:
    """The cell, the line, and what may have been meant."""
    with pytest.raises(LabelError, match=message) as caught:
        chances(tmp_path, f"{HEAD}1,.2,.3,.5\n1,{cells}\n", EACH, THREE)

    assert caught.value.line == 3
    assert hint in (caught.value.hint or "")


@pytest.mark.parametrize(
    ("columns", "criterion", "message"),
    [
        (ALONE, THREE, "no pass line"),
        (replace(EACH, probability=("p1", "p2")), THREE, "2 columns of .* has 3 levels"),
        (replace(ALONE, judge=None), declare_scale("1,2,3", passes="2"), "which level the judge"),
        (
            replace(ALONE, judge=None),
            declare_scale("1,2", kind="nominal", passes="1"),
            "which level the judge",
        ),
    ],
)
def test_columns_that_do_not_fit_the_scale(
    tmp_path: Path, columns: VerdictColumns, criterion: Criterion, message: str
) -> None:
    """As many columns as levels, or one where something passes."""
    with pytest.raises(InputError, match=message):
        chances(tmp_path, "judge,ann,p,p1,p2,p3\n1,1,.5,.2,.3,.5\n", columns, criterion)


def test_no_probability_in_any_row(tmp_path: Path) -> None:
    """Asked for and never there is a mistake, not an empty result."""
    with pytest.raises(InputError, match=r"no row has a probability \(1 column: p\)"):
        chances(tmp_path, "judge,ann,p\n1,1,\n", ALONE, YES)


def test_probabilities_that_contradict(tmp_path: Path) -> None:
    """Rows of one item tell of one answer."""
    columns = VerdictColumns(None, ("ann",), rater="who", item="id", probability=("p",))
    text = "id,who,ann,p\na,x,1,0.7\na,y,1,{}\n"
    found = chances(tmp_path, text.format("0.70"), columns, YES)

    assert found.probabilities == {"a": (0.7,)}
    with pytest.raises(LabelError, match="two different sets of probabilities"):
        chances(tmp_path, text.format("0.6"), columns, YES)


def test_no_column_has_two_parts_by_its_name(tmp_path: Path) -> None:
    """A probability called "weight" is no sampling weight."""
    columns = VerdictColumns(judge="judge", human=("ann",), probability=("weight",))
    found = chances(tmp_path, "judge,ann,weight\n1,1,0\n", columns, YES)

    assert found.levels["1"] == [HumanLevel("ann", 1)]


def test_item_id_is_an_id_too(tmp_path: Path) -> None:
    """The name that label files have."""
    columns = VerdictColumns(judge="judge", human=("label",), rater="who")
    found = read(tmp_path, "item_id,judge,who,label\na,5,ann,5\na,5,bob,4\n", columns)

    assert list(found.levels) == ["a"]


@pytest.mark.parametrize("weight", ["1e308", "1e-300", "inf", "0"])
def test_weights_that_add_up_with_nothing(tmp_path: Path, weight: str) -> None:
    """They are refused, not rounded away."""
    with pytest.raises(InputError, match="is not a positive number"):
        read(tmp_path, f"judge,ann,bob,weight\n1,1,1,{weight}\n")
