"""The engine over real HTTP and a real cache: every request ends, none is paid twice."""

# ruff: noqa: ASYNC109  (the protocol has a timeout)

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

import pytest

from judgekit.errors import InputError, MissingExtra, ModelCallError, StorageError
from judgekit.judging.request import ModelReply, ModelRequest
from judgekit.running.cache import ReplyCache
from judgekit.running.engine import answer_all
from judgekit.running.model import ChatModel
from judgekit.running.retry import RetryPolicy
from judgekit.testing import StubError, StubServer
from tests.running.helpers import DirectModel, Scripted, how, question, questions, run

pytestmark = pytest.mark.timeout(60)


def never() -> ChatModel:
    """Must not be called."""
    raise AssertionError("the model was opened")


def test_answers_come_in_the_order_of_the_requests(stub: StubServer, cache: ReplyCache) -> None:
    """Whatever order the replies come in."""
    requests = questions(40, stub.base_url)

    answers = run(requests, cache)

    assert [a.request for a in answers] == requests
    assert all(a.reply and not a.failure and not a.cached and a.attempts == 1 for a in answers)
    again = run(reversed(requests), cache)
    assert [a.reply.text for a in again if a.reply] == [
        a.reply.text for a in reversed(answers) if a.reply
    ]


def test_a_second_run_asks_nothing_and_opens_nothing(stub: StubServer, cache: ReplyCache) -> None:
    """The cache is consulted before the model is opened."""
    requests = questions(20, stub.base_url)
    run(requests, cache)

    answers = run(requests, cache, open_model=never)

    assert all(a.cached and a.attempts == 0 for a in answers)
    assert stub.stats.requests == 20


def test_nothing_to_do_is_nothing_done(cache: ReplyCache) -> None:
    """No requests: no answers, no model, no folder."""
    assert run([], cache, open_model=never) == []
    assert not cache.folder.exists()


def test_without_a_cache_everything_is_asked(stub: StubServer) -> None:
    """And nothing is kept."""
    requests = questions(5, stub.base_url)
    run(requests)
    run(requests)

    assert stub.stats.requests == 10


def test_another_parameter_or_replicate_is_another_question(
    stub: StubServer, cache: ReplyCache
) -> None:
    """Complaint 51: the key is the whole request."""
    for more in (
        {},
        {"parameters": {"temperature": 1}},
        {"replicate": 1},
        {"schema": None},
        {"parameters": {"temperature": 0, "max_tokens": 5}},
    ):
        run([question("x", stub.base_url, **more)], cache)

    assert stub.stats.requests == 5


def test_equal_requests_share_one_call(stub: StubServer, cache: ReplyCache) -> None:
    """The first is answered, the others copied: no call was made for them."""
    stub.configure(latency_ms=20)
    one, two = questions(2, stub.base_url)

    answers = run([one, two, one, one, two], cache)

    assert stub.stats.requests == 2
    assert [a.attempts for a in answers] == [1, 1, 0, 0, 0]
    assert [a.cached for a in answers] == [False, False, True, True, True]
    assert answers[0].reply == answers[2].reply == answers[3].reply


def test_equal_requests_share_a_failure() -> None:
    """Without a reply nothing was cached."""
    model = Scripted(ModelCallError("no", cause="bad_request"))
    one = question("x", "http://unused")

    answers = run([one, one], open_model=lambda: model)

    assert model.calls == 1
    assert [a.failure and a.failure.cause for a in answers] == ["bad_request"] * 2
    assert not any(a.cached for a in answers)


@pytest.mark.parametrize("concurrency", [1, 7])
def test_no_more_calls_at_once_than_allowed(stub: StubServer, concurrency: int) -> None:
    """And all of them are used."""
    stub.configure(latency_ms=20)

    run(questions(30, stub.base_url), concurrency=concurrency)

    assert stub.stats.peak == concurrency


def test_concurrency_of_nothing_is_refused() -> None:
    """It would never end."""
    with pytest.raises(InputError):
        run([], concurrency=0)


def test_transient_failures_are_asked_again(stub: StubServer, cache: ReplyCache) -> None:
    """Complaint 55: half of the calls fail, every item is judged."""
    stub.configure(faults={"500": 0.3, "reset": 0.2})

    answers = run(questions(100, stub.base_url), cache, retry=RetryPolicy(20, base_s=0.001))

    assert all(a.reply for a in answers)
    assert sum(a.attempts for a in answers) == stub.stats.requests > 120


def test_no_request_is_asked_more_often_than_the_rule_allows(stub: StubServer) -> None:
    """Four attempts, then it ends as a failure."""
    stub.configure(faults={"500": 1.0})

    answers = run(questions(10, stub.base_url))

    assert [a.attempts for a in answers] == [4] * 10
    assert all(a.failure and a.failure.cause == "server" for a in answers)
    assert stub.stats.requests == 40


def test_a_hanging_call_is_given_up() -> None:
    """By the engine, even when the client does not keep to its timeout."""

    class Hanging(DirectModel):
        async def complete(self, request: ModelRequest, *, timeout: float) -> ModelReply:
            await asyncio.sleep(3600)
            raise AssertionError

    began = time.monotonic()

    answers = run(
        questions(3, "http://unused"), open_model=Hanging, timeout=0.1, retry=RetryPolicy(2, 0.01)
    )

    assert time.monotonic() - began < 5
    assert [a.failure and (a.failure.cause, a.attempts) for a in answers] == [("timeout", 2)] * 3


def test_a_client_with_a_bug_loses_no_row(cache: ReplyCache) -> None:
    """Its exception becomes the failure of each item, without the key in it."""
    model = Scripted(RuntimeError("boom with sk-1234567890abcdef"), ModelReply("fine"))

    first, second = run(
        questions(2, "http://unused"), cache, open_model=lambda: model, concurrency=1
    )

    assert first.failure
    assert "RuntimeError" in first.failure.message
    assert "sk-1234" not in first.failure.message
    assert second.reply == ModelReply("fine")
    assert model.closed


def test_a_wrong_key_stops_the_run_early() -> None:
    """Not five hundred identical failures; every item has its cause all the same."""
    model = Scripted(ModelCallError("bad key", cause="authentication", hint="set the key"))

    answers = run(questions(500, "http://unused"), open_model=lambda: model)

    assert model.calls <= 5 + 16
    assert {a.failure and a.failure.cause for a in answers} == {"authentication"}
    assert answers[-1].attempts == 0
    assert answers[-1].failure
    assert answers[-1].failure.hint == "set the key"


def test_a_model_that_cannot_be_prepared_fails_every_item(
    stub: StubServer, cache: ReplyCache
) -> None:
    """What the cache had is answered."""
    run(questions(3, stub.base_url), cache)

    class Unready(DirectModel):
        async def prepare(self) -> None:
            raise ModelCallError("no key", cause="authentication")

    answers = run(questions(5, stub.base_url), cache, open_model=Unready)

    assert [bool(a.reply) for a in answers] == [True] * 3 + [False] * 2
    assert {a.failure.cause for a in answers if a.failure} == {"authentication"}


def test_a_missing_package_is_raised() -> None:
    """That is for the user to mend, not a property of the items."""

    def open_model() -> ChatModel:
        raise MissingExtra("local", "xllamacpp")

    with pytest.raises(MissingExtra):
        run(questions(3, "http://unused"), open_model=open_model)


def test_empty_and_truncated_replies_are_asked_again_next_time(cache: ReplyCache) -> None:
    """Design rule 14, complaints 2 and 13."""
    replies = [ModelReply(""), ModelReply("half", finish="length"), ModelReply("unreadable")]
    requests = questions(3, "http://unused")

    first = run(requests, cache, open_model=lambda: Scripted(*replies), concurrency=1)
    model = Scripted(ModelReply("whole"))
    second = run(requests, cache, open_model=lambda: model, concurrency=1)

    assert [a.reply for a in first] == replies
    assert [a.reply and a.reply.text for a in second] == ["whole", "whole", "unreadable"]
    assert model.calls == 2


def test_a_cut_reply_whose_answer_is_whole_is_kept(cache: ReplyCache) -> None:
    """Some models put blanks behind it until their room is gone: no second call, now or later."""
    reply = ModelReply('{"reason": "because", "level": "good"}   \n\n', finish="length")
    requests = [question("x", "http://unused", parameters={"max_tokens": 100})]

    first = run(requests, cache, open_model=lambda: Scripted(reply))
    second = run(requests, cache, open_model=Scripted)

    assert [(a.reply, a.attempts) for a in first] == [(reply, 1)]
    assert [(a.reply, a.cached) for a in second] == [(reply, True)]


def test_both_calls_of_a_cut_reply_count(cache: ReplyCache) -> None:
    """What both used and cost; a number that is not known makes no sum."""
    used = {"tokens_in": 200, "tokens_out": 20, "cost_usd": 0.001, "latency_s": 0.5}
    cut = ModelReply("half", finish="length", tokens_cached=64, **used)
    whole = ModelReply("whole", finish="stop", **used)
    requests = [question("x", "http://unused", parameters={"max_tokens": 100})]

    (answer,) = run(requests, cache, open_model=lambda: Scripted(cut, whole), concurrency=1)

    assert answer.reply is not None
    assert answer.attempts == 2
    assert answer.reply[:1] == ("whole",)
    assert (answer.reply.tokens_in, answer.reply.tokens_out) == (400, 40)
    assert (answer.reply.cost_usd, answer.reply.latency_s) == (0.002, 1.0)
    assert answer.reply.tokens_cached is None


def test_a_reply_from_another_process_is_taken_in_the_middle_of_a_run(
    stub: StubServer, cache: ReplyCache
) -> None:
    """The cache is asked again right before each call."""
    requests = questions(10, stub.base_url)
    other = ReplyCache(cache.folder.parent)

    class Slow(DirectModel):
        async def complete(self, request: ModelRequest, *, timeout: float) -> ModelReply:
            if request == requests[0]:
                other.put_many((r.key, ModelReply("theirs")) for r in requests[1:])
            return await super().complete(request, timeout=timeout)

    answers = run(requests, cache, open_model=Slow, concurrency=1)
    other.close()

    assert stub.stats.requests == 1
    assert all(a.cached and a.reply == ModelReply("theirs") for a in answers[1:])


def test_a_full_disk_stops_the_run(stub: StubServer) -> None:
    """Going on would pay for what cannot be kept."""

    class Full:
        def get_many(self, keys: Iterable[str]) -> dict[str, ModelReply]:
            return {}

        def put_many(self, entries: Iterable[tuple[str, ModelReply]]) -> int:
            raise StorageError("the disk is full")

        def close(self) -> None:
            pass

    with pytest.raises(StorageError):
        run(questions(500, stub.base_url), Full())

    assert stub.stats.requests <= 16


@pytest.mark.parametrize("count", [1, 3, 40])
def test_trouble_that_meets_every_worker_at_once_is_raised(count: int) -> None:
    """However few requests there are: nobody waits for answers that will not come."""
    model = Scripted(StorageError("no room"))

    with pytest.raises(StorageError, match="no room"):
        run(questions(count, "http://unused"), open_model=lambda: model)


def test_a_worker_takes_no_new_request_before_its_reply_is_on_disk(stub: StubServer) -> None:
    """So that a process that is killed loses no more than the calls in flight."""
    outstanding: list[int] = []

    class Slow:
        def __init__(self) -> None:
            self.kept: dict[str, ModelReply] = {}

        def get_many(self, keys: Iterable[str]) -> dict[str, ModelReply]:
            return {}

        def put_many(self, entries: Iterable[tuple[str, ModelReply]]) -> int:
            batch = list(entries)
            time.sleep(0.01)
            outstanding.append(stub.stats.requests - len(self.kept))
            self.kept.update(batch)
            return len(batch)

        def close(self) -> None:
            pass

    run(questions(60, stub.base_url), Slow(), concurrency=4)

    assert max(outstanding) <= 4


def test_cancelling_keeps_what_was_answered(stub: StubServer, cache: ReplyCache) -> None:
    """Ctrl-C in a notebook, or a task of the caller's that is cancelled."""
    stub.configure(latency_ms=10)

    async def main() -> None:
        task = asyncio.create_task(
            answer_all(
                questions(500, stub.base_url),
                open_model=DirectModel,
                cache=cache,
                settings=how(concurrency=8),
            )
        )
        while stub.stats.answered < 100:  # noqa: ASYNC110  (the stub has no event for it)
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())

    answered = stub.stats.answered
    assert 100 <= answered < 500
    assert answered - 8 <= cache.stats().entries <= answered


def test_cancelling_writes_what_waits_to_be_written() -> None:
    """Every reply that came is on disk when the run has ended, however slow the disk."""

    class Slow:
        def __init__(self) -> None:
            self.kept: dict[str, ModelReply] = {}

        def get_many(self, keys: Iterable[str]) -> dict[str, ModelReply]:
            return {}

        def put_many(self, entries: Iterable[tuple[str, ModelReply]]) -> int:
            time.sleep(0.2)
            batch = dict(entries)
            self.kept.update(batch)
            return len(batch)

        def close(self) -> None:
            pass

    model, slow = Scripted(ModelReply("x")), Slow()

    async def main() -> None:
        requests = questions(500, "http://unused")
        run = answer_all(
            requests, open_model=lambda: model, cache=slow, settings=how(concurrency=8)
        )
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(run, 0.3)
        assert len(slow.kept) == model.calls >= 8

    asyncio.run(main())


def test_retry_after_is_honoured(stub: StubServer) -> None:
    """Measured: no second call earlier than asked for."""
    calls: list[float] = []

    class Timed(DirectModel):
        async def complete(self, request: ModelRequest, *, timeout: float) -> ModelReply:
            calls.append(time.monotonic())
            if len(calls) < 3:
                raise ModelCallError("slow", cause="rate_limit", transient=True, retry_after=0.4)
            return await super().complete(request, timeout=timeout)

    (answer,) = run(questions(1, stub.base_url), open_model=Timed)

    assert answer.attempts == 3
    assert all(later - earlier >= 0.4 for earlier, later in pairwise(calls))


def test_a_retry_after_that_is_too_long_is_told() -> None:
    """Nobody waits an hour for one item without being told so."""
    limited = ModelCallError("slow down", cause="rate_limit", transient=True, retry_after=3600)
    model = Scripted(limited)

    (answer,) = run(questions(1, "http://unused"), open_model=lambda: model)

    assert answer.attempts == 1
    assert answer.failure
    assert "asks to wait 3,600 s" in answer.failure.message
    assert answer.failure.hint == "run it again in 3,600 s: what was answered is kept"


def test_an_error_of_the_stub_reaches_the_answer() -> None:
    """A reply function may raise a StubError."""

    def reply(request: dict[str, Any]) -> str:
        raise StubError(418, message="a teapot")

    with StubServer(reply=reply) as stub:
        (answer,) = run(questions(1, stub.base_url), retry=RetryPolicy(1))

    assert answer.failure
    assert "418" in answer.failure.message
