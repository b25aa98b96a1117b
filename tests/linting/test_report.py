"""The lint report on a screen of 80 columns, and as JSON."""

import time

import pytest

from judgekit.linting.violations import Violation, check
from judgekit.reports.lint import github_lines, lint_json, lint_lines
from judgekit.reports.lint_sarif import sarif
from tests.rubric.make import LOAD, edited


def report(
    source: str, column: int, *, message: str = "Wrong.", way: str | None = None
) -> list[str]:
    """The report on one violation in a source of one line."""
    found = Violation("r.jinja", 1, column, "some-rule", "XX01", message, way)
    return lint_lines([found], {"r.jinja": source}, files=1)


def cells(text: str) -> int:
    """Columns of a screen, for the characters used here."""
    return sum(2 if ch in "漢字" else 1 for ch in text)


def test_a_report_shows_the_line_and_points_at_it() -> None:
    """Where, what, the line itself, and the way out."""
    text = edited("clean", {"passes_at: 3": "passes_at: grouned"})
    found = check(text, file="rubrics/r.jinja", load=LOAD)

    assert lint_lines(found, {"rubrics/r.jinja": text}, files=2) == [
        "rubrics/r.jinja:9:16  passes-off-scale (SC11)",
        "    9 |     passes_at: grouned",
        "      |                ^ passes_at 'grouned' is not a level of the scale (1",
        "      |                  invented, 2 stretched, 3 grounded)",
        "   help: Did you mean 'grounded'?",
        "",
        "1 violation in 1 of 2 files (1 can be fixed with --fix).  judgekit explain SC11",
    ]


@pytest.mark.parametrize("column", [1, 5, 30, 60, 72, 73, 100, 500, 900, 1000])
@pytest.mark.parametrize("message", ["Short.", "A message of many words " * 9])
def test_nothing_is_wider_than_the_screen(column: int, message: str) -> None:
    """However long the line and wherever the violation."""
    source = "words and more " * 70
    lines = report(source, column, message=message, way="help " * 40)

    assert max(map(len, lines)) <= 80
    pointed = lines[2].index("^")
    assert lines[1][pointed] == source[column - 1 : column] or source[column - 1] == " "


@pytest.mark.parametrize("column", [60, 71, 72])
def test_a_message_without_room_beside_its_sign_goes_below(column: int) -> None:
    """A line that just fits, and a violation at its end."""
    lines = report("x" * 72, column, message="A message of many words " * 4)

    assert max(map(len, lines)) <= 80
    assert lines[2] == f"      | {' ' * (column - 1)}^"
    assert lines[3].startswith("      | A message of many words")


def test_wide_characters_fit_the_screen() -> None:
    """Each takes two columns."""
    shown = report("字" * 500, 1)[1]

    assert cells(shown) <= 80
    assert shown.endswith("字…")


def test_a_tab_is_shown_as_a_blank() -> None:
    """Not as a dot: it is the commonest of control characters."""
    assert report("a\tb", 1)[1] == "    1 | a b"


def test_the_sign_stands_below_what_it_is_about() -> None:
    """Tabs, wide characters and marks that take no room are counted as the screen does."""
    for source, at in [
        ("\t\tscale: x", "x"),
        ("漢字: x", "x"),
        ("e\u0301e\u0301: x", "x"),
        ("a\x1b[31m: x", "x"),
    ]:
        lines = report(source, source.index(at) + 1)
        before = lines[1][: lines[1].index(at)].replace("\u0301", "")
        assert lines[2].index("^") == cells(before)


def test_a_rubric_cannot_write_to_the_terminal() -> None:
    """Control characters of a source are shown as dots, and move nothing."""
    lines = report("name: \x1b[2J\x07\u202e\x00x", 1)

    assert lines[1] == "    1 | name: ·[2J···x"


@pytest.mark.parametrize(("source", "line"), [("", 1), ("one\n", 2), ("one", 7)])
def test_a_line_past_the_end_is_an_empty_one(source: str, line: int) -> None:
    """A problem of an empty body stands on a line that is not there."""
    found = Violation("r", line, 1, "some-rule", "XX01", "Wrong.")

    assert lint_lines([found], {"r": source}, files=1)[1].rstrip() == f"    {line} |"


def test_totals() -> None:
    """How many violations in how many files, of how many."""
    one = Violation("a", 1, 1, "some-rule", "XX01", "Wrong.")
    two = [one, one._replace(line=2), one._replace(file="b")]

    assert lint_lines([], {}, files=3) == ["No violations in 3 files."]
    assert lint_lines([], {}, files=1) == ["No violations in 1 file."]
    assert lint_lines([], {}, files=0) == ["No file was checked."]
    assert lint_lines(two, {}, files=4)[-1] == (
        "3 violations in 2 of 4 files (0 can be fixed with --fix).  judgekit explain XX01"
    )
    assert lint_lines(two, {}, files=40)[-2:] == [
        "3 violations in 2 of 40 files (0 can be fixed with --fix).",
        "judgekit explain XX01",
    ]


@pytest.mark.parametrize("blank", ["-", " "])
def test_a_long_name_leaves_the_rule_a_line(blank: str) -> None:
    """And is not broken itself: programs and terminals find the place by it."""
    for length in (51, 52, 53, 54, 200):
        name = blank.join(["name"] * 40)[:length] + ".jinja"
        first, second, *_ = lint_lines(
            [Violation(name, 1, 1, "some-rule", "XX01", "Wrong.")], {}, files=1
        )
        if length <= 52:
            assert first == f"{name}:1:1  some-rule (XX01)"
            assert len(first) <= 80
        else:
            assert [first, second] == [f"{name}:1:1", "   some-rule (XX01)"]


def test_what_could_not_be_read_has_no_line_to_show() -> None:
    """Its message stands below it."""
    found = Violation("r", 1, 1, "file-unreadable", "RB13", "no such file", "Did you mean 's'?")

    assert lint_lines([found], {}, files=1)[:3] == [
        "r:1:1  file-unreadable (RB13)",
        "   no such file",
        "   help: Did you mean 's'?",
    ]


def test_a_command_in_a_help_is_never_broken() -> None:
    """It has a line of its own where the whole is longer than a line."""
    command = f"judgekit lint {'a-folder/' * 9}r.jinja"
    lines = report("x", 1, way=f"this is said at some length before there is a command: {command}")

    assert f"         {command}" in lines
    assert max(len(line) for line in lines if command not in line) <= 80


def test_json_has_exactly_the_keys_of_the_contract() -> None:
    """Section 4.1: other programs rely on these."""
    found = Violation("a", 1, 2, "some-rule", "XX01", "Wrong.")

    assert lint_json([found]) == [
        {
            "file": "a",
            "line": 1,
            "column": 2,
            "rule": "some-rule",
            "code": "XX01",
            "message": "Wrong.",
            "help": None,
            "fixable": False,
        }
    ]
    assert lint_json([]) == []


@pytest.mark.parametrize(
    "text", ["a b " * 30_000, "k" * 100_000, "字" * 100_000, "e\u0301" * 50_000]
)
@pytest.mark.parametrize("column", [1, 50_000, 100_000])
def test_a_line_as_long_as_a_file_is_shown_at_once(text: str, column: int) -> None:
    """Only what fits is looked at: a sweep through the line for each character would take hours."""
    began = time.process_time()
    lines = report(text, column)

    assert time.process_time() - began < 0.5
    assert max(cells(line.replace("\u0301", "")) for line in lines) <= 80


@pytest.mark.parametrize("column", [36, 37, 55, 60, 61])
def test_a_message_behind_many_wide_characters(column: int) -> None:
    """A line is cut by what it takes on the screen."""
    lines = report("字" * 60, column, message="A message of many words " * 4)

    assert max(map(cells, lines)) <= 80
    assert lines[2].index("^") <= 80 - 8


@pytest.mark.parametrize(
    ("name", "shown"), [("a\nb", r"a\nb"), ("a\tb\r", r"a\tb\r"), ("\udcff", r"\udcff")]
)
def test_a_file_name_stays_on_its_line(name: str, shown: str) -> None:
    """Programs read file:line:column; a name may hold a line end."""
    found = Violation(name, 1, 1, "some-rule", "XX01", "Wrong.")

    assert lint_lines([found], {name: "x"}, files=1)[0] == f"{shown}:1:1  some-rule (XX01)"
    (command,) = github_lines([found])
    assert len(command.splitlines()) == 1


def test_a_name_that_is_not_utf8_is_a_uri_of_its_bytes() -> None:
    """SARIF names files by URI, and a URI can hold any byte."""
    found = Violation("ä/bad\udcff\n.jinja", 1, 1, "scale-gap", "SC17", "Wrong.")
    (result,) = sarif([found], {}, "0")["runs"][0]["results"]

    uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert uri == "%C3%A4/bad%FF%0A.jinja"
