"""Violations as SARIF 2.1.0, the form that code scanning services read.

Source: OASIS, Static Analysis Results Interchange Format 2.1.0 (2020).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from judgekit.linting.pages import page_of
from judgekit.linting.violations import Violation

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def sarif(violations: Sequence[Violation]) -> dict[str, Any]:
    """Return one run with every violation, and the page of every rule that was violated."""
    codes = sorted({v.code for v in violations})
    rules = [_rule(code) for code in codes]
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": {"name": "judgekit", "rules": rules}},
                "columnKind": "unicodeCodePoints",
                "results": [_result(v, codes.index(v.code)) for v in violations],
            }
        ],
    }


def _rule(code: str) -> dict[str, Any]:
    page = page_of(code)
    return {
        "id": code,
        "name": page.rule,
        "shortDescription": {"text": page.summary},
        "fullDescription": {"text": page.sections.get("Why it hurts", page.summary)},
        "help": {"text": page.markdown, "markdown": page.markdown},
    }


def _result(v: Violation, rule: int) -> dict[str, Any]:
    message = f"{v.message}. {v.help}" if v.help else v.message
    region = {"startLine": v.line, "startColumn": v.column}
    return {
        "ruleId": v.code,
        "ruleIndex": rule,
        "level": "error",
        "message": {"text": message},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": _uri(v.file)},
                    "region": region,
                }
            }
        ],
    }


def _uri(file: str) -> str:
    """Return a file as a URI; a name that is not UTF-8 keeps the bytes it has on disk."""
    return quote(Path(file).as_posix().encode("utf-8", "surrogateescape"))
