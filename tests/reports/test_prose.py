"""What a model wrote fits the screen, in whatever script and however long."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgekit.reports.commands import command_lines, file_word
from judgekit.reports.prose import LONGEST, cells, fitted, paragraph, shortened
from judgekit.reports.words import printable

TEXTS = {
    "words": "It says nothing of speed, which some would count. " * 4,
    "one long word": "x" * 200,
    "a script without blanks": "该评分标准没有说明当客户写信时使用不同语言的情况下应该如何处理，"
    * 4,
    "marks that take no room": "a\u0301" * 200,
    "escapes": "\x1b[2J" * 40,
    "nothing": "",
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_a_paragraph_fits_the_screen(text: str) -> None:
    """Each line in 80 columns, and not a character of it is lost."""
    lines = paragraph("doubt", text, column=9)

    assert max(map(cells, lines)) <= 80
    assert "".join(line[9:] for line in lines).replace(" ", "") == (
        printable(text).replace(" ", "")
    )
    assert {line[:9].strip() for line in lines[1:]} <= {""}


@given(st.text(max_size=300), st.integers(0, 20))
def test_any_text_fits(text: str, indent: int) -> None:
    """Whatever it is made of."""
    pad = " " * indent
    lines = fitted(text, first=pad, rest=pad)

    assert max(map(cells, lines)) <= 80
    assert "".join("".join(lines).split()) == "".join(printable(text).split())


def test_an_amount_stays_with_its_currency() -> None:
    """It is never broken between the two."""
    lines = paragraph(
        "check", "measures what was asked? partly; 1 call, 0.00052 USD " * 9, column=9
    )

    assert not [line for line in lines if line.strip().startswith("USD")]


def test_a_long_text_is_shortened() -> None:
    """On one line; what fits is whole."""
    assert shortened("a\n b ") == "a b"
    assert shortened("word " * 100_000) == f"{('word ' * 100)[:LONGEST]}…"
    assert shortened("x" * LONGEST) == "x" * LONGEST


def test_a_command_is_never_broken() -> None:
    """Each on one line, the label before the first."""
    long = f"judgekit calibrate {'r' * 100}.jinja --labels {'l' * 100}.csv"

    assert command_lines("Next", ["judgekit lint", long]) == [
        "Next    judgekit lint",
        f"        {long}",
    ]
    assert command_lines("Next", []) == []


@pytest.mark.parametrize(
    ("name", "typed"),
    [("a.jinja", "a.jinja"), ("-a.jinja", "./-a.jinja"), ("a b", "'a b'"), ("-a b", "'./-a b'")],
)
def test_a_files_name_as_it_is_typed(name: str, typed: str) -> None:
    """One word for the shell, and no option for a command."""
    assert file_word(name) == typed
