"""A stub server for each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from judgekit.running.cache import ReplyCache
from judgekit.testing import StubServer


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Ignore here too what the litellm client ignores; pytest resets the filters for each test."""
    mark = pytest.mark.filterwarnings("ignore:.*acompletion' was never awaited:RuntimeWarning")
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(mark)


@pytest.fixture
def stub() -> Iterator[StubServer]:
    """A server that answers at once."""
    with StubServer() as server:
        yield server


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[ReplyCache]:
    """An empty cache."""
    opened = ReplyCache(tmp_path / "cache")
    yield opened
    opened.close()
