"""Ctrl-C says what became of the work, and of nothing else, whenever it comes."""

from __future__ import annotations

import sys
from types import ModuleType

import pytest

from judgekit import cli
from judgekit.cli import run as running
from judgekit.errors import InputError, RubricError


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["lint", "rubrics"], "\nStopped.\n"),
        (["explain", "LV04"], "\nStopped.\n"),
        (["rubric", "diff", "a", "b"], "\nStopped.\n"),
        (["--help"], "\nStopped.\n"),
        (["calibrate", "tone"], "\nStopped. What was answered is kept; run it again to go on.\n"),
        (
            ["rubric", "draft", "x"],
            "\nStopped. What was answered is kept; run it again to go on.\n",
        ),
    ],
    ids=lambda words: words[0] if isinstance(words, list) else "",
)
def test_what_was_answered_is_spoken_of_where_something_is_asked(
    command: list[str],
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """While a command is loaded, and while it runs."""

    def stopped(*_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(running, "_dispatch", stopped)

    assert running.run(command) == 130
    assert capsys.readouterr().err == said


def test_before_there_is_a_command_it_is_no_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The first thing that is loaded takes a moment as well."""
    monkeypatch.setitem(sys.modules, "judgekit.cli.run", Stopping("judgekit.cli.run"))
    with pytest.raises(SystemExit) as ended:
        cli.main()

    assert ended.value.code == 130
    assert capsys.readouterr().err == "\nStopped.\n"


class Stopping(ModuleType):
    """A module that is interrupted while it is loaded."""

    def __getattr__(self, name: str) -> object:
        raise KeyboardInterrupt


def test_a_place_is_one_line_whatever_the_file_is_called() -> None:
    """Names may hold line ends; the command that is advised is one that a shell takes."""
    error = InputError("no such file", file="a\nb\tc.jinja", line=3)

    assert str(error) == r"a\nb\tc.jinja:3: no such file"
    assert "judgekit lint 'a b.jinja'" in (RubricError([], file="a b.jinja").hint or "")
