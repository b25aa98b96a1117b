"""Violations: the problems of a rubric as values, file and all."""

from judgekit.linting.violations import Violation, check
from tests.rubric.make import BASES, LOAD, edited


def test_a_clean_rubric_has_no_violations() -> None:
    """Nothing to say is an empty list."""
    assert check(BASES["clean"], file="r.jinja", load=LOAD) == []


def test_violations_carry_all_that_tools_need() -> None:
    """File as named, line and column from 1, both names of the rule, message and way out."""
    text = edited("clean", {"passes_at: 3": "passes_at: grouned"})

    assert check(text, file="a/r.jinja", load=LOAD) == [
        Violation(
            file="a/r.jinja",
            line=9,
            column=16,
            rule="passes-off-scale",
            code="SC11",
            message="passes_at 'grouned' is not a level of the scale "
            "(1 invented, 2 stretched, 3 grounded)",
            help="Did you mean 'grounded'?",
            fixable=True,
        )
    ]


def test_what_is_left_to_the_linter_is_a_violation_too() -> None:
    """A rubric that can be used may still have something to mend."""
    text = edited("clean", {"        drops_when: A second one stands nowhere in it.\n": ""})

    assert [v.rule for v in check(text, file="r", load=LOAD)] == ["level-drops-undefined"]


def test_violations_are_in_the_order_of_the_file() -> None:
    """By line, then column."""
    text = edited(
        "clean",
        {
            "{% block task %}": "{% block tusk %}",
            "version: 1": "version: x",
            "value: 2": "value: y",
        },
    )
    places = [(v.line, v.column) for v in check(text, file="r", load=LOAD)]

    assert len(places) == 3
    assert places == sorted(places)


def test_a_text_that_is_no_rubric_is_checked_too() -> None:
    """Broken files have violations, not exceptions."""
    assert [v.code for v in check("", file="r", load=LOAD)] == ["RB01"]
