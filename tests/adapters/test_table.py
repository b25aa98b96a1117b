"""What makes a runner one: a short adapter, a line, a lock and tests inside the runner itself."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from judgekit.adapters.table import PROVIDERS, RUNNERS, Runner

REPO = Path(__file__).resolve().parents[2]
ONES = pytest.mark.parametrize("runner", RUNNERS, ids=lambda runner: runner.name)


@pytest.mark.parametrize("runner", [*RUNNERS, *PROVIDERS], ids=lambda runner: runner.module)
def test_an_adapter_is_short(runner: Runner) -> None:
    """Adding a runner is a file of at most 60 lines."""
    text = REPO.joinpath("judgekit", "adapters", f"{runner.module}.py").read_text(encoding="utf-8")

    assert len(text.splitlines()) <= 60


@ONES
def test_a_runner_is_tested(runner: Runner) -> None:
    """`make test-runners` finds its lock, which pins what has to be installed, and its tests."""
    lock = REPO / "requirements" / "runners" / f"{runner.name}.lock"
    pinned = {line.partition("==")[0] for line in lock.read_text().splitlines() if "==" in line}
    if not runner.packages:  # of Node
        assert lock.with_suffix("").joinpath("package-lock.json").exists()

    assert {*runner.packages, "pytest", "litellm"} <= pinned
    assert REPO.joinpath("tests", "runners", f"test_{runner.name.replace('-', '_')}.py").exists()


def test_each_has_an_extra() -> None:
    """`pip install '.[NAME]'` brings what the runner of that name needs."""
    project = tomllib.loads(REPO.joinpath("pyproject.toml").read_text())["project"]
    extras = {
        name: tuple(re.split("[<>=]", one)[0] for one in needs)
        for name, needs in project["optional-dependencies"].items()
    }

    assert extras == {
        "local": ("xllamacpp",),
        "improve": ("gepa",),
        **{runner.name: runner.packages for runner in RUNNERS},
    }
