"""One llama.cpp server inside this process: silent, single-threaded, reachable by nobody else.

What a prompt scores depends, in the second digit, on how many of its tokens llama.cpp works out
in one go, and so on what it still had in its cache. Every scored prompt therefore starts from the
same state: its prefix worked out whole, once, and wound back to exactly that before each prompt.
Then neither order nor history can change a score.
"""

from __future__ import annotations

import os
import secrets
import tempfile
from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple, Protocol

from judgekit.errors import InputError, MissingExtra, ModelCallError, StorageError
from judgekit.running.weights import Weights

SLOT_TOKENS = 4096
"""Tokens a slot holds: the longest prompt, and answer with it."""

LISTED = 100
"""How many of the likeliest next tokens are asked for."""

_LONGEST_ADDRESS = 100  # of a Unix socket; the system's limit is a little over it

Body = dict[str, Any]


class Server(Protocol):
    """What is used of ``xllamacpp.Server``."""

    def handle_completions(self, body: Body) -> Body:
        """Answer a raw prompt."""
        ...

    def handle_chat_completions(self, body: Body, callback: Callable[[Body], bool]) -> None:
        """Answer chat messages piece by piece, until ``callback`` returns True."""
        ...


class NextTokens(NamedTuple):
    """The likeliest next tokens with their log-probabilities, and the length of the prompt."""

    tokens: list[tuple[str, float]]
    prompt_tokens: int


def open_server(weights: Weights, slots: int) -> Server:
    """Load the weights and return a server with ``slots`` slots of its own cache each.

    Raises:
        MissingExtra: xllamacpp is not installed.
        InputError: llama.cpp cannot load the file.
        StorageError: there is no folder for temporary files.
    """
    try:
        xllamacpp = import_module("xllamacpp")
    except ImportError as error:
        raise MissingExtra("local", "xllamacpp") from error
    p = xllamacpp.CommonParams()
    p.model.path = str(weights.path)
    p.verbosity = -1  # it would log to stderr, past Python
    p.cpuparams.n_threads = p.cpuparams_batch.n_threads = p.n_threads_http = 1
    p.n_parallel, p.n_ctx = slots, slots * SLOT_TOKENS
    p.fit_params = p.kv_unified = p.cache_idle_slots = p.warmup = False
    p.cache_ram_mib = p.n_ctx_checkpoints = 0
    # It insists on listening. Nobody gets in: a key nobody knows and, from the moment it is up, a
    # socket whose file is gone.
    p.ui = p.endpoint_slots = False
    p.api_keys = [secrets.token_hex(16)]
    try:
        with tempfile.TemporaryDirectory(prefix="judgekit-") as folder:
            address = os.path.join(folder, "closed.sock")  # noqa: PTH118
            if os.name == "posix" and len(os.fsencode(address)) <= _LONGEST_ADDRESS:
                p.hostnames = [address]
            server: Server = xllamacpp.Server(p)
    except RuntimeError as error:
        raise InputError(
            "llama.cpp cannot load this model",
            file=str(weights.path),
            hint="It may be cut short, or made for a newer llama.cpp.",
        ) from error
    except OSError as error:
        raise StorageError(f"no folder for temporary files: {error}") from error
    return server


class Slots:
    """The slots of one server; each remembers the prefix it is wound back to."""

    def __init__(self, server: Server, slots: int) -> None:
        self._server = server
        self._prefixes: list[str | None] = [None] * slots

    def next_tokens(self, prompt: str, prefix: str, slot: int) -> NextTokens:
        """Return what would come next after ``prompt``.

        Args:
            prompt: The text, taken raw.
            prefix: The part of it that prompts of its kind share; "" when they share nothing.
            slot: Where ``prefix`` is kept; taken modulo the number of slots.
        """
        slot %= len(self._prefixes)
        if prefix and self._prefixes[slot] != prefix:
            self._prefixes[slot] = None
            self._complete(prefix, slot, keep=False)
            self._prefixes[slot] = prefix
        if prefix:
            self._complete(prefix, slot, keep=True)
        else:
            self._prefixes[slot] = None
        reply = self._complete(prompt, slot, keep=bool(prefix), listed=LISTED)
        try:
            listed = reply["choices"][0]["logprobs"]["content"][0]["top_logprobs"]
            tokens = [(token["token"], float(token["logprob"])) for token in listed]
            return NextTokens(tokens, reply["usage"]["prompt_tokens"])
        except (KeyError, IndexError, TypeError) as error:
            raise ModelCallError(
                "the local model gave no probabilities", cause="bad_request"
            ) from error

    def _complete(self, prompt: str, slot: int, *, keep: bool, listed: int = 0) -> Body:
        body: Body = {
            "prompt": utf8(prompt),
            "max_tokens": 1 if listed else 0,
            "temperature": 0,
            "cache_prompt": keep,
            "id_slot": slot,
        }
        if listed:
            body |= {"logprobs": listed, "n_probs": listed, "post_sampling_probs": False}
        return checked(self._server.handle_completions(body))

    def chat(self, body: Body, stop: Callable[[], bool]) -> Body:
        """Answer chat messages from an empty cache; ``stop`` is asked after every token.

        Returns:
            ``text``, ``reasoning``, ``finish`` and ``usage``.
        """
        self._prefixes[0] = None
        answer: Body = {"text": "", "reasoning": "", "finish": None, "usage": {}}
        errors: list[Body] = []

        def take(piece: Body) -> bool:
            if "error" in piece:
                errors.append(piece)
                return True
            answer["usage"] = piece.get("usage") or answer["usage"]
            for choice in piece.get("choices", ())[:1]:
                delta = choice.get("delta") or {}
                answer["text"] += delta.get("content") or ""
                answer["reasoning"] += delta.get("reasoning_content") or ""
                answer["finish"] = choice.get("finish_reason") or answer["finish"]
            return stop()

        body = {**body, "stream": True, "stream_options": {"include_usage": True}}
        self._server.handle_chat_completions({**body, "cache_prompt": False, "id_slot": 0}, take)
        for error in errors:
            checked(error)
        return answer


def utf8(text: str) -> str:
    """Return ``text`` with what UTF-8 cannot hold (lone surrogates) replaced."""
    return text.encode("utf-8", "replace").decode("utf-8")


def checked(reply: Body) -> Body:
    """Return the reply unless it is an error.

    Raises:
        ModelCallError: it is one.
    """
    error = reply.get("error")
    if error is None:
        return reply
    long = error.get("type") == "exceed_context_size_error"
    raise ModelCallError(
        f"the local model refused the prompt: {error.get('message', error)}",
        cause="context_length" if long else "bad_request",
        hint=f"A local model takes {SLOT_TOKENS} tokens." if long else None,
    )
