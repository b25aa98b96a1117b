"""SARIF as code scanning takes it: places, rules, and the hash that a line is known again by."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from judgekit.linting.violations import Violation
from judgekit.reports.lint_hash import line_hashes
from judgekit.reports.lint_sarif import sarif


def result(file: str, line: int = 1, sources: dict[str, str] | None = None) -> dict[str, Any]:
    """The result of one violation."""
    found = Violation(file, line, 3, "scale-gap", "SC17", "Wrong.", "Do this.")
    (only,) = sarif([found], sources or {}, "1.2.3")["runs"][0]["results"]
    assert isinstance(only, dict)
    return only


@pytest.mark.parametrize(
    ("file", "place"),
    [
        ("r.jinja", {"uri": "r.jinja", "uriBaseId": "%SRCROOT%"}),
        ("./a/../r.jinja", {"uri": "a/../r.jinja", "uriBaseId": "%SRCROOT%"}),
        ("a b/ü#?%.jinja", {"uri": "a%20b/%C3%BC%23%3F%25.jinja", "uriBaseId": "%SRCROOT%"}),
        ("a:b.jinja", {"uri": "a%3Ab.jinja", "uriBaseId": "%SRCROOT%"}),
        ("HERE/x.jinja", {"uri": "x.jinja", "uriBaseId": "%SRCROOT%"}),
        ("/else where/x.jinja", {"uri": "file:///else%20where/x.jinja"}),
    ],
)
def test_a_file_is_a_uri_below_the_checkout(
    file: str, place: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Blanks and other signs are escaped; what lies elsewhere has its whole address."""
    monkeypatch.chdir(tmp_path)
    found = result(file.replace("HERE", str(tmp_path)))

    assert found["locations"][0]["physicalLocation"]["artifactLocation"] == place


def test_a_rule_has_what_code_scanning_asks_of_one() -> None:
    """Its id, texts of three lengths, and the level its results have."""
    found = Violation("r", 1, 1, "scale-gap", "SC17", "Wrong.")
    (run,) = sarif([found, found._replace(code="LV04", rule="x")], {}, "1.2.3")["runs"]
    driver = run["tool"]["driver"]

    assert (driver["name"], driver["semanticVersion"]) == ("judgekit", "1.2.3")
    assert [rule["id"] for rule in driver["rules"]] == ["LV04", "SC17"]
    assert [r["ruleIndex"] for r in run["results"]] == [1, 0]
    for rule in driver["rules"]:
        assert rule["shortDescription"]["text"].endswith(".")
        assert rule["fullDescription"]["text"]
        assert rule["help"]["markdown"].startswith("# ")
        assert rule["defaultConfiguration"] == {"level": "error"}


def test_a_line_is_known_again_when_others_come_before_it() -> None:
    """By what stands in it and after it, not by its number."""
    text = "one\ntwo\n" + "three of many words\n" * 20
    before, after = result("r", 2, {"r": text}), result("r", 4, {"r": f"new\nnew\n{text}"})

    assert before["partialFingerprints"] == after["partialFingerprints"]
    assert before["partialFingerprints"] != result("r", 1, {"r": text})["partialFingerprints"]
    assert "partialFingerprints" not in result("r", 99, {"r": text})
    assert "partialFingerprints" not in result("gone", 1, {"r": text})


@pytest.mark.parametrize(
    ("text", "hashes"),
    [
        ("", "c129715d7a2bc9a3:1"),
        (
            " a\nb\n  \t\tc\n d",
            "271789c17abda88f:1 54703d4cd895b18:1 180aee12dab6264:1 a23a3dc5e078b07b:1",
        ),
        (
            " hello; \t\nworld!!!\r\n\n\r  \t\tGreetings\r End\r\n",
            (
                "e9496ae3ebfced30:1 fb7c023a8b9ccb3f:1 ce8ba1a563dcdaca:1 e20e36e16fcb0cc8:1 "
                "b3edc88f2938467e:1 c8e28b0b4002a3a0:1 c129715d7a2bc9a3:1"
            ),
        ),
        (
            "Lorem ipsum dolor sit amet.\n" * 10,
            (
                "a7f2ff13bc495cf2:1 a7f2ff13bc495cf2:2 a7f2ff13bc495cf2:3 a7f2ff13bc495cf2:4 "
                "a7f2ff13bc495cf2:5 a7f2ff13bc495cf2:6 a7f2ff1481e87703:1 a9cf91f7bbf1862b:1 "
                "55ec222b86bcae53:1 cc97dc7b1d7d8f7b:1 c129715d7a2bc9a3:1"
            ),
        ),
    ],
)
def test_the_hashes_are_those_of_code_scanning(text: str, hashes: str) -> None:
    """Source of the figures: the tests of github/codeql-action, ``fingerprints.test.ts``."""
    assert line_hashes(text) == hashes.split()
