"""Linting where folders and files are odd, unreadable, or gone in between."""

from __future__ import annotations

import contextlib
import json
import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import judgekit
from judgekit.api import lint as module
from judgekit.api.lint import lint_paths
from judgekit.api.lint_files import watched_files
from judgekit.importers.earlier import known_states
from judgekit.rubric.meaning import meaning_parts
from tests.rubric.make import BASES, edited, usable

CLEAN = BASES["clean"]
CHANGED = edited("clean", {"A second one stands nowhere in it.": "A third one was made up by it."})
FIXABLE = edited("clean", {"passes_at: 3": "pases_at: 3"})
_NOBODY = 65534
_MEMORY = 2 << 30


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder that is the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def put(*names: str, text: str = CLEAN) -> None:
    """Write rubrics."""
    for name in names:
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text, "utf-8")


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """``judgekit lint`` in a process of its own, with bounds to its time and memory."""
    return subprocess.run(
        [sys.executable, "-m", "judgekit", "lint", *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=30,
        env={**os.environ, "PYTHONPATH": str(Path(judgekit.__file__).parents[1])},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY)),
    )


@contextlib.contextmanager
def as_nobody() -> Iterator[None]:
    """Lay down the rights of the superuser, who may read everything."""
    if os.geteuid() != 0:
        yield
        return
    Path.cwd().chmod(0o755)
    os.seteuid(_NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


@contextlib.contextmanager
def locked(name: str, mode: int) -> Iterator[None]:
    """Take rights of a folder away."""
    lint_paths(["r", "r/none.jinja"])  # loads what nobody may not be allowed to load
    Path(name).chmod(mode)
    try:
        with as_nobody():
            yield
    finally:
        Path(name).chmod(0o755)


# --- folders ------------------------------------------------------------------------------------


def test_a_folder_that_cannot_be_read_is_told() -> None:
    """And the rest is checked; nobody is told that it holds no rubric."""
    put("r/a.jinja", "r/locked/b.jinja")
    with locked("r/locked", 0o000):
        result = lint_paths(["r"])
        alone = lint_paths(["r/locked"])
        watched = watched_files(["r"])

    assert result.files == ("r/a.jinja",)
    for found in (result, alone):
        assert [(e.file, e.message) for e in found.unreadable] == [
            ("r/locked", "this folder cannot be read: Permission denied")
        ]
    assert watched == ["r/a.jinja"]


def test_files_in_a_folder_that_may_only_be_listed_are_told() -> None:
    """Their names are known, not what they are."""
    put("r/a.jinja", "r/listed/b.jinja")
    with locked("r/listed", 0o444):
        result = lint_paths(["r", "r/listed/c.jinja"])

    assert result.files == ("r/a.jinja",)
    assert [(e.file, e.message) for e in result.unreadable] == [
        ("r/listed/b.jinja", "no permission to read this file"),
        ("r/listed/c.jinja", "no permission to read this file"),
    ]


def test_a_folder_too_deep_to_be_read_exits_2(here: Path) -> None:
    """On the command line; a name has its longest."""
    put("r/a.jinja")
    os.chdir("r")
    for _ in range(18):
        Path("d" * 250).mkdir()
        os.chdir("d" * 250)
    os.chdir(here)
    done = run("r")

    assert done.returncode == 2
    assert "this folder cannot be read" in done.stdout
    assert "1 violation in 1 of 2 files (0 can be fixed with --fix)." in done.stdout
    assert "Not checked:" in done.stderr


def test_deep_folders_links_in_circles_and_links_to_nowhere(here: Path) -> None:
    """A thousand folders are no reason to stop, and an editor's mark is no rubric."""
    put("r/a.jinja", "r/b/c.jinja", "r/b.jinja", "r/b-c/d.jinja")
    Path("r/b/up").symlink_to(here / "r")
    Path("r/self").symlink_to("self")
    Path("r/.#a.jinja").symlink_to("nobody@host.1")
    os.mkfifo("r/pipe.jinja")
    try:
        os.chdir("r")
        for _ in range(1200):
            Path("d").mkdir()
            os.chdir("d")
        Path("deep.jinja").write_text(CLEAN, "utf-8")
        os.chdir(here)
        result = lint_paths(["r"])
    finally:  # too deep for those who tidy up
        subprocess.run(["rm", "-r", here / "r/d"], check=True)

    deep = f"r/{'d/' * 1200}deep.jinja"
    assert result.files == ("r/a.jinja", "r/b/c.jinja", "r/b-c/d.jinja", "r/b.jinja", deep)
    assert result.unreadable == ()


# --- what nobody asked for ----------------------------------------------------------------------


def certificate(**more: object) -> str:
    """Return a certificate of the clean rubric, as far as the linter reads it."""
    rubric = usable(CLEAN)
    parts = meaning_parts(rubric, rubric.criteria[0])
    of = {"name": rubric.name, "version": 1, "parts": parts} | more
    document = {"id": "3f9a1c", "criterion": rubric.criteria[0].name, "judge": {"rubric": of}}
    return json.dumps(document)


def odd_certificate(kind: str) -> None:
    """Put something where certificates are kept."""
    odd = Path("certificates/f.json")
    match kind:
        case "endless version":
            odd.write_text(certificate(version=float("inf")))
        case "deep":
            odd.write_text("[" * 100_000)
        case "pipe":
            os.mkfifo(odd)
        case "device":
            odd.symlink_to("/dev/zero")
        case "folder":
            odd.mkdir()
        case "circle":
            odd.symlink_to("f.json")
        case "large":
            odd.write_text(certificate() + " " * 5_000_001)


@pytest.mark.parametrize(
    "kind", ["endless version", "deep", "pipe", "device", "folder", "circle", "large"]
)
def test_odd_certificates_say_nothing_and_the_others_do(kind: str) -> None:
    """Nobody asked for evidence: no odd file there ends the look, or makes it wait."""
    put("x.jinja", text=CHANGED)
    Path("judgekit.toml").touch()
    Path("certificates").mkdir()
    odd_certificate(kind)
    assert run("x.jinja").stdout == "No violations in 1 file.\n"

    Path("certificates/good.json").write_text(certificate())
    done = run("x.jinja")
    assert (done.returncode, "ID03" in done.stdout, done.stderr) == (1, True, "")


@pytest.mark.parametrize(
    "toml",
    ["x=" + "[" * 5000, '[paths]\ncertificates = "\\u0000"', "paths = 3", "\xff", "x" * 5_000_001],
    ids=["deep", "NUL", "other", "latin", "large"],
)
def test_an_odd_configuration_is_not_known(toml: str) -> None:
    """The usual place is looked at, or none."""
    put("x.jinja", text=CHANGED)
    Path("judgekit.toml").write_text(toml, "latin-1")
    Path("certificates").mkdir()
    Path("certificates/good.json").write_text(certificate())
    found = [v.code for v in lint_paths(["x.jinja"]).violations]

    assert found == ([] if "u0000" in toml else ["ID03"])


# --- files that change meanwhile ----------------------------------------------------------------


@pytest.mark.parametrize("change", ["gone", "not text"])
def test_a_file_that_changes_before_it_is_mended(
    change: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is told of that file, and the others are mended."""
    put("a.jinja", "b.jinja", text=FIXABLE)

    def changed(*asked: object) -> object:
        """Other programs write files, too: here at the worst moment."""
        if change == "gone":
            Path("a.jinja").unlink()
        else:
            Path("a.jinja").write_bytes(b"name: \xe9t\xe9\n")
        return known_states(*asked)  # type: ignore[arg-type]

    monkeypatch.setattr(module, "known_states", changed)
    result = lint_paths(["a.jinja", "b.jinja"], fix=True)

    message = "this file is not UTF-8" if change == "not text" else "no such file"
    (error,) = result.unreadable
    assert (error.file, error.message.split(" (")[0]) == ("a.jinja", message)
    assert [(v.file, v.code) for v in result.violations] == [("a.jinja", "RB13")]
    assert result.files == ("b.jinja",)
    assert Path("b.jinja").read_text("utf-8") == CLEAN
