"""What the house tests share: where the repo is, how modules parse, what a fresh process costs."""

import ast
import os
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

REPO = Path(__file__).resolve().parents[2]
PACKAGE = REPO / "judgekit"

Cost = Callable[..., list[float]]


@pytest.fixture(scope="session")
def repo() -> Path:
    """The top folder of the repository."""
    return REPO


@pytest.fixture(scope="session")
def modules() -> dict[str, ast.Module]:
    """Every module of the package as a syntax tree, by its path inside the repo."""
    return {
        path.relative_to(REPO).as_posix(): ast.parse(path.read_text(encoding="utf-8"))
        for path in sorted(PACKAGE.rglob("*.py"))
    }


@pytest.fixture(scope="session")
def child_env() -> dict[str, str]:
    """The environment of a user: byte code is cached, whatever this machine says."""
    return {name: text for name, text in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


@pytest.fixture
def fresh(child_env: dict[str, str], tmp_path: Path) -> Callable[[str], str]:
    """Run code in a fresh interpreter and return what it printed."""

    def run(code: str) -> str:
        command = [sys.executable, "-c", code]
        return subprocess.run(
            command, env=child_env, cwd=tmp_path, check=True, capture_output=True, text=True
        ).stdout

    return run


def _cpu_seconds(command: Sequence[str], env: dict[str, str], cwd: Path) -> float:
    """CPU seconds of one process, itself and the children it waited for."""
    with subprocess.Popen(
        command, env=env, cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, f"{command} ended with {process.returncode}"
    return usage.ru_utime + usage.ru_stime


@pytest.fixture
def cpu_cost(child_env: dict[str, str], tmp_path: Path) -> Cost:
    """Median CPU seconds of each command, over runs that take turns.

    Taking turns puts a busy moment of the machine on every command alike. The first round fills
    the byte code cache and is not counted.
    """

    def measure(*commands: Sequence[str], rounds: int = 9) -> list[float]:
        def one_round() -> Iterator[float]:
            for command in commands:
                yield _cpu_seconds(command, child_env, tmp_path)

        _warm_up = list(one_round())
        table = [list(one_round()) for _ in range(rounds)]
        return [statistics.median(column) for column in zip(*table, strict=True)]

    return measure
