from typing import Any

import pytest

from judgekit.errors import InputError, LabelError, UnknownName
from judgekit.labels.adjudicate import adjudicate
from tests.labels.make import label


def test_pooled_keeps_every_rater() -> None:
    """By default no label is thrown away, and nothing is voted on."""
    found = adjudicate([label("a", "ann", 0), label("b", "ann", 1), label("a", "bob", 2)])

    assert found.levels == {"a": (("ann", 0), ("bob", 2)), "b": (("ann", 1),)}
    assert found.rule == "pooled"
    assert found.ties == ()
    assert found.counts == (2, 3, 0, 0, 0, 0, 0)


def test_not_applicable_stays_a_statement() -> None:
    """A rater's "not applicable" is kept: it is not missing."""
    found = adjudicate([label("a", "ann", None)])

    assert found.levels == {"a": (("ann", None),)}


@pytest.mark.parametrize("name", ["adjudicated", "Adjudicated", " ADJUDICATED "])
def test_an_adjudicated_row_replaces_the_others_of_its_item(name: str) -> None:
    """Only of its item: the other items stay pooled."""
    rows = [label("a", "ann", 0), label("a", "bob", 1), label("a", name, 2), label("b", "ann", 0)]

    found = adjudicate(rows)

    assert found.levels == {"a": ((name, 2),), "b": (("ann", 0),)}
    assert (found.counts.adjudicated, found.counts.replaced) == (1, 2)


def test_another_adjudicator_can_be_named() -> None:
    """The name is the user's to give, in any case."""
    found = adjudicate([label("a", "ann", 0), label("a", "Lead", 2)], adjudicator="lead")

    assert found.levels == {"a": (("Lead", 2),)}


def test_an_adjudicator_nobody_has_heard_of_is_refused() -> None:
    """A misspelt name would silently pool everything."""
    with pytest.raises(UnknownName) as caught:
        adjudicate([label("a", "lead", 0)], adjudicator="leed")

    assert caught.value.hint == "Did you mean 'lead'?"


def test_the_usual_adjudicator_may_be_absent() -> None:
    """Most files have none."""
    assert adjudicate([label("a", "ann", 0)], adjudicator="adjudicated").counts.adjudicated == 0


def test_majority_only_on_request_and_ties_are_set_aside() -> None:
    """Two against one wins; one against one is a tie and is named."""
    rows = [
        *(label("a", rater, level) for rater, level in (("ann", 2), ("bob", 0), ("cho", 2))),
        *(label("b", rater, level) for rater, level in (("ann", 2), ("bob", 0))),
    ]

    found = adjudicate(rows, rule="majority")

    assert found.levels == {"a": (("majority", 2),)}
    assert found.ties == ("b",)
    assert found.counts == (2, 5, 0, 0, 1, 1, 1)


def test_not_applicable_votes_like_a_level() -> None:
    """Two raters who say that it does not apply outvote one who gives a level."""
    votes = [label("a", "ann", None), label("a", "bob", None), label("a", "cho", 0)]

    assert adjudicate(votes, rule="majority").levels == {"a": (("majority", None),)}


def test_an_adjudicated_row_goes_before_a_vote() -> None:
    """What was settled by hand is not voted on."""
    rows = [label("a", "ann", 0), label("a", "bob", 0), label("a", "adjudicated", 1)]

    found = adjudicate(rows, rule="majority")

    assert found.levels == {"a": (("adjudicated", 1),)}
    assert found.counts.voted == 0


def test_two_adjudicated_rows_are_refused() -> None:
    """Only one can be final; both lines are named."""
    rows = [label("a", "Adjudicated", 0, line=3), label("a", "adjudicated", 1, line=9)]

    with pytest.raises(LabelError, match=r"lines 3 and 9") as caught:
        adjudicate(rows)

    assert caught.value.row == 9


def test_criteria_are_not_mixed() -> None:
    """Each criterion stands alone."""
    with pytest.raises(InputError, match="tone, length"):
        adjudicate([label("a", "ann", 0), label("a", "ann", 0, criterion="length")])


def test_no_labels_no_reference() -> None:
    """Nothing in, nothing out."""
    empty: list[Any] = []

    assert adjudicate(empty, adjudicator="lead").levels == {}
