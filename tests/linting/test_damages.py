"""Rubrics of the gallery, damaged in some two hundred ways: the linter points where a person would.

Missed is a damage without any finding in the very lines that are damaged; findings in other lines
are no help to whoever looks for it.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from judgekit.linting.engine import lint
from tests.linting.damages import DAMAGES, KINDS, damaged
from tests.linting.damages_template import own
from tests.linting.patient import LOAD, Patient

GALLERY = sorted((Path(__file__).parents[2] / "rubrics").glob("*.jinja"))


def test_nothing_is_found_in_the_gallery() -> None:
    """No rule fires on an undamaged file."""
    found = {
        path.name: lint(path.read_text("utf-8"), file=path.name, load=LOAD) for path in GALLERY
    }

    assert len(found) >= 12
    assert {name: violations for name, violations in found.items() if violations} == {}


def test_nothing_is_found_in_a_whole_prompt_of_ones_own() -> None:
    """Or damages of one would show nothing."""
    for path in GALLERY:
        patient = Patient(path.read_text("utf-8"))
        if not patient.pairwise:
            assert lint(own(patient).text, file=path.name, load=LOAD) == [], path.name


def test_a_damage_has_one_name_and_a_few_lines() -> None:
    """A whole file would be no place."""
    assert sum(map(len, KINDS)) == len(DAMAGES) >= 100
    for _, (text, lines) in damaged(GALLERY[0].read_text("utf-8")):
        assert 1 <= len(lines) <= 6
        assert lines <= {*range(1, text.count("\n") + 2)}


@pytest.mark.slow
def test_95_of_100_damages_are_found_where_they_are() -> None:
    """By a rule that names the right line; what is missed is told by name."""
    done, missed = Counter[str](), Counter[str]()
    for path in GALLERY:
        for name, (text, lines) in damaged(path.read_text("utf-8")):
            done[name] += 1
            found = lint(text, file=path.name, load=LOAD)
            missed[name] += not any(one.finding.line in lines for one in found)
    told = f"{missed.total()} of {done.total()} missed: {dict(+missed)}"

    assert set(done) == set(DAMAGES)
    assert missed.total() <= 0.05 * done.total(), told
