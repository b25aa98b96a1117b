"""Personal data in texts: what the cases of the rule do not show."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgekit.linting.personal import Datum, personal_data
from judgekit.linting.violations import check
from tests.rubric.make import LOAD, edited


def told(text: str) -> list[tuple[str, str]]:
    """What is found, and where."""
    return [(kind, text[start:end]) for kind, start, end in personal_data(text)]


def test_what_is_found_stands_apart_and_in_order() -> None:
    """One number is one datum, however many forms it has; those of a text come by place."""
    text = (
        "Jane, 14 Elm Street, call +49 (0) 171 8834127 or 0171 8834127; passport no. 533401234,"
        " IBAN GB94 BARC 1020 1530 0934 59, my social security number is 219-08-1234."
    )
    assert told(text) == [
        ("a postal address", "14 Elm Street"),
        ("a phone number", "+49 (0) 171 8834127"),
        ("a phone number", "0171 8834127"),
        ("an identity number", "533401234"),
        ("an IBAN", "GB94 BARC 1020 1530 0934 59"),
        ("a US social security number", "219-08-1234"),
    ]


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("4539 1488 0343 6467", "4539 1488 0343 6468"),
        ("GB94 BARC 1020 1530 0934 59", "GB94 BARC 1020 1530 0934 58"),
        ("1 85 05 78 006 084 91", "1 85 05 78 006 084 92"),
        ("756.9217.0769.85", "756.9217.0769.86"),
        ("529.982.247-25", "529.982.247-26"),
        ("11010519491231002X", "110105194912310021"),
    ],
)
def test_a_check_digit_tells_data_from_other_numbers(right: str, wrong: str) -> None:
    """A card, an account, and identity numbers of France, Switzerland, Brazil and China."""
    assert [text for _, text in told(f"It is {right}.")] == [right]
    assert told(f"It is {wrong}.") == []


@given(st.text(alphabet="0123456789 ().-/+@:,#aAzZßé'Straßecallpassport ", max_size=80))
def test_any_text_can_be_looked_at(text: str) -> None:
    """Places are those of the text, and none is part of another."""
    found = personal_data(text)
    places = [place for datum in found for place in datum[1:]]

    assert all(isinstance(datum, Datum) and text[datum.start : datum.end] for datum in found)
    assert places == sorted(places)
    assert all(0 <= place <= len(text) for place in places)


@pytest.mark.parametrize(
    "unit", ["0 ", "01 ", "1.", "2001:", "a.", "Aa ", "12 Elm ", "Via Aa ", "A1", "(0", "x", "1-"]
)
def test_a_long_text_costs_what_its_length_costs(unit: str) -> None:
    """Not its square; neither where nothing is found nor where much is."""
    for text in (unit * (60_000 // len(unit)), f"{unit}call 0171 8834127; " * 2_000):
        began = time.process_time()
        personal_data(f"1{text}@")
        assert time.process_time() - began < 2


def test_a_list_of_customers_is_told_once_and_not_a_thousand_times() -> None:
    """Twenty findings in one text are enough for anybody."""
    numbers = ", ".join(f"0171 88{n:05}" for n in range(3000))
    text = edited("ordinal", {"output: At nine.": f'output: "{numbers}"'})
    began = time.process_time()
    found = [v for v in check(text, file="r.jinja", load=LOAD) if v.code == "AN12"]

    assert len(found) == 20
    assert len({(v.line, v.column) for v in found}) == 20
    assert time.process_time() - began < 2
