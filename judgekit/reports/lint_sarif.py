"""Violations as SARIF 2.1.0, the form that code scanning services read.

Source: OASIS, Static Analysis Results Interchange Format 2.1.0 (2020).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from judgekit.linting.pages import page_of
from judgekit.linting.violations import Violation
from judgekit.reports.lint_hash import line_hashes

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_ROOT = "%SRCROOT%"
"""To code scanning: the folder that was checked out."""


def sarif(
    violations: Sequence[Violation], sources: Mapping[str, str], version: str
) -> dict[str, Any]:
    """Return one run with every violation, and the page of every rule that was violated.

    Args:
        violations: What was found.
        sources: The text of the files it was found in.
        version: The version of judgekit.
    """
    codes = sorted({v.code for v in violations})
    hashes = {name: line_hashes(text) for name, text in sources.items()}
    driver = {"name": "judgekit", "semanticVersion": version, "rules": [_rule(c) for c in codes]}
    results = [_result(v, codes.index(v.code), hashes.get(v.file, ())) for v in violations]
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(code: str) -> dict[str, Any]:
    page = page_of(code)
    return {
        "id": code,
        "name": page.rule,
        "shortDescription": {"text": page.summary},
        "fullDescription": {"text": page.sections.get("Why it hurts", page.summary)},
        "help": {"text": page.markdown, "markdown": page.markdown},
        "defaultConfiguration": {"level": "error"},
    }


def _result(v: Violation, rule: int, hashes: Sequence[str]) -> dict[str, Any]:
    message = f"{v.message}. {v.help}" if v.help else v.message
    region = {"startLine": v.line, "startColumn": v.column}
    place = {"artifactLocation": _artifact(v.file), "region": region}
    known = {"primaryLocationLineHash": hashes[v.line - 1]} if v.line <= len(hashes) else {}
    return {
        "ruleId": v.code,
        "ruleIndex": rule,
        "level": "error",
        "message": {"text": message},
        "locations": [{"physicalLocation": place}],
    } | ({"partialFingerprints": known} if known else {})


def _artifact(file: str) -> dict[str, str]:
    """Return a file as a URI, relative to the current folder where it lies inside.

    A name that is not UTF-8 keeps the bytes it has on disk.
    """
    path = Path(file)
    if path.is_absolute() and path.is_relative_to(Path.cwd()):
        path = path.relative_to(Path.cwd())
    uri = quote(path.as_posix().encode("utf-8", "surrogateescape"))
    return {"uri": f"file://{uri}"} if path.is_absolute() else {"uri": uri, "uriBaseId": _ROOT}
