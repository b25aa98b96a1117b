"""Earlier states of rubrics in repositories that are broken, or that mean harm."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import judgekit
from judgekit.api.lint import lint_paths
from judgekit.errors import InputError
from judgekit.importers.earlier import known_states
from judgekit.importers.git import ask_git
from judgekit.importers.revisions import Revision, revisions_of
from tests.rubric.make import BASES, edited

CLEAN = BASES["clean"]
CHANGED = edited("clean", {"A second one stands nowhere in it.": "A third one was made up by it."})
NOBODY = ("-c", "user.name=a", "-c", "user.email=a@example.com")
PROBE = "ext::sh -c touch% ran"
PLAIN = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty repository in the current folder."""
    monkeypatch.chdir(tmp_path)
    git("init", "-q")
    return tmp_path


def git(*arguments: str) -> str:
    """Run git as people do."""
    done = subprocess.run(
        ["git", *NOBODY, *arguments], check=True, capture_output=True, text=True, env=PLAIN
    )
    return done.stdout.strip()


def kept(*names: str) -> None:
    """Commit rubrics, each with a name of its own, and edit them then without a new version."""
    for n, name in enumerate(names):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(CLEAN.replace("name: ", f"name: n{n}-", 1), "utf-8")
    git("add", ".")
    git("commit", "-qm", "first")
    for n, name in enumerate(names):
        Path(name).write_text(CHANGED.replace("name: ", f"name: n{n}-", 1), "utf-8")


def stored(name: str) -> Path:
    """Return where git keeps what a file held at HEAD."""
    one = git("rev-parse", f"HEAD:{name}")
    return Path(".git/objects", one[:2], one[2:])


def unchanged_versions(*paths: str) -> list[str]:
    """Return the files that the linter says changed under the same version."""
    return [v.file for v in lint_paths(paths).violations if v.code == "ID03"]


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run judgekit in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "judgekit", *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env={**os.environ, "PYTHONPATH": str(Path(judgekit.__file__).parents[1])},
    )


# --- nothing that a repository configures is run ---------------------------------------------


def partial_clone(remote: str) -> None:
    """Make the repository one that asks a remote for what it lacks."""
    git("config", "core.repositoryformatversion", "1")
    git("config", "extensions.partialClone", "origin")
    git("config", "remote.origin.url", remote)
    git("config", "remote.origin.promisor", "true")
    git("config", "protocol.ext.allow", "always")


def test_a_remote_that_is_a_command_is_not_run() -> None:
    """By the linter and by ``rubric diff``; git alone runs it, or this would show nothing."""
    kept("x.jinja")
    partial_clone(PROBE)
    stored("x.jinja").unlink()

    assert lint_paths(["x.jinja"]).files == ("x.jinja",)
    told = run("rubric", "diff", "x.jinja@HEAD", "x.jinja")
    assert not Path("ran").exists()
    assert told.returncode == 2
    assert "missing or damaged" in " ".join(told.stderr.split())
    assert "Traceback" not in told.stderr

    subprocess.run(["git", "cat-file", "blob", "HEAD:x.jinja"], check=False, capture_output=True)
    assert Path("ran").exists()


@pytest.mark.parametrize("variable", ["GIT_NO_LAZY_FETCH", "GIT_ALLOW_PROTOCOL"])
def test_either_guard_holds_alone(variable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An older git does not know the one that keeps it from asking at all."""
    from judgekit.importers import git as runner

    kept("x.jinja")
    partial_clone(PROBE)
    stored("x.jinja").unlink()
    monkeypatch.delitem(runner._OURS, variable)

    assert known_states({"x.jinja": CHANGED})["x.jinja"].committed is None
    assert not Path("ran").exists()


def test_hooks_watchers_filters_and_aliases_are_not_run(here: Path) -> None:
    """None of what git lets a repository configure as a command; the earlier states are found."""
    kept("x.jinja")
    command = f"touch {here}/ran; cat"
    Path(".gitattributes").write_text("* diff=odd filter=odd\n")
    for key in (
        *("core.fsmonitor", "core.pager", "core.editor", "core.sshCommand", "core.askPass"),
        *("core.alternateRefsCommand", "core.gitProxy", "diff.external", "gpg.program"),
        *("diff.odd.textconv", "diff.odd.command", "filter.odd.smudge", "filter.odd.clean"),
        *("alias.cat-file", "alias.ls-tree", "alias.rev-list", "alias.rev-parse"),
        *("pager.cat-file", "pager.ls-tree", "pager.rev-list", "credential.helper"),
    ):
        git("config", key, f"!{command}" if key.startswith("alias") else command)
    git("config", "log.showSignature", "true")
    for hook in Path(".git/hooks").glob("*.sample"):
        hook.with_suffix("").write_text(f"#!/bin/sh\ntouch {here}/ran\n")
        hook.with_suffix("").chmod(0o755)

    assert unchanged_versions("x.jinja") == ["x.jinja"]
    assert Revision(here, "HEAD").text("x.jinja").startswith("---")
    assert len(revisions_of(Path("x.jinja"), 5)) == 1
    assert not Path("ran").exists()


# --- the environment ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("GIT_DIR", "elsewhere"),
        ("GIT_WORK_TREE", "/"),
        ("GIT_INDEX_FILE", "elsewhere"),
        ("GIT_OBJECT_DIRECTORY", "elsewhere"),
        ("GIT_NAMESPACE", "elsewhere"),
        ("GIT_CEILING_DIRECTORIES", "/"),
        ("GIT_CONFIG_COUNT", "many"),
        ("GIT_CONFIG_PARAMETERS", "'core.bare"),
        ("GIT_GLOB_PATHSPECS", "1"),
        ("GIT_TRACE", "1"),
    ],
)
def test_git_looks_nowhere_else(
    variable: str, value: str, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever is inherited, as from a hook of git's own."""
    kept("x.jinja")
    monkeypatch.setenv(variable, value)

    assert unchanged_versions("x.jinja") == ["x.jinja"]
    assert Revision(here, "HEAD").text("x.jinja").startswith("---")


def test_an_inherited_repository_does_not_hide_the_earlier_state(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """On the command line: exit 1, and the rule."""
    kept("x.jinja")
    monkeypatch.setenv("GIT_DIR", "/nonexistent")
    done = run("lint", "x.jinja")

    assert (done.returncode, "ID03" in done.stdout) == (1, True)


# --- what is lost -------------------------------------------------------------------------------


@pytest.mark.parametrize("damage", ["missing", "empty", "garbled", "cut"])
def test_a_lost_text_is_not_known_and_the_others_are(damage: str, here: Path) -> None:
    """The linter goes on without it; who asks for it is told in one error."""
    names = ["a.jinja", "b.jinja", "c.jinja", "d.jinja"]
    kept(*names)
    for name in ("b.jinja", "c.jinja"):
        path = stored(name)
        data = path.read_bytes()
        path.unlink()
        if damage != "missing":
            new = {"empty": b"", "garbled": b"\xff" * 80, "cut": data[: len(data) // 2]}[damage]
            path.write_bytes(new)

    assert unchanged_versions(*names) == ["a.jinja", "d.jinja"]
    with pytest.raises(InputError, match="missing or damaged") as caught:
        Revision(here, "HEAD").text("b.jinja")
    assert caught.value.file == "b.jinja@HEAD"
    assert Revision(here, "HEAD").text("a.jinja").startswith("---")


def test_a_file_that_a_revision_has_not_is_told_as_git_tells_it(here: Path) -> None:
    """And a name that cannot be asked for is an error too."""
    kept("x.jinja")

    with pytest.raises(InputError, match=r"git says: path 'no\.jinja' does not exist in 'HEAD'"):
        Revision(here, "HEAD").text("no.jinja")
    with pytest.raises(InputError, match="git cannot be asked"):
        Revision(here, "HEAD").text("a\0b")


@pytest.mark.parametrize(
    "name", ["a\nb.jinja", "f\nold/x.jinja", "*.jinja", " .jinja", "\udcff.jinja"]
)
def test_odd_names_have_their_earlier_state(name: str) -> None:
    """Line ends, stars, blanks, and bytes that are no UTF-8."""
    kept(name, "other.jinja")

    assert known_states({name: CHANGED})[name].committed == Path(name).read_text("utf-8").replace(
        "A third one was made up by it.", "A second one stands nowhere in it."
    )


def test_without_git_nothing_is_known(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The linter goes on; who asks for a revision is told."""
    kept("x.jinja")
    monkeypatch.setenv("PATH", str(here))

    assert unchanged_versions("x.jinja") == []
    with pytest.raises(InputError, match="git is not installed"):
        ask_git(here, "ls-tree", "HEAD")
