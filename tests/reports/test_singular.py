"""What is counted is worded for one as well: no "1 lines" anywhere on the screen."""

from __future__ import annotations

import ast
import re
from itertools import pairwise
from pathlib import Path

from judgekit.reports.words import count

PACKAGE = Path(__file__).resolve().parents[2] / "judgekit"
PLURAL = re.compile(
    r"^ (?:[a-z]+ )?(?:answers?|batches|bytes|calls|cases|certificates|characters|columns"
    r"|cached replies|criteria|examples|failures|files|images|items|judges|labels|levels|lines"
    r"|looks|models|pairs|problems|raters|replicates|replies|requests|rows|runs|tokens|votes"
    r"|warnings)\b"
)
MANY = {
    "judgekit/reports/calibration.py": {"{len(found)} criteria"},  # several, or it is not said
    "judgekit/reports/plan.py": {
        "{rounded(n):,} it calls",  # no noun
        "{items * design.raters:,} labels",  # of two raters or more
        "{rounded(choice.screened):,} items",  # hundreds
        "{rounded(mix.screened):,} items",
    },
    "judgekit/reports/runs.py": {"{len(url):,} characters"},  # the bytes of an image
}


def test_a_count_is_worded_by_its_number() -> None:
    """Also where the word takes no s."""
    assert [count(n, "line") for n in (0, 1, 2)] == ["0 lines", "1 line", "2 lines"]
    assert [count(n, "reply", "replies") for n in (1, 2000)] == ["1 reply", "2,000 replies"]


def test_no_number_stands_before_a_plural_of_its_own() -> None:
    """Commands and reports word what they count by ``count``, but where it is always more."""
    found = {}
    for room in ("cli", "reports"):
        for path in sorted((PACKAGE / room).glob("*.py")):
            text = path.read_text(encoding="utf-8")
            if plurals := set(_plurals(ast.parse(text))):
                found[path.relative_to(PACKAGE.parent).as_posix()] = plurals

    extra = {name: told - MANY.get(name, set()) for name, told in found.items()}
    assert {name: told for name, told in extra.items() if told} == {}


def _plurals(tree: ast.Module) -> list[str]:
    """Return each counted number in a text that a plural follows."""
    told = []
    for node in ast.walk(tree):
        parts = node.values if isinstance(node, ast.JoinedStr) else []
        for value, after in pairwise(parts):
            if not isinstance(value, ast.FormattedValue) or not isinstance(after, ast.Constant):
                continue
            spec = "" if value.format_spec is None else ast.unparse(value.format_spec)
            number = "," in spec or ast.unparse(value.value).startswith("len(")
            if number and (word := PLURAL.match(str(after.value))):
                shown = ":," if "," in spec else ""
                told.append(f"{{{ast.unparse(value.value)}{shown}}}{word[0]}")
    return told
