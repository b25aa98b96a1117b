"""What the comparison of two rubrics says of an edit: where, which words, and what it does."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from judgekit.rubric.change import Change
from judgekit.rubric.cosmetics import Cosmetic
from judgekit.rubric.difference import Difference, RubricText, difference
from judgekit.rubric.wording import compare_words
from tests.rubric.make import BASES, edited, usable


def compared(before: str, after: str, files: Mapping[str, str] | None = None) -> Difference:
    """The difference of two rubric texts."""
    one, other = (RubricText(usable(text, files), text) for text in (before, after))
    return difference(one, other)


def changes(base: str, swaps: Mapping[str, str], *, body: str | None = None) -> list[Change]:
    """What an edit of a base's first criterion changes."""
    before = edited(base, body=body)
    after = before
    for old, new in swaps.items():
        assert after.count(old) == 1, old
        after = after.replace(old, new)
    return list(compared(before, after).criteria[0].changes)


NEUTRAL = "      - name: neutral\n        definition: Plain.\n"
HARD = "      - value: 1\n        name: hard\n        definition: Hard.\n"


@pytest.mark.parametrize(
    ("base", "swaps", "told"),
    [
        (
            "ordinal",
            {"name: stretched": "name: loose"},
            [("name", "2", ("stretched", "loose"), ("shown", "read"), (20, 20))],
        ),
        (
            "ordinal",
            {"value: 2": "value: 2.5"},
            [("value", "2", ("2", "2.5"), ("shown", "read", "counted"), (19, 19))],
        ),
        (
            "ordinal",
            {"        drops_when: Two are not.\n": ""},
            [("drops_when", "2", ("Two are not.", None), ("shown",), (22, 19))],
        ),
        (
            "ordinal",
            {"passes_at: 3": "passes_at: 2"},
            [("pass line", None, ("3 grounded", "2 stretched, 3 grounded"), ("passes",), (9, 9))],
        ),
        (
            "ordinal",
            {"passes_at: 3": "weights: linear\n    passes_at: 3"},
            [("weights", None, ("quadratic", "linear"), ("counted",), (8, 9))],
        ),
        (
            "ordinal",
            {"    not_applicable: Nothing is claimed.\n": ""},
            [("not_applicable", None, ("Nothing is claimed.", None), ("shown", "read"), (26, None))],  # noqa: E501
        ),
        (
            "nominal",
            {"name: rude": "name: hostile"},
            [("name", "rude", ("rude", "hostile"), ("shown", "read"), (15, 15))],
        ),
        (
            "nominal",
            {"[friendly, neutral]": "[friendly]", NEUTRAL: ""},
            [("level", "neutral", ("neutral: Plain.", None), ("shown", "read", "passes"), (13, None))],  # noqa: E501
        ),
        (
            "nominal",
            {"[friendly, neutral]": "[friendly, neutral, 1]", NEUTRAL: f"{NEUTRAL}{HARD}"},
            [("level", "1", (None, "1 hard: Hard."), ("shown", "read", "passes"), (None, 15))],
        ),
    ],
)  # fmt: skip
def test_an_edit_is_told_where_it_is_and_what_it_does(
    base: str, swaps: dict[str, str], told: list[tuple[object, ...]]
) -> None:
    """Part, level, both texts, effects and lines."""
    found = changes(base, swaps)

    assert [(c.part, c.level, c.texts, c.effects, c.lines) for c in found] == told


def test_two_levels_that_swap_values_are_told_as_that() -> None:
    """Not as two levels that swapped every word."""
    found = changes("ordinal", {"value: 3": "value: 9", "value: 1": "value: 3"})

    assert [(c.part, c.level, c.texts) for c in found] == [
        ("value", "1", ("1", "3")),
        ("value", "3", ("3", "9")),
        ("pass line", None, ("3 grounded", "3 invented, 9 grounded")),
    ]


ANCHOR = "          - input: When do you open?\n            output: At nine.\n"


def test_anchors_are_told_one_by_one() -> None:
    """A changed field, a new example, one that is gone, and their order."""
    more = ANCHOR.replace("When do", "How do").replace("nine", "ease")
    reason = "            reason: The context says so.\n"
    two = edited("ordinal", {ANCHOR + reason: ANCHOR + more})
    turned = edited("ordinal", {ANCHOR + reason: more + ANCHOR})

    (field,) = changes("ordinal", {"At nine.": "At ten."})
    assert (field.detail, field.lines) == ("anchor 1 output", (17, 17))
    (without, *_) = changes("ordinal", {reason: ""})
    assert (without.detail, without.texts) == ("anchor 1 reason", ("The context says so.", None))
    (new,) = compared(edited("ordinal", {reason: ""}), two).criteria[0].changes
    assert (new.detail, new.lines) == ("anchor 2", (None, 18))
    assert new.texts == (None, "input: How do you open?\noutput: At ease.")
    (order,) = compared(two, turned).criteria[0].changes
    assert (order.detail, order.texts[0]) == ("order", "At nine. / At ease.")
    assert order.lines == (15, 15)


BODY = "{{ criterion.question }}{% for level in criterion.levels %}{{ level.name }}{% endfor %}{{ input }}{{ output }}"  # noqa: E501


def test_what_a_template_does_not_show_is_not_said_to_be_shown() -> None:
    """It voids a certificate all the same: the fingerprint has every part of the rubric."""
    (definition,) = changes("binary", {"It is.": "It surely is."}, body=BODY)
    (question,) = changes("binary", {"Is it met?": "Is it there?"}, body=BODY)
    (named,) = changes("binary", {"criterion: met": "criterion: kept"}, body=BODY)

    assert (definition.part, definition.effects) == ("definition", ())
    assert question.effects == ("shown",)
    assert (named.part, named.texts, named.effects) == ("criterion", ("met", "kept"), ())


def test_a_change_of_the_template_is_told_with_its_line() -> None:
    """The first line that differs; a branch that no probe takes counts."""
    (change,) = changes("ordinal", {"You grade answers.": "You grade{% if 1 == 2 %}x{% endif %}."})

    assert (change.part, change.lines, change.effects) == ("prompt", (29, 29), ("shown",))


def test_an_included_template_is_named() -> None:
    """Its text, not the body's."""
    text = edited("binary", body="{{ input }}{{ output }}{% include 'a.jinja' %}")
    one, other = (RubricText(usable(text, {"a.jinja": said}), text) for said in ("One.", "Two."))
    (change,) = difference(one, other).criteria[0].changes
    renamed = edited("binary", body="{{ input }}{{ output }}{% include 'b.jinja' %}")

    assert (change.detail, change.texts) == ("a.jinja", ("One.", "Two."))
    third = RubricText(usable(renamed, {"b.jinja": "One."}), renamed)
    found = difference(one, third)
    assert not found.changed
    assert Cosmetic("file names", "of templates", "a.jinja", "b.jinja") in found.cosmetic


def test_criteria_come_go_and_are_renamed() -> None:
    """By name; one that has no match on either side was renamed."""
    criterion = BASES["binary"].partition("criteria:\n")[2].removesuffix("---\n")
    other = criterion.replace("criterion: met", "criterion: kept")
    both = edited("binary", {"definition: It is not.\n": f"definition: It is not.\n{other}"})

    (_, new) = compared(BASES["binary"], both).criteria
    assert (new.before, new.after, new.changes[0].lines) == (None, "kept", (None, 16))
    (_, gone) = compared(both, BASES["binary"]).criteria
    assert (gone.before, gone.after, gone.changes[0].texts) == ("kept", None, ("kept", None))
    (one,) = compared(
        BASES["binary"], BASES["binary"].replace("criterion: met", "criterion: k")
    ).criteria
    assert (one.before, one.after, one.changes[0].part) == ("met", "k", "criterion")


@pytest.mark.parametrize(
    ("base", "swaps", "kind", "detail"),
    [
        ("ordinal", {"rubric: groundedness": "rubric: other"}, "rubric name", None),
        ("ordinal", {"version: 1": "version: 2"}, "version", None),
        ("ordinal", {"version: 1": "version: 1 # a"}, "comments", "in the front matter"),
        ("ordinal", {"You grade": "{# who #}You grade"}, "comments", "in the template"),
        ("ordinal", {"version: 1": "version: 1\ndescription: x"}, "description", None),
        (
            "ordinal",
            {"rubric: groundedness\nversion: 1": "version: 1\nrubric: groundedness"},
            "order",
            "of the keys or criteria",
        ),
        (
            "ordinal",
            {"name: stretched\n        definition: One claim is not supported.": "definition: One claim is not supported.\n        name: stretched"},  # noqa: E501
            "order",
            "of the keys of level 2 of groundedness",
        ),
        ("ordinal", {"At nine.": "'At nine.'"}, "layout", "quotes and line breaks of texts"),
        (
            "ordinal",
            {"criteria:": "\n\ncriteria:"},
            "layout",
            "blank lines, indentation and brackets",
        ),
        (
            "ordinal",
            {"{% block task": "{%  block task"},
            "layout",
            "of the template: blanks, tags, or text that is never shown",
        ),
        (
            "binary",
            {"scale: binary\n": "scale: binary\n    passes_at: 1\n"},
            "layout",
            "the same in other words, such as a default spelled out",
        ),
    ],
)  # fmt: skip
def test_a_cosmetic_edit_is_called_what_it_is(
    base: str, swaps: dict[str, str], kind: str, detail: str | None
) -> None:
    """One edit, one line that says what it was."""
    found = compared(BASES[base], edited(base, swaps))

    assert not found.changed
    assert [(edit.kind, edit.detail) for edit in found.cosmetic] == [(kind, detail)]


def test_levels_of_an_ordinal_scale_listed_the_other_way() -> None:
    """Cosmetic; on a nominal scale the same edit is none."""
    front, tail = BASES["ordinal"].split("    not_applicable", 1)
    head, *levels = front.split("      - value")
    turned = "      - value".join([head, *levels[::-1]]) + "    not_applicable" + tail

    found = compared(BASES["ordinal"], turned)
    assert not found.changed
    assert [edit.detail for edit in found.cosmetic] == ["of the levels of groundedness"]


def test_line_ends_are_cosmetic() -> None:
    """A checkout on another system."""
    found = compared(BASES["ordinal"], BASES["ordinal"].replace("\n", "\r\n"))

    assert [(edit.kind, edit.detail) for edit in found.cosmetic] == [("layout", "line ends")]


@pytest.mark.parametrize(
    ("before", "after"),
    [("", "new"), ("old", ""), ("a b", "a\nb"), ("One is.", "One, two are."), ("x" * 9000, "y z")],
)
def test_words_are_whole(before: str, after: str) -> None:
    """What stayed and went is the old text, what stayed and came the new one."""
    words = compare_words(before, after)

    assert "".join(w.text for w in words if w.kind != "new") == before
    assert "".join(w.text for w in words if w.kind != "old") == after


def test_a_phrase_that_changed_is_told_as_one() -> None:
    """Not word by word with the blanks between."""
    words = compare_words("One is neither stated nor implied.", "One does not follow.")

    assert [w.kind for w in words] == ["same", "old", "new", "same"]
    assert words[1].text == "is neither stated nor implied"
