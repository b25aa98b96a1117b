"""Texts that say the same, and what is left of one without the talk of levels."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgekit.linting.alike import alike
from judgekit.linting.bare import left_over
from judgekit.linting.letters import foreign_letters, seen_as
from judgekit.linting.others import relative
from judgekit.linting.qualities import apart, quality

ANY = st.text(max_size=60) | st.lists(
    st.sampled_from(
        ["the", "a", "is", "not", "level 3", "warm", "§", "and", "or", ",", "(", "than", "é", "і"]
    ),
    max_size=9,
).map(" ".join)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            "It names the price, the day and the place.",
            "It names the place, the day and the price.",
        ),
        ("It greets. It thanks.", "It thanks. It greets."),
        ("Each claim is supported.", "Every claim is really supported."),
        ("The reply names a day.", "In other words: the answer mentions a day."),
        ("Alle Angaben stehen im Brief.", "Jede Angaben stehen auch im Brief."),
    ],
)
def test_texts_that_are_alike(one: str, other: str) -> None:
    """In either order."""
    assert alike(one, other)
    assert alike(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("It is in English, not German.", "It is in German, not English."),
        ("It names the price, then the day.", "It names the day, then the price."),
        ("It names the price and the day.", "It names the price or the day."),
        ("It names 2 days.", "It names 3 days."),
        ("Output A is better.", "Output B is better."),
        ("It is supported.", "It is not supported."),
    ],
)
def test_texts_that_differ(one: str, other: str) -> None:
    """Though nearly all their words are the same."""
    assert not alike(one, other)
    assert not alike(other, one)


@given(ANY, ANY)
def test_any_text_can_be_compared(one: str, other: str) -> None:
    """A text is like itself, and the order does not count."""
    assert alike(one, one)
    assert alike(one, other) == alike(other, one)
    assert set(left_over(one)) <= set(left_over(one) + left_over(other))
    assert relative(one, [other]) is None or relative(one, [other]).string  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("It is not level 3.", []),
        ("The output does not meet the requirements.", []),
        ("Das ist nicht der Fall.", []),
        ("It does not answer.", ["answer"]),
        ("Two conditions fail.", ["two", "conditions", "fail"]),
        ("The answer is warm.", []),
    ],
)
def test_what_a_text_says_of_its_own(text: str, left: list[str]) -> None:
    """Beside levels and their names."""
    assert left_over(text, ["warm"]) == left


def test_names_as_they_are_read() -> None:
    """Look-alikes, accents, number words and plurals; letters that are meant are left alone."""
    assert seen_as("lеvеl onе") == seen_as("Level-1") == ("level", "1")
    assert seen_as("élevé") == seen_as("eleve")
    assert foreign_letters("wаrm") == "а"
    assert (
        foreign_letters("β-blocker") == foreign_letters("тёплый") == foreign_letters("fondé") == ""
    )


def test_qualities_of_four_languages() -> None:
    """Words of about one meaning are not apart, whatever their language."""
    assert apart(quality("accurate"), quality("höflich"))
    assert not apart(quality("polite"), quality("courtoise"))
    assert not apart(quality("truthful"), quality("honest"))
    assert not apart(quality("accurate"), quality("accurately"))
    assert quality("table") is None
