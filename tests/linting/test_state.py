"""A state of a rubric differs from another one exactly where its meaning does."""

from __future__ import annotations

import pytest
from hypothesis import given

from judgekit.linting.state import TEMPLATE, state_of
from judgekit.rubric.meaning import changed_parts, meaning_parts
from judgekit.rubric.model import Rubric
from tests.rubric.make import BASES, edited, usable
from tests.rubric.test_difference_rule import RELAXED, edited_bases, read


def told(before: Rubric, after: Rubric) -> tuple[set[str], set[str]]:
    """The parts of the first criterion that differ: by the meaning, and by the states."""
    by = (
        {name for name in set(one) | set(other) if one.get(name) != other.get(name)}
        for one, other in (
            [parts(rubric, rubric.criteria[0]) for rubric in (before, after)]
            for parts in (meaning_parts, state_of)
        )
    )
    meaning, state = by
    return meaning, state


@RELAXED
@given(edited_bases())
def test_what_is_told_is_what_the_meaning_tells(texts: tuple[str, str]) -> None:
    """Of random edits, cosmetic ones among them: the same parts, the prompt aside."""
    before, after = (read(text).rubric for text in texts)
    meaning, state = told(before, after)

    assert state - {TEMPLATE} == meaning - {"prompt"}
    assert bool(state) == bool(meaning)


@pytest.mark.parametrize(
    ("swaps", "parts"),
    [
        ({"You grade answers.": "You grade replies."}, [TEMPLATE]),
        ({"You grade answers.": "You grade answers.{# all of them #}"}, []),
        ({"Every claim is supported": "Most are"}, ["level 3"]),
        ({"Every claim is supported": "Most are", "You grade answers.": "You grade."}, ["level 3"]),
    ],
)
def test_a_template_is_named_where_it_changed(swaps: dict[str, str], parts: list[str]) -> None:
    """And only there: a level that changed is no change of the template."""
    before, after = usable(BASES["ordinal"]), usable(edited("ordinal", swaps))
    states = [state_of(rubric, rubric.criteria[0]) for rubric in (before, after)]

    assert changed_parts(*states)[: len(parts)] == parts
    assert bool(parts) == bool(changed_parts(*states))
    assert (TEMPLATE in changed_parts(*states)) == ("You grade answers." in swaps and bool(parts))
