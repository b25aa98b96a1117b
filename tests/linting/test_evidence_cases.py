"""Every rule that needs evidence on its cases: where it finds something, in which words, where not.

A line of ``said`` is ``40 x 3,2 > 3``: 40 items to which two people gave 3 and 2 and the judge 3;
``-`` stands for nobody. With several ``criteria`` a line has one such part for each, by ``|``.
"""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
import yaml

from judgekit.calibration.rows import ScaleSpec
from judgekit.linting.engine import lint
from judgekit.linting.evidence import Evidence, ExampleSaid, ItemSaid, Leak
from judgekit.linting.rules import FROM_EVIDENCE, RULES
from judgekit.linting.selection import Selection
from judgekit.rubric.model import Criterion
from judgekit.rubric.scale import number_text
from tests.linting.test_rule_cases import text_of
from tests.rubric.make import CASES as RUBRICS
from tests.rubric.make import LOAD, usable

CASES = RUBRICS.parent / "lint_evidence"
TABLE = {path.stem: yaml.safe_load(path.read_text("utf-8")) for path in sorted(CASES.glob("*.yml"))}
FAIL = [(code, case) for code, table in TABLE.items() for case in table["fail"]]
PASS = [(code, case) for code, table in TABLE.items() for case in table["pass"]]


def evidence_in(case: dict[str, Any]) -> list[Evidence]:
    """The evidence of a case."""
    rubric = usable(text_of(case))
    found = []
    for shown in case["evidence"]:
        for n, name in enumerate(shown["criteria"]):
            criterion = next((c for c in rubric.criteria if c.name == name), rubric.criteria[0])
            found.append(one_evidence(shown, name, n, criterion))
    return found


def one_evidence(shown: dict[str, Any], name: str, n: int, criterion: Criterion) -> Evidence:
    """What a case says of one criterion, the n-th of those it names."""
    spec, at = ScaleSpec.of(criterion), criterion.scale.index
    items: list[ItemSaid] = []
    for line in shown.get("said", ()):
        count, _, parts = line.partition(" x ")
        people, _, judge = parts.split("|")[n].strip().partition(" > ")
        levels = [(f"r{i}", at(v)) for i, v in enumerate(people.split(",")) if v != "-"]
        for _ in range(int(count)):
            case = f"case {len(items) // shown['case']}" if "case" in shown else None
            said = None if judge == "-" else at(judge)
            items.append(ItemSaid(f"item-{len(items)}", tuple(levels), said, case))
    ordered = spec.kind in ("ordinal", "binary")
    return Evidence(
        where=shown.get("where", "certificate 3f9a1c"),
        judge=shown.get("judge", "tone"),
        criterion=name,
        kind=spec.kind,
        levels=tuple(map(number_text, spec.values)) if ordered else spec.names,
        numbers=tuple(spec.numbers),
        items=tuple(items),
        leaks=tuple(
            Leak(one["item"], at(one.get("level")), one.get("example", 0))
            for one in shown.get("leaks", ())
        ),
        examples=tuple(
            ExampleSaid(
                at(one["level"]),
                one["example"],
                tuple(None if level == "na" else at(level) for level in one["given"]),
                (one["item"],),
            )
            for one in shown.get("examples", ())
        ),
    )


def look(code: str, case: dict[str, Any], **given: Any) -> list[Any]:
    """What one rule finds."""
    found = lint(
        text_of(case),
        file="r.jinja",
        load=LOAD,
        selection=Selection((code,)),
        evidence=given.get("evidence", evidence_in(case)),
    )
    return [f for f in found if f.code == code]


@pytest.mark.parametrize(("code", "case"), FAIL, ids=[f"{c}: {x['why']}" for c, x in FAIL])
def test_a_rule_finds_what_it_is_for(code: str, case: dict[str, Any]) -> None:
    """At its place, with its figures and items, and nothing else of its kind."""
    found = look(code, case)
    told = "\n".join(f"{f.finding.message} | {f.finding.help}" for f in found)

    assert [f"{f.finding.line}:{f.finding.column}" for f in found] == case["at"], told
    assert {f.rule for f in found} == {RULES[code]}
    for words in case["says"]:
        assert words in told, told
    assert "nan" not in told
    assert all(f.finding.message.count("item-") <= 10 for f in found), "five items are enough"


@pytest.mark.parametrize(("code", "case"), PASS, ids=[f"{c}: {x['why']}" for c, x in PASS])
def test_a_rule_finds_nothing_where_nothing_is(code: str, case: dict[str, Any]) -> None:
    """No false alarm."""
    assert look(code, case) == []


@pytest.mark.parametrize("code", FROM_EVIDENCE)
def test_every_rule_has_three_cases_of_each_kind(code: str) -> None:
    """Different ones; without evidence each finds nothing."""
    table = TABLE[code]

    assert min(len(table["fail"]), len(table["pass"])) >= 3
    assert len({case["why"] for case in [*table["fail"], *table["pass"]]}) == len(
        [*table["fail"], *table["pass"]]
    )
    assert [look(code, case, evidence=[]) for case in table["fail"]] == [[]] * len(table["fail"])


def test_every_table_is_of_a_rule() -> None:
    """Of one that needs evidence."""
    assert set(TABLE) == set(FROM_EVIDENCE)


@pytest.mark.parametrize(("code", "case"), FAIL, ids=[f"{c}: {x['why']}" for c, x in FAIL])
def test_a_comment_ignores_what_evidence_shows(code: str, case: dict[str, Any]) -> None:
    """By code and by name; without evidence it is not said to be unused."""
    for name in (code, RULES[code]):
        comment = f"# judgekit: ignore-file[{name}] it is known\n"
        text = text_of(case).replace("---\n", f"---\n{comment}", 1)
        for evidence in (evidence_in(case), []):
            found = lint(text, file="r.jinja", load=LOAD, evidence=evidence)
            assert {f.code for f in found} & {code, "IG03"} == set()


@pytest.mark.parametrize("code", FROM_EVIDENCE)
def test_evidence_that_does_not_fit_the_file_finds_nothing(code: str) -> None:
    """A criterion that is not there, a scale of another length, an example too many."""
    for case in TABLE[code]["fail"]:
        others = [
            dict(shown, criteria=["gone"] * len(shown["criteria"])) for shown in case["evidence"]
        ]
        assert look(code, {**case, "evidence": others}) == []
        broken = text_of(case).replace("levels:", "levls:")
        assert lint(broken, file="r.jinja", load=LOAD, evidence=evidence_in(case))


def test_without_evidence_no_statistics_are_loaded() -> None:
    """A look at a file, and every page, come without numpy: it takes longer than the look."""
    code = (
        "import sys, judgekit.linting.pages as p; from judgekit.api.lint import lint_paths\n"
        f"p.pages(); lint_paths([{str(RUBRICS / 'design.jinja')!r}]); print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert {"numpy", "judgekit.linting.borders"} & set(done.stdout.split()) == set()
