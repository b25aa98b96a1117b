"""The pages on running a judge do what they say: their commands run, one after the other.

Each page begins in a folder with the project that the first page writes, and asks a stub server in
place of the address in it. A command ends with 0, or as a comment beside it says: ``# exit 4``.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from judgekit.testing import StubServer
from tests.docs.test_pages import Block, blocks_of, name_of, same

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "running"
INDEX = FOLDER / "index.md"
ADDRESS = "http://127.0.0.1:8099/v1"


@pytest.fixture(scope="module")
def server() -> Iterator[StubServer]:
    """Return what answers in place of the address in the pages."""
    with StubServer() as running:
        yield running


def commands_of(block: Block) -> list[tuple[str, int]]:
    """Return the commands of a block with their exit codes; with files in it, it is one."""
    if "<<" in block.code:
        return [(block.code, 0)]
    found = []
    for line in filter(None, block.code.splitlines()):
        ends = re.search(r"# exit (\d+)$", line)
        found.append((line, int(ends[1]) if ends else 0))
    return found


def run(command: str) -> subprocess.CompletedProcess[str]:
    """Run a command as a reader would, with its messages among what it prints."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "-e", "-c", command],
        env={**os.environ, "PATH": path, "COLUMNS": "80"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        text=True,
        check=False,
    )


def printed_by(block: Block, server: StubServer, names: dict[str, Any]) -> str:
    """Run a block, in the current folder, and return what it prints."""
    if block.language == "python":
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(block.code, names)  # noqa: S102  (the page's own code)
        return printed.getvalue()
    told = []
    for command, code in commands_of(block):
        done = run(command.replace(ADDRESS, server.base_url))
        assert done.returncode == code, f"{command}\n{done.stdout}"
        assert "Traceback" not in done.stdout
        told.append(done.stdout)
    return "".join(told)


def follow(blocks: list[Block], server: StubServer) -> None:
    """Run blocks one after the other; the lines below each are printed, in that order."""
    names: dict[str, Any] = {"__name__": "page"}
    for block in blocks:
        printed = printed_by(block, server, names)
        lines = iter(printed.splitlines())
        for line in (block.prints or "").splitlines():
            assert any(same(line, shown) for shown in lines), (
                f"line {block.line}: {line!r} is not among\n{printed}"
            )


def runnable(page: Path) -> list[Block]:
    """Return the blocks of a page that are run."""
    return [b for b in blocks_of(page) if b.language in ("console", "python")]


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("page", sorted(FOLDER.glob("*.md")), ids=name_of)
def test_a_page_on_running_does_what_it_says(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, server: StubServer
) -> None:
    """Every block of a page works for who reads it alone, with the project of the first page."""
    monkeypatch.chdir(tmp_path)
    project = [] if page == INDEX else runnable(INDEX)[:1]

    follow(project + runnable(page), server)


@pytest.mark.long
@pytest.mark.timeout(300)
def test_the_pages_can_be_read_in_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, server: StubServer
) -> None:
    """One after the other in one folder, as the first page lists them, each says what is seen."""
    monkeypatch.chdir(tmp_path)
    listed = re.findall(r"(?m)^\| \[(\w+\.md)\]", INDEX.read_text())
    assert sorted([INDEX.name, *listed]) == sorted(page.name for page in FOLDER.glob("*.md"))

    for page in (INDEX.name, *listed):
        follow(runnable(FOLDER / page), server)
