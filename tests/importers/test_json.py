from pathlib import Path
from typing import Any

import pytest

from judgekit.errors import InputError
from judgekit.importers.table import Row, read_table
from tests.importers.make import write


def refused(path: Path) -> InputError:
    """The error that reading a file gives."""
    with pytest.raises(InputError) as caught:
        read_table(path)
    assert caught.value.file == str(path)
    return caught.value


def test_one_object_a_line(tmp_path: Path) -> None:
    """Blank lines and Windows line ends are fine; a row holds only the keys it has."""
    text = '{"id": 1, "level": "a"}\r\n\n  \n{"id": 2.5, "more": [1, null]}'

    table = read_table(write(tmp_path, "a.jsonl", text))

    assert table.rows == (
        Row(1, {"id": 1, "level": "a"}),
        Row(4, {"id": 2.5, "more": [1, None]}),
    )
    assert table.columns == ("id", "level", "more")
    assert table.header_line is None


def test_only_a_newline_ends_a_line(tmp_path: Path) -> None:
    """U+2028, U+2029, U+0085 and form feeds inside text are text."""
    text = "a\u2028b\u2029c\x85d\x1ce"
    content = f'{{"id": "x", "text": "{text}"}}\n{{"id": "y"}}\n'.replace("\x1c", "\\u001c")

    rows = read_table(write(tmp_path, "a.jsonl", content)).rows

    assert rows == (Row(1, {"id": "x", "text": text}), Row(2, {"id": "y"}))


def test_a_bom_is_no_part_of_the_text(tmp_path: Path) -> None:
    """Also in JSONL."""
    rows = read_table(write(tmp_path, "a.jsonl", b'\xef\xbb\xbf{"id": 1}\n')).rows

    assert rows == (Row(1, {"id": 1}),)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"id": 1', "not valid JSON: expecting ',' delimiter (column 9)"),
        ("{'id': 1}", "not valid JSON: expecting property name enclosed in double quotes"),
        ('{"id": 1} {"id": 2}', "not valid JSON: more text follows the value"),
        ('{"id": 1},', "not valid JSON: more text follows the value"),
        ("[1, 2]", "each row must be a JSON object, this is a list"),
        ('"text"', "each row must be a JSON object, this is a text"),
        ("3", "each row must be a JSON object, this is 3"),
        ("null", "each row must be a JSON object, this is null"),
        ('{"id": 1, "id": 2}', "the key 'id' occurs twice in one object"),
        ('{"a": {"id": 1, "id": 2}}', "the key 'id' occurs twice in one object"),
        ('{"level": NaN}', "NaN is no JSON value: leave the key out or write null"),
        ('{"level": -Infinity}', "-Infinity is no JSON value"),
        ('{"level": 1e999}', "the number 1e999 is too large"),
        ('{"level": ' + "9" * 5000 + "}", "a number has too many digits"),
        ('{"a": ' * 100_000, "nested too deeply"),
        ('{"": 1}', "a value has no name"),
        ("item_id,level", "not valid JSON: expecting value (column 1)"),
        ('{"text": "a\tb"}', "not valid JSON: invalid control character"),
    ],
)
def test_a_bad_line_is_refused_with_its_number(tmp_path: Path, line: str, message: str) -> None:
    """Each kind names what is wrong; nothing of the file is used."""
    error = refused(write(tmp_path, "a.jsonl", f'{{"id": 0}}\n\n{line}\n{{"id": 9}}\n'))

    assert message in error.message
    assert error.line == 3


def test_an_unnamed_key_without_a_value_is_passed_over(tmp_path: Path) -> None:
    """As in CSV."""
    table = read_table(write(tmp_path, "a.jsonl", '{"id": 1, "": null, " ": ""}\n'))

    assert (table.columns, table.rows) == (("id",), (Row(1, {"id": 1}),))


@pytest.mark.parametrize(
    ("written", "read", "broken"),
    [
        (r"\ud83d\ude00", "\U0001f600", False),
        (r"\uD83D\uDE00", "\U0001f600", False),
        (r"end \ud83d", "end \ufffd", True),
        (r"\ud83dx\ude00", "\ufffdx\ufffd", True),
        (r"\\ud83d", r"\ud83d", False),
    ],
)
def test_half_a_surrogate_pair_is_replaced_and_reported(
    tmp_path: Path, written: str, read: str, *, broken: bool
) -> None:
    """A reply cut inside an emoji must not make the whole file unusable, nor pass unseen."""
    content = f'{{"id": 1}}\n{{"k": ["{written}", 1, {{"{written}": null}}]}}\n'

    table = read_table(write(tmp_path, "a.jsonl", content))

    assert table.rows[1].values == {"k": [read, 1, {read: None}]}
    expected = ("half a surrogate pair was read as U+FFFD (line 2; rows: 1)",) if broken else ()
    assert table.notes == expected


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ('[{"id": 1},\n {"id": 2},\n\n {"id":\n 3}, {"id": 4}]\n', [1, 2, 4, 5]),
        ('\n[\n  {\n    "id": 1\n  },\n  {\n    "id": 2\n  }\n]', [3, 6]),
    ],
)
@pytest.mark.parametrize("name", ["a.json", "a"])
def test_a_list_of_objects(tmp_path: Path, name: str, text: str, lines: list[int]) -> None:
    """Each row knows the line its object begins on."""
    table = read_table(write(tmp_path, name, text))

    assert [row.line for row in table.rows] == lines
    assert [row.values["id"] for row in table.rows] == list(range(1, len(lines) + 1))


def test_json_lines_under_another_name(tmp_path: Path) -> None:
    """Objects on lines are JSON Lines, whatever the file is called."""
    for name in ("a.json", "a.txt", "a"):
        assert len(read_table(write(tmp_path, name, '{"id": 1}\n{"id": 2}\n')).rows) == 2


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("[]", None, "the file holds no rows"),
        ('[{"id": 1}, 2]', 1, "each row must be a JSON object, this is 2"),
        ('[{"id": 1},\n2]', 2, "each row must be a JSON object, this is 2"),
        ('[{"id": 1}\n{"id": 2}]', 2, "not valid JSON: expected ',' or ']'"),
        ('[{"id": 1},\n', 2, "not valid JSON: expecting value"),
        ('[{"id": 1}', 1, "not valid JSON: expected ',' or ']'"),
        ('[{"id": 1},\n{"id":\n?}]', 3, "not valid JSON: expecting value (column 1)"),
        ('[{"id": 1}]\n\n[]', 3, "not valid JSON: more text follows the list"),
        ('{\n"data": []\n}', 1, "the file holds one value, not a list of objects"),
        ('"text"', 1, "the file holds one value, not a list of objects"),
        ('[{"id": 1, "id": 2}]', 1, "the key 'id' occurs twice in one object"),
    ],
)
def test_a_bad_list_is_refused(tmp_path: Path, text: str, line: int | None, message: str) -> None:
    """With the line, where the trouble has one."""
    error = refused(write(tmp_path, "a.json", text))

    assert message in error.message
    assert error.line == line


def test_values_keep_their_type(tmp_path: Path) -> None:
    """Numbers stay numbers, true stays true, null stays null."""
    values: dict[str, Any] = {"a": 1, "b": 1.0, "c": True, "d": None, "e": ""}
    content = '{"a": 1, "b": 1.0, "c": true, "d": null, "e": ""}'

    found = read_table(write(tmp_path, "a.jsonl", content)).rows[0].values

    assert found == values
    assert [type(v) for v in found.values()] == [type(v) for v in values.values()]
