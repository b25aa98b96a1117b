"""Every case of tests/cases/replies, and what the table as a whole must cover."""

from __future__ import annotations

import re

import pytest

from judgekit.judging.reading import read, read_text
from tests.judging.reading.cases import CASES, Case, said

KNOWN = {
    "why",
    "scale",
    "reply",
    "finish",
    "refusal",
    "reasoning",
    "allow_na",
    "level",
    "cause",
    "not_applicable",
}


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_reply_reads_as_the_case_says(case: Case) -> None:
    """A reply reads as its case says, and never as two things at once."""
    reading = read(case.reply, case.scale, allow_na=case.allow_na)

    assert case.expected == said(reading, case.scale)
    assert sum([reading.level is not None, reading.not_applicable, reading.cause is not None]) == 1
    assert (reading.detail is None) == (reading.cause is None)


def test_every_case_says_one_thing() -> None:
    """A case has known fields, and exactly one expectation."""
    for case in CASES:
        level, not_applicable, cause = case.expected
        assert set(case.entry) <= KNOWN, case
        assert sum([level is not None, not_applicable, cause is not None]) == 1, case
        assert level is None or level in case.scale.values, case


def test_no_case_stands_twice() -> None:
    """The table holds each question once."""
    asked = [(c.entry["scale"], c.entry["reply"], c.reply, c.allow_na) for c in CASES]

    assert len(asked) == len({repr(key) for key in asked})


def test_the_table_covers_the_reported_failures() -> None:
    """Each reported failure of reading has a case that names it."""
    named = {int(n) for case in CASES for n in re.findall(r"complaint (\d+)", case.entry["why"])}

    assert {1, 2, 4, 5, 7, 8, 9, 10, 12, 13, 15, 16, 17, 18, 19, 21, 23, 43} <= named


def test_the_table_covers_every_cause_and_every_scale_kind() -> None:
    """Each cause a reply can have, and each kind of scale, occurs."""
    assert {c.entry["cause"] for c in CASES if "cause" in c.entry} == {
        "empty",
        "truncated",
        "refused",
        "filtered",
        "unreadable",
        "out_of_scale",
        "contradictory",
        "abstained",
    }
    assert {c.scale.kind for c in CASES} == {"binary", "nominal", "ordinal", "pairwise"}


def test_read_and_read_text_agree_where_there_is_only_text() -> None:
    """``read_text`` is ``read`` for recorded replies, of which only the text is known."""
    for case in CASES:
        if case.reply.refusal is None:
            alone = read_text(
                case.reply.text, case.scale, allow_na=case.allow_na, finish=case.reply.finish
            )
            assert read(case.reply, case.scale, allow_na=case.allow_na) == alone, case
