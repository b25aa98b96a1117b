"""The rules of an import: one code each, one heading each, and none that is never used."""

import re
from pathlib import Path

from judgekit.importers.graders.notes import RULES
from judgekit.importers.graders.tools import TOOLS

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs" / "rubrics" / "import.md").read_text("utf-8")
CODE = ROOT / "judgekit" / "importers" / "graders"


def test_every_rule_has_a_code_of_its_own_and_a_heading() -> None:
    """In order, and the page has no other."""
    headings = re.findall(r"^## (IM\d\d) (\S+)$", PAGE, re.MULTILINE)

    assert len(set(RULES.values())) == len(RULES)
    assert headings == [(code, rule) for rule, code in RULES.items()]


def test_every_rule_is_used() -> None:
    """A rule nobody meets is a page nobody needs."""
    sources = "".join(path.read_text("utf-8") for path in CODE.glob("*.py"))

    assert [rule for rule in RULES if sources.count(f'"{rule}"') < 2] == []


def test_every_tool_is_on_the_page() -> None:
    """With the word the option takes."""
    assert [tool for tool in TOOLS if f"`{tool}`" not in PAGE] == []
