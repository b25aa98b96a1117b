"""Reading is cheap enough to read every stored reply again at any time."""

from __future__ import annotations

import time
from collections.abc import Callable

from judgekit.judging.reading import read, read_text
from judgekit.judging.request import ModelReply
from tests.judging.reading.cases import SCALES

SCHEMA = ModelReply(
    '{"reason": "The answer states the refund window of 30 days, which the context supports, and '
    'adds nothing else of its own.", "level": "grounded"}',
    finish="stop",
)
REASONED = (
    "Output (a) lists three groups. Each of them is well known, and the instruction asks "
    "for groups that are extremely niche. It is well written, and it keeps to the number asked.\n\n"
    "Output (b), on the other hand, lists three groups that few people have heard of. It adds a "
    "sentence on each of them, which the instruction does not ask for, but which does no harm. "
    "While Output (a) is better in terms of style, the instruction is about the groups.\n\n"
) * 2 + "Therefore, Output (b) is better."
LONG = "Output (a) is better than it looks, but the score: of 3 of 5 (see [1]) is {not} final. "

BUSY = 5
"""How much slower a machine that does other things may be."""


def fastest(call: Callable[[], object], times: int) -> float:
    """Return the CPU seconds of one call, in the best of seven rounds."""
    rounds = []
    for _ in range(7):
        start = time.process_time()
        for _ in range(times):
            call()
        rounds.append((time.process_time() - start) / times)
    return min(rounds)


def test_a_schema_reply_takes_microseconds() -> None:
    """The reply nearly every judge gives is read in less than 20 microseconds."""
    assert read(SCHEMA, SCALES["grounded"]).level == 2
    assert fastest(lambda: read(SCHEMA, SCALES["grounded"]), 3000) < 20e-6 * BUSY


def test_a_reasoned_reply_takes_less_than_a_millisecond() -> None:
    """A page of prose is read in less than a millisecond."""
    assert read_text(REASONED, SCALES["pair"]).level == 1
    assert fastest(lambda: read_text(REASONED, SCALES["pair"]), 50) < 1e-3 * BUSY


def test_a_hostile_reply_takes_no_longer_than_its_length() -> None:
    """Text made to be slow is read in a second: nothing in the reader grows with its square."""
    for piece in (
        LONG,
        "{",
        '{"a":',
        "[[",
        "<think>",
        "score: ",
        "(",
        "a: 1\n",
        "1-",
        "**",
        "<!--",
    ):
        text = piece * (60_000 // len(piece))
        start = time.process_time()
        read_text(text, SCALES["pair_tie"])
        assert time.process_time() - start < 1.5 * BUSY, piece
