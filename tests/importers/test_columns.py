from pathlib import Path

import pytest

from judgekit.errors import InputError
from judgekit.importers.columns import ColumnOptions, Columns, find_columns, share_options
from judgekit.importers.roles import JUDGMENT_ROLES, LABEL_ROLES
from judgekit.importers.spelling import looks_like
from judgekit.importers.table import Row, Table, read_table
from tests.importers.make import told


def columns_of(
    *names: str, options: ColumnOptions | None = None, reserved: tuple[str, ...] = ()
) -> Columns:
    """Find the label columns of a CSV file with these names."""
    table = Table("f.csv", names, (Row(2, dict.fromkeys(names, "x")),), header_line=1)
    return find_columns(table, LABEL_ROLES, options or ColumnOptions(), reserved=reserved)


def refused(*names: str, options: ColumnOptions | None = None) -> InputError:
    """The error that these column names give."""
    with pytest.raises(InputError) as caught:
        columns_of(*names, options=options)
    assert (caught.value.file, caught.value.line) == ("f.csv", 1)
    return caught.value


def test_exact_names_need_no_words() -> None:
    """The documented names are taken in silence; all others are nobody's business."""
    found = columns_of("item_id", "rater", "level", "criterion", "weight", "colour", "height")

    assert found.notes == ()
    assert found.by_role == {
        "item": "item_id",
        "rater": "rater",
        "level": "level",
        "criterion": "criterion",
        "weight": "weight",
    }


@pytest.mark.parametrize(
    ("role", "names"),
    [
        ("item", ["id", "item", "example_id", "sample_id", "Item ID", "itemId"]),
        ("rater", ["annotator", "labeler", "grader", "worker", "user", "worker_id", "RATER"]),
        ("level", ["label", "score", "rating", "grade", "verdict", "answer"]),
        ("criterion", ["dimension", "aspect", "metric"]),
        ("case", ["case_id", "group", "session"]),
        ("note", ["comment"]),
    ],
)
def test_other_names_are_taken_and_reported(role: str, names: list[str]) -> None:
    """The message says which column was taken for what."""
    base = {"item": "item_id", "level": "level"}
    exact = {"item": "item_id", "level": "level"}.get(role, role)
    for name in names:
        given = {**base, role: name}

        found = columns_of(*given.values())

        assert found.get(role) == name
        assert found.notes == (f"took {name!r} for {exact}",)


def test_an_exact_name_goes_before_another_name() -> None:
    """A file that has `level` and also a `score` is not in doubt."""
    found = columns_of("id", "item_id", "score", "level", "user", "rater")

    assert found.by_role == {"item": "item_id", "level": "level", "rater": "rater"}


@pytest.mark.parametrize(
    ("names", "pair", "option"),
    [
        (("id", "sample_id", "level"), "'id' and 'sample_id' could both be the item", "--item-c"),
        (("id", "label", "score"), "'label' and 'score' could both be the level", "--level-co"),
        (("id", "level", "user", "grader"), "'user' and 'grader' could both be", "--rater-col"),
        (("id", "level", "aspect", "metric"), "'aspect' and 'metric'", "--criterion-column aspect"),
        (("id", "level", "group", "session"), "'group' and 'session'", "--case-column group"),
    ],
)
def test_two_candidates_are_refused(names: tuple[str, ...], pair: str, option: str) -> None:
    """Both are named, and the option that settles it."""
    error = refused(*names)

    assert pair in error.message
    assert option in str(error.hint)


def test_an_option_wins() -> None:
    """Over exact names and over several candidates; what it names plays no second role."""
    options = ColumnOptions(item="key", rater="who", level="grade", criterion="what", case="user")

    found = columns_of(
        "id", "key", "who", "level", "grade", "score", "what", "user", options=options
    )

    assert found.by_role == {
        "item": "key",
        "rater": "who",
        "level": "grade",
        "criterion": "what",
        "case": "user",
    }
    assert found.notes == ()


@pytest.mark.parametrize(
    ("said", "hint"),
    [
        ("scroe", "Did you mean --level-column score?"),
        ("Score", "Did you mean --level-column score?"),
        ("zzz", "The columns are: id, score"),
    ],
)
def test_an_option_that_names_no_column_is_refused(said: str, hint: str) -> None:
    """Even where another column would do: what was asked for is not there."""
    error = refused("id", "score", options=ColumnOptions(level=said))

    assert error.message == f"no column {said!r}"
    assert error.hint == hint


def test_a_dash_says_that_there_is_no_such_column() -> None:
    """The way out where a column only looks like one."""
    names = ("id", "level", "user", "group", "session", "ratre")
    options = ColumnOptions(rater="-", case="-")

    assert columns_of(*names, options=options).by_role == {"item": "id", "level": "level"}


def test_a_needed_column_cannot_be_waved_away() -> None:
    """There is no label without a level."""
    assert refused("id", "level", options=ColumnOptions(level="-")).message == "no column '-'"


@pytest.mark.parametrize(
    ("written", "meant", "option"),
    [
        ("itme_id", "item_id", "--item-column itme_id"),
        ("item_di", "item_id", "--item-column"),
        ("itemid2", "item_id", "--item-column"),
        ("sampel_id", "sample_id", "--item-column"),
    ],
)
def test_a_misspelt_needed_column(written: str, meant: str, option: str) -> None:
    """The suggestion goes by spelling, and the option is shown for a name that is meant."""
    error = refused(written, "rater", "level")

    assert error.message == f"column {written!r}: did you mean {meant!r}?"
    assert option in str(error.hint)


@pytest.mark.parametrize("written", ["lable", "levle", "levels", "rateing", "socre"])
def test_a_misspelt_level_column(written: str) -> None:
    """The same for the level."""
    assert f"column {written!r}: did you mean" in refused("item_id", "rater", written).message


def test_the_best_suggestion_wins() -> None:
    """Not the first column that is a little alike."""
    assert "column 'levl'" in refused("item_id", "several", "levl").message


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("ratre", "rater"),
        ("ratter", "rater"),
        ("criterium", "criterion"),
        ("criteria", "criterion"),
        ("csae", "case"),
        ("sorce", "source"),
        ("spilt", "split"),
        ("wieght", "weight"),
        ("weigth", "weight"),
        ("stratun", "stratum"),
        ("ntoe", "note"),
    ],
)
def test_a_misspelt_optional_column_is_refused(written: str, meant: str) -> None:
    """Read as "no such column" it would change what is measured, and nobody would know."""
    error = refused("item_id", "level", written)

    assert error.message == f"column {written!r}: did you mean {meant!r}?"
    has_option = meant in {"rater", "criterion", "case"}
    assert (f"--{meant}-column -" in str(error.hint)) is has_option


@pytest.mark.parametrize(
    "name",
    [
        *("cause", "height", "sources", "splits", "weights", "notes", "node", "date", "water"),
        *("reference", "output", "metadata", "context", "colour", "sport", "resource", "", "x"),
    ],
)
def test_other_columns_are_left_alone(name: str) -> None:
    """A table has columns of its own; only slips of the pen are refused."""
    assert columns_of("item_id", "level", name).by_role == {"item": "item_id", "level": "level"}


def test_a_role_that_is_filled_has_no_misspelling() -> None:
    """`rater` is there, so `ratre` is something else."""
    assert columns_of("item_id", "level", "rater", "ratre").get("rater") == "rater"


def test_a_misspelt_key_in_one_row_of_many(tmp_path: Path) -> None:
    """In JSON each row names its own columns; there it stands in for the right one."""
    path = tmp_path / "a.jsonl"
    path.write_text('{"item_id": 1, "level": 1}\n{"item_id": 2, "levle": 1}\n')

    with pytest.raises(InputError, match="column 'levle': did you mean 'level'"):
        find_columns(read_table(path), LABEL_ROLES, ColumnOptions())


def test_nothing_alike_lists_what_there_is() -> None:
    """All columns, the other names, and the option."""
    error = refused("foo", "level")

    assert error.message == (
        "no item column: 'item_id' is needed (or id, item, example_id, sample_id)"
    )
    assert error.hint == "The columns are: foo, level. Say which: --item-column NAME"


def test_item_text_plays_no_other_role() -> None:
    """Where items and labels share a file, `answer` is what is judged, not the level."""
    found = columns_of("id", "answer", "score", "criterion", reserved=("answer", "criterion"))

    assert found.by_role == {"item": "id", "level": "score"}


def test_recorded_judgments_have_their_own_roles() -> None:
    """None but the item is needed here; the reader asks for a level or a reply."""
    names = ("item_id", "reply", "judge_name", "explanation", "epoch")
    table = Table("f.jsonl", names, ())

    found = find_columns(table, JUDGMENT_ROLES, ColumnOptions())

    assert found.by_role == {
        "item": "item_id",
        "raw": "reply",
        "judge": "judge_name",
        "reason": "explanation",
        "replicate": "epoch",
    }


def test_one_set_of_options_for_several_files() -> None:
    """An option holds in the files that have its column; the others go by their own names."""
    labels = Table("l.csv", ("item_id", "label"), ())
    judgments = Table("j.jsonl", ("item_id", "verdict", "score"), ())

    for_labels, for_judgments = share_options(
        ColumnOptions(level="score", case="-"), [labels, judgments]
    )

    assert for_labels == ColumnOptions(case="-")
    assert for_judgments == ColumnOptions(level="score", case="-")


def test_an_option_no_file_has_stays_an_error() -> None:
    """So that a misspelt option is not passed over."""
    tables = [Table("l.csv", ("item_id", "label"), ()), Table("j.jsonl", ("item_id", "score"), ())]

    first, _ = share_options(ColumnOptions(level="socre"), tables)

    with pytest.raises(InputError) as caught:
        find_columns(tables[0], LABEL_ROLES, first)
    assert "no column 'socre'" in told(caught.value)


@pytest.mark.parametrize(
    ("column", "name", "alike"),
    [
        ("itme_id", "item_id", True),
        ("level", "level", False),
        ("Level", "level", False),
        ("lvel", "level", True),
        ("bevel", "level", False),
        ("lapel", "level", False),
        ("kase", "case", False),
        ("cases", "case", False),
        ("crterion", "criterion", True),
        ("crterio", "criterion", True),
        ("criter", "criterion", False),
    ],
)
def test_what_looks_like_a_slip(column: str, name: str, *, alike: bool) -> None:
    """Worked cases of the rule."""
    assert looks_like(column, name) is alike
