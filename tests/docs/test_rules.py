"""docs/rules is what docs/write_rules.py writes, and every rule has its page."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

from judgekit.linting.rules import RULES

DOCS = Path(__file__).resolve().parents[2] / "docs"


def writer() -> Any:
    """The script, as a module."""
    spec = importlib.util.spec_from_file_location("write_rules", DOCS / "write_rules.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_pages_are_those_of_the_rules() -> None:
    """After a change of a rule: ``python docs/write_rules.py``."""
    wanted = writer().texts()
    found = {path.name: path.read_text("utf-8") for path in (DOCS / "rules").glob("*.md")}

    assert sorted(found) == sorted(wanted)
    assert [name for name in wanted if found[name] != wanted[name]] == []


def test_every_rule_is_in_the_index() -> None:
    """Under its family, with its code."""
    index = (DOCS / "rules" / "README.md").read_text("utf-8")

    assert [
        code for code, rule in RULES.items() if f"| {code} | [{rule}]({rule}.md) |" not in index
    ] == []
