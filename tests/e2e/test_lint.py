"""The linter as people and programs use it: mending, choosing, forms, git, watching."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import judgekit
from judgekit.linting.pages import pages
from judgekit.linting.rules import RULES
from judgekit.reports.explain import page_lines
from tests.rubric.make import BASES, edited

ROOT = Path(judgekit.__file__).parents[1]
CLEAN = BASES["clean"]
VAGUE = edited(
    "clean",
    {
        "Each opening hour and each price in the answer stands in the context.": "It is good.",
    },
)
ENV = {**os.environ, "COLUMNS": "80", "PYTHONPATH": str(ROOT)}


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder that is the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def judge(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "judgekit", *arguments],
        capture_output=True,
        text=True,
        check=False,
        env=ENV,
    )


def test_rules_are_chosen_by_code_family_and_name(here: Path) -> None:
    """The more exact one wins; a name there is not is one clear error."""
    (here / "r.jinja").write_text(VAGUE)

    assert judge("lint", "r.jinja").returncode == 1
    assert judge("lint", "--select", "LV", "r.jinja").returncode == 1
    assert judge("lint", "--select", "SC,TP", "r.jinja").returncode == 0
    assert judge("lint", "--ignore", "level-definition-vague", "r.jinja").returncode == 0
    assert judge("lint", "--ignore", "LV", "--select", "lv04", "r.jinja").returncode == 1
    wrong = judge("lint", "--select", "LV4O", "r.jinja")
    assert wrong.returncode == 2
    assert "no rule named 'LV4O'" in wrong.stderr


def test_forms_for_programs(here: Path) -> None:
    """Each holds file, place, rule and message of every violation."""
    (here / "a b.jinja").write_text(VAGUE)
    (told,) = json.loads(judge("lint", "--json", "a b.jinja").stdout)
    sarif = json.loads(judge("lint", "--format", "sarif", "a b.jinja").stdout)
    github = judge("lint", "--format", "github", "a b.jinja")

    assert (told["code"], told["rule"], told["line"]) == ("LV04", "level-definition-vague", 13)
    (run,) = sarif["runs"]
    (result,) = run["results"]
    place = result["locations"][0]["physicalLocation"]
    assert sarif["version"] == "2.1.0"
    assert result["partialFingerprints"]["primaryLocationLineHash"].endswith(":1")
    assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"] == "LV04"
    assert place["artifactLocation"]["uri"] == "a%20b.jinja"
    assert place["region"] == {"startLine": 13, "startColumn": told["column"]}
    assert github.returncode == 1
    assert github.stdout == (
        f"::error file=a b.jinja,line=13,col={told['column']},"
        "title=level-definition-vague (LV04)::"
        f"{told['message']}%0A{told['help']}\n"
    )


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_a_meaning_that_changed_under_the_same_version(here: Path) -> None:
    """Since the last commit; a comment is no change; --fix counts up."""
    file = here / "rubrics" / "r.jinja"
    file.parent.mkdir()
    file.write_text(CLEAN)
    who = ["-c", "user.name=a", "-c", "user.email=a@example.com"]
    for command in (["init", "-q"], ["add", "."], [*who, "commit", "-qm", "first"]):
        subprocess.run(["git", *command], check=True)
    file.write_text(CLEAN.replace("version: 1", "version: 1  # the first"))
    assert judge("lint", "rubrics").returncode == 0

    file.write_text(CLEAN.replace("A second one stands nowhere in it.", "A third one is made up."))
    done = judge("lint", "rubrics")
    assert done.returncode == 1
    assert "version-unchanged (ID03)" in done.stdout
    assert "level 2 of 'groundedness' changed since git HEAD" in " ".join(
        done.stdout.replace("|", " ").split()
    )
    assert judge("lint", "--fix", "rubrics").returncode == 0
    assert "version: 2" in file.read_text()


def test_a_meaning_that_changed_since_a_certificate(here: Path) -> None:
    """Of the project the rubric belongs to."""
    from judgekit.rubric.meaning import meaning_parts
    from tests.rubric.make import usable

    (here / "judgekit.toml").write_text("")
    (here / "r.jinja").write_text(VAGUE)
    old = usable(CLEAN)
    parts = meaning_parts(old, old.criteria[0])
    document = {
        "id": "3f9a1c" + "0" * 58,
        "criterion": "groundedness",
        "judge": {"rubric": {"name": "groundedness", "version": 1, "parts": parts}},
    }
    (here / "certificates").mkdir()
    (here / "certificates" / "c.json").write_text(json.dumps(document))
    (here / "certificates" / "broken.json").write_text("{")
    found = json.loads(judge("lint", "--json", "--select", "ID03", "r.jinja").stdout)

    assert [v["message"] for v in found] == [
        "level 3 of 'groundedness' changed since certificate 3f9a1c, the version did not"
    ]


def test_many_files_are_checked_like_one(here: Path) -> None:
    """In several processes, in the order of their names."""
    for number in range(450):
        text = VAGUE if number % 100 == 7 else CLEAN
        (here / f"r{number:03}.jinja").write_text(text)
    found = json.loads(judge("lint", "--json", ".").stdout)

    assert [(v["file"], v["code"]) for v in found] == [
        (f"r{number:03}.jinja", "LV04") for number in range(7, 450, 100)
    ]


def test_every_rule_is_explained() -> None:
    """By code and by name; an unknown one gets a suggestion."""
    by_code, by_name = judge("explain", "lv04"), judge("explain", "level-definition-vague")
    listed = judge("explain", "--all", "--json")
    wrong = judge("explain", "level-definition-vage")

    assert by_code.returncode == 0
    assert by_code.stdout == by_name.stdout
    assert [page["code"] for page in json.loads(listed.stdout)] == list(RULES)
    assert wrong.returncode == 2
    assert "level-definition-vague" in wrong.stderr


def test_every_page_fits_the_screen() -> None:
    """Examples too, whose longer lines go on below."""
    lines = [(page.code, line) for page in pages() for line in page_lines(page)]
    folded = "    - {value: 2, name: good, definition: The answer covers the points that were asked"

    assert [(code, line) for code, line in lines if len(line) > 80] == []
    assert ("LV03", folded[:80].rsplit(" ", 1)[0]) in lines


@pytest.mark.parametrize("beginning", ["AN", "an", "An0"])
def test_a_family_of_rules_is_listed(beginning: str) -> None:
    """A line each, as all are; a program gets a list."""
    told = judge("explain", beginning)
    family = [code for code in RULES if code.startswith(beginning.upper())]
    listed = [line.split()[0] for line in told.stdout.splitlines() if line[:1] != " "]

    assert told.returncode == 0
    assert listed == family
    assert max(map(len, told.stdout.splitlines())) <= 80
    document = json.loads(judge("explain", beginning, "--json").stdout)
    assert [page["code"] for page in document] == family


def test_without_a_rule_all_are_listed() -> None:
    """As with --all; what begins no code is an error."""
    assert judge("explain").stdout == judge("explain", "--all").stdout
    assert judge("explain", "ZZ").returncode == 2
    assert judge("explain", "").returncode == 2
    assert "judgekit rubric import" in judge("explain", "IM").stderr
