"""Every rule on its cases: where it finds something, where not, and what mends it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from judgekit.linting.engine import lint
from judgekit.linting.fixing import fixed
from judgekit.linting.rules import FROM_DISK, FROM_EVIDENCE, RULES
from judgekit.linting.selection import Selection
from judgekit.linting.subject import Earlier
from judgekit.rubric.meaning import meaning_parts
from tests.rubric.make import CASES as RUBRICS
from tests.rubric.make import edited, in_memory, usable

CASES = RUBRICS.parent / "lint"
TABLE = {path.stem: yaml.safe_load(path.read_text("utf-8")) for path in sorted(CASES.glob("*.yml"))}
FAIL = [(code, case) for code, table in TABLE.items() for case in table["fail"]]
PASS = [(code, case) for code, table in TABLE.items() for case in table["pass"]]


def text_of(case: dict[str, Any]) -> str:
    """The rubric of a case: a text, or an edit of one of the base rubrics."""
    text = case.get("text")
    return (
        text if text is not None else edited(case["base"], case.get("swap"), body=case.get("body"))
    )


def look(code: str, text: str, case: dict[str, Any]) -> list[Any]:
    """What one rule finds."""
    earlier = []
    if "earlier" in case:
        old = usable(text_of(case["earlier"]))
        parts = {c.name: meaning_parts(old, c) for c in old.criteria}
        earlier = [Earlier(case["earlier"].get("where", "git HEAD"), old.version, parts)]
    files = case.get("files", {})
    return lint(
        text,
        file="r.jinja",
        load=in_memory(files),
        earlier=earlier,
        selection=Selection(() if code.startswith("IG") else (code,)),
    )


@pytest.mark.parametrize(("code", "case"), FAIL, ids=[f"{c}: {x['why']}" for c, x in FAIL])
def test_a_rule_finds_what_it_is_for(code: str, case: dict[str, Any]) -> None:
    """At its place, in its words, and nothing else of its kind."""
    text = text_of(case)
    found = [f for f in look(code, text, case) if f.code == code]
    told = "\n".join(f"{f.finding.message} | {f.finding.help}" for f in found)

    assert [f"{f.finding.line}:{f.finding.column}" for f in found] == case["at"], told
    assert {f.rule for f in found} == {RULES[code]}
    assert case.get("says", "") in told
    if "fixed" in case:
        new, mended = fixed(text, lambda t: look(code, t, case))
        assert mended
        assert new == text_of(case["fixed"])
        assert fixed(new, lambda t: look(code, t, case)) == (new, [])


@pytest.mark.parametrize(("code", "case"), PASS, ids=[f"{c}: {x['why']}" for c, x in PASS])
def test_a_rule_finds_nothing_where_nothing_is(code: str, case: dict[str, Any]) -> None:
    """No false alarm."""
    found = [f for f in look(code, text_of(case), case) if f.code == code]

    assert not found, found


def test_every_rule_has_three_cases_of_each_kind() -> None:
    """A rule without cases is an opinion."""
    few = {
        code: (len(TABLE.get(code, {}).get("fail", ())), len(TABLE.get(code, {}).get("pass", ())))
        for code in RULES
        if code not in (*FROM_EVIDENCE, *FROM_DISK)  # they have cases of another form
    }

    assert {code: counts for code, counts in few.items() if min(counts) < 3} == {}


def test_every_rule_has_one_file_and_one_table_of_cases() -> None:
    """Named after it."""
    room = Path(__file__).parents[2] / "judgekit" / "linting" / "rules"
    files = {path.stem.replace("_", "-") for path in room.glob("*.py")} - {"--init--"}

    assert files == set(RULES.values())
    assert set(TABLE) == set(RULES) - {*FROM_EVIDENCE, *FROM_DISK}
