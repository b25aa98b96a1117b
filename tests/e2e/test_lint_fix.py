"""``lint --fix`` and ``--diff``: what is said of each change, and what a bad disk does to it."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

import judgekit
from judgekit.api.lint import lint_paths
from tests.api.test_lint_hostile import as_nobody
from tests.rubric.make import BASES, edited

CLEAN = BASES["clean"]
MISSPELT = edited("clean", {"passes_at: 3": "pases_at: 3"})
VAGUE = MISSPELT.replace(
    "Each opening hour and each price in the answer stands in the context.", "It is good."
)
ENV = {**os.environ, "COLUMNS": "80", "PYTHONPATH": str(Path(judgekit.__file__).parents[1])}


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder that is the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def lint(
    *arguments: str, before: Callable[[], None] | None = None
) -> subprocess.CompletedProcess[str]:
    """``judgekit lint`` in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "judgekit", "lint", *arguments],
        capture_output=True,
        text=True,
        check=False,
        env=ENV,
        preexec_fn=before,
    )


def test_fix_mends_what_has_one_way_out_and_keeps_the_rest(here: Path) -> None:
    """Line ends, byte order mark and mode stay; a second time there is nothing to do."""
    file = here / "r.jinja"
    file.write_bytes(("\ufeff" + MISSPELT).replace("\n", "\r\n").encode())
    file.chmod(0o640)
    first, second = lint("--fix", "r.jinja"), lint("--fix", "r.jinja")

    assert first.returncode == 0
    assert first.stdout == (
        "r.jinja:9:5  key-unknown (RB04)\n"
        "   fixed: pases_at -> passes_at\n"
        "\n"
        "1 violation fixed. No violations in 1 file.\n"
    )
    assert second.stdout == "No violations in 1 file.\n"
    assert file.read_bytes() == ("\ufeff" + CLEAN).replace("\n", "\r\n").encode()
    assert file.stat().st_mode & 0o777 == 0o640


def test_fix_shows_what_is_left(here: Path) -> None:
    """And exits 1; what is not for --fix is untouched."""
    (here / "r.jinja").write_text(VAGUE)
    done = lint("--fix", "r.jinja")

    assert done.returncode == 1
    assert "   fixed: pases_at -> passes_at\n" in done.stdout
    assert "1 violation fixed. 1 violation in 1 file (0 can be fixed with --fix)." in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert (here / "r.jinja").read_text() == VAGUE.replace("pases_at", "passes_at")


def test_for_programs_what_is_left_is_the_document(here: Path) -> None:
    """What was mended is said beside it; the library has it as values."""
    (here / "r.jinja").write_text(VAGUE)
    done = lint("--fix", "--json", "r.jinja")

    assert [v["code"] for v in json.loads(done.stdout)] == ["LV04"]
    assert "r.jinja:9:5  key-unknown (RB04)\n   fixed: pases_at -> passes_at\n" in done.stderr
    (here / "r.jinja").write_text(VAGUE)
    (fix,) = lint_paths(["r.jinja"], fix=True).fixes
    assert fix[:5] == ("r.jinja", 9, 5, "key-unknown", "RB04")


def test_diff_shows_what_fix_would_change(here: Path) -> None:
    """Nothing is written; the exit code is that of a look."""
    (here / "r.jinja").write_text(VAGUE)
    (here / "s.jinja").write_text(CLEAN)
    text, document = lint("--diff", "."), lint("--diff", "--json", ".")

    assert (text.returncode, document.returncode) == (1, 1)
    assert "-    pases_at: 3\n+    passes_at: 3\n" in text.stdout
    assert text.stdout.startswith("--- r.jinja\n+++ r.jinja\n@@ ")
    assert text.stderr == "--fix would mend 1 violation and leave 1.\n"
    (fix,) = json.loads(document.stdout)
    assert (fix["file"], fix["line"], fix["code"]) == ("r.jinja", 9, "RB04")
    assert fix["fix"] == "pases_at -> passes_at"
    assert (here / "r.jinja").read_text() == VAGUE
    assert lint("--diff", "s.jinja").returncode == 0
    assert lint("--diff", "--format", "sarif", ".").returncode == 2
    assert lint("--diff", "--watch", ".").returncode == 2


# --- the disk -----------------------------------------------------------------------------------


def put(*names: str) -> None:
    """Write rubrics that can be mended."""
    for name in names:
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(MISSPELT, "utf-8")


@pytest.fixture
def open_folder(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder that everybody can get at, whoever runs the tests."""
    with TemporaryDirectory(dir="/tmp") as folder:
        monkeypatch.chdir(folder)
        yield Path(folder)


def test_what_may_not_be_written_is_told_and_the_rest_is_mended(open_folder: Path) -> None:
    """A file of its own rights, and a folder's; what is wrong in them is still found."""
    put("a/x.jinja", "b/y.jinja", "c/z.jinja")
    lint_paths(["a"], fix=True)  # loads what nobody may not be allowed to load
    put("a/x.jinja")
    for path in (*open_folder.rglob("*"), open_folder):
        path.chmod(0o777)
    Path("b/y.jinja").chmod(0o444)
    Path("c").chmod(0o555)
    with as_nobody():
        result = lint_paths(["a", "b", "c"], fix=True)

    said = "cannot be written: Permission denied"
    assert [(e.file, e.message, e.hint) for e in result.unwritten] == [
        ("b/y.jinja", said, "make it writable"),
        ("c/z.jinja", said, "make it writable"),
    ]
    found = [(v.file, v.code) for v in result.violations if v.fixable]
    assert found == [("b/y.jinja", "RB04"), ("c/z.jinja", "RB04")]
    assert [mend.file for mend in result.mends] == ["a/x.jinja"]
    assert Path("a/x.jinja").read_text() == CLEAN
    assert Path("b/y.jinja").read_text() == Path("c/z.jinja").read_text() == MISSPELT


def test_a_full_disk_leaves_each_file_whole(here: Path) -> None:
    """What fits is mended, what does not stays as it was; exit 2."""
    put("large.jinja", "small.jinja")
    head = f"# {'long ' * 4000}\n"
    Path("large.jinja").write_text(MISSPELT.replace("rubric:", f"{head}rubric:", 1))
    large = Path("large.jinja").read_text()
    most = len(head)
    done = lint(
        "--fix", ".", before=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
    )

    assert done.returncode == 2
    assert "large.jinja: cannot be written: File too large\n" in done.stderr
    assert "Traceback" not in done.stderr
    assert "small.jinja:9:5  key-unknown (RB04)\n   fixed:" in done.stdout
    assert "1 violation fixed. " in done.stdout
    assert "in 1 of 2 files (1 can be fixed with --fix)." in done.stdout
    assert Path("large.jinja").read_text() == large
    assert Path("small.jinja").read_text() == CLEAN
    assert sorted(path.name for path in here.iterdir()) == ["large.jinja", "small.jinja"]


@pytest.mark.parametrize("after", [1, 25])
def test_a_look_that_is_killed_leaves_whole_files(here: Path, after: int) -> None:
    """Each is the old one or the new; the next look does the rest and clears up."""
    names = [f"r{n:03}.jinja" for n in range(60)]
    put(*names)
    command = [sys.executable, "-m", "judgekit", "lint", "--fix", "."]
    process = subprocess.Popen(command, env=ENV, stdout=subprocess.DEVNULL)
    end, size = time.monotonic() + 60, Path(names[0]).stat().st_size
    while Path(names[after - 1]).stat().st_size == size and time.monotonic() < end:
        time.sleep(0.001)
    process.send_signal(signal.SIGKILL)
    process.wait()

    texts = [Path(name).read_text("utf-8") for name in names]
    assert set(texts) == {MISSPELT, CLEAN}
    assert lint("--fix", ".").returncode == 0
    assert {Path(name).read_text("utf-8") for name in names} == {CLEAN}
    assert sorted(path.name for path in here.iterdir()) == names
