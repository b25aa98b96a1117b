import pytest

from judgekit.errors import InputError
from judgekit.labels.levelmap import check_level_map, parse_level_map, unused_renames
from judgekit.labels.levels import OFF, LevelReader, count, quoted, rename_hint, scale_text
from tests.importers.make import BINARY, ONE_TO_THREE, PAIR_WITH_TIE, TONE, criterion


@pytest.mark.parametrize(
    "written", ["3", 3, 3.0, "3.0", " 3 ", "Grounded", "GROUNDED ", "grounded"]
)
def test_value_name_and_case_are_one_level(written: object) -> None:
    """However people write the third level, it is the third level."""
    assert LevelReader(ONE_TO_THREE, {}).read(written) == 2


@pytest.mark.parametrize("written", ["4", 4, 2.5, "2.5", "", "ground", True, [3], {"level": 3}])
def test_what_is_off_the_scale_is_off(written: object) -> None:
    """Never the nearest level, never a default."""
    assert LevelReader(ONE_TO_THREE, {}).read(written) is OFF


@pytest.mark.parametrize(("written", "level"), [(True, 1), ("False", 0), (1, 1), ("No", 0)])
def test_truth_values_are_levels_of_a_binary_scale(written: object, level: int) -> None:
    """JSON's true and pandas' "True" are the 1 of a yes/no scale."""
    assert LevelReader(BINARY, {}).read(written) == level


def test_na_counts_only_where_it_is_foreseen() -> None:
    """The rubric says when the criterion does not apply, or a rename asks for it."""
    foreseen = criterion(not_applicable="No tone at all.")

    assert LevelReader(TONE, {}).read("na") is OFF
    assert LevelReader(foreseen, {}).read(" NA ") is None
    assert LevelReader(TONE, {"n/a": "na"}).read("n/a") is None
    assert LevelReader(TONE, {"n/a": "na"}).read("na") is None


@pytest.mark.parametrize("written", [0, 0.0, "0", "0.0", " 0 "])
def test_a_rename_meets_every_way_to_write_a_number(written: object) -> None:
    """`--level-map 0=tie` holds for 0 in CSV and in JSON."""
    reader = LevelReader(PAIR_WITH_TIE, {"0": "tie", "1": "A", "2": "B"})

    assert reader.read(written) == 2


def test_renames_happen_once_and_at_the_same_time() -> None:
    """A scale can be turned around: what was renamed is not renamed again."""
    reader = LevelReader(ONE_TO_THREE, {"1": "3", "3": "1"})

    assert [reader.read(value) for value in (1, 2, 3)] == [2, 1, 0]


def test_renames_and_variants_are_reported() -> None:
    """People see which written form was taken for what; literal values and names go unsaid."""
    reader = LevelReader(ONE_TO_THREE, {"great": "3"})
    for written in ("3", "grounded", "Grounded", "great", "great", 9):
        reader.read(written)

    assert reader.notes() == [
        'read "Grounded" as grounded (1 row)',
        'read "great" as grounded (2 rows)',
    ]


def test_a_rename_that_never_applies_is_reported() -> None:
    """It may be a misspelling."""
    reader = LevelReader(ONE_TO_THREE, {"great": "3", "0": "1"})
    reader.read(0.0)

    assert unused_renames({"great": "3", "0": "1"}, [reader]) == [
        "the file never says great (--level-map)"
    ]


def test_the_scale_in_messages() -> None:
    """Value and name, the name only where it adds something."""
    assert scale_text(TONE.scale) == "rude, neutral, friendly"
    assert scale_text(ONE_TO_THREE.scale) == "1 ungrounded, 2 partly, 3 grounded"


def test_small_texts() -> None:
    """Long levels are cut, quotes and shells are respected, numbers are readable."""
    assert quoted('say "yes"\n') == r'"say \"yes\""'
    assert quoted("x" * 100) == '"' + "x" * 59 + '…"'
    assert [quoted(v) for v in (7, 7.5, True, [1])] == ["7", "7.5", "true", "[1]"]
    assert rename_hint("not ok", None).endswith("--level-map 'not ok=LEVEL'")
    assert rename_hint("x" * 50, "rude").endswith("--level-map X=rude")
    assert (count(1, "row"), count(1200, "row")) == ("1 row", "1,200 rows")


@pytest.mark.parametrize(
    ("texts", "renames"),
    [
        ([], {}),
        (["pass=1,fail=0"], {"pass": "1", "fail": "0"}),
        (["pass=1", " fail = 0 "], {"pass": "1", "fail": "0"}),
        (['"yes, fully=1",no=0'], {"yes, fully": "1", "no": "0"}),
        (["a=b=1"], {"a=b": "1"}),
        (["x=1,x=1"], {"x": "1"}),
    ],
)
def test_level_map_on_the_command_line(texts: list[str], renames: dict[str, str]) -> None:
    """Repeatable, comma-separated, with quotes where a level holds a comma."""
    assert parse_level_map(texts) == renames


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("pass", "'pass' is not of the form X=Y"),
        ("pass=", "'pass=' is not of the form X=Y"),
        ("=1", "'=1' is not of the form X=Y"),
        ("a=1,,b=2", "'' is not of the form X=Y"),
        ("a=1,a=2", "renames 'a' to '1' and to '2'"),
    ],
)
def test_a_level_map_that_is_none_is_refused(text: str, complaint: str) -> None:
    """The part at fault is named."""
    with pytest.raises(InputError, match=complaint):
        parse_level_map([text])


def test_a_rename_must_lead_to_a_level() -> None:
    """To a level of some criterion, or to na; the nearest is suggested."""
    check_level_map({"x": "3", "y": "friendly", "z": "NA"}, [TONE, ONE_TO_THREE])

    with pytest.raises(InputError) as caught:
        check_level_map({"x": "frendly"}, [TONE])

    assert str(caught.value) == (
        '--level-map x=frendly: level "frendly" is not on the scale (rude, neutral, friendly). '
        'Did you mean "friendly"?'
    )
