"""Where in a file a position of its front matter stands."""

from __future__ import annotations

import time

from hypothesis import given
from hypothesis import strategies as st

from judgekit.rubric.source import Problems


@given(st.text(alphabet="ab\n\r\u2028é", max_size=30), st.text(alphabet="x\n", max_size=5))
def test_lines_and_columns_are_those_of_an_editor(front: str, next_front: str) -> None:
    """Line 2 is the first; U+2028 ends none. Another front matter has lines of its own."""
    problems = Problems()
    for text in (front, next_front):
        problems.front = text
        for at in range(len(text) + 1):
            before = text[:at].split("\n")
            assert problems.place(at) == (len(before) + 1, len(before[-1]) + 1)


def test_thousands_of_places_are_found_in_one_count_of_lines() -> None:
    """Each costs what finding a page in a book costs."""
    problems = Problems()
    problems.front = "a: b\n" * 100_000
    began = time.process_time()
    for at in range(0, 500_000, 50):
        assert problems.place(at) == (at // 5 + 2, 1)

    assert time.process_time() - began < 1
