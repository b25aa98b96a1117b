"""No reply, however odd, ends a run: what cannot be read is unjudged."""

from __future__ import annotations

import pytest

from judgekit.judging.reading import loosely, read, read_text
from judgekit.judging.request import ModelReply
from tests.judging.reading.cases import SCALES

HUGE = "9" * 5_000


@pytest.mark.parametrize(
    "text",
    [
        f'{{"level":{HUGE}}}',
        f'```json\n{{"level": {HUGE}}}\n```',
        f'{{"level": 4, "tokens": {HUGE}',
        f'Verdict: {{"level": {HUGE}}}',
        f"{{level: {HUGE}}}",
        f'{{"level": -{HUGE}}}',
        f'{{"level": "{HUGE}"}}',
        f'{{"error": {HUGE}, "level": 4}}',
        f"Level: {HUGE}",
        f"Level: {HUGE}/{HUGE}",
        HUGE,
        "[" * 100_000,
        '{"a":' * 100_000,
    ],
    ids=range(13),
)
def test_a_number_of_thousands_of_digits_is_no_level(text: str) -> None:
    """Beyond what Python converts, a number is off the scale or cannot be read."""
    reading = read_text(text, SCALES["stars"], finish="stop")

    assert reading.level is None or '"tokens"' in text
    assert reading.cause in {"unreadable", "out_of_scale", None}
    assert read(ModelReply(text, finish="stop"), SCALES["stars"]) == reading


def test_a_huge_number_under_another_key_leaves_no_error() -> None:
    """What stands beside the level may be anything."""
    reading = read_text(f'{{"level": 4, "tokens": {HUGE}}}', SCALES["stars"])

    assert reading.level == 3


@pytest.mark.parametrize("error", [ValueError, OverflowError, RecursionError, MemoryError])
def test_an_error_of_the_reader_is_unreadable(
    error: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An error that a reply provokes is told in the detail, and never raised."""

    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(loosely, "whole_object", fail)
    reading = read_text("4", SCALES["stars"])

    assert (reading.level, reading.cause) == (None, "unreadable")
    assert error.__name__ in (reading.detail or "")


def test_of_a_very_long_reply_only_the_end_is_read() -> None:
    """A page too many costs no time, the answer that ends it counts, and one far up does not."""
    page = "The answer is long and says little of use to anybody.\n" * 2_000

    assert read_text(f"{page}Score: 4", SCALES["stars"]).level == 3
    assert read_text(f"Score: 4\n{page}", SCALES["stars"]).cause == "unreadable"
    assert read_text(f"<think>{page}</think>{page}Score: 4", SCALES["stars"]).level == 3


def test_where_a_very_long_reply_is_cut_no_line_begins() -> None:
    """Half a word at the cut is not taken for a label."""
    rest = "grade: 4 ".ljust(loosely.LONGEST, "x")

    assert read_text(rest[:80], SCALES["stars"]).level is None
    assert read_text(f"down{rest}", SCALES["stars"]).level is None
    assert (
        read_text("down" + "grade: 4\n".ljust(loosely.LONGEST, "x"), SCALES["stars"]).level is None
    )
