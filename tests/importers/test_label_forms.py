from pathlib import Path

import pytest

from judgekit.errors import InputError, LabelError, UnknownName
from judgekit.importers.labels import read_labels
from tests.importers.make import ONE_TO_THREE, TONE, criterion, write

WIDE = "item_id,alice,bob,note\na,rude,friendly,hm\nb,,neutral,\nc,,,\n"
TWO = "item_id,rater,criterion,level\na,ann,tone,rude\na,ann,groundedness,3\n"


def test_wide_form(tmp_path: Path) -> None:
    """A column a rater; a blank cell is a label that was never given."""
    labels = read_labels(write(tmp_path, "a.csv", WIDE), [TONE], rater_columns=["alice", "bob"])

    assert [(v.item, v.rater, v.level, v.note, v.line) for v in labels.labels] == [
        ("a", "alice", 0, "hm", 2),
        ("a", "bob", 2, "hm", 2),
        ("b", "bob", 1, None, 3),
    ]
    assert labels.notes == ("3 ratings without a level left out as missing",)


@pytest.mark.parametrize(
    ("raters", "message", "hint"),
    [
        (["alice", "bbo"], "no column 'bbo'", "Did you mean 'bob'?"),
        (["xyz"], "no column 'xyz'", "Columns: item_id, alice, bob, note"),
        (["bob", "bob"], "--rater-columns names 'bob' twice", "Name each rater once."),
    ],
)
def test_wide_form_needs_its_columns(
    tmp_path: Path, raters: list[str], message: str, hint: str
) -> None:
    """A misspelt rater would otherwise be a rater without labels."""
    with pytest.raises(InputError) as caught:
        read_labels(write(tmp_path, "a.csv", WIDE), [TONE], rater_columns=raters)

    assert (caught.value.message, caught.value.hint) == (message, hint)
    assert caught.value.line == 1


def test_wide_form_does_not_read_the_columns_of_long_form(tmp_path: Path) -> None:
    """A `rater` or `score` beside the rater columns is something else."""
    text = "item_id,rater,score,alice\na,zed,9,rude\n"

    labels = read_labels(write(tmp_path, "a.csv", text), [TONE], rater_columns=["alice"])

    assert [(v.rater, v.level) for v in labels.labels] == [("alice", 0)]


def test_an_item_twice_in_wide_form_is_refused(tmp_path: Path) -> None:
    """Each rater would count twice."""
    path = write(tmp_path, "a.csv", "item_id,alice,bob\na,rude,\na,rude,rude\n")

    with pytest.raises(LabelError, match=r"labelled twice by 'alice' \(lines 2 and 3\)"):
        read_labels(path, [TONE], rater_columns=["alice", "bob"])


def test_an_off_scale_level_in_wide_form(tmp_path: Path) -> None:
    """The row is named as in long form."""
    path = write(tmp_path, "a.csv", "item_id,alice,bob\na,rude,rood\n")

    with pytest.raises(LabelError, match='level "rood"') as caught:
        read_labels(path, [TONE], rater_columns=["alice", "bob"])

    assert caught.value.row == 2


def test_several_criteria(tmp_path: Path) -> None:
    """Each row is read on its own criterion's scale; names go in any case."""
    path = write(tmp_path, "a.csv", TWO + "b,ann,TONE,friendly\n")

    labels = read_labels(path, [TONE, ONE_TO_THREE])

    assert [(v.criterion, v.level) for v in labels.labels] == [
        ("tone", 0),
        ("groundedness", 2),
        ("tone", 2),
    ]
    assert len(labels.of("tone").labels) == 2


def test_notes_name_the_criterion_where_there_are_several(tmp_path: Path) -> None:
    """The same word may be a level of each."""
    path = write(tmp_path, "a.csv", TWO + "b,ann,tone,RUDE\n")

    assert read_labels(path, [TONE, ONE_TO_THREE]).notes == ('tone: read "RUDE" as rude (1 row)',)


def test_several_criteria_need_a_column(tmp_path: Path) -> None:
    """Unless one of them is asked for."""
    path = write(tmp_path, "a.csv", "item_id,rater,level\na,ann,rude\n")

    with pytest.raises(InputError) as caught:
        read_labels(path, [TONE, ONE_TO_THREE])

    assert caught.value.message == (
        "no criterion column, and the rubric has 2 criteria: tone, groundedness"
    )
    assert "--criterion-column" in str(caught.value.hint)
    asked = read_labels(path, [TONE, ONE_TO_THREE], criterion="tone")
    assert asked.labels[0].criterion == "tone"


def test_a_criterion_that_is_not_in_the_rubric(tmp_path: Path) -> None:
    """With its line and the nearest."""
    path = write(tmp_path, "a.csv", TWO + "a,ann,groundednes,3\nb,ann,,rude\n")

    with pytest.raises(LabelError) as caught:
        read_labels(path, [TONE, ONE_TO_THREE])

    assert caught.value.row == 4
    assert caught.value.message == (
        'criterion "groundednes" is not in the rubric (tone, groundedness). '
        'Did you mean "groundedness"? (and 1 more row like it)'
    )


def test_a_row_without_a_criterion(tmp_path: Path) -> None:
    """It is not everybody's."""
    path = write(tmp_path, "a.csv", "item_id,rater,criterion,level\na,ann,,rude\n")

    with pytest.raises(LabelError, match="the row names no criterion"):
        read_labels(path, [TONE])


def test_one_criterion_asked_for(tmp_path: Path) -> None:
    """The rows of the others are left out and counted; their levels need not fit."""
    labels = read_labels(write(tmp_path, "a.csv", TWO), [TONE], criterion="tone")

    assert [v.level for v in labels.labels] == [0]
    assert labels.notes == ("1 row of other criteria left out (groundedness)",)


def test_the_only_criterion_under_the_name_the_file_uses(tmp_path: Path) -> None:
    """`--criterion Q0` with a rubric that calls it otherwise."""
    path = write(tmp_path, "a.csv", "item_id,rater,criterion,level\na,r,Q0,1\na,r,Q1,2\n")

    labels = read_labels(path, [ONE_TO_THREE], criterion="Q0")

    assert [(v.criterion, v.level) for v in labels.labels] == [("groundedness", 0)]
    assert labels.notes == (
        "1 row of other criteria left out (Q1)",
        "took the rows of criterion 'Q0' for 'groundedness'",
    )


@pytest.mark.parametrize(
    ("asked", "hint"), [("Q00", "Did you mean 'Q0'?"), ("zzz", "Known: Q0, Q1.")]
)
def test_a_criterion_the_file_does_not_have(tmp_path: Path, asked: str, hint: str) -> None:
    """No row is left: that is an error, not an empty set."""
    path = write(tmp_path, "a.csv", "item_id,rater,criterion,level\na,r,Q0,1\na,r,Q1,2\n")

    with pytest.raises(UnknownName) as caught:
        read_labels(path, [ONE_TO_THREE], criterion=asked)

    assert caught.value.message == f"no criterion named {asked!r}"
    assert caught.value.hint == hint


@pytest.mark.parametrize("criteria", [[TONE], [TONE, ONE_TO_THREE]])
def test_a_criterion_nobody_knows(tmp_path: Path, criteria: list[object]) -> None:
    """Neither the rubric nor, for want of a column, the file."""
    path = write(tmp_path, "a.csv", "item_id,rater,level\na,r,rude\n")

    with pytest.raises(UnknownName) as caught:
        read_labels(path, criteria, criterion="tune")  # type: ignore[arg-type]

    assert caught.value.hint == "Did you mean 'tone'?"


def test_the_items_may_know_the_criterion(tmp_path: Path) -> None:
    """A file without a criterion column, about items that are about one criterion each."""
    path = write(tmp_path, "a.csv", "item_id,rater,level\na,r,1\nb,r,2\nc,r,9\n")
    of_items = {"a": "Q0", "b": "Q1"}

    labels = read_labels(path, [ONE_TO_THREE], criterion="q0", item_criteria=of_items)

    assert labels.items == ("a",)
    assert labels.notes[0] == "2 rows of other criteria left out (Q1, none)"


def test_what_items_say_counts_only_if_it_is_looked_for(tmp_path: Path) -> None:
    """An items file may have a `criterion` column of another kind, free text for example."""
    path = write(tmp_path, "a.csv", "item_id,rater,level\na,r,1\nb,r,2\n")
    free_text = {"a": "The data set is loaded.", "b": "The model is saved."}

    labels = read_labels(path, [ONE_TO_THREE], item_criteria=free_text)

    assert labels.items == ("a", "b")


def test_items_can_tell_several_criteria_apart(tmp_path: Path) -> None:
    """Then no criterion column is needed."""
    path = write(tmp_path, "a.csv", "item_id,rater,level\na,r,rude\nb,r,2\n")

    labels = read_labels(
        path, [TONE, ONE_TO_THREE], item_criteria={"a": "tone", "b": "groundedness"}
    )

    assert [v.criterion for v in labels.labels] == ["tone", "groundedness"]


def test_a_rename_holds_on_the_scale_of_the_row(tmp_path: Path) -> None:
    """`--level-map x=3` is no level of tone."""
    path = write(
        tmp_path, "a.csv", "item_id,rater,criterion,level\na,r,groundedness,x\nb,r,tone,x\n"
    )

    with pytest.raises(LabelError) as caught:
        read_labels(path, [TONE, ONE_TO_THREE], level_map={"x": "3"})

    assert caught.value.row == 3


def test_criteria_may_foresee_na_each_for_itself(tmp_path: Path) -> None:
    """What one criterion allows, the other does not."""
    lax = criterion("lax", not_applicable="Never mind.")
    path = write(tmp_path, "a.csv", "item_id,rater,criterion,level\na,r,lax,na\nb,r,tone,na\n")

    with pytest.raises(LabelError, match="'tone' has no") as caught:
        read_labels(path, [TONE, lax])

    assert caught.value.row == 3
