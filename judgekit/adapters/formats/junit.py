"""JUnit XML: each row a test, for the CI that shows such files.

A level that does not pass is a failure, an item without a judgment an error, one that the criterion
does not apply to is skipped. The certificate stands among the properties of each suite; a suite is
one criterion. Only what every schema of these files allows is used: what a single test cannot hold,
its level, is listed in the suite's output.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections import Counter
from datetime import UTC, datetime
from typing import Literal

from judgekit.adapters.outcome import Outcome
from judgekit.adapters.outcomes import certificate_facts
from judgekit.adapters.scored import ScoredItem, ScoredSet
from judgekit.adapters.seal import PREFIX

Kind = Literal["failure", "error", "skipped"]
_NO_TEXT = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML cannot hold, not even escaped."""


def junit(scored: ScoredSet, at: datetime) -> str:
    """Return the rows as test suites, one a criterion.

    Args:
        scored: The rows.
        at: When they were scored.
    """
    root = ET.Element("testsuites")
    for number, name in enumerate(scored.certificates):
        rows = [one for one in scored.items if one.outcome.criterion == name]
        root.append(_suite(scored, name, rows, f"{number}", at))
    ET.indent(root)
    text = ET.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def _suite(
    scored: ScoredSet, criterion: str, rows: list[ScoredItem], number: str, at: datetime
) -> ET.Element:
    """Return the suite of one criterion."""
    kinds = Counter(_kind(one.outcome) for one in rows)
    suite = ET.Element("testsuite", name=_plain(rows[0].outcome.name), package="judgekit")
    suite.attrib |= {"id": number, "hostname": "localhost", "time": "0", "tests": str(len(rows))}
    suite.attrib |= {"failures": str(kinds["failure"]), "errors": str(kinds["error"])}
    suite.attrib |= {"skipped": str(kinds["skipped"])}
    suite.set("timestamp", at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S"))
    known = certificate_facts(scored.certificates[criterion])
    facts = {"judge": scored.judge, "criterion": criterion}
    facts |= {key.removeprefix(PREFIX): str(v) for key, v in known.items() if v is not None}
    properties = ET.SubElement(suite, "properties")
    for name, value in facts.items():
        ET.SubElement(properties, "property", name=f"judgekit.{name}", value=_plain(value))
    suite.extend(_case(one) for one in rows)
    levels = [f"{one.item}: {one.outcome.level or one.outcome.status}" for one in rows]
    ET.SubElement(suite, "system-out").text = _plain("\n".join(levels))
    ET.SubElement(suite, "system-err")
    return suite


def _case(one: ScoredItem) -> ET.Element:
    outcome = one.outcome
    place = f"judgekit.{outcome.name}"
    case = ET.Element("testcase", classname=_plain(place), name=_plain(one.item), time="0")
    kind = _kind(outcome)
    if kind is None:
        return case
    why = outcome.explanation or outcome.status
    if kind == "skipped":
        ET.SubElement(case, kind, message=_plain("the criterion does not apply"))
        return case
    code = str(outcome.reason_code or outcome.level)
    shown = ET.SubElement(case, kind, message=_plain(f"{code}: {why}"), type=_plain(code))
    shown.text = _plain(why)
    return case


def _kind(outcome: Outcome) -> Kind | None:
    """Return what a test that did not pass is."""
    if outcome.value is None:
        return "skipped" if outcome.status == "not_applicable" else "error"
    return "failure" if outcome.passed is False else None


def _plain(text: str) -> str:
    return _NO_TEXT.sub("\ufffd", text)
