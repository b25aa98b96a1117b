"""Earlier states of rubrics in every kind of repository, and where there is none."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from judgekit.api.lint import lint_paths
from judgekit.importers.earlier import certificates_of, known_states
from judgekit.importers.git import ask_git
from judgekit.rubric.meaning import meaning_parts
from tests.importers.test_git_hostile import CHANGED, CLEAN, git, kept, unchanged_versions
from tests.rubric.make import edited, usable

BODY = """{% extends "judgekit/pointwise@1.jinja" %}
{% block task %}{% include "parts/task.jinja" %}{% endblock %}
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder that is the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def told(*paths: str) -> list[str]:
    """Return what the linter says of versions that did not change."""
    return [v.message for v in lint_paths(paths).violations if v.code == "ID03"]


# --- kinds of repositories ----------------------------------------------------------------------


def test_a_worktree_has_a_head_of_its_own(here: Path) -> None:
    """Its ``.git`` is a file; what another branch holds is not compared."""
    git("init", "-q", "main")
    os.chdir("main")
    kept("x.jinja")
    git("worktree", "add", "-q", "../other", "-b", "other")
    os.chdir(here / "other")
    assert unchanged_versions("x.jinja") == []

    Path("x.jinja").write_text(CHANGED.replace("name: ", "name: n0-", 1), "utf-8")
    assert unchanged_versions("x.jinja") == ["x.jinja"]
    os.chdir(here)
    assert unchanged_versions("other/x.jinja") == ["other/x.jinja"]
    git("-C", "other", "commit", "-qam", "second")
    assert unchanged_versions("other", "main") == ["main/x.jinja"]


def test_a_submodule_is_a_repository_of_its_own(here: Path) -> None:
    """Checked from the one around it, where the index knows its commit only."""
    git("init", "-q", "inner")
    os.chdir("inner")
    kept("x.jinja")
    os.chdir(here)
    git("init", "-q", "outer")
    os.chdir("outer")
    git("-c", "protocol.file.allow=always", "submodule", "add", "-q", "../inner", "sub")
    git("commit", "-qm", "with a submodule")
    assert unchanged_versions("sub/x.jinja") == []
    Path("sub/x.jinja").write_text(CHANGED.replace("name: ", "name: n0-", 1), "utf-8")

    assert unchanged_versions(".") == ["sub/x.jinja"]


def test_a_detached_head_is_a_head() -> None:
    """Its commit counts, not that of the branch."""
    git("init", "-q")
    kept("x.jinja")
    git("commit", "-qam", "second")
    git("checkout", "-q", "--detach", "HEAD~1")
    Path("x.jinja").write_text(CHANGED.replace("name: ", "name: n0-", 1), "utf-8")

    assert unchanged_versions("x.jinja") == ["x.jinja"]


def test_where_nothing_is_committed_nothing_is_known(here: Path) -> None:
    """No commit yet, a file that git does not know, a bare repository, a ``.git`` that is none."""
    git("init", "-q")
    Path("x.jinja").write_text(CLEAN, "utf-8")
    assert lint_paths(["x.jinja"]).violations == ()
    git("add", "x.jinja")
    assert lint_paths(["x.jinja"]).violations == ()
    git("commit", "-qm", "first")
    Path("new.jinja").write_text(CHANGED.replace("name: ", "name: another", 1), "utf-8")
    assert unchanged_versions("new.jinja") == []

    git("clone", "-q", "--bare", ".", str(here / "bare.git"))
    Path("bare.git/x.jinja").write_text(CHANGED, "utf-8")
    os.chdir("bare.git")
    assert lint_paths(["x.jinja"]).violations == ()
    os.chdir(here)
    Path("odd/.git").mkdir(parents=True)
    Path("odd/x.jinja").write_text(CHANGED.replace("version: 1", "version: 7"), "utf-8")
    assert lint_paths(["odd/x.jinja"]).violations == ()
    Path("pointed/.git").parent.mkdir()
    Path("pointed/.git").write_text("gitdir: /nonexistent\n")
    Path("pointed/x.jinja").write_text(CHANGED, "utf-8")
    assert lint_paths(["pointed/x.jinja"]).violations == ()


@pytest.mark.parametrize("staged", [True, False])
def test_a_file_that_was_moved_is_known_by_its_rubric(*, staged: bool) -> None:
    """Whether git was told of it or not; the state is named by the old file."""
    git("init", "-q")
    kept("rubrics/x.jinja", "rubrics/y.jinja")
    git("checkout", "-q", ".")
    Path("judges").mkdir()
    if staged:
        git("mv", "rubrics/x.jinja", "judges/new.jinja")
    else:
        Path("rubrics/x.jinja").rename("judges/new.jinja")
    assert told(".") == []

    text = Path("judges/new.jinja").read_text("utf-8")
    Path("rubrics/y.jinja").write_text(CHANGED.replace("name: ", "name: n1-", 1), "utf-8")
    Path("judges/new.jinja").write_text(
        text.replace("A second one stands nowhere in it.", "A third one was made up by it."),
        "utf-8",
    )
    assert [m.split(" since ")[1] for m in told(".")] == [
        "git HEAD (rubrics/x.jinja), the version did not",
        "git HEAD, the version did not",
    ]


def test_a_copy_is_not_taken_for_what_it_is_a_copy_of() -> None:
    """The first file is still there: which of the two goes on is not for the linter to say."""
    git("init", "-q")
    kept("x.jinja")
    git("commit", "-qam", "second")
    Path("copy.jinja").write_text(CLEAN.replace("name: ", "name: n0-", 1), "utf-8")

    assert unchanged_versions(".") == []


def test_links_lead_to_the_file_that_git_has(here: Path) -> None:
    """A folder that is a link, inside the repository or outside, and a file that is one."""
    git("init", "-q", "repo")
    os.chdir("repo")
    kept("rubrics/x.jinja")
    Path("linked").symlink_to("rubrics")
    Path("one.jinja").symlink_to("rubrics/x.jinja")
    git("add", ".")
    git("commit", "-qm", "links, and the new text")
    Path("rubrics/x.jinja").write_text(CLEAN.replace("name: ", "name: n0-", 1), "utf-8")
    (here / "outside").symlink_to("repo/rubrics")

    for name in ("linked/x.jinja", "one.jinja", str(here / "outside/x.jinja")):
        assert unchanged_versions(name) == [name]


# --- what a rubric includes ---------------------------------------------------------------------


def test_a_template_beside_the_rubric_is_part_of_it() -> None:
    """It changed, the rubric's file did not; and what only looks otherwise is no change."""
    git("init", "-q")
    Path("parts").mkdir()
    Path("parts/task.jinja").write_text("You grade answers.{# so it begins #}")
    Path("x.jinja").write_text(edited("clean", body=BODY), "utf-8")
    git("add", ".")
    git("commit", "-qm", "first")
    Path("parts/task.jinja").write_text("You grade answers.")
    assert told("x.jinja") == []
    Path("parts/task.jinja").write_text("You grade replies.")

    assert told("x.jinja") == [
        "template of 'groundedness' changed since git HEAD, the version did not"
    ]
    Path("x.jinja").write_text(
        edited("clean", body=BODY).replace("version: 1", "version: 2"), "utf-8"
    )
    assert told("x.jinja") == []


# --- whom git trusts ----------------------------------------------------------------------------


@pytest.mark.skipif(os.geteuid() != 0, reason="only the superuser gives a folder away")
@pytest.mark.parametrize("way", ["numbered", "quoted", "file"])
def test_folders_that_the_environment_trusts_are_trusted(
    way: str, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in a container, whose checkout belongs to somebody else; nothing else is taken over."""
    git("init", "-q")
    kept("x.jinja")
    for path in (here, here / ".git"):
        os.chown(path, 65534, 65534)
    monkeypatch.setenv("HOME", str(here / "nobody"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(here / "nobody"))
    assert unchanged_versions("x.jinja") == []
    assert "dubious" in ask_git(here, "ls-tree", "HEAD").trouble

    if way == "numbered":
        entries = [("core.bare", "true"), ("Safe.Directory", str(here))]
        monkeypatch.setenv("GIT_CONFIG_COUNT", str(len(entries)))
        for number, (key, value) in enumerate(entries):
            monkeypatch.setenv(f"GIT_CONFIG_KEY_{number}", key)
            monkeypatch.setenv(f"GIT_CONFIG_VALUE_{number}", value)
    elif way == "quoted":
        told_by = f"'core.bare'='true' 'safe.directory'='{here}' 'safe.directory={here}'"
        monkeypatch.setenv("GIT_CONFIG_PARAMETERS", told_by)
    else:
        Path("trust").write_text(f"[safe]\ndirectory = {here}\n")
        monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(here / "trust"))
    assert unchanged_versions("x.jinja") == ["x.jinja"]


@pytest.mark.parametrize("count", ["-1", "x", "99999999999", "2"])
def test_an_odd_count_of_settings_says_nothing(count: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor does a setting that is counted and not there."""
    git("init", "-q")
    kept("x.jinja")
    monkeypatch.setenv("GIT_CONFIG_COUNT", count)
    monkeypatch.setenv("GIT_CONFIG_PARAMETERS", "'safe.directory")

    assert unchanged_versions("x.jinja") == ["x.jinja"]


# --- certificates without a project -------------------------------------------------------------


def certificate(folder: Path) -> Path:
    """Write a certificate of the clean rubric, as far as the linter reads it."""
    rubric = usable(CLEAN)
    parts = meaning_parts(rubric, rubric.criteria[0])
    of = {"name": rubric.name, "version": 1, "parts": parts}
    document = {"id": "3f9a1c", "criterion": rubric.criteria[0].name, "judge": {"rubric": of}}
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "c.json").write_text(json.dumps(document))
    return folder / "c.json"


@pytest.mark.parametrize(
    ("rubric", "kept_in"),
    [
        ("x.jinja", "certificates"),
        ("rubrics/x.jinja", "certificates"),
        ("rubrics/x.jinja", "rubrics/certificates"),
        ("../elsewhere/x.jinja", "certificates"),
        ("../elsewhere/deep/x.jinja", "../elsewhere/certificates"),
    ],
)
def test_certificates_are_found_without_a_project(rubric: str, kept_in: str, here: Path) -> None:
    """In the current folder, as ``calibrate`` writes them, and near the rubric."""
    (here / "work").mkdir()
    os.chdir("work")
    certificate(Path(kept_in))
    Path(rubric).parent.mkdir(parents=True, exist_ok=True)
    Path(rubric).write_text(CHANGED, "utf-8")

    assert [m.split(" since ")[1] for m in told(rubric)] == [
        "certificate 3f9a1c, the version did not"
    ]


def test_certificates_of_a_project_are_those_it_names(here: Path) -> None:
    """Not those of a folder that only has the usual name, nor the current folder's."""
    certificate(here / "certificates")
    certificate(here / "p" / "certificates")
    mine = certificate(here / "p" / "kept")
    (here / "p" / "judgekit.toml").write_text('[paths]\ncertificates = "kept"\n')
    (here / "p" / "x.jinja").write_text(CHANGED, "utf-8")

    assert certificates_of(["p/x.jinja"]) == [mine]
    assert len(told("p/x.jinja")) == 1


def test_certificates_outside_the_repository_are_of_something_else(here: Path) -> None:
    """A repository ends the search upwards; a rubric of another name is not compared."""
    certificate(here / "certificates")
    (here / "repo" / "rubrics").mkdir(parents=True)
    (here / "repo" / "rubrics" / "x.jinja").write_text(CHANGED, "utf-8")
    os.chdir("repo")
    git("init", "-q")
    assert told("rubrics/x.jinja") == []

    certificate(here / "repo" / "certificates")
    assert len(told("rubrics/x.jinja")) == 1
    other = CHANGED.replace("rubric: groundedness", "rubric: groundedness_2")
    known = known_states({"rubrics/x.jinja": other})["rubrics/x.jinja"]
    assert len(known.certified) == 1
    Path("rubrics/x.jinja").write_text(other, "utf-8")
    assert told("rubrics/x.jinja") == []
