"""The page on false alarms and misses has the figures of its command; the verdicts are digests."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from benchmarks.foreign_rubrics import (
    PARTS,
    VERDICTS,
    Key,
    as_judged,
    digest,
    imported,
    main,
    read_verdicts,
)
from judgekit.importers.graders.tools import TOOLS
from judgekit.linting.rules import RULES

PAGE = Path(__file__).resolve().parents[2] / "docs" / "rubrics" / "measured.md"
RUBRIC = """
score_rubric = {
    "criteria": "Is the reply polite and complete?",
    "score1_description": "It is rude.",
    "score2_description": "It is good.",
}
"""


@pytest.mark.parametrize("half", ["dev", "held-back"])
def test_the_page_has_what_the_command_prints(
    half: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Table by table, and every share with its interval."""
    as_judged(read_verdicts(VERDICTS), half)
    printed = [line for line in capsys.readouterr().out.splitlines() if line]
    page = PAGE.read_text("utf-8").replace("- all rules", "all rules")
    page = page.replace("- rules that", "rules that")

    assert len(printed) > 20
    assert "\n".join(printed) in re.sub(r"\n\n+", "\n", page)


def test_the_verdicts_hold_no_foreign_text() -> None:
    """Digests, codes and numbers only."""
    for line in VERDICTS.read_text("utf-8").splitlines():
        said = json.loads(line)
        assert re.fullmatch(r"[0-9a-f]{12}", said["file"])
        if "half" in said:
            assert said["half"] in ("dev", "held-back", "later")
            assert said["tool"] in TOOLS
        else:
            assert re.fullmatch(r"[0-9a-f]{12}", said["line"])
            assert said["code"] in RULES
            assert said["verdict"] in ("true", "false", "debatable", "missed")
            assert isinstance(said["times"], int)
            assert said.keys() == {"file", "code", "line", "verdict", "times"}
    assert set(PARTS) < set(RULES)


def test_a_folder_is_measured_by_its_verdicts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A finding that was judged false is a false alarm; a fault no rule names is missed."""
    source = tmp_path / "files" / "rubric.py"
    source.parent.mkdir()
    source.write_text(RUBRIC, "utf-8")
    (source.parent / "other.txt").write_text("no grader", "utf-8")
    (one,) = imported(source.parent)
    (double,) = [key for key in one.found_at() if key.code == "CR05"]
    verdicts = [
        {"file": one.digest, "half": "dev", "tool": "prometheus"},
        {**double._asdict(), "verdict": "false", "times": 1},
        {**Key(one.digest, "LV05", digest("x"))._asdict(), "verdict": "missed", "times": 1},
    ]
    path = tmp_path / "verdicts.jsonl"
    path.write_text("".join(json.dumps(v) + "\n" for v in verdicts), "utf-8")
    monkeypatch.setattr(
        "sys.argv", ["foreign", str(source.parent), "--verdicts", str(path), "--half", "dev"]
    )

    main()

    out = capsys.readouterr().out
    assert "| CR05 | 0 | 1 | 0 | 0 | 0 |" in out
    assert "| LV05 | 0 | 0 | 0 | 0 | 1 |" in out
    assert "rules that judge words: false alarms 1 of 1, 100.0%" in out
    assert "rules that judge words: missed 1 of 1, 100.0%" in out
