"""Linting files, folders and projects: through the library and on the command line."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import judgekit
from judgekit.api.lint import lint_paths
from judgekit.errors import InputError
from tests.rubric.make import BASES, edited

GOOD, BAD = BASES["clean"], edited("clean", {"passes_at: 3": "passes_at: 7"})
KEYS = ["file", "line", "column", "rule", "code", "message", "help", "fixable"]
TOML = '[judges.met]\nrubric = "rubrics/good.jinja"\nmodel = "local/smollm2-135m"\n'


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder that is the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def put(**files: str) -> None:
    """Files by path, with ``__`` for a slash; all are templates."""
    for name, text in files.items():
        path = Path(name.replace("__", "/") + ".jinja")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """``judgekit lint`` in a process of its own, 80 columns wide."""
    return subprocess.run(
        [sys.executable, "-m", "judgekit", "lint", *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "COLUMNS": "80", "PYTHONPATH": str(Path(judgekit.__file__).parents[1])},
    )


# --- the library -------------------------------------------------------------------------------


def test_files_in_the_order_given() -> None:
    """Each file once, by the name it was first given; violations by file and line."""
    put(good=GOOD, bad=BAD)
    result = lint_paths(["good.jinja", "bad.jinja", "./good.jinja", "bad.jinja"])

    assert result.files == ("good.jinja", "bad.jinja")
    assert [(v.file, v.line, v.code) for v in result.violations] == [("bad.jinja", 9, "SC11")]
    assert result.sources == {"bad.jinja": BAD}
    assert result.unreadable == ()


def test_the_library_s_name_is_public() -> None:
    """A few lines do what the command does."""
    put(bad=BAD)

    assert [v.rule for v in judgekit.lint_paths(["bad.jinja"]).violations] == ["passes-off-scale"]


def test_a_folder_is_searched_through() -> None:
    """Every rubric below it, whatever it is called."""
    put(r__a=BAD, r__b__c=BAD)
    Path("r/d.j2").write_text(GOOD, "utf-8")
    Path("r/e.jinja2").write_text(GOOD, "utf-8")
    Path("r/f.txt").write_text(BAD, "utf-8")

    assert lint_paths(["r"]).files == ("r/a.jinja", "r/b/c.jinja", "r/d.j2", "r/e.jinja2")


def test_templates_that_are_no_rubric_are_passed_over_in_a_folder() -> None:
    """What a rubric includes is checked as part of it; a web page is none of ours."""
    put(
        r__mine=edited("clean", body="{% extends 'strict.jinja' %}"),
        r__strict="{% extends 'judgekit/pointwise@1.jinja' %}{% block task %}{{ o }}{% endblock %}",
        r__page="<html>{{ title }}</html>",
    )
    result = lint_paths(["r"])

    assert result.files == ("r/mine.jinja",)
    assert [(v.file, v.code) for v in result.violations] == [("r/mine.jinja", "TP04")]


def test_a_rubric_that_lost_its_dashes_is_still_one() -> None:
    """Not passed over: it is why its author runs the linter."""
    put(r__lost=GOOD.removeprefix("---\n"))

    assert [v.code for v in lint_paths(["r"]).violations] == ["RB01"]


def test_a_template_named_by_itself_is_checked_as_a_rubric() -> None:
    """Whoever names a file means it."""
    put(page="<html></html>")

    assert [v.code for v in lint_paths(["page.jinja"]).violations] == ["RB01"]


@pytest.mark.parametrize("folder", [".venv", ".git", "node_modules", "v/lib/site-packages"])
def test_installed_and_hidden_folders_are_passed_over(folder: str) -> None:
    """Other people's templates are not checked by ``judgekit lint .``."""
    put(**{"mine": GOOD, f"{folder}__theirs": BAD})

    assert lint_paths(["."]).files == ("mine.jinja",)


def test_a_hidden_folder_that_is_named_is_checked() -> None:
    """Only what lies below a folder is passed over, not the folder itself."""
    put(**{".hidden__a": GOOD})

    assert lint_paths([".hidden"]).files == (".hidden/a.jinja",)


def test_what_cannot_be_read_does_not_hide_the_rest() -> None:
    """Unreadable files are kept apart, and not counted as checked."""
    put(bad=BAD)
    Path("empty.jinja").touch()
    Path("none").mkdir()
    result = lint_paths(["empty.jinja", "missing.jinja", "none", "bad.jinja"])

    assert result.files == ("bad.jinja",)
    assert [(v.file, v.code) for v in result.violations] == [
        ("empty.jinja", "RB13"),
        ("missing.jinja", "RB13"),
        ("bad.jinja", "SC11"),
        ("none", "RB13"),
    ]
    assert sorted((e.file or "", e.message) for e in result.unreadable) == [
        ("empty.jinja", "the file is empty (0 bytes)"),
        ("missing.jinja", "no such file"),
        ("none", "no rubric (*.jinja) in this folder"),
    ]


def test_a_folder_called_like_a_rubric_is_a_folder() -> None:
    """And what is in it is checked."""
    put(r__odd=GOOD)
    Path("r/x.jinja").mkdir()
    Path("r/x.jinja/y.jinja").write_text(GOOD, "utf-8")

    result = lint_paths(["r"])

    assert result.files == ("r/odd.jinja", "r/x.jinja/y.jinja")
    assert result.unreadable == ()


def test_without_a_path_the_project_s_rubrics() -> None:
    """Those that judges name, and those in its folder, each once."""
    put(rubrics__good=GOOD, rubrics__other=BAD, rubrics__part="{{ criterion.name }}")
    Path("judgekit.toml").write_text(TOML, "utf-8")
    result = lint_paths([])

    assert result.files == ("rubrics/good.jinja", "rubrics/other.jinja")
    assert len(result.violations) == 1


def test_without_anything_to_check() -> None:
    """Nothing checked is no success."""
    with pytest.raises(InputError, match="no rubric to check") as caught:
        lint_paths([])

    assert "judgekit init" in (caught.value.hint or "")


# --- the command -------------------------------------------------------------------------------


def test_clean_files_exit_0() -> None:
    """One line on stdout, nothing on stderr."""
    put(good=GOOD)
    done = run("good.jinja")

    assert (done.returncode, done.stdout, done.stderr) == (0, "No violations in 1 file.\n", "")


def test_violations_exit_1_and_fit_the_screen() -> None:
    """Every line within 80 columns, five mistakes with five places."""
    text = edited(
        "clean",
        {
            "version: 1": "version: new",
            "passes_at: 3": "passes_at: 7",
            "name: stretched": "name: grounded",
            "value: 1": "valu: 1",
            "answers of a museum's assistant.": "{{ anwser }} with all the care that they need.",
        },
    )
    put(five=text)
    done = run("five.jinja")

    assert done.returncode == 1
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert [line.split()[0] for line in done.stdout.splitlines() if line.startswith("five")] == [
        "five.jinja:3:10",
        "five.jinja:21:9",
        "five.jinja:29:9",
        "five.jinja:29:9",
        "five.jinja:40:30",
    ]
    assert done.stdout.endswith(
        "5 violations in 1 file (2 can be fixed with --fix).  judgekit explain ID02\n"
    )
    assert done.stderr == ""


@pytest.mark.parametrize("option", [["--json"], ["--format", "json"], ["--format=json", "--json"]])
def test_json_is_a_list_with_the_keys_of_the_contract(option: list[str]) -> None:
    """One document on stdout and nothing else there; the same by either option."""
    put(bad=BAD, good=GOOD)
    done = run(*option, "bad.jinja", "good.jinja")
    found = json.loads(done.stdout)

    assert done.returncode == 1
    assert [list(violation) for violation in found] == [KEYS]
    assert (found[0]["file"], found[0]["line"], found[0]["column"]) == ("bad.jinja", 9, 16)
    assert (found[0]["rule"], found[0]["code"]) == ("passes-off-scale", "SC11")
    assert found[0]["fixable"] is False


def test_json_of_clean_files_is_an_empty_list() -> None:
    """Exit 0 and ``[]``."""
    put(good=GOOD)
    done = run("--json", "good.jinja")

    assert (done.returncode, json.loads(done.stdout)) == (0, [])


@pytest.mark.parametrize(
    "arguments", [[], ["missing.jinja"], ["none"], ["empty.jinja"], ["x.jinja"]]
)
def test_what_cannot_be_read_exits_2(arguments: list[str]) -> None:
    """Nothing to lint, no such file, an empty folder, an empty and a binary file."""
    Path("none").mkdir()
    Path("empty.jinja").touch()
    Path("x.jinja").write_bytes(b"\x00\x01\xff" * 40)
    done = run(*arguments)

    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert done.stderr.strip()
    assert "No violations" not in done.stdout


def test_a_folder_on_the_command_line() -> None:
    """The total says how many were checked."""
    put(r__a=GOOD, r__b=BAD, r__part="{{ output }}")
    done = run("r")

    assert done.returncode == 1
    assert done.stdout.endswith(
        "1 violation in 1 of 2 files (0 can be fixed with --fix).  judgekit explain SC11\n"
    )


def test_the_project_on_the_command_line() -> None:
    """``judgekit lint`` alone checks the project."""
    put(rubrics__good=GOOD)
    Path("judgekit.toml").write_text(TOML, "utf-8")

    assert run().stdout == "No violations in 1 file.\n"


def test_odd_names_and_texts_are_printed() -> None:
    """No name or text makes printing fail, or the report longer by a line."""
    put(**{"naïve 名": edited("ordinal", {"passes_at: 3": 'passes_at: "\u2028\x07\u202e名"'})})
    done = run("naïve 名.jinja")

    assert done.returncode == 1
    assert [line.split()[0] for line in done.stdout.split("\n") if line][:2] == ["naïve", "9"]
