"""A runner in its own environment: a project for each test, and no way out of this machine."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from offline import attempts, go_offline

# Before any runner is imported: what the environment tells it, it reads then.
_home = tempfile.TemporaryDirectory(prefix="runner-")
go_offline(_home.name)
pytest.register_assert_rewrite("parity")

from world import World, reply  # noqa: E402

import judgekit  # noqa: E402
from judgekit.testing import StubServer  # noqa: E402


def pytest_report_header() -> str:
    """Say which judgekit is tested."""
    return f"judgekit: {judgekit.__file__}"


@pytest.fixture(scope="session")
def stub() -> Iterator[StubServer]:
    """Return the model server of all judges."""
    with StubServer(reply=reply) as server:
        yield server


@pytest.fixture(scope="session")
def built(stub: StubServer, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the project as it is at the beginning of every test."""
    world = World(tmp_path_factory.mktemp("built"), stub)
    world.build()
    return world.root


@pytest.fixture
def world(stub: StubServer, built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    """Return a project of its own, and stand in an empty folder beside it."""
    shutil.copytree(built, tmp_path / "project")
    (tmp_path / "desk").mkdir()
    monkeypatch.chdir(tmp_path / "desk")
    return World(tmp_path / "project", stub)


@pytest.fixture(autouse=True)
def offline() -> Iterator[None]:
    """Fail a test that tried to reach another machine."""
    yield
    tried = list(attempts)
    attempts.clear()
    assert tried == []
