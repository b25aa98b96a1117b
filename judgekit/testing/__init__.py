"""For tests, yours and ours: a model server without a model, and checks of what you plug in.

``StubServer`` answers like an OpenAI-compatible endpoint, deterministically, with settable latency
and every fault an endpoint is known for::

    with StubServer(answers={"capital of France": '{"reason": "right", "level": "good"}'}) as stub:
        judge = ...  # model "openai/anything", api_base stub.base_url
        assert stub.stats.requests == 3

``python -m judgekit.testing --port 8099 --faults 429=0.05,hang=0.01`` serves it to other programs.
``check_model`` and ``check_cache`` hold a model client or a cache of your own to the contract.
"""

from __future__ import annotations

from judgekit.testing.checks import check_cache, check_model
from judgekit.testing.faults import FAULTS
from judgekit.testing.server import StubServer
from judgekit.testing.stub import StubError
from judgekit.testing.stub_settings import StubSettings, StubStats

__all__ = [
    "FAULTS",
    "StubError",
    "StubServer",
    "StubSettings",
    "StubStats",
    "check_cache",
    "check_model",
]
