"""Sentences of a body, and whom they tell what."""

from __future__ import annotations

import pytest

from judgekit.linting.prose import sentences_of, words_only


def test_what_is_no_prose_is_blanked_and_nothing_moves() -> None:
    """Tags, expressions and comments leave holes of their size."""
    body = "A {{ x }} b{# c\nd #} e.\n{% block task %}F{% endblock %}"
    words = words_only(body)

    assert len(words) == len(body)
    assert [at for at, sign in enumerate(words) if sign == "\n"] == [15, 23]
    assert words.replace("\ufffc", "") == "A  b\n e.\nF"


def test_sentences_know_where_they_begin() -> None:
    """Across lines, in lists, and not within a number."""
    text = "Give 1.5 points. Or\nnot!\n\n- First thing\n- second\n1. Third? Yes"
    found = sentences_of(text)

    assert [sentence.text for sentence in found] == [
        "Give 1.5 points.",
        "Or not!",
        "- First thing",
        "- second",
        "1.",
        "Third?",
        "Yes",
    ]
    assert [text[sentence.start] for sentence in found] == ["G", "O", "-", "-", "1", "T", "Y"]


@pytest.mark.parametrize(
    ("sentence", "orders"),
    [
        ("Answer yes.", True),
        ("Read it and answer yes.", True),
        ("If it greets, answer yes.", True),
        ("You must answer yes.", True),
        ("Please answer yes.", True),
        ("- Answer yes.", True),
        ("The bot must answer yes.", False),
        ("It was told to read and answer yes.", False),
        ("Does it answer yes?", False),
        ("Those who answer yes pass.", False),
    ],
)
def test_an_order_is_told_from_a_report(sentence: str, orders: bool) -> None:  # noqa: FBT001
    """By what stands before the verb."""
    (found,) = sentences_of(sentence)

    assert found.orders_at(sentence.lower().index("answer")) is orders
