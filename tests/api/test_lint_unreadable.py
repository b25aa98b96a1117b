"""What cannot be read is a violation of that file; all others are checked, in every form."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

import judgekit
from judgekit.api import lint_files
from judgekit.api.lint import lint_paths
from judgekit.linting.rules import FROM_DISK
from judgekit.linting.selection import selection_of
from tests.rubric.make import BASES, CASES, edited

TABLE = {
    path.stem: yaml.safe_load(path.read_text("utf-8"))
    for path in sorted((CASES.parent / "lint_disk").glob("*.yml"))
}
FAIL = [(code, case) for code, table in TABLE.items() for case in table["fail"]]
PASS = [(code, case) for code, table in TABLE.items() for case in table["pass"]]
BAD = edited("clean", {"passes_at: 3": "passes_at: 7"})


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder that is the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def bytes_of(case: dict[str, Any]) -> bytes:
    """What a case has on disk."""
    if "hex" in case:
        return bytes.fromhex(case["hex"])
    text = edited(case["base"], case.get("swap"))
    return text.replace("\n", case.get("ends", "\n")).encode(case["encoding"])


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """``judgekit lint`` in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "judgekit", "lint", *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(Path(judgekit.__file__).parents[1])},
    )


@pytest.mark.parametrize(("code", "case"), FAIL, ids=[f"{c}: {x['why']}" for c, x in FAIL])
def test_what_is_no_text_is_a_violation(code: str, case: dict[str, Any]) -> None:
    """At the line where that shows, with the way out; no rule is chosen for it to be told."""
    Path("r.jinja").write_bytes(bytes_of(case))
    result = lint_paths(["r.jinja"], selection=selection_of(["LV"], ["RB13"]))
    told = "\n".join(f"{v.message} | {v.help}" for v in result.violations)

    assert [(v.code, f"{v.line}:{v.column}") for v in result.violations] == [(code, case["at"][0])]
    assert case["says"] in told
    assert (result.files, len(result.unreadable)) == ((), 1)


@pytest.mark.parametrize(("code", "case"), PASS, ids=[f"{c}: {x['why']}" for c, x in PASS])
def test_what_is_text_is_none(code: str, case: dict[str, Any]) -> None:
    """Whatever else is wrong with it."""
    Path("r.jinja").write_bytes(bytes_of(case))
    result = lint_paths(["r.jinja"])

    assert [v for v in result.violations if v.code == code] == []
    assert result.files == ("r.jinja",)


def test_every_such_rule_has_its_cases() -> None:
    """Three of each kind, as the others."""
    assert set(TABLE) == set(FROM_DISK)
    for table in TABLE.values():
        assert min(len(table["fail"]), len(table["pass"])) >= 3


@pytest.fixture
def mixed() -> list[str]:
    """A folder with what is fine, wrong, no text and not there, in the order it is told."""
    for name, data in (
        ("r/a.jinja", BASES["clean"].encode()),
        ("r/b.jinja", b"caf\xe9"),
        ("r/c.jinja", BAD.encode()),
        ("r/d.jinja", b"\0\0\0\1"),
    ):
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_bytes(data)
    return ["r", "gone.jinja", "none.jinja"]


FOUND = [
    ("r/b.jinja", "RB13"),
    ("r/c.jinja", "SC11"),
    ("r/d.jinja", "RB13"),
    ("gone.jinja", "RB13"),
    ("none.jinja", "RB13"),
]


@pytest.mark.parametrize("form", ["json", "sarif", "github", "text"])
def test_one_file_takes_nothing_from_the_others(mixed: list[str], form: str) -> None:
    """Each form has every finding, and the exit code says that not all was checked."""
    done = run("--format", form, *mixed)

    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert "Not checked: r/b.jinja, r/d.jinja, gone.jinja, none.jinja" in done.stderr
    if form == "json":
        assert [(v["file"], v["code"]) for v in json.loads(done.stdout)] == FOUND
    elif form == "sarif":
        (log,) = json.loads(done.stdout)["runs"]
        places = [r["locations"][0]["physicalLocation"] for r in log["results"]]
        told = [place["artifactLocation"]["uri"] for place in places]
        assert list(zip(told, (r["ruleId"] for r in log["results"]), strict=True)) == FOUND
        assert "RB13" in {rule["id"] for rule in log["tool"]["driver"]["rules"]}
    elif form == "github":
        lines = done.stdout.splitlines()
        assert [line.split(",")[0] for line in lines] == [f"::error file={f}" for f, _ in FOUND]
    else:
        assert "5 violations in 5 of 6 files (0 can be fixed with --fix)." in done.stdout
        assert "gone.jinja:1:1  file-unreadable (RB13)\n   no such file\n" in done.stdout


def test_nothing_but_a_file_that_is_not_there() -> None:
    """The same form as always, for programs too."""
    done = run("--json", "nix.jinja")

    assert done.returncode == 2
    assert [(v["file"], v["line"], v["code"]) for v in json.loads(done.stdout)] == [
        ("nix.jinja", 1, "RB13")
    ]


def test_a_file_far_larger_than_any_rubric(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not even read."""
    Path("r.jinja").write_text(BASES["clean"])
    with Path("r.jinja").open("r+b") as file:
        file.truncate(2_000_000_000)
    (found,) = lint_paths(["r.jinja"]).violations
    assert found.message == "this file has 2,000.0 MB: a rubric has 5 MB at most"

    Path("r.jinja").write_text(BASES["clean"])
    monkeypatch.setattr(lint_files, "_LARGEST", len(BASES["clean"].encode()))
    assert lint_paths(["r.jinja"]).violations == ()


def test_a_file_by_several_names_is_checked_once(here: Path) -> None:
    """By the first of them, whichever way the others lead there."""
    Path("r/sub").mkdir(parents=True)
    Path("r/x.jinja").write_text(BAD)
    Path("r/link.jinja").symlink_to("x.jinja")
    Path("way").symlink_to("r")
    names = ["./r/x.jinja", "r/x.jinja", "r/sub/../x.jinja", "way/x.jinja", str(here / "r/x.jinja")]

    for name in (*names, "r/link.jinja"):
        result = lint_paths([name, *names, "r", "way"])
        assert result.files == (name,)
        assert [v.file for v in result.violations] == [name]


def test_a_template_passed_over_in_a_folder_is_checked_when_it_is_named() -> None:
    """In whichever order."""
    Path("page.jinja").write_text("<html></html>")

    for paths in (["page.jinja", "."], [".", "page.jinja"]):
        assert [v.code for v in lint_paths(paths).violations] == ["RB01"]


def test_the_name_of_a_judge_is_no_file() -> None:
    """As other commands take it; the way out is its rubric."""
    Path("judgekit.toml").write_text('[judges.tone]\nrubric = "r/a b.jinja"\nmodel = "local/m"\n')
    found = lint_paths(["tone", "tome"]).violations

    assert found[0].help == "'tone' is a judge; its rubric: judgekit lint 'r/a b.jinja'"
    assert "judge" not in (found[1].help or "").removeprefix("Did you mean 'judgekit.toml'?")
    Path("judgekit.toml").write_text("[")
    assert lint_paths(["tone"]).violations[0].message == "no such file"
