"""``lint --watch``: every change is checked and named, and Ctrl-C ends it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import judgekit
from tests.rubric.make import BASES, edited

CLEAN = BASES["clean"]
WRONG = edited("clean", {"passes_at: 3": "passes_at: 7"})
MISSPELT = edited("clean", {"passes_at: 3": "pases_at: 3"})


class Watching:
    """A look that goes on, and what it has printed, remarks included."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.out = folder / "out.txt"
        self.read = 0
        with self.out.open("w") as stream:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "judgekit", "lint", "--watch", *arguments],
                cwd=folder,
                stdout=stream,
                stderr=stream,
                env={
                    **os.environ,
                    "COLUMNS": "80",
                    "PYTHONUNBUFFERED": "1",
                    "PYTHONPATH": str(Path(judgekit.__file__).parents[1]),
                },
            )

    def wait(self, *words: str) -> str:
        """Return what was printed since the last time, once all these words are there, in order."""
        end = time.monotonic() + 30
        pattern = re.compile(".*?".join(map(re.escape, words)), re.DOTALL)
        while not (found := pattern.search(self.out.read_text(), self.read)):
            assert self.process.poll() is None
            assert time.monotonic() < end, self.out.read_text()[self.read :]
            time.sleep(0.02)
        said = self.out.read_text()[self.read : found.end()]
        self.read = found.end()
        return said

    def stop(self) -> int:
        """Interrupt it; return its exit code."""
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(20)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one clean rubric."""
    (tmp_path / "r").mkdir()
    (tmp_path / "r" / "a.jinja").write_text(CLEAN)
    return tmp_path


@pytest.fixture
def watching(folder: Path) -> Iterator[Watching]:
    """A look at the folder that goes on."""
    one = Watching(folder, "r")
    try:
        yield one
    finally:
        one.process.kill()
        one.process.wait()


def test_every_kind_of_change_is_named_and_checked(folder: Path, watching: Watching) -> None:
    """Edited, new, broken, renamed, gone: one look each, parted by a line that says when."""
    a, b, c = (folder / "r" / f"{name}.jinja" for name in "abc")
    first = watching.wait("Ctrl-C ends it", "No violations in 1 file.")
    assert re.match(r"---- \d\d:\d\d:\d\d -{66}\n", first)

    a.write_text(WRONG)
    watching.wait("changed: r/a.jinja", "(SC11)", "1 new, 0 gone since the look before.")
    b.write_text(WRONG)
    watching.wait("new: r/b.jinja", "2 violations in 2 files", "1 new, 0 gone")
    b.write_bytes(b"caf\xe9")
    watching.wait("changed: r/b.jinja", "(RB13)", "1 new, 1 gone", "Not checked: r/b.jinja")
    b.write_text("---\nrubric: [\n")
    watching.wait("changed: r/b.jinja", "(RB12)")
    b.rename(c)
    watching.wait("new: r/c.jinja; gone: r/b.jinja", "1 new, 1 gone")
    c.unlink()
    a.write_text(CLEAN)
    watching.wait("No violations in 1 file.")

    assert watching.stop() == 0
    watching_text = watching.out.read_text()
    assert watching_text.endswith("\nStopped watching.\n")
    assert "Traceback" not in watching_text
    assert max(map(len, watching_text.splitlines())) <= 80


def test_the_last_rubric_goes_and_comes_back(folder: Path, watching: Watching) -> None:
    """Nothing to check is said, and no reason to stop; the exit code is that of the last look."""
    a = folder / "r" / "a.jinja"
    watching.wait("No violations in 1 file.")
    a.unlink()
    watching.wait("gone: r/a.jinja", "no rubric (*.jinja) in this folder")
    a.write_text(WRONG)
    watching.wait("new: r/a.jinja", "(SC11)", "1 new, 1 gone")

    assert watching.stop() == 1


def test_what_the_look_mends_is_no_change(folder: Path) -> None:
    """It is told once, and not looked at again for having been written."""
    one = Watching(folder, "--fix", "r")
    try:
        one.wait("No violations in 1 file.")
        (folder / "r" / "a.jinja").write_text(MISSPELT)
        one.wait("changed: r/a.jinja", "fixed: pases_at -> passes_at", "1 violation fixed.")
        time.sleep(1)
        assert one.out.read_text().count("---- ") == 2
        assert one.stop() == 0
    finally:
        one.process.kill()
        one.process.wait()
