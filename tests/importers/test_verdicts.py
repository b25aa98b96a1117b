"""A table of verdicts and labels: one row an item, or one row a rating."""

from pathlib import Path

import pytest

from judgekit.api.agreement import declare_scale
from judgekit.calibration.align import HumanLevel
from judgekit.errors import InputError, LabelError
from judgekit.importers.table import read_table
from judgekit.importers.verdicts import VerdictColumns, Verdicts, off_scale_note, read_verdicts
from judgekit.judging.judgment import Judgment, Unjudged

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


def test_probabilities(tmp_path: Path) -> None:
    """Between 0 and 1, or the row is refused."""
    columns = VerdictColumns(judge="judge", human=("ann",), probability=("p",))
    found = read(tmp_path, "judge,ann,p\n1,1,0.25\n", columns)

    assert found.probabilities == {"1": (0.25,)}
    with pytest.raises(LabelError, match="no probability"):
        read(tmp_path, "judge,ann,p\n1,1,1.25\n", columns)
