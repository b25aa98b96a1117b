"""The contract checks: what keeps the contract passes, and each breach of it is named."""

# ruff: noqa: ASYNC109  (the protocol has a timeout)

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

import pytest

from judgekit.errors import ModelCallError
from judgekit.judging.request import Message, ModelReply, ModelRequest
from judgekit.testing import check_cache, check_model

REQUEST = ModelRequest("openai/m", (Message("user", "hi"),), {"temperature": 0})


class Model:
    """Keeps the contract."""

    reply: Any = ModelReply("fine", finish="stop", left_out=("temperature",))

    async def complete(self, request: ModelRequest, *, timeout: float) -> ModelReply:
        """Answer, unless there is no time at all."""
        if timeout < 0.001:
            raise ModelCallError("too slow", cause="timeout", transient=True)
        await asyncio.sleep(0)
        assert isinstance(self.reply, ModelReply | dict)
        return self.reply  # type: ignore[return-value]

    async def aclose(self) -> None:
        """Nothing to let go of."""


def test_a_model_that_keeps_the_contract_passes() -> None:
    """Also one that is prepared first."""
    prepared = []

    class Prepared(Model):
        async def prepare(self) -> None:
            prepared.append(True)

    check_model(Model(), REQUEST)
    check_model(Prepared(), REQUEST)
    assert prepared


@pytest.mark.parametrize(
    ("reply", "says"),
    [
        ({"text": "fine"}, "not a ModelReply"),
        (ModelReply(None), "text is None"),  # type: ignore[arg-type]
        (ModelReply("x", served=""), "served"),
        (ModelReply("x", tokens_in=-1), "tokens_in"),
        (ModelReply("x", cost_usd=float("nan")), "cost_usd"),
        (ModelReply("x", left_out=("seed",)), "left_out"),
        (ModelReply("x", left_out=["temperature"]), "left_out"),  # type: ignore[arg-type]
    ],
)
def test_a_reply_that_breaks_it_is_named(reply: object, says: str) -> None:
    """The message says how."""
    model = Model()
    model.reply = reply

    with pytest.raises(AssertionError, match=says):
        check_model(model, REQUEST)


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (TimeoutError(), "not a ModelCallError"),
        (ModelCallError("x", cause="server", transient=True), "'server'"),
        (ModelCallError("x", cause="timeout"), "transient"),
    ],
)
def test_running_out_of_time_must_be_said(error: Exception, says: str) -> None:
    """As a transient timeout."""

    class Late(Model):
        async def complete(self, request: ModelRequest, *, timeout: float) -> ModelReply:
            if timeout < 0.001:
                raise error
            return await super().complete(request, timeout=timeout)

    with pytest.raises(AssertionError, match=says):
        check_model(Late(), REQUEST)


class Cache:
    """Keeps the contract, in memory."""

    def __init__(self) -> None:
        self.kept: dict[str, ModelReply] = {}

    def get_many(self, keys: Iterable[str]) -> dict[str, ModelReply]:
        """Return what is there."""
        return {key: self.kept[key] for key in keys if key in self.kept}

    def put_many(self, entries: Iterable[tuple[str, ModelReply]]) -> int:
        """Keep the complete ones."""
        whole = {k: r for k, r in entries if (r.text.strip() or r.finish) and r.finish != "length"}
        self.kept.update(whole)
        return len(whole)

    def close(self) -> None:
        """Nothing to let go of."""


class Forgetful(Cache):
    """Loses a field."""

    def get_many(self, keys: Iterable[str]) -> dict[str, ModelReply]:
        """Return the text alone."""
        return {k: ModelReply(r.text, r.finish) for k, r in super().get_many(keys).items()}


class Greedy(Cache):
    """Keeps everything."""

    def put_many(self, entries: Iterable[tuple[str, ModelReply]]) -> int:
        """Keep what is handed in, whole or not."""
        added = dict(entries)
        self.kept.update(added)
        return len(added)


class First(Cache):
    """Never replaces."""

    def put_many(self, entries: Iterable[tuple[str, ModelReply]]) -> int:
        """Keep what is new; claim to have kept all."""
        given = dict(entries)
        super().put_many((k, r) for k, r in given.items() if k not in self.kept)
        return sum(k in self.kept for k in given)


def test_a_cache_that_keeps_the_contract_passes() -> None:
    """With and without being opened again."""
    cache = Cache()

    check_cache(cache, reopen=lambda: cache)


@pytest.mark.parametrize(
    ("cache", "says"),
    [(Forgetful(), "as it went in"), (Greedy(), "incomplete"), (First(), "replace")],
)
def test_a_cache_that_breaks_it_is_named(cache: Cache, says: str) -> None:
    """The message says how."""
    with pytest.raises(AssertionError, match=says):
        check_cache(cache)


def test_a_cache_that_does_not_last_is_named() -> None:
    """What another process finds must be the same."""
    with pytest.raises(AssertionError, match="reopened"):
        check_cache(Cache(), reopen=Cache)
