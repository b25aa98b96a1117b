"""Projects for the end-to-end tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from judgekit.testing import StubServer
from tests.e2e.house import House, echo


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> House:
    """Return an empty project folder."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-test")
    monkeypatch.setenv("COLUMNS", "80")
    return House(tmp_path)


@pytest.fixture
def server() -> Iterator[StubServer]:
    """Return a model server whose judge says what stands in the item."""
    with StubServer(reply=echo()) as running:
        yield running


@pytest.fixture
def served(house: House, server: StubServer) -> House:
    """Return a project with a judge served by the stub, 60 labelled items, and a good judge."""
    house.server = server
    house.judge()
    house.labels([("rude", "cold", "polite", "friendly")[i % 4] for i in range(60)])
    return house
