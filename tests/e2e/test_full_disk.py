"""A disk that is full behind what is printed: one line says so, whatever was printed."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.house import House

FULL = Path("/dev/full")
COPIES = 60
SAID = "what was printed cannot be written: No space left on device\n"

pytestmark = pytest.mark.skipif(
    not FULL.is_char_device(), reason="this system has no device that is always full"
)


@pytest.fixture
def recorded(house: House) -> House:
    """Return a project with the records of many runs, each of many answers."""
    house.judge(api_key_env="NO_SUCH_KEY")
    house.items(["cold"] * 150)
    house.run("try", "tone", "items.jsonl", "--transport", "direct")
    (record,) = (house.root / ".judgekit" / "runs").iterdir()
    for n in range(COPIES):
        copy = record.with_name(f"{record.name}-{n}")
        copy.mkdir()
        for file in record.iterdir():
            (copy / file.name).write_bytes(file.read_bytes())
        about = json.loads((copy / "run.json").read_text())
        (copy / "run.json").write_text(json.dumps({**about, "id": copy.name}))
    return house


@pytest.fixture(params=["", "1"], ids=["buffered", "unbuffered"], autouse=True)
def buffering(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let what is printed go out at once or in large pieces."""
    monkeypatch.setenv("PYTHONUNBUFFERED", request.param)


def run(house: House, *arguments: str, stdout: int, stderr: int) -> tuple[int, bytes, bytes]:
    """Run a command with other streams."""
    done = subprocess.run(
        [sys.executable, "-m", "judgekit", *arguments],
        cwd=house.root,
        env=os.environ | {"COLUMNS": "80"},
        stdout=stdout,
        stderr=stderr,
        check=False,
        timeout=60,
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["runs", "list"],
        ["runs", "list", "--json"],
        ["runs", "show", "last", "--unjudged"],
        ["runs", "show", "last", "--unjudged", "--json"],
        ["runs", "list", "--limit", "1"],
        ["try", "tone", "items.jsonl", "--transport", "direct", "--json"],
        ["init", "--help"],
        ["--version"],
    ],
    ids=" ".join,
)
def test_what_is_printed(recorded: House, arguments: list[str]) -> None:
    """In the midst of it or at its end: one line, exit 2, and the device stays a device."""
    with FULL.open("wb") as full:
        code, _, said = run(recorded, *arguments, stdout=full.fileno(), stderr=subprocess.PIPE)

    assert (code, said.decode()) == (2, SAID)
    assert stat.S_ISCHR(FULL.stat().st_mode)


def test_trying_is_told(recorded: House) -> None:
    """Rows that are shown as the answers come."""
    with FULL.open("wb") as full:
        ask = ("try", "tone", "items.jsonl", "--transport", "direct")
        code, _, said = run(recorded, *ask, stdout=full.fileno(), stderr=subprocess.PIPE)

    assert (code, said.decode().splitlines()[-1]) == (2, SAID.strip())
    assert "bug" not in said.decode()


def test_remarks_are_not_the_result(recorded: House) -> None:
    """Nobody can be told that standard error is full; what was asked for is printed."""
    with FULL.open("wb") as full:
        ask = ("runs", "list", "--json")
        code, out, _ = run(recorded, *ask, stdout=subprocess.PIPE, stderr=full.fileno())
        wrong, _, _ = run(
            recorded, "runs", "list", "--no", stdout=subprocess.PIPE, stderr=full.fileno()
        )

    assert (code, len(json.loads(out)["runs"])) == (0, COPIES + 1)
    assert wrong == 2
