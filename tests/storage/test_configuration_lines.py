"""Lines of keys in a TOML text."""

from __future__ import annotations

import pytest

from judgekit.storage.configuration_lines import line_of

TEXT = '''# model = "in a remark"
title = """
[judges.tone]
model = "in a text"
"""
"judges"."a.b".rubric = "x"

[judges.tone] # model
rubric = "r"

panel = [            # one a line
  "openai/a",
  # { model = "openai/z" },
  { model = "openai/b", params = { stop = ["]",
     "x"], seed = 7 } },
  { model = "openai/c" }, { model = "openai/d", price = { input = 1, output = 2 } },
]
[judges.tone.price]
input = 1
[policy]
model = 3
'''


@pytest.mark.parametrize(
    ("where", "line"),
    [
        (("title",), 2),
        (("judges", "a.b", "rubric"), 6),
        (("judges", "tone"), 8),
        (("judges", "tone", "rubric"), 9),
        (("judges", "tone", "model"), 8),
        (("judges", "tone", "panel"), 11),
        (("judges", "tone", "panel", 0), 12),
        (("judges", "tone", "panel", 0, "model"), 12),
        (("judges", "tone", "panel", 1, "model"), 14),
        (("judges", "tone", "panel", 1, "params", "seed"), 15),
        (("judges", "tone", "panel", 2, "model"), 16),
        (("judges", "tone", "panel", 3, "price", "output"), 16),
        (("judges", "tone", "panel", 9), 11),
        (("judges", "tone", "price"), 18),
        (("judges", "tone", "price", "input"), 19),
        (("policy", "model"), 21),
        (("nothing", "like", "it"), None),
        ((), None),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_key_is_found_on_its_line(
    where: tuple[str | int, ...], line: int | None, end: str
) -> None:
    """Not in remarks or texts; what is not there, on the line of the table that lacks it."""
    assert line_of(where, TEXT.replace("\n", end)) == line


def test_a_long_file_is_searched_at_once() -> None:
    """Some dozen readings, however long it is."""
    text = "".join(f"[judges.j{n}]\nrubric = 'x'\nmodel = 'openai/m'\n" for n in range(400))

    assert line_of(("judges", "j399", "model"), text) == 1200
