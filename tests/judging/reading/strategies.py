"""Texts and scales to try the reader with."""

from __future__ import annotations

from hypothesis import strategies as st

from judgekit.rubric.scale import Scale
from tests.judging.reading.cases import CASES, SCALES, scale

PIECES = [
    *("score", "Score: ", "rating", "Final answer: ", "level", "1", "3", "5", "10", "3.5", "4/5"),
    *("1-5", "good", "very good", "not ", "un", "grounded", "yes", "no", "A", "B", "a", "[[", "]]"),
    *("Output (a)", "Output (b)", " is better", "Therefore, ", "tie", "<think>", "</think>"),
    *("```json\n", "```", "{", "}", "[", '"', "'", '"level"', ": ", ",", "null", "true", "\\"),
    *("\n", " ", "**", "N/A", "I'm sorry", "\u200b", "٣", "½", "％", "out of", "\\boxed{", "“"),
    *("<score>", "</score>", "|", "-", "pass", "fail", "★★★☆☆", "；", ";", " is ", "The response"),
    *("not valid", "Wait, ", " contains ", ": no", "&lt;", "\\u003c", "$", "vier", "|---|---|\n"),
]
"""What replies are made of, so that made-up ones come near the forms the reader knows."""

replies = st.one_of(
    st.text(max_size=200),
    st.lists(st.sampled_from(PIECES), max_size=25).map("".join),
    st.lists(st.sampled_from(PIECES), max_size=25).map(" ".join),
    st.sampled_from([case.entry["reply"] for case in CASES]),
)
"""Any text, text made of what replies are made of, and the replies of the table."""

scales = st.sampled_from(sorted(SCALES)).map(SCALES.__getitem__)
"""Every kind of scale of the table."""

_NAMES = st.text("abcdefghijklmnopqrstuvwxyzäß- ", min_size=1, max_size=12).filter(str.strip)


@st.composite
def any_scale(draw: st.DrawFn) -> Scale:
    """Return an ordinal or nominal scale with any names, alike ones included."""
    names = draw(st.lists(_NAMES, min_size=2, max_size=6))
    if draw(st.booleans()):
        return scale("ordinal", *enumerate(names))
    values = draw(st.lists(_NAMES, min_size=len(names), max_size=len(names), unique=True))
    return scale("nominal", *zip(values, names, strict=True))


finishes = st.sampled_from([None, "", "stop", "length", "content_filter", "max_tokens"])
"""Why a model stopped."""
