"""What a run costs, when the money ends it, and what a progress bar is told."""

from __future__ import annotations

import pytest

from judgekit.errors import InputError
from judgekit.judging.request import ModelReply
from judgekit.running.cache import ReplyCache
from judgekit.running.engine import Progress
from judgekit.running.prices import Price, price_per_million
from judgekit.running.retry import RetryPolicy
from judgekit.testing import StubServer
from tests.running.helpers import Scripted, questions, run

pytestmark = pytest.mark.timeout(60)


def priced(_: str) -> Price:
    """Return a price at which a call is expected to cost far less than it will."""
    return price_per_million(1.0, 1.0)


def test_the_budget_ends_the_run(cache: ReplyCache) -> None:
    """Complaint 54: at the limit the rest is not asked, and says so; what was paid is kept."""
    model = Scripted(ModelReply("x", cost_usd=0.25))
    requests = questions(20, "http://unused")

    answers = run(
        requests, cache, open_model=lambda: model, concurrency=2, max_cost_usd=1.0, price=priced
    )

    assert 4 <= model.calls <= 5  # one more may be in flight
    assert sum(a.reply is not None for a in answers) == model.calls == cache.stats().entries
    assert {a.failure.cause for a in answers if a.failure} == {"budget"}
    assert all(a.attempts == 0 for a in answers if a.failure)
    again = run(requests, cache, open_model=lambda: model, max_cost_usd=10.0, price=priced)
    assert all(a.reply for a in again)
    assert model.calls == 20


def test_an_unknown_price_is_unknown_not_zero() -> None:
    """Complaint 54: no budget can hold it, and the progress says that it does not know."""
    seen: list[Progress] = []
    model = Scripted(ModelReply("x"))
    requests = questions(3, "http://unused")

    with pytest.raises(InputError, match="the price of 'openai/stub' is not known"):
        run(requests, open_model=lambda: model, max_cost_usd=0.01)
    assert model.calls == 0
    run(requests, open_model=lambda: model, progress=seen.append)

    assert model.calls == 3
    assert (seen[-1].cost_usd, seen[-1].unpriced) == (None, 3)


def test_a_free_model_costs_nothing() -> None:
    """0.0 is a price."""
    seen: list[Progress] = []

    run(
        questions(3, "http://unused"),
        open_model=lambda: Scripted(ModelReply("x", cost_usd=0.0)),
        progress=seen.append,
    )

    assert (seen[-1].cost_usd, seen[-1].unpriced) == (0.0, 0)


def test_progress_counts_every_request(stub: StubServer, cache: ReplyCache) -> None:
    """Cached, failed, done: as many as there are requests, copies included."""
    run(questions(5, stub.base_url), cache)
    stub.configure(faults={"500": 0.5})
    requests = [*questions(20, stub.base_url), *questions(3, stub.base_url)]
    seen: list[Progress] = []

    answers = run(requests, cache, retry=RetryPolicy(1), progress=seen.append)

    last = seen[-1]
    assert last.total == last.done == len(requests) == 23
    assert last.cached == sum(a.cached for a in answers) == 5 + 3
    assert last.failed == sum(a.failure is not None for a in answers) > 0
    assert [p.done for p in seen] == sorted(p.done for p in seen)
    assert last.elapsed > 0
