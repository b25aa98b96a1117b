"""Contract checks: call one in a test of yours with the model client or cache you wrote."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from judgekit.errors import ModelCallError
from judgekit.judging.request import ModelReply, ModelRequest
from judgekit.running.bridge import run_blocking
from judgekit.running.model import ChatModel, Preparable
from judgekit.running.writer import Cache

AWKWARD = 'a "quote", \\, \n\r\t, \x00, é, 判, 🎲, \u2028, \u200b, half a pair: \ud83d'
"""Text that replies do contain."""


def check_model(model: ChatModel, request: ModelRequest, *, timeout: float = 60.0) -> None:
    """Hold a model client to the contract of ``ChatModel``; make a few calls with ``request``.

    Args:
        model: A client that has not been used yet. It is closed in the end.
        request: Something the model behind it can answer.
        timeout: Seconds that a call may take.

    Raises:
        AssertionError: it breaks the contract; the message says how.
    """
    run_blocking(lambda: _check_model(model, request, timeout))


async def _check_model(model: ChatModel, request: ModelRequest, timeout: float) -> None:  # noqa: ASYNC109
    try:
        if isinstance(model, Preparable):
            await model.prepare()
            await model.prepare()
        calls = (model.complete(request, timeout=timeout) for _ in range(3))
        for reply in await asyncio.gather(*calls):
            _check_reply(reply, request)
        try:
            _check_reply(await model.complete(request, timeout=1e-6), request)
        except ModelCallError as failure:
            timed_out = failure.cause == "timeout" and failure.transient
            _expect(timed_out, f"out of time, it said {failure.cause!r}, not a transient timeout")
        except Exception as error:
            raise AssertionError(f"complete() raised {error!r}, not a ModelCallError") from error
    finally:
        await model.aclose()


def _check_reply(reply: object, request: ModelRequest) -> None:
    if not isinstance(reply, ModelReply):
        raise AssertionError(f"complete() returned {reply!r}, not a ModelReply")  # noqa: TRY004
    _expect(isinstance(reply.text, str), f"text is {reply.text!r}; without an answer it is ''")
    for name in ("finish", "refusal", "reasoning", "served"):
        value = getattr(reply, name)
        _expect(value is None or (isinstance(value, str) and value), f"{name} is {value!r}")
    for name in ("tokens_in", "tokens_out", "cost_usd", "latency_s"):
        value = getattr(reply, name)
        fits = value is None or (math.isfinite(value) and value >= 0)
        _expect(fits, f"{name} is {value!r}; what is not known is None")
    wanted = {*request.parameters, *(["response_format"] if request.schema else [])}
    left_out: object = reply.left_out
    _expect(
        isinstance(left_out, tuple) and wanted.issuperset(left_out),
        f"left_out is {left_out!r}, but the request has {sorted(wanted)}",
    )


def check_cache(cache: Cache, reopen: Callable[[], Cache] | None = None) -> None:
    """Hold a reply cache to its contract.

    Args:
        cache: An empty cache.
        reopen: Opens the same cache again, as another process would.

    Raises:
        AssertionError: it breaks the contract; the message says how.
    """
    _expect(cache.get_many(["absent"]) == {}, "an empty cache has a reply")
    _expect(cache.put_many([]) == 0, "put_many kept something of nothing")
    whole = ModelReply(
        *(AWKWARD, "stop", AWKWARD, AWKWARD, "model-1", 12, 3, 0.0, 0.25),
        left_out=("seed", "temperature"),
        adjusted=(("max_tokens", 800), ("stop", [AWKWARD, None])),
        notes=("system_in_user",),
        tokens_cached=8,
        tokens_reasoning=0,
        logprobs=((AWKWARD, -0.5, ((AWKWARD, -0.5), ("", -1e-7))), ("x", 0.0, ())),
    )
    filtered = ModelReply("", finish="content_filter")
    unreadable = ModelReply("{'level': ")
    kept = {"a" * 64: whole, "b" * 64: filtered, "c" * 64: unreadable}
    _expect(cache.put_many(kept.items()) == len(kept), "put_many does not say how many it kept")
    _expect(cache.get_many([*kept, "absent"]) == kept, "a reply did not come back as it went in")
    partial = {"d" * 64: ModelReply(" \n"), "e" * 64: ModelReply("half an ans", finish="length")}
    _expect(cache.put_many(partial.items()) == 0, "put_many says it kept an incomplete reply")
    _expect(cache.get_many(partial) == {}, "an empty or truncated reply was kept")
    cache.put_many([("a" * 64, unreadable)])
    _expect(cache.get_many(["a" * 64])["a" * 64] == unreadable, "a second put did not replace")
    cache.close()
    _expect(cache.get_many(["a" * 64]) == {"a" * 64: unreadable}, "closed, it does not open again")
    _check_together(cache)
    if reopen is not None:
        reopened = reopen()
        again = reopened.get_many(kept)
        reopened.close()
        _expect(again == kept | {"a" * 64: unreadable}, "reopened, it does not hold the same")


def _check_together(cache: Cache) -> None:
    """Write from several threads while others read."""
    replies = {f"{n:064d}": ModelReply(f"reply {n}") for n in range(40)}

    def put(pair: tuple[str, ModelReply]) -> None:
        cache.put_many([pair])
        cache.close()

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(put, replies.items()))
        read = list(threads.map(lambda _: cache.get_many(replies), range(4)))
    _expect(all(found == replies for found in read), "threads that share it lost a reply")


def _expect(condition: object, message: str) -> None:
    if not condition:
        raise AssertionError(message)
