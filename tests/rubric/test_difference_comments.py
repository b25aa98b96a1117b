"""A comment that changed beside the meaning is told once: as a comment."""

from __future__ import annotations

import pytest

from judgekit.rubric.cosmetics import without_comments
from judgekit.rubric.difference import Difference, RubricText, difference
from tests.rubric.make import edited, usable

BODY = (
    '{% extends "judgekit/pointwise@1.jinja" %}\n'
    "{# who\nreads #}\n"
    "{% block task %}You {#- here -#} grade answers.{% endblock %}\n"
)


def compared(before: str, after: str, files: tuple[str, str] = ("", "")) -> Difference:
    """The difference of two rubrics that have these bodies and an own template each."""
    one, other = (
        RubricText(usable(text, {"own.jinja": own}), text)
        for text, own in zip(
            (edited("ordinal", body=before), edited("ordinal", body=after)), files, strict=True
        )
    )
    return difference(one, other)


@pytest.mark.parametrize(
    "swaps",
    [
        {"who\nreads": "who wrote"},
        {"{# who\nreads #}": ""},
        {"{#- here -#} grade": "grade {# new #}"},
        {"{# who": "{# judgekit: ignore[TP13] points {# who"},
    ],
    ids=["another", "gone", "moved", "an ignoring one"],
)
def test_a_comment_beside_another_meaning(swaps: dict[str, str]) -> None:
    """The words that changed are told without it, at the line they stand on."""
    after = BODY.replace("answers", "two answers")
    for old, new in swaps.items():
        assert old in after
        after = after.replace(old, new)
    found = compared(BODY, after)
    (change,) = found.criteria[0].changes
    lines = [
        edited("ordinal", body=text).split("\n")[line - 1]
        for text, line in zip((BODY, after), lines_of(change), strict=True)
    ]

    assert [(one.kind, one.detail) for one in found.cosmetic] == [("comments", "in the template")]
    assert change.part == "prompt"
    assert not any("{#" in (text or "") for text in change.texts)
    assert all("answers" in line for line in lines)


def lines_of(change: object) -> tuple[int, int]:
    """Where a change stands in both files."""
    before, after = getattr(change, "lines", (None, None))
    assert before is not None
    assert after is not None
    return before, after


def test_a_comment_alone_is_no_meaning() -> None:
    """Nor is its layout."""
    found = compared(BODY, BODY.replace("who\nreads", "others"))

    assert not found.changed
    assert [(one.kind, one.detail) for one in found.cosmetic] == [("comments", "in the template")]


@pytest.mark.parametrize("meant", [True, False])
def test_comments_of_a_template_that_is_extended(meant: bool) -> None:  # noqa: FBT001
    """They are told with its name, whatever else changed in it."""
    own = '{% extends "judgekit/pointwise@1.jinja" %}{# a #}{% block task %}One.{% endblock %}'
    other = own.replace("# a", "# b").replace("One", "Two" if meant else "One")
    found = compared('{% extends "own.jinja" %}', '{% extends "own.jinja" %}', (own, other))
    texts = [text for change in found.criteria[0].changes for text in change.texts]

    assert found.changed == meant
    assert [(one.kind, one.detail) for one in found.cosmetic] == [
        ("comments", "in template 'own.jinja'")
    ]
    assert not any("{#" in (text or "") for text in texts)


@pytest.mark.parametrize(
    ("source", "rest"),
    [
        ("a {# b #} c", [(0, "a  c")]),
        ("\n  {# b\nc #}\nd{# e #}\n", [(0, ""), (3, "d")]),
        ("{% raw %}{# kept #}{% endraw %}", [(0, "{% raw %}{# kept #}{% endraw %}")]),
        ('{{ "{# kept #}" }}', [(0, '{{ "{# kept #}" }}')]),
    ],
)
def test_what_is_left_without_comments_stands_where_it_stood(
    source: str, rest: list[tuple[int, str]]
) -> None:
    """On its line; what only looks like a comment is none."""
    assert without_comments(f"{source}\n") == rest
