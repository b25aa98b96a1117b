"""litellm itself: how it is imported, and what it is told to let go of."""

from __future__ import annotations

import inspect
import logging
import os
import threading
import warnings
from contextvars import ContextVar
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from judgekit.running.prices import Price

QUIET = {"LITELLM_OFFLINE_MODE": "true", "LITELLM_LOCAL_MODEL_COST_MAP": "True"}
"""Set before the import unless the user has set them: importing then makes no connection."""

caught: ContextVar[list[tuple[int, Any, bytes]] | None] = ContextVar("caught", default=None)
"""Where the response of a call goes: status, headers and body."""

_importing = threading.Lock()


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
        warnings.filterwarnings("ignore", "Pydantic serializer warnings", UserWarning)
        warnings.filterwarnings("ignore", ".*acompletion' was never awaited", RuntimeWarning)
        return litellm


def tell_price(litellm: Any, model: str, provider: str, price: Price | None) -> None:
    """Tell litellm what a model costs that is not on its list; nothing where that is not known.

    We work out the cost ourselves. litellm does so too, after every call, and takes a twentieth
    of the call's time to find that it cannot.
    """
    if price is not None and model not in litellm.model_cost:
        entry = {
            "input_cost_per_token": price.input,
            "output_cost_per_token": price.output,
            "litellm_provider": provider,
            "mode": "chat",
        }
        litellm.register_model({model: entry})


def straight_client(key: str, address: str) -> Any:
    """Return the client litellm would make for a plain endpoint, but stricter.

    litellm's own follows redirects, and would take the answer of another place for this one's. And
    each response is put into :data:`caught` as it came: litellm fills in what is not there, and
    gives up on what its classes do not take. None where a version of litellm makes it otherwise.
    """
    try:
        make = import_module("litellm.llms.openai.common_utils").BaseOpenAILLM.get_async_http_client
        http = make()
        http.follow_redirects = False
        http.event_hooks = {"response": [_catch]}
        openai = import_module("openai")
        return openai.AsyncOpenAI(api_key=key, base_url=address, max_retries=0, http_client=http)
    except (AttributeError, ImportError, TypeError):
        return None


async def _catch(response: Any) -> None:
    found = caught.get()
    if found is not None:
        found[:] = [(response.status_code, response.headers, await response.aread())]


async def close_clients(litellm: Any) -> None:
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
