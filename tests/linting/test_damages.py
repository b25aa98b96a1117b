"""Rubrics of the gallery, damaged in forty ways and more: the linter says where."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from judgekit.linting.engine import lint
from tests.linting.damages import DAMAGES, LOAD, damaged

GALLERY = sorted((Path(__file__).parents[2] / "rubrics").glob("*.jinja"))


def test_nothing_is_found_in_the_gallery() -> None:
    """No rule fires on an undamaged file."""
    found = {
        path.name: lint(path.read_text("utf-8"), file=path.name, load=LOAD) for path in GALLERY
    }

    assert len(found) >= 12
    assert {name: violations for name, violations in found.items() if violations} == {}


def test_95_of_100_damages_are_found_where_they_are() -> None:
    """By a rule that names the right line; what is missed is told by name."""
    done, missed = 0, Counter[str]()
    kinds: set[str] = set()
    for path in GALLERY:
        for name, (text, lines) in damaged(path.read_text("utf-8")):
            done += 1
            kinds.add(name)
            found = lint(text, file=path.name, load=LOAD)
            if not any(one.finding.line in lines for one in found):
                missed[name] += 1
    told = f"{missed.total()} of {done} missed: {dict(missed)}"

    assert len(kinds) >= 40
    assert kinds == set(DAMAGES)
    assert missed.total() <= 0.05 * done, told
