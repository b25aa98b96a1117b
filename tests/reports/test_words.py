import json
import unicodedata

import pytest

from judgekit.calibration.evidence import EstimateRecord
from judgekit.reports.estimates import interval
from judgekit.reports.words import (
    bound,
    count,
    labelled,
    listed,
    number,
    percent,
    printable,
    printable_json,
    short,
    table,
    wrapped,
)


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (0.856, "0.86"),
        (1, "1.00"),
        (-0.5, "-0.50"),
        (None, "undefined"),
        (-0.0, "0.00"),
        (-1e-9, "0.00"),
        (-0.004, "0.00"),
        (-0.006, "-0.01"),
    ],
)
def test_numbers(value: float | None, told: str) -> None:
    """Two digits, no minus before zero, and a word where there is none."""
    assert number(value) == told


@pytest.mark.parametrize(
    ("value", "asked", "told"),
    [
        (0.74, 0.6, "0.74"),
        (0.5999, 0.6, "0.600"),
        (0.598, 0.6, "0.598"),
        (0.6, 0.6, "0.60"),
        (0.602, 0.6, "0.602"),
        (-1e-16, 0.6, "0.00"),
    ],
)
def test_bounds_beside_a_bar(value: float, asked: float, told: str) -> None:
    """One more digit where two would write it as the bar itself."""
    assert bound(value, asked) == told


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (0.912, "91.2%"),
        (1.0, "100%"),
        (0.0, "0%"),
        (0.9999, "99.9%"),
        (0.0001, "0.1%"),
        (None, "undefined"),
    ],
)
def test_percentages(value: float | None, told: str) -> None:
    """All is all and none is none; nearly is not."""
    assert percent(value) == told


def record(**more: object) -> EstimateRecord:
    """An estimate."""
    facts = {
        "metric": "agreement",
        "value": 0.86,
        "low": 0.74,
        "high": 0.93,
        "confidence": 0.95,
        "n": 9,
        "pairs": 9,
        "method": "m",
        **more,
    }
    return EstimateRecord(**facts)


def test_intervals() -> None:
    """Value, confidence, ends; or why there is none."""
    assert interval(record()) == "0.86, 95% interval 0.74 to 0.93"
    none = record(value=None, low=None, high=None, undefined="single_category")
    assert interval(none) == "undefined (single category)"


def test_counts_and_lists() -> None:
    """One item, two items; long lists end in a count."""
    assert [count(n, "item") for n in (0, 1, 2000)] == ["0 items", "1 item", "2,000 items"]
    assert listed(["a", "b"]) == "a, b"
    assert listed(list("abcdef"), 3) == "a, b, c and 3 more"
    assert listed([]) == ""


def test_paragraphs_hang_below_their_label() -> None:
    """Also where the text has lines of its own; the column is the block's."""
    assert labelled("Next", "do this and that\nor that", width=20) == [
        "Next    do this and",
        "        that",
        "        or that",
    ]
    assert labelled("Next", "go", column=13) == ["Next         go"]
    assert labelled("Next", "") == ["Next"]


def test_a_long_word_stays_whole() -> None:
    """Paths and commands can be copied."""
    word = "x" * 100

    assert labelled("Next", word) == [f"Next    {word}"] or word in labelled("Next", word)[-1]


def test_tables() -> None:
    """Columns aligned, some to the right, nothing trailing."""
    assert table([["a", "1", ""], ["bbb", "22", "x"]], right=[1]) == ["  a     1", "  bbb  22  x"]


TURNING = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
EVERY = [*map(chr, range(0x110000))]
STEERING = {c for c in EVERY if unicodedata.category(c) in ("Cc", "Cs")} | {*TURNING}


def test_what_steers_a_terminal_is_escaped() -> None:
    """Every control character but newline and tab, all that turns the writing, broken halves."""
    for character in STEERING - {"\n", "\t"}:
        assert printable(f"a{character}b") == f"a{ascii(character)[1:-1]}b"
    assert printable(r"\x1b is no escape character") == r"\x1b is no escape character"


def test_every_script_stays() -> None:
    """Letters, marks, joiners, emoji, spaces, lines and tabs, whatever Python thinks of them."""
    kept = "".join(c for c in EVERY if c not in STEERING)
    assert printable(kept) == kept
    assert (
        printable("é 好\t\n\u00a0 می\u200cخواهم 👩\u200d🚀")
        == "é 好\t\n\u00a0 می\u200cخواهم 👩\u200d🚀"
    )


def test_documents_steer_nothing_and_read_the_same() -> None:
    """Also with halves of characters, which UTF-8 cannot hold."""
    value = {TURNING: [*sorted(STEERING), "é 好"]}
    text = printable_json(json.dumps(value, ensure_ascii=False, indent=1))

    assert json.loads(text) == value
    assert "é 好" in text
    assert printable(text) == text


def test_what_is_measured_is_what_is_shown() -> None:
    """An escape takes its room in lines, columns and names."""
    bell = "\x07"
    assert wrapped(f"{bell * 5} {bell * 5}", width=20) == [r"\x07" * 5] * 2
    assert table([[bell, "a"], ["bb", "b"]]) == [r"  \x07  a", "  bb    b"]
    assert short(bell * 4, 6) == r"\x07\…"


def test_a_command_is_not_broken_within_quotes() -> None:
    """A line end there would become part of the name."""
    named = "'two raters of the second round.csv'"
    command = f"judgekit calibrate tone --model MODEL --labels {named} --split test"

    lines = labelled("Next", command)

    assert len(lines) == 2
    assert sum(named in line for line in lines) == 1
    assert " ".join(line.removesuffix("\\").strip() for line in lines) == f"Next    {command}"
