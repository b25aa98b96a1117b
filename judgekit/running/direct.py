"""The direct lane: OpenAI-compatible endpoints over aiohttp, without litellm.

It sends the bytes that the litellm lane sends and reads the answer as that lane reads it, at a
tenth of the cost. The time limit is its caller's: a call that is given up closes its connection.
Proxies come from the environment, as in litellm; redirects are not followed, so that a key goes
nowhere but to the address it was given for.
"""

from __future__ import annotations

import asyncio
import io
import json
import os
import time
from base64 import b64encode
from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import orjson

from judgekit.judging.request import ModelReply, ModelRequest
from judgekit.running.asking import ask
from judgekit.running.direct_reply import Reader
from judgekit.running.endpoint import Endpoint, System
from judgekit.running.facts import Facts, Kind
from judgekit.running.form import Form, Put
from judgekit.running.keys import key_for, named_key, read_env_file
from judgekit.running.known_refusals import known_refusals
from judgekit.running.prices import Price
from judgekit.running.providers import address_of
from judgekit.running.secrets import Secrets, credentials_of, login_of, without_credentials

LARGEST = 32 * 2**20
"""Bytes of an answer; a longer one is not read, so that no endpoint can fill the memory."""

_MESSAGE = {
    role: b'{"role":"%b","content":%%b}' % role.encode() for role in ("system", "user", "assistant")
}
_ALL_AT_ONCE = 2**20
"""Bodies of more bytes are handed over as a stream; aiohttp asks for it."""


class DirectModel:
    """Asks OpenAI-compatible endpoints; the request says which model and address.

    Args:
        api_key_env: Name of the environment variable that holds the key; None leaves it to the
            variable that is usual for the provider.
        system: Where system messages go; ``auto`` moves them for a model that takes none.
        price: Returns what a model costs, or None; None asks litellm's price list.
    """

    def __init__(
        self,
        api_key_env: str | None = None,
        *,
        system: System = "auto",
        price: Callable[[str], Price | None] | None = None,
    ) -> None:
        self._api_key_env, self._system, self._price = api_key_env, system, price
        self._aiohttp: Any = None
        self._session: Any = None
        self._broken: tuple[type[BaseException], ...] = (OSError,)
        self._named_key: str | None = None
        self._targets: dict[tuple[str, str | None], _Target] = {}

    async def prepare(self) -> None:
        """Import aiohttp in a thread, and find the key."""
        if self._aiohttp is None:
            self._aiohttp = await asyncio.to_thread(import_module, "aiohttp")
            await asyncio.to_thread(read_env_file)
            self._named_key = named_key(self._api_key_env)
            self._broken = (self._aiohttp.ClientError, OSError)
        if self._session is None:
            self._session = self._aiohttp.ClientSession(
                connector=self._aiohttp.TCPConnector(limit=0),  # how many at once is the engine's
                timeout=self._aiohttp.ClientTimeout(total=None, sock_connect=None),
                cookie_jar=self._aiohttp.DummyCookieJar(),
            )

    async def complete(self, request: ModelRequest, *, timeout: float) -> ModelReply:  # noqa: ASYNC109
        """Ask once; again, otherwise, when the model does not take some of it.

        Args:
            request: What to ask.
            timeout: Not kept here: whoever asks limits the time around the call.
        """
        if self._session is None:
            await self.prepare()
        at = (request.model, request.api_base)
        target = self._targets.get(at)
        if target is None:
            target = self._targets[at] = self._open(*at)
        return await ask(request, target.endpoint, lambda put: self._once(put, request, target))

    async def aclose(self) -> None:
        """Close the connections."""
        session, self._session = self._session, None
        if session is not None:
            await session.close()

    async def _once(self, put: Put, request: ModelRequest, target: _Target) -> ModelReply | Facts:
        try:
            body = target.body(put)
        except (TypeError, ValueError) as error:
            return Facts("unsendable", message=str(error))
        began = time.perf_counter()
        try:
            async with self._session.post(
                target.url,
                data=body if len(body) < _ALL_AT_ONCE else io.BytesIO(body),
                headers=target.headers,
                proxy=target.proxy,
                allow_redirects=False,
            ) as response:
                status, headers = response.status, response.headers
                raw = await _read(response)
        except self._broken as error:
            kind: Kind = "timeout" if isinstance(error, TimeoutError) else "connection"
            return Facts(kind, message=str(error) or type(error).__name__)
        latency_s = time.perf_counter() - began
        if raw is None:
            return Facts("too_big", message=f"the answer is longer than {LARGEST >> 20} MB")
        tokens = "logprobs" in put.form.sent
        return target.reader.answer(status, headers, raw, latency_s, tokens=tokens)

    def _open(self, model: str, api_base: str | None) -> _Target:
        """Find out what every call to a model needs."""
        address = address_of(model, api_base)
        key = key_for(model, address, self._named_key)
        secrets = Secrets([key, *credentials_of(address)])
        login = login_of(address)
        token = b64encode(login.encode()).decode() if login else ""
        parts = urlsplit(without_credentials(address))
        url = parts._replace(path=f"{parts.path.rstrip('/')}/chat/completions").geturl()
        return _Target(
            Endpoint(secrets, self._system, known_refusals(model)),
            Reader(model, secrets, self._price),
            import_module("yarl").URL(url, encoded=True),
            {
                "Authorization": f"Basic {token}" if login else f"Bearer {key}",
                "Content-Type": "application/json",
                "Accept": "application/json",
                **_account(),
            },
            _proxy(url),
            b'{"model":' + orjson.dumps(model.partition("/")[2]) + b',"messages":[',
        )


class _Target(NamedTuple):
    """What every call to one model at one address needs."""

    endpoint: Endpoint
    reader: Reader
    url: Any
    headers: dict[str, str]
    proxy: str | None
    head: bytes

    def body(self, put: Put) -> bytes:
        """Return the body: what the openai client makes of the same request, byte for byte."""
        messages = [_MESSAGE[m.role] % orjson.dumps(m.content) for m in put.messages]
        return b"%b%b%b" % (self.head, b",".join(messages), put.form.tail or _tail(put.form))


def _tail(form: Form) -> bytes:
    """Return the end of the body, from the end of the messages on."""
    sent = json.dumps(form.sent, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    form.tail = b"]" + (b"," if form.sent else b"") + sent[1:].encode()
    return form.tail


async def _read(response: Any) -> bytes | None:
    """Return the body of an answer, or None when it is too long."""
    length = response.content_length
    if length is not None and "Content-Encoding" not in response.headers:
        whole: bytes | None = await response.read() if length <= LARGEST else None
        return whole
    parts, size = [], 0
    async for part in response.content.iter_any():
        parts.append(part)
        size += len(part)
        if size > LARGEST:
            return None
    return b"".join(parts)


def _account() -> dict[str, str]:
    """Return the headers that say for which of several accounts a key is used."""
    named = {
        "OpenAI-Organization": ("OPENAI_ORGANIZATION", "OPENAI_ORG_ID"),
        "OpenAI-Project": ("OPENAI_PROJECT_ID",),
    }
    found = {h: next(filter(None, map(os.environ.get, names)), None) for h, names in named.items()}
    return {header: value for header, value in found.items() if value}


def _proxy(url: str) -> str | None:
    """Return the proxy that the environment names for an address, or None."""
    from urllib.request import getproxies, proxy_bypass

    parts, proxies = urlsplit(url), getproxies()
    proxy = proxies.get(parts.scheme) or proxies.get("all")
    if not proxy or proxy_bypass(parts.hostname or ""):
        return None
    return proxy if "://" in proxy else f"http://{proxy}"
