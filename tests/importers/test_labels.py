from pathlib import Path

import pytest

from judgekit.errors import InputError, LabelError
from judgekit.importers.columns import ColumnOptions
from judgekit.importers.labels import read_labels
from judgekit.importers.table import read_table
from judgekit.labels.label import Label
from tests.importers.make import BINARY, ONE_TO_THREE, TONE, criterion, write, write_jsonl


def refused(path: Path, **options: object) -> LabelError:
    """The error a row of a label file gives."""
    with pytest.raises(LabelError) as caught:
        read_labels(path, [TONE], **options)  # type: ignore[arg-type]
    assert caught.value.file == str(path)
    return caught.value


def test_long_form(tmp_path: Path) -> None:
    """Every optional column lands in the label, and the line is kept."""
    path = write(
        tmp_path,
        "tone.csv",
        "item_id,rater,level,note,split,weight,stratum,source,case\n"
        "a,ann,rude,hm,test,2,long,human,k1\n"
        "b,bob,friendly,,,,,,\n",
    )

    labels = read_labels(path, [TONE])

    assert labels.labels == (
        Label(
            item="a",
            criterion="tone",
            rater="ann",
            level=0,
            note="hm",
            split="test",
            weight=2.0,
            stratum="long",
            case="k1",
            line=2,
        ),
        Label(item="b", criterion="tone", rater="bob", level=2, line=3),
    )
    assert labels.notes == ()
    assert (labels.file, labels.source) == (str(path), "human")


def test_csv_and_jsonl_say_the_same(tmp_path: Path) -> None:
    """The same rows give the same set, whatever the file format."""
    rows = [{"item_id": i, "rater": "r", "level": 1 + i % 3, "weight": 0.5} for i in range(9)]
    text = "".join(f"{r['item_id']},{r['rater']},{r['level']},{r['weight']}\n" for r in rows)

    one = read_labels(
        write(tmp_path, "a.csv", "item_id,rater,level,weight\n" + text), [ONE_TO_THREE]
    )
    two = read_labels(write_jsonl(tmp_path, "a.jsonl", rows), [ONE_TO_THREE])

    assert one.sha256 == two.sha256
    assert [v.line for v in two.labels] == list(range(1, 10))


def test_a_table_read_before_can_be_given(tmp_path: Path) -> None:
    """A file that items share is read once."""
    path = write(tmp_path, "a.csv", "item_id,rater,level\na,ann,rude\n")

    assert read_labels(read_table(path), [TONE]) == read_labels(path, [TONE])


@pytest.mark.parametrize("written", ["3", "3.0", "grounded", "Grounded", " GROUNDED "])
def test_levels_by_value_name_and_case(tmp_path: Path, written: str) -> None:
    """However it is written, it is the same level."""
    path = write(tmp_path, "a.csv", f"item_id,rater,level\na,ann,{written}\n")

    assert read_labels(path, [ONE_TO_THREE]).labels[0].level == 2


@pytest.mark.parametrize(("written", "level"), [("true", 1), ("false", 0), ("1", 1), ("1.0", 1)])
def test_json_levels(tmp_path: Path, written: str, level: int) -> None:
    """Numbers and truth values of JSON."""
    path = write(tmp_path, "a.jsonl", f'{{"item_id": "a", "rater": "r", "level": {written}}}\n')

    assert read_labels(path, [BINARY]).labels[0].level == level


def test_an_off_scale_level(tmp_path: Path) -> None:
    """As the design page shows it: file, line, scale, suggestion and the way out."""
    path = write(tmp_path, "tone.csv", "item_id,rater,level\na,ann,rude\nb,ann,frendly\n")

    error = refused(path)

    assert str(error) == (
        f'{path}:3: level "frendly" is not on the scale (rude, neutral, friendly). '
        'Did you mean "friendly"?'
    )
    assert error.hint == (
        "Nothing was read or written. To rename levels while reading: --level-map frendly=friendly"
    )
    assert error.row == 3


def test_an_off_scale_number(tmp_path: Path) -> None:
    """A number is never like another number."""
    path = write(tmp_path, "a.jsonl", '{"item_id": 1, "rater": "r", "level": 33}\n')

    with pytest.raises(LabelError) as caught:
        read_labels(path, [ONE_TO_THREE])

    assert caught.value.message == (
        "level 33 is not on the scale (1 ungrounded, 2 partly, 3 grounded)"
    )
    assert str(caught.value.hint).endswith("--level-map 33=LEVEL")


def test_the_first_problem_and_how_many_more(tmp_path: Path) -> None:
    """Only rows with the same kind of problem are counted."""
    levels = ["rude", "bad", "worse", "na", "rude", "worst"]
    text = "".join(f"i{n},ann,{level}\n" for n, level in enumerate(levels))

    error = refused(write(tmp_path, "a.csv", "item_id,rater,level\n" + text))

    assert error.row == 3
    assert error.message == (
        'level "bad" is not on the scale (rude, neutral, friendly) (and 2 more rows like it)'
    )


def test_a_blank_level_is_missing_and_no_category(tmp_path: Path) -> None:
    """Left out and counted, whatever else the row lacks; it collides with nothing."""
    text = "item_id,rater,level\na,ann,rude\na,ann,\nb,,  \n,,\n"

    labels = read_labels(write(tmp_path, "a.csv", text), [TONE])

    assert [v.item for v in labels.labels] == ["a"]
    assert labels.notes == ("2 rows without a level left out as missing",)


@pytest.mark.parametrize("value", ["null", '""', '" "'])
def test_a_null_level_is_missing(tmp_path: Path, value: str) -> None:
    """In JSON too, and so is a key that is not there."""
    text = (
        f'{{"item_id": 1, "level": "rude"}}\n{{"item_id": 2, "level": {value}}}\n{{"item_id": 3}}\n'
    )

    labels = read_labels(write(tmp_path, "a.jsonl", text), [TONE])

    assert [v.item for v in labels.labels] == ["1"]
    assert "2 rows without a level left out as missing" in labels.notes


def test_no_labels_at_all_is_an_error(tmp_path: Path) -> None:
    """A file to be filled in is no label file yet."""
    path = write(tmp_path, "a.csv", "item_id,rater,level\na,ann,\nb,ann,\n")

    with pytest.raises(InputError, match="no labels: 2 rows without a level"):
        read_labels(path, [TONE])


def test_na_where_the_rubric_foresees_it(tmp_path: Path) -> None:
    """A human may say that the criterion does not apply; that is a label without a level."""
    path = write(tmp_path, "a.csv", "item_id,rater,level\na,ann,NA\n")

    labels = read_labels(path, [criterion(not_applicable="No tone at all.")])

    assert labels.labels[0].level is None


def test_na_where_the_rubric_does_not_foresee_it(tmp_path: Path) -> None:
    """Refused, and the way out is shown."""
    path = write(tmp_path, "a.csv", "item_id,rater,level\na,ann,na\nb,ann,NA\n")

    error = refused(path)

    assert error.message == (
        'level "na": \'tone\' has no "not_applicable" in the rubric (and 1 more row like it)'
    )
    assert str(error.hint).endswith("--level-map na=na")
    assert read_labels(path, [TONE], level_map={"na": "na"}).labels[0].level is None


def test_level_map(tmp_path: Path) -> None:
    """Renames are applied and reported; one that never applies is reported too."""
    path = write(tmp_path, "a.csv", "item_id,rater,level\na,ann,0\nb,ann,good\nc,ann,rude\n")

    labels = read_labels(path, [TONE], level_map={"0": "na", "good": "friendly", "x": "rude"})

    assert [v.level for v in labels.labels] == [None, 2, 0]
    assert labels.notes == (
        'read "0" as na (1 row)',
        'read "good" as friendly (1 row)',
        "the file never says x (--level-map)",
    )


def test_a_level_map_to_nowhere_is_refused(tmp_path: Path) -> None:
    """Before any row is read."""
    path = write(tmp_path, "a.csv", "item_id,rater,level\na,ann,rude\n")

    with pytest.raises(InputError, match="is not on the scale"):
        read_labels(path, [TONE], level_map={"good": "frend"})


@pytest.mark.parametrize("second", ["friendly", "rude"], ids=["another level", "the same level"])
def test_a_second_label_of_one_rater_is_refused(tmp_path: Path, second: str) -> None:
    """Both lines are named, and identical rows are no better: which was meant is not ours."""
    text = f"item_id,rater,level\na,ann,rude\na,bob,rude\n\na,ann,{second}\n"

    error = refused(write(tmp_path, "a.csv", text))

    assert error.message == "item 'a' is labelled twice by 'ann' (lines 2 and 5)"
    assert error.row == 5


def test_rows_on_one_line_are_still_two_rows(tmp_path: Path) -> None:
    """A JSON list may stand on one line."""
    row = '{"item_id": "a", "rater": "ann", "level": "rude"}'

    error = refused(write(tmp_path, "a.json", f"[{row}, {row}]"))

    assert "(lines 1 and 1)" in error.message


def test_without_a_rater_column_all_rows_are_by_one_rater(tmp_path: Path) -> None:
    """It is said; and two labels of an item then point to the missing column."""
    text = "item_id,level\na,rude\nb,rude\n"

    labels = read_labels(write(tmp_path, "a.csv", text), [TONE])

    assert labels.raters == ("rater",)
    assert labels.notes == ("no rater column: all rows are by one rater, 'rater'",)

    error = refused(write(tmp_path, "b.csv", text + "a,friendly\n"))

    assert error.message == "item 'a' is labelled twice (lines 2 and 4)"
    assert "--rater-column" in str(error.hint)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (",ann,rude", "the row has a level and no item id"),
        ("a,,rude", "the row has a level and no rater"),
        ("a, ,rude", "the row has a level and no rater"),
    ],
)
def test_a_label_of_nothing_or_nobody_is_refused(tmp_path: Path, row: str, message: str) -> None:
    """Each with its line."""
    error = refused(write(tmp_path, "a.csv", f"item_id,rater,level\nz,ann,rude\n{row}\n"))

    assert (error.message, error.row) == (message, 3)


@pytest.mark.parametrize("value", ["true", "[1]", "{}"])
def test_an_id_is_text_or_a_number(tmp_path: Path, value: str) -> None:
    """Nothing else can be matched with another file."""
    path = write(tmp_path, "a.jsonl", f'{{"item_id": {value}, "rater": "r", "level": "rude"}}\n')

    assert refused(path).message == "the row has a level and no item id"


def test_ids_are_text_without_outer_blanks(tmp_path: Path) -> None:
    """7 and " 7 " are one item; 007 is another."""
    rows = [{"item_id": v, "level": "rude"} for v in (7, 8.0, "007", " x y ")]

    labels = read_labels(write_jsonl(tmp_path, "a.jsonl", rows), [TONE])

    assert labels.items == ("7", "8", "007", "x y")


@pytest.mark.parametrize("written", ["model", "Model", " MODEL "])
def test_labels_made_by_a_model_are_refused(tmp_path: Path, written: str) -> None:
    """Complaint 40: a judge "calibrated" against labels that a model made."""
    text = f"item_id,rater,level,source\na,ann,rude,human\nb,gpt,rude,{written}\nc,gpt,rude,model\n"

    error = refused(write(tmp_path, "a.csv", text))

    assert error.row == 3
    assert error.message == (
        'source "model": labels made by a model never calibrate a judge (and 1 more row like it)'
    )
    assert "--judgments" in str(error.hint)


@pytest.mark.parametrize(
    ("written", "hint"),
    [("modle", 'Did you mean "model"?'), ("llm", "Labels by people have the source human.")],
)
def test_an_unknown_source_is_refused(tmp_path: Path, written: str, hint: str) -> None:
    """What is not known to be a person is not taken for one."""
    text = f"item_id,rater,level,source\na,gpt,rude,{written}\n"

    error = refused(write(tmp_path, "a.csv", text))

    assert error.message == f'source "{written}" is none of human, demonstration, model'
    assert (error.hint, error.row) == (hint, 2)


def test_demonstration_labels_are_marked(tmp_path: Path) -> None:
    """One is enough for the whole set."""
    text = "item_id,rater,level,source\na,ann,rude,\nb,ann,rude,Demonstration\n"

    labels = read_labels(write(tmp_path, "a.csv", text), [TONE])

    assert [v.source for v in labels.labels] == ["human", "demonstration"]
    assert labels.source == "demonstration"


@pytest.mark.parametrize("weight", ["0", "-1", "nan", "inf", "two"])
def test_a_weight_is_a_positive_number(tmp_path: Path, weight: str) -> None:
    """Anything else would bend the estimate."""
    error = refused(write(tmp_path, "a.csv", f"item_id,rater,level,weight\na,ann,rude,{weight}\n"))

    assert error.message == f'weight "{weight}" is not a positive number'
    assert error.row == 2


def test_columns_by_option(tmp_path: Path) -> None:
    """Any table can be read without editing it."""
    path = write(tmp_path, "a.csv", "key;who;tone;thread\na;ann;rude;t1\n")
    options = ColumnOptions(item="key", rater="who", level="tone", case="thread")

    labels = read_labels(path, [TONE], columns=options)

    assert labels.labels == (
        Label(item="a", criterion="tone", rater="ann", level=0, case="t1", line=2),
    )


def test_columns_by_other_names_are_reported(tmp_path: Path) -> None:
    """Complaint 44: the real reason is said, not hidden."""
    path = write(tmp_path, "a.csv", "\ufeffid,annotator,label\na,ann,rude\n")

    assert read_labels(path, [TONE]).notes == (
        "took 'id' for item_id",
        "took 'annotator' for rater",
        "took 'label' for level",
    )


def test_items_may_share_the_file(tmp_path: Path) -> None:
    """The text of the items is nobody's level."""
    path = write(tmp_path, "a.csv", "id,question,answer,score\na,Why?,Because.,rude\n")

    assert read_labels(path, [TONE], inputs=["question", "answer"]).labels[0].level == 0
