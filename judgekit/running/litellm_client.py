"""The litellm lane: any model that litellm knows.

litellm costs seconds and 200 MB to import, so it is imported with the first real call. Everything
it does on its own account is off: fetching price lists, retrying, dropping parameters, printing.
Endpoints in OpenAI's own format are asked through it without its knowledge of models, so that they
get the same bytes as in the direct lane.
"""

from __future__ import annotations

import asyncio
import os
import time
from base64 import b64encode
from collections.abc import Callable
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlsplit
from weakref import WeakKeyDictionary

from judgekit.judging.request import ModelReply, ModelRequest
from judgekit.running.asking import ask
from judgekit.running.direct_reply import Reader, stopped_short
from judgekit.running.endpoint import Endpoint, System
from judgekit.running.facts import Facts
from judgekit.running.form import Put
from judgekit.running.keys import NO_KEY, key_for, named_key, read_env_file
from judgekit.running.known_refusals import known_refusals
from judgekit.running.litellm_errors import facts_of
from judgekit.running.litellm_library import (
    caught,
    close_clients,
    import_litellm,
    straight_client,
    tell_price,
)
from judgekit.running.litellm_reply import PLAIN, read_response
from judgekit.running.prices import Price, price_of
from judgekit.running.providers import address_of, has_chat, provider_of
from judgekit.running.secrets import Secrets, credentials_of, login_of, without_credentials

_users: WeakKeyDictionary[asyncio.AbstractEventLoop, int] = WeakKeyDictionary()

__all__ = ["LiteLLMModel", "import_litellm"]


class LiteLLMModel:
    """Asks through litellm; the request says which model and endpoint.

    Args:
        api_key_env: Name of the environment variable that holds the key; None leaves it to the
            variable that litellm reads for that provider.
        system: Where system messages go; ``auto`` moves them for a model that takes none.
        price: Returns what a model costs, or None; None asks litellm.
    """

    def __init__(
        self,
        api_key_env: str | None = None,
        *,
        system: System = "auto",
        price: Callable[[str], Price | None] | None = None,
    ) -> None:
        self._api_key_env, self._system, self._price = api_key_env, system, price
        self._litellm: Any = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._named_key: str | None = None
        self._targets: dict[tuple[str, str | None], _Target] = {}

    async def prepare(self) -> None:
        """Import litellm in a thread, and find the key."""
        if self._litellm is None:
            # An import may load a .env file, so the key is looked up after it.
            litellm = await asyncio.to_thread(import_litellm)
            read_env_file()
            self._named_key = named_key(self._api_key_env)
            self._litellm = litellm
        if self._loop is None:
            self._loop = asyncio.get_running_loop()
            _users[self._loop] = _users.get(self._loop, 0) + 1

    async def complete(self, request: ModelRequest, *, timeout: float) -> ModelReply:  # noqa: ASYNC109
        """Ask once; again, otherwise, when the model does not take some of it."""
        if self._loop is None:
            await self.prepare()
        at = (request.model, request.api_base)
        target = self._targets.get(at)
        if target is None:
            plain = provider_of(request.model) is not None and has_chat(request.model)
            target = self._targets[at] = self._plain(*at) if plain else self._native(*at)
        return await ask(request, target.endpoint, lambda put: self._once(put, target, timeout))

    async def aclose(self) -> None:
        """Close the connections of this event loop, if no other client of ours uses them."""
        loop, self._loop = self._loop, None
        if loop is None:
            return
        clients = [t.fixed["client"] for t in self._targets.values() if t.fixed.get("client")]
        self._targets.clear()
        for client in clients:
            await client.close()
        _users[loop] -= 1
        if _users[loop] == 0:
            await close_clients(self._litellm)

    async def _once(
        self,
        put: Put,
        target: _Target,
        timeout: float,  # noqa: ASYNC109
    ) -> ModelReply | Facts:
        """Make one call: the reply, or the facts of its failure."""
        sent = put.form.sent
        messages = [
            {"role": m.role, "content": m.content if isinstance(m.content, str) else [*m.content]}
            for m in put.messages
        ]
        # Parameters that litellm does not know are handed on as they are.
        optional = {"extra_body": {**sent}} if target.plain else sent
        tokens, began = "logprobs" in sent, time.perf_counter()
        answers: list[tuple[int, Any, bytes]] = []
        mark = caught.set(answers)
        failure: Exception | None = None
        response: Any = None
        try:
            response = await self._litellm.acompletion(
                messages=messages, timeout=timeout, **target.fixed, **optional
            )
        except Exception as error:  # noqa: BLE001  (litellm raises whatever a provider's code raises)
            failure = error
        finally:
            caught.reset(mark)
        latency_s = time.perf_counter() - began
        if target.plain and target.priced is not None and answers:
            return target.priced.answer(*answers[-1], latency_s, tokens=tokens)
        if failure is not None:
            return facts_of(failure)
        reply = read_response(
            response,
            latency_s=latency_s,
            secrets=target.endpoint.secrets,
            tokens=tokens,
            priced=target.priced,
        )
        return stopped_short(reply.finish) or reply

    def _plain(self, model: str, api_base: str | None) -> _Target:
        """Find out what calls to an endpoint in OpenAI's own format need."""
        address = address_of(model, api_base)
        key = key_for(model, address, self._named_key)
        fixed = {
            **_fixed(f"{PLAIN}/{model.partition('/')[2]}", address),
            "api_key": key,
        }
        fixed["client"] = straight_client(key, fixed["api_base"])
        secrets = Secrets([key, *credentials_of(address)])
        price = price_of(model) if self._price is None else self._price(model)
        tell_price(self._litellm, fixed["model"], PLAIN, price)
        return _Target(
            endpoint=Endpoint(secrets, self._system, known_refusals(model)),
            fixed=fixed,
            priced=Reader(model, secrets, self._price),
            plain=True,
        )

    def _native(self, model: str, api_base: str | None) -> _Target:
        """Find out what calls need that litellm puts into a provider's own format."""
        fixed = _fixed(model, api_base)
        key = self._named_key
        if key is None and api_base and "/" not in model and "OPENAI_API_KEY" not in os.environ:
            key = NO_KEY
        if key is not None:
            fixed["api_key"] = key
        secrets = Secrets([key or "", *credentials_of(api_base or "")])
        return _Target(
            endpoint=Endpoint(secrets, self._system),
            fixed=fixed,
            priced=None if self._price is None else Reader(model, secrets, self._price),
            plain=False,
        )


class _Target(NamedTuple):
    """What every call to one model at one address needs.

    Attributes:
        endpoint: What it takes.
        fixed: Arguments of every call.
        priced: Knows the price; None leaves it to litellm.
        plain: Whether it is asked in OpenAI's format as it is.
    """

    endpoint: Endpoint
    fixed: dict[str, Any]
    priced: Reader | None
    plain: bool


def _fixed(model: str, api_base: str | None) -> dict[str, Any]:
    """Return the arguments of every call to a model."""
    fixed: dict[str, Any] = {
        "model": model,
        "max_retries": 0,
        "num_retries": 0,
        "drop_params": False,
    }
    if api_base is not None:
        parts = urlsplit(without_credentials(api_base))
        fixed["api_base"] = parts._replace(query="").geturl()
        if parts.query:  # the client would put the path behind it
            fixed["extra_query"] = dict(parse_qsl(parts.query, keep_blank_values=True))
        login = login_of(api_base)
        if login:
            token = b64encode(login.encode()).decode()
            fixed["extra_headers"] = {"Authorization": f"Basic {token}"}
    return fixed
