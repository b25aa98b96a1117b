"""Which rules count: by code, by the beginning of a code, by name."""

from __future__ import annotations

import pytest

from judgekit.errors import UnknownName
from judgekit.linting.rules import RULES
from judgekit.linting.selection import EVERYTHING, Selection, selection_of


def taken(selection: Selection) -> set[str]:
    """The codes that count."""
    return {code for code, rule in RULES.items() if selection.takes(code, rule)}


def family(*beginnings: str) -> set[str]:
    """The codes that begin so."""
    return {code for code in RULES if code.startswith(beginnings)}


def test_without_a_word_every_rule_counts() -> None:
    """The default, and lists of nothing."""
    assert taken(EVERYTHING) == {*RULES}
    assert selection_of([], []) == EVERYTHING
    assert selection_of(["", " , "], [","]) == EVERYTHING


@pytest.mark.parametrize(
    ("select", "expected"),
    [
        (["LV04"], {"LV04"}),
        (["lv04"], {"LV04"}),
        (["level-definition-vague"], {"LV04"}),
        (["Level-Definition-Vague"], {"LV04"}),
        (["LV"], family("LV")),
        (["lv"], family("LV")),
        (["LV0"], family("LV0")),
        (["T"], family("T")),
        (["all"], {*RULES}),
        (["ALL"], {*RULES}),
        (["LV04,SC17", " TP04 , anchor-level"], {"LV04", "SC17", "TP04", "AN02"}),
    ],
)
def test_rules_are_selected(select: list[str], expected: set[str]) -> None:
    """Any case, several with commas between, by name as well."""
    assert taken(selection_of(select, [])) == expected
    assert taken(selection_of([], select)) == {*RULES} - expected


@pytest.mark.parametrize("rule", RULES.values())
def test_every_rule_is_selected_by_its_name(rule: str) -> None:
    """Whatever letters its name begins with."""
    (code,) = taken(selection_of([rule], []))

    assert RULES[code] == rule


@pytest.mark.parametrize("code", RULES)
def test_every_rule_is_selected_by_its_code(code: str) -> None:
    """And no other with it."""
    assert taken(selection_of([code], [])) == {code}


@pytest.mark.parametrize(
    ("select", "ignore", "expected"),
    [
        (["LV"], ["LV04"], family("LV") - {"LV04"}),
        (["LV04"], ["LV"], {"LV04"}),
        (["level-definition-vague"], ["LV"], {"LV04"}),
        (["LV0"], ["LV"], family("LV0")),
        (["all"], ["LV"], {*RULES} - family("LV")),
        (["LV"], ["all"], family("LV")),
        (["LV04"], ["LV04"], set()),
        (["LV04"], ["level-definition-vague"], set()),
        (["LV"], ["LV"], set()),
        (["LV", "SC"], ["SC0", "LV04"], family("LV", "SC") - family("SC0") - {"LV04"}),
        (["LV04", "SC"], ["LV", "SC17"], {"LV04"} | family("SC") - {"SC17"}),
        ([], ["all"], set()),
    ],
)
def test_the_more_exact_word_wins(select: list[str], ignore: list[str], expected: set[str]) -> None:
    """Of two alike the one that ignores."""
    assert taken(selection_of(select, ignore)) == expected


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("level-definition-vage", "level-definition-vague"),
        ("anchr-level", "anchor-level"),
        ("LV99", None),
        ("LV040", None),
        ("X", None),
    ],
)
def test_a_word_that_is_no_rule_is_refused(word: str, meant: str | None) -> None:
    """As it was written; what was probably meant is said."""
    for given in ([word], ["LV04", f"SC17,{word}"]):
        with pytest.raises(UnknownName) as caught:
            selection_of(given, [])
        assert f"no rule named {word!r}" in str(caught.value)
        lists = "judgekit explain --all lists them"
        assert caught.value.hint == (f"Did you mean {meant!r}?" if meant else lists)
        with pytest.raises(UnknownName):
            selection_of([], given)
