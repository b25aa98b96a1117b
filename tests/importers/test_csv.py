import csv
from pathlib import Path

import pytest

from judgekit.errors import InputError
from judgekit.importers.table import read_table
from tests.importers.make import write


def refused(path: Path) -> InputError:
    """The error that reading a file gives."""
    with pytest.raises(InputError) as caught:
        read_table(path)
    assert caught.value.file == str(path)
    return caught.value


def test_rows_and_their_lines(tmp_path: Path) -> None:
    """A row's line is where it begins, also behind quoted newlines and blank lines."""
    text = 'id,text\n1,"two\nlines"\n\n2,"three\r\nmore\nlines"\n,\n3,"a ""b"", c"\n'

    table = read_table(write(tmp_path, "a.csv", text))

    assert table.columns == ("id", "text")
    assert table.header_line == 1
    assert [(row.line, row.values["id"], row.values["text"]) for row in table.rows] == [
        (2, "1", "two\nlines"),
        (5, "2", "three\r\nmore\nlines"),
        (9, "3", 'a "b", c'),
    ]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_line_end(tmp_path: Path, end: str) -> None:
    """Unix, Windows and old Mac files, with or without a last line end."""
    text = end.join(["id,level", "a,1", "b,2"])

    rows = read_table(write(tmp_path, "a.csv", text)).rows

    assert [(row.line, row.values) for row in rows] == [
        (2, {"id": "a", "level": "1"}),
        (3, {"id": "b", "level": "2"}),
    ]


@pytest.mark.parametrize("sign", [",", ";", "\t"])
@pytest.mark.parametrize("name", ["a.csv", "a.txt", "a"])
def test_the_header_tells_the_delimiter(tmp_path: Path, sign: str, name: str) -> None:
    """Semicolons and tabs are found; the cells may hold the other signs."""
    text = f'id{sign}text\na{sign}"x, y; z\tw"\n'

    assert read_table(write(tmp_path, name, text)).rows[0].values == {
        "id": "a",
        "text": "x, y; z\tw",
    }


def test_tsv_means_tabs(tmp_path: Path) -> None:
    """Whatever its header holds."""
    table = read_table(write(tmp_path, "a.tsv", "a,b,c\td\n1\t2\n"))

    assert table.columns == ("a,b,c", "d")


def test_one_column_is_a_table(tmp_path: Path) -> None:
    """No delimiter at all."""
    assert read_table(write(tmp_path, "a.csv", "id\na\nb\n")).rows[1].values == {"id": "b"}


def test_names_lose_outer_blanks_and_cells_keep_theirs(tmp_path: Path) -> None:
    """`id, text` names the column text."""
    table = read_table(write(tmp_path, "a.csv", "id, text \na, b \n"))

    assert table.rows[0].values == {"id": "a", "text": " b "}


def test_line_separators_inside_text_are_text(tmp_path: Path) -> None:
    """U+2028, U+2029 and U+0085 end no line."""
    text = "id,text\na,x\u2028y\u2029z\x85w\nb,c\n"

    rows = read_table(write(tmp_path, "a.csv", text)).rows

    assert rows[0].values["text"] == "x\u2028y\u2029z\x85w"
    assert rows[1].line == 3


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("b", "this row has 1 cell, the header has 3"),
        ("b,ann", "this row has 2 cells, the header has 3"),
        ("b,ann,1,really", "this row has 4 cells, the header has 3"),
    ],
)
def test_a_ragged_row_is_refused_with_its_line(tmp_path: Path, row: str, message: str) -> None:
    """A comma too many would move a level into another column."""
    path = write(tmp_path, "a.csv", f'item_id,rater,level\na,"x\ny",1\n{row}\n')

    error = refused(path)

    assert (error.message, error.line) == (message, 4)
    assert ("double quotes" in str(error.hint)) is ("4 cells" in message)


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ('id,text\na,b\nc,"open\nd,e\n', 3, "a quote that opens in this row is never closed"),
        ('id,text\na,"b"c\n', 2, "',' expected after '\"'"),
    ],
)
def test_broken_quotes_are_refused_with_their_line(
    tmp_path: Path, text: str, line: int, message: str
) -> None:
    """The line on which the row begins."""
    error = refused(write(tmp_path, "a.csv", text))

    assert error.message == f"not valid CSV: {message}"
    assert error.line == line


def test_a_header_alone_is_no_table(tmp_path: Path) -> None:
    """Somebody exported nothing."""
    error = refused(write(tmp_path, "a.csv", "item_id,rater,level\n\n"))

    assert (error.message, error.line) == ("the file has a header and no rows", 1)


@pytest.mark.parametrize("text", [",", ",,\n,,\n", '" ",""\n'])
def test_delimiters_alone_are_no_table(tmp_path: Path, text: str) -> None:
    """A spreadsheet saved without content."""
    error = refused(write(tmp_path, "a.csv", text))

    assert (error.message, error.line) == ("the file has no header, only delimiters", 1)


def test_a_column_name_twice_is_refused(tmp_path: Path) -> None:
    """One of the two would be lost."""
    error = refused(write(tmp_path, "a.csv", "\nitem_id,level, level\na,1,2\n"))

    assert (error.message, error.line) == ("the column 'level' occurs twice", 2)


def test_an_empty_column_without_a_name_is_passed_over(tmp_path: Path) -> None:
    """Spreadsheets write trailing delimiters."""
    table = read_table(write(tmp_path, "a.csv", "item_id,level,,\na,1,, \n"))

    assert table.columns == ("item_id", "level")
    assert table.rows[0].values == {"item_id": "a", "level": "1"}


@pytest.mark.parametrize("text", [",item_id\n0,a\n1,b\n", "item_id,,\na,,\nb,x,\n"])
def test_a_filled_column_without_a_name_is_refused(tmp_path: Path, text: str) -> None:
    """Pandas writes its index like that."""
    error = refused(write(tmp_path, "a.csv", text))

    assert error.message == "a cell stands in a column without a name"
    assert error.line == (2 if text.startswith(",") else 3)
    assert "index=False" in str(error.hint)


def test_long_cells_are_read(tmp_path: Path) -> None:
    """The csv module alone stops at 131,072 characters."""
    csv.field_size_limit(131_072)
    text = "x" * 1_000_000

    rows = read_table(write(tmp_path, "a.csv", f'id,text\na,"{text}"\n')).rows

    assert rows[0].values["text"] == text
