"""The seam to a model: what the engine needs of one, and which client serves which model."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal, Protocol, cast, runtime_checkable

from judgekit.errors import ModelCallError
from judgekit.judging.request import ModelReply, ModelRequest
from judgekit.registry import load

if TYPE_CHECKING:
    from judgekit.running.endpoint import System
    from judgekit.running.prices import Price

LANES: dict[str, str] = {"local/": "judgekit.running.local:LocalModel"}
"""Model prefixes that have a client of their own."""

Transport = Literal["auto", "litellm", "direct"]
"""How other models are reached: by litellm, directly, or directly where that is the same."""


class ChatModel(Protocol):
    """Something that answers requests. ``judgekit.testing.check_model`` holds one to this."""

    async def complete(self, request: ModelRequest, *, timeout: float) -> ModelReply:  # noqa: ASYNC109
        """Ask once and return the reply, whatever it says.

        Retries, caching and limits are the engine's, the limit of time among them: a client may
        keep to ``timeout`` by itself, and must end when it is cancelled. A reply that is empty,
        refused, filtered or cut short is a reply.

        Raises:
            ModelCallError: there was no reply.
        """
        ...

    async def aclose(self) -> None:
        """Let go of connections and memory. The engine calls it once, at the end."""
        ...


@runtime_checkable
class Preparable(Protocol):
    """A model that has something slow to do before its first call, outside the call's timeout."""

    async def prepare(self) -> None:
        """Import, load or check what the first call needs. May be called more than once.

        Raises:
            ModelCallError: no call can succeed, for example because a key is missing.
        """
        ...


class KeptModel:
    """One model for several runs: opened at the first, closed by its owner after the last.

    Args:
        make: Opens the model.
        wanted: Tells of the model an endpoint says it serves whether it is the one wanted. After
            the first that is not, no further call is made; that reply itself is handed on.
    """

    def __init__(
        self, make: Callable[[], ChatModel], wanted: Callable[[str], bool] = lambda _: True
    ) -> None:
        self._make, self.wanted = make, wanted
        self._model: ChatModel | None = None
        self.strange: str | None = None

    def open(self) -> ChatModel:
        """Return the model for one run, which may close it without effect."""
        if self._model is None:
            self._model = self._make()
        return _Lent(self._model, self)

    async def close(self) -> None:
        """Close the model, if it was ever opened."""
        if self._model is not None:
            await self._model.aclose()


class _Lent:
    """A model that stays open when the borrower is done with it."""

    def __init__(self, model: ChatModel, owner: KeptModel) -> None:
        self._model, self._owner = model, owner

    async def prepare(self) -> None:
        """Prepare the model, where it has something to prepare."""
        if isinstance(self._model, Preparable):
            await self._model.prepare()

    async def complete(self, request: ModelRequest, *, timeout: float) -> ModelReply:  # noqa: ASYNC109
        """Ask the model, unless it was seen to be another one."""
        if self._owner.strange is not None:
            raise ModelCallError(
                f"not asked: the endpoint now serves {self._owner.strange!r}",
                cause="bad_request",
                asked=False,
            )
        reply = await self._model.complete(request, timeout=timeout)
        if reply.served is not None and not self._owner.wanted(reply.served):
            self._owner.strange = reply.served
        return reply

    async def aclose(self) -> None:
        """Leave the model open."""


def lane_of(
    model: str, api_base: str | None, transport: Transport
) -> Literal["local", "direct", "litellm"]:
    """Return the lane that calls to a model take; ``local`` is this process."""
    from judgekit.running.providers import has_chat, provider_of

    if any(model.startswith(prefix) for prefix in LANES):
        return "local"
    plain = provider_of(model) is not None and api_base is not None and has_chat(model)
    return "direct" if transport == "direct" or (transport == "auto" and plain) else "litellm"


def open_model(
    model: str,
    *,
    api_base: str | None = None,
    api_key_env: str | None = None,
    transport: Transport = "auto",
    system: System = "auto",
    price: Callable[[str], Price | None] | None = None,
) -> ChatModel:
    """Return the client for ``model``. Nothing heavy is imported yet.

    Args:
        model: A model string: ``local/smollm2-135m``, or whatever litellm takes, for example
            ``openai/gpt-4.1-mini``.
        api_base: The address that will be asked, or None for the provider's own.
        api_key_env: Name of the environment variable that holds the key; None leaves it to the
            variable that is usual for that provider.
        transport: ``direct`` for OpenAI-compatible endpoints, without litellm; ``litellm`` for
            any; ``auto`` goes directly where an address is given and both send the same.
        system: Where system messages go; ``auto`` moves them in front of the user's text for a
            model that takes none.
        price: Returns what a model costs, or None; None asks litellm's price list.

    Raises:
        InputError: the model cannot be reached directly, or its address is not known.
    """
    for prefix, target in LANES.items():
        if model.startswith(prefix):
            return cast("ChatModel", load(target)(model))
    from judgekit.running.providers import address_of, provider_of

    if transport == "direct" or (provider_of(model) is not None and api_base is not None):
        address_of(model, api_base)
    directly = lane_of(model, api_base, transport) == "direct"
    lane = "direct:DirectModel" if directly else "litellm_client:LiteLLMModel"
    client = load(f"judgekit.running.{lane}")
    return cast("ChatModel", client(api_key_env, system=system, price=price))
