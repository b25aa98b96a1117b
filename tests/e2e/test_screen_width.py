"""What is longer than the screen is broken between words; what is to be typed is not broken."""

from __future__ import annotations

import fcntl
import os
import pty
import shlex
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pytest

import judgekit
from tests.rubric.make import BASES, edited

LONG = "a folder with quite a long name/and another one inside of it/the rubric of tone.jinja"
WIDTH = 80
ENV = {**os.environ, "PYTHONPATH": str(Path(judgekit.__file__).parents[1]), "NO_COLOR": "1"}


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a rubric that cannot be used, under a long name."""
    monkeypatch.chdir(tmp_path)
    Path(LONG).parent.mkdir(parents=True)
    Path(LONG).write_text(edited("clean", {"passes_at: 3": "passes_at: 7"}))
    Path("good.jinja").write_text(BASES["clean"])
    return tmp_path


def on_screen(*arguments: str) -> str:
    """What a command shows on a terminal of 80 columns, remarks included."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, WIDTH, 0, 0))
    env = {name: text for name, text in ENV.items() if name != "COLUMNS"}
    command = [sys.executable, "-m", "judgekit", *arguments]
    process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=env)
    os.close(theirs)
    shown = b""
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:  # a terminal that everybody has left
            break
        if not piece:
            break
        shown += piece
    os.close(ours)
    process.wait()
    return shown.decode().replace("\r\n", "\n")


def piped(*arguments: str) -> subprocess.CompletedProcess[str]:
    """What a command prints into pipes."""
    command = [sys.executable, "-m", "judgekit", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=ENV)


def test_an_error_is_folded_on_a_screen_and_one_line_in_a_log() -> None:
    """The command that is advised is whole in both, and works as it stands."""
    shown, log = on_screen("preview", LONG), piped("preview", LONG).stderr
    command = f"judgekit lint {shlex.quote(LONG)}"

    assert command in shown.splitlines()
    assert command in log.splitlines()
    others = [line for line in shown.splitlines() if line != command]
    assert max(map(len, others)) <= WIDTH
    assert f"{LONG}:9:16: passes_at '7' is not a level" in " ".join(" ".join(others).split())
    assert log.startswith(f"{LONG}:9:16: passes_at '7' is not a level")


def test_a_prompt_is_folded_on_a_screen_and_itself_in_a_pipe() -> None:
    """Every word of it, in the same order."""
    shown, whole = on_screen("preview", "good.jinja"), piped("preview", "good.jinja").stdout

    assert max(map(len, whole.splitlines())) > WIDTH
    assert max(map(len, shown.splitlines())) <= WIDTH
    mark = "--- system ---"
    assert mark in whole.splitlines()
    assert shown.split()[-40:] == whole.split()[-40:]


def test_a_lint_report_of_a_long_name_fits_but_for_the_name() -> None:
    """The place, which programs read, is a line of its own."""
    shown = on_screen("lint", LONG)
    place = f"{LONG}:9:16"

    assert place in shown.splitlines()
    assert max(len(line) for line in shown.splitlines() if line != place) <= WIDTH
