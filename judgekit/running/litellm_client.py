"""The default lane: any model that litellm knows.

litellm costs seconds and 200 MB to import, so it is imported with the first real call. Everything
it does on its own account is off: fetching price lists, retrying, dropping parameters, printing.
"""

from __future__ import annotations

import asyncio
import inspect
import logging
import os
import threading
import time
import warnings
from base64 import b64encode
from importlib import import_module
from typing import Any
from weakref import WeakKeyDictionary

from judgekit.errors import ModelCallError
from judgekit.judging.request import ModelReply, ModelRequest
from judgekit.running.litellm_errors import is_filtered, translate
from judgekit.running.litellm_reply import read_response
from judgekit.running.refused import FORMAT, refused_parameters
from judgekit.running.secrets import Secrets, credentials_of, login_of, without_credentials

QUIET = {"LITELLM_OFFLINE_MODE": "true", "LITELLM_LOCAL_MODEL_COST_MAP": "True"}
"""Set before the import unless the user has set them: importing then makes no connection."""

OURS = frozenset(
    {
        *("api_base", "api_key", "base_url", "client", "drop_params", "extra_headers"),
        *("fallbacks", "max_retries", "messages", "mock_response", "model", "n", "num_retries"),
        *(FORMAT, "stream", "timeout"),
    }
)
"""Arguments of the call that are no parameters of a judge."""

_importing = threading.Lock()
_users: WeakKeyDictionary[asyncio.AbstractEventLoop, int] = WeakKeyDictionary()


def import_litellm() -> Any:
    """Import litellm, quiet and offline, and return it."""
    with _importing:
        for name, value in QUIET.items():
            os.environ.setdefault(name, value)
        litellm: Any = import_module("litellm")
        litellm.suppress_debug_info = True
        litellm.telemetry = False
        if "LITELLM_LOG" not in os.environ:
            logging.getLogger("LiteLLM").setLevel(logging.CRITICAL)
        # It makes its coroutines in a thread; one that is cancelled meanwhile is never awaited.
        warnings.filterwarnings("ignore", ".*acompletion' was never awaited", RuntimeWarning)
        return litellm


class LiteLLMModel:
    """Asks through litellm; the request says which model and endpoint.

    Args:
        api_key_env: Name of the environment variable that holds the key; None leaves it to the
            variable that litellm reads for that provider.
    """

    def __init__(self, api_key_env: str | None = None) -> None:
        self._api_key_env = api_key_env
        self._litellm: Any = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._api_key: str | None = None
        self._secrets: dict[str, Secrets] = {}
        self._refused: dict[tuple[str, str | None], frozenset[str]] = {}

    async def prepare(self) -> None:
        """Import litellm in a thread, and find the key."""
        if self._litellm is None:
            # An import may load a .env file, so the key is looked up after it.
            litellm = await asyncio.to_thread(import_litellm)
            self._api_key = self._find_key()
            self._litellm = litellm
        if self._loop is None:
            self._loop = asyncio.get_running_loop()
            _users[self._loop] = _users.get(self._loop, 0) + 1

    async def complete(self, request: ModelRequest, *, timeout: float) -> ModelReply:  # noqa: ASYNC109
        """Ask once; again, without them, when the model does not take some parameters."""
        await self.prepare()
        self._check(request)
        endpoint = (request.model, request.api_base)
        while True:
            left_out = self._refused.get(endpoint, frozenset())
            optional = self._optional(request, left_out)
            reply, failure, refused = await self._once(request, optional, timeout)
            if refused:
                self._refused[endpoint] = left_out | refused
            elif failure is not None:
                raise failure  # outside any except: no secret hides in its context
            elif reply is not None:
                return reply

    async def aclose(self) -> None:
        """Close the connections of this event loop, if no other client of ours uses them."""
        loop, self._loop = self._loop, None
        if loop is None:
            return
        _users[loop] -= 1
        if _users[loop] == 0:
            await _close_clients(self._litellm)

    async def _once(
        self,
        request: ModelRequest,
        optional: dict[str, Any],
        timeout: float,  # noqa: ASYNC109
    ) -> tuple[ModelReply | None, ModelCallError | None, frozenset[str]]:
        """Make one call: the reply, or the failure, or the parameters that were refused."""
        secrets = self._secrets_of(request.api_base or "")
        began = time.perf_counter()
        try:
            async with asyncio.timeout(timeout):
                response = await self._litellm.acompletion(
                    **self._fixed(request, timeout), **optional
                )
        except Exception as error:  # noqa: BLE001  (litellm raises whatever a provider's code raises)
            refused = refused_parameters(error, optional)
            if refused:
                return None, None, refused
            if is_filtered(error):
                return ModelReply("", finish="content_filter"), None, frozenset()
            return None, translate(error, request.model, secrets), frozenset()
        wanted = {*request.parameters, *([FORMAT] if request.schema else [])}
        reply = read_response(
            response,
            latency_s=time.perf_counter() - began,
            left_out=tuple(sorted(wanted - optional.keys())),
            hide=secrets.hide_values,
        )
        return reply, None, frozenset()

    def _optional(self, request: ModelRequest, left_out: frozenset[str]) -> dict[str, Any]:
        """Return what a model may refuse: parameters and the reply schema."""
        optional = dict(request.parameters)
        if request.schema is not None:
            form = {"name": "reply", "schema": request.schema, "strict": True}
            optional[FORMAT] = {"type": "json_schema", "json_schema": form}
        return {name: value for name, value in optional.items() if name not in left_out}

    def _fixed(self, request: ModelRequest, timeout: float) -> dict[str, Any]:
        """Return the arguments of every call."""
        fixed: dict[str, Any] = {
            "model": request.model,
            "messages": [{"role": m.role, "content": m.content} for m in request.messages],
            "timeout": timeout,
            "max_retries": 0,
            "num_retries": 0,
            "drop_params": False,
        }
        key = self._api_key
        if request.api_base is not None:
            fixed["api_base"] = without_credentials(request.api_base)
            login = login_of(request.api_base)
            if login:
                token = b64encode(login.encode()).decode()
                fixed["extra_headers"] = {"Authorization": f"Basic {token}"}
            if key is None and "OPENAI_API_KEY" not in os.environ and _is_openai(request.model):
                key = "none"  # servers of one's own ask for no key, but the client insists on one
        if key is not None:
            fixed["api_key"] = key
        return fixed

    def _secrets_of(self, api_base: str) -> Secrets:
        if api_base not in self._secrets:
            self._secrets[api_base] = Secrets([self._api_key or "", *credentials_of(api_base)])
        return self._secrets[api_base]

    def _find_key(self) -> str | None:
        if self._api_key_env is None:
            return None
        key = os.environ.get(self._api_key_env)
        if not key:
            raise ModelCallError(
                f"the environment variable {self._api_key_env!r} is not set",
                cause="authentication",
                hint="api_key_env names the variable that holds the key, not the key itself",
            )
        return key

    def _check(self, request: ModelRequest) -> None:
        if request.likelihood is not None:
            raise ModelCallError(
                f"{request.model}: reading by likelihood works with local/ models only",
                cause="bad_request",
            )
        ours = sorted(OURS & request.parameters.keys())
        if ours:
            raise ModelCallError(
                f"{request.model}: {ours[0]!r} is not a parameter of a judge", cause="bad_request"
            )


def _is_openai(model: str) -> bool:
    return "/" not in model or model.startswith("openai/")


async def _close_clients(litellm: Any) -> None:
    """Close what litellm keeps open for this event loop; it would leave that to the collector."""
    try:
        cache = litellm.in_memory_llm_clients_cache
        ending = cache.update_cache_key_with_event_loop("")
        keys = [key for key in cache.cache_dict if ending and key.endswith(ending)]
        clients = [cache.cache_dict.pop(key) for key in keys]
    except AttributeError:  # kept elsewhere in this version
        return
    for client in clients:
        close = getattr(client, "close", None) or getattr(client, "aclose", None)
        if close is not None and inspect.iscoroutinefunction(close):
            await close()
