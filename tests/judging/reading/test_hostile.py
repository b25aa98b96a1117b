"""No reply, however odd, ends a run: what cannot be read is unjudged."""

from __future__ import annotations

import pytest

from judgekit.judging.reading import read, read_text, reader
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

    monkeypatch.setattr(reader, "whole_object", fail)
    reading = read_text("4", SCALES["stars"])

    assert (reading.level, reading.cause) == (None, "unreadable")
    assert error.__name__ in (reading.detail or "")
