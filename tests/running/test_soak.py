"""Every fault at once, through the real litellm."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

import pytest

from judgekit.judging.request import ModelRequest
from judgekit.running.cache import ReplyCache, is_complete
from judgekit.running.engine import Answer, answer_all
from judgekit.running.litellm_client import LiteLLMModel
from judgekit.running.retry import RetryPolicy
from judgekit.testing import FAULTS, StubServer
from tests.running.helpers import how, questions

pytestmark = pytest.mark.timeout(120)
COUNT = 400
POLICY = RetryPolicy(attempts=3, base_s=0.02)
# Faults that end a run early have tests of their own.
RATES = {name: 0.01 for name in FAULTS if name not in ("401", "403", "404", "quota")}


def run(requests: list[ModelRequest], cache: ReplyCache, **settings: Any) -> list[Answer]:
    """Answer through litellm."""
    return asyncio.run(
        answer_all(
            requests,
            open_model=LiteLLMModel,
            cache=cache,
            settings=how(concurrency=32, retry=POLICY, **settings),
        )
    )


def test_a_fifth_of_all_replies_broken_in_every_way(stub: StubServer, cache: ReplyCache) -> None:
    """Every request ends, and a second run asks only for what failed."""
    stub.configure(faults=RATES, retry_after=0.1, hang_s=30)
    assert 0.2 <= sum(RATES.values()) <= 0.25
    requests = questions(COUNT, stub.base_url)

    first = run(requests, cache, timeout=4.0)

    assert set(stub.stats.errors) == set(RATES)
    assert all((a.reply is None) != (a.failure is None) for a in first)
    assert all(1 <= a.attempts <= POLICY.most_calls for a in first)
    assert sum(a.attempts for a in first) == stub.stats.requests
    causes = Counter(a.failure.cause for a in first if a.failure)
    assert {"bad_request", "context_length"} <= set(causes)  # permanent ones, not asked again
    lacking = [a.request for a in first if not (a.reply and is_complete(a.reply))]
    assert 0 < len(lacking) < COUNT / 5
    assert cache.stats().entries == COUNT - len(lacking)

    stub.configure(faults={})
    stub.reset()
    second = run(requests, cache)

    assert stub.stats.requests == stub.stats.distinct == len(lacking)
    assert all(a.reply and is_complete(a.reply) for a in second)
    assert [a.request for a in second if not a.cached] == lacking


def test_a_wrong_model_stops_a_run_of_500(stub: StubServer, cache: ReplyCache) -> None:
    """A few calls, not five hundred; the same cause for all."""
    stub.configure(faults={"404": 1.0}, latency_ms=5)

    answers = run(questions(500, stub.base_url), cache)

    assert stub.stats.requests < 60
    assert {a.failure and a.failure.cause for a in answers} == {"not_found"}


def test_rate_limits_are_waited_out(stub: StubServer, cache: ReplyCache) -> None:
    """Complaint 55: a third of the calls is refused with Retry-After, and nothing is lost."""
    stub.configure(faults={"429": 0.33}, retry_after=0.2)

    answers = asyncio.run(
        answer_all(
            questions(60, stub.base_url),
            open_model=LiteLLMModel,
            cache=cache,
            settings=how(retry=RetryPolicy(attempts=12)),
        )
    )

    assert all(a.reply for a in answers)
    assert stub.stats.errors["429"] == stub.stats.requests - 60 > 0
