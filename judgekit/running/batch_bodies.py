"""The body of a request, just as a single call would send it."""

from __future__ import annotations

from typing import Any, NamedTuple

from judgekit.judging.request import ModelReply, ModelRequest
from judgekit.running.endpoint import ROOM, Endpoint, System
from judgekit.running.failures import failure_of
from judgekit.running.form import Put
from judgekit.running.known_refusals import known_refusals
from judgekit.running.litellm_errors import facts_of
from judgekit.running.providers import provider_of
from judgekit.running.secrets import Secrets

NOT_IN_A_BODY = frozenset({"stream", "max_retries", "extra_headers", "extra_body"})


class Learnt(NamedTuple):
    """What earlier replies tell of what a model does not take.

    Attributes:
        refused: Names of parameters.
        no_system: Whether it takes no system message.
    """

    refused: frozenset[str] = frozenset()
    no_system: bool = False

    def also(self, reply: ModelReply) -> Learnt:
        """Return this together with what one more reply tells."""
        if not (reply.left_out or reply.adjusted or reply.notes):
            return self
        renamed = {ROOM[name] for name, _ in reply.adjusted if name in ROOM}
        return Learnt(
            self.refused | renamed | frozenset(reply.left_out),
            self.no_system or "system_in_user" in reply.notes,
        )


class BodyMaker:
    """Makes the bodies of requests to one model.

    What a model is known to refuse is left out, renamed or moved as single calls do it. What it
    refuses beyond that cannot be found out in a batch before that has run.

    Args:
        litellm: The module.
        model: The model string.
        secrets: What must not stand in any message.
        system: Where system messages go.
        learnt: What earlier replies tell.
    """

    def __init__(
        self, litellm: Any, model: str, secrets: Secrets, system: System, learnt: Learnt
    ) -> None:
        self._litellm, self._model, self._secrets = litellm, model, secrets
        where: System = "user" if learnt.no_system and system == "auto" else system
        self._endpoint = Endpoint(secrets, where, known_refusals(model) | learnt.refused)
        self._native = None if provider_of(model) is not None else _Native(litellm, model)

    def body(self, request: ModelRequest) -> tuple[dict[str, Any], Put]:
        """Return the body of a request, and how the request is put.

        Raises:
            ModelCallError: there is no way to ask this.
        """
        while True:
            put = self._endpoint.put(request)
            messages = [{"role": m.role, "content": _plain(m.content)} for m in put.messages]
            if self._native is None:
                name = self._model.partition("/")[2]
                return {"model": name, "messages": messages, **put.form.sent}, put
            try:
                return self._native.body(messages, put), put
            except Exception as error:  # noqa: BLE001  (whatever a provider's code raises)
                facts = facts_of(error)
            if not self._endpoint.learn(facts, put):
                raise failure_of(facts, self._model, self._secrets)


class _Native:
    """Makes bodies as litellm makes them for a provider in whose format it puts single calls."""

    def __init__(self, litellm: Any, model: str) -> None:
        from litellm.types.utils import LlmProviders
        from litellm.utils import ProviderConfigManager

        self._name, self._provider, *_ = litellm.get_llm_provider(model)
        self._form: Any = ProviderConfigManager.get_provider_chat_config(
            model=self._name, provider=LlmProviders(self._provider)
        )
        self._known: tuple[object, dict[str, Any]] = (None, {})

    def body(self, messages: list[dict[str, Any]], put: Put) -> dict[str, Any]:
        """Return the body; raises whatever litellm raises."""
        if self._known[0] is not put.form:
            self._known = (put.form, self._parameters(put.form.sent))
        body: dict[str, Any] = self._form.transform_request(
            model=self._name,
            messages=messages,
            optional_params=dict(self._known[1]),
            litellm_params={},
            headers={},
        )
        more = body.get("extra_body") or {}
        return {**{n: v for n, v in body.items() if n not in NOT_IN_A_BODY}, **more}

    def _parameters(self, sent: dict[str, Any]) -> dict[str, Any]:
        """Return parameters in the provider's own words."""
        from litellm.utils import get_optional_params

        found: dict[str, Any] = get_optional_params(
            model=self._name, custom_llm_provider=self._provider, drop_params=False, **sent
        )
        return found


def _plain(content: Any) -> Any:
    return content if isinstance(content, str) else [*content]
