"""A provider's files and batches, through litellm.

Only providers that speak OpenAI's wire format are used: there a file is uploaded and a batch made
of it without a storage bucket of one's own, and a batch can be looked up again by the file it was
made of, so that none is ever paid for twice.
"""

from __future__ import annotations

import asyncio
import inspect
from base64 import b64encode
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

from judgekit.errors import InputError, ModelCallError
from judgekit.running.batch_files import ENDPOINT
from judgekit.running.batch_remote import (
    HINT,
    MARK,
    PROVIDERS,
    RemoteBatch,
    check_provider,
    remote_batch,
)
from judgekit.running.keys import key_for, named_key
from judgekit.running.litellm_client import LiteLLMModel, import_litellm
from judgekit.running.litellm_errors import chain, translate
from judgekit.running.providers import address_of, provider_of
from judgekit.running.retry import RetryPolicy
from judgekit.running.secrets import Secrets, credentials_of, login_of, without_credentials

T = TypeVar("T")
UNSURE = frozenset({"timeout", "connection", "server"})
"""Failures of a creation after which the batch may be there all the same."""
NO_FILES = frozenset({"not_found", "bad_request", "server"})
"""Failures of an upload at an endpoint that takes no files, as most servers of one's own."""
NO_ANSWER = frozenset({"ValidationError", "AttributeError"})
"""What litellm and its client raise where an answer holds something else than was asked for."""
ELSEWHERE = (
    "batches need an endpoint with OpenAI's files and batches; judgekit try, calibrate and score "
    "ask any other, call by call"
)
UNPRICED = {"batch_ignore_default_logging": True}
"""Or litellm fetches a batch's whole output each time it is looked at, to price it."""
TIMEOUT_S = 600.0
EARLIER_S = 86_400.0
"""Batches made longer than this before ours was asked for are not looked through."""


class BatchClient:
    """One endpoint's batches. Steps that cost nothing are repeated when they fail for the moment.

    Args:
        model: The model string.
        api_base: The endpoint, with the credentials its address carries, or None.
        api_key_env: Name of the environment variable that holds the key, or None.
        retry: How failed steps are repeated.
    """

    def __init__(
        self,
        model: str,
        api_base: str | None,
        api_key_env: str | None,
        retry: RetryPolicy | None = None,
    ) -> None:
        check_provider(model)
        self.model, self.api_base, self._key_env = model, api_base, api_key_env
        self._retry = retry or RetryPolicy()
        self.litellm: Any = None
        self.secrets = Secrets(credentials_of(api_base or ""))
        self._given: dict[str, Any] = {}
        self._lane = LiteLLMModel(api_key_env)
        self._login = login_of(api_base or "")

    async def prepare(self) -> None:
        """Import litellm, and find the provider and the key.

        Raises:
            InputError: the provider has no batches.
            ModelCallError: the key is missing.
        """
        if self.litellm is None:
            await self._lane.prepare()
            litellm = import_litellm()
            self._given = self._connection(litellm)
            self.litellm = litellm

    async def aclose(self) -> None:
        """Close the connections that litellm keeps open on this event loop."""
        if self.litellm is not None:
            await self._lane.aclose()

    async def upload(self, name: str, path: Path) -> str:
        """Upload a file of requests and return its id.

        Raises:
            ModelCallError: it is not there. Where the endpoint takes no files, the hint says so.
        """

        async def step() -> Any:
            content = await asyncio.to_thread(path.read_bytes)
            file = (name, content, "application/jsonl")
            return await self.litellm.acreate_file(file=file, purpose="batch", **self._given)

        try:
            return str((await self._often(step)).id)
        except ModelCallError as failure:
            if failure.cause in NO_FILES and not failure.transient:
                failure.hint = ELSEWHERE
            raise

    async def create(self, file_id: str, mark: str) -> RemoteBatch:
        """Make a batch of an uploaded file. This is what is paid for: it is never repeated blindly.

        Raises:
            ModelCallError: there is no batch; or, with a cause of ``UNSURE``, there may be one.
        """

        async def step() -> Any:
            return await self.litellm.acreate_batch(
                completion_window="24h",
                endpoint=ENDPOINT,
                input_file_id=file_id,
                metadata={MARK: mark},
                **self._given,
            )

        return remote_batch(await self._often(step, unless=UNSURE))

    async def find(self, file_id: str, mark: str, since: float) -> RemoteBatch | None:
        """Return the batch made of this file or marked so, or None when there is none.

        Args:
            file_id: The input file.
            mark: Our own id.
            since: When its making began, in seconds since 1970.
        """
        after: str | None = None
        while True:
            step = self._page_after(after)
            page = await self._often(step)
            if self._given["custom_llm_provider"] == "openai":  # Azure's is kept by litellm
                await _close_client_of(page)
            found = [remote_batch(batch) for batch in page.data or ()]
            for batch in found:
                if batch.mark == mark or batch.input_file == file_id:
                    return batch
            if not found or found[-1].id == after or not getattr(page, "has_more", False):
                return None
            if 0 < found[-1].created < since - EARLIER_S:
                return None
            after = found[-1].id

    async def retrieve(self, batch_id: str) -> RemoteBatch:
        """Return a batch as it stands."""

        async def step() -> Any:
            return await self.litellm.aretrieve_batch(
                batch_id=batch_id, litellm_metadata=UNPRICED, **self._given
            )

        return remote_batch(await self._often(step))

    async def cancel(self, batch_id: str) -> RemoteBatch:
        """Cancel a batch; what was answered by then is still delivered."""

        async def step() -> Any:
            return await self.litellm.acancel_batch(batch_id=batch_id, **self._given)

        return remote_batch(await self._often(step))

    async def content(self, file_id: str) -> bytes:
        """Return what an output or error file holds."""

        async def step() -> Any:
            return await self.litellm.afile_content(file_id=file_id, **self._given)

        answer = await self._often(step)
        content: bytes = answer.content
        return content

    def _page_after(self, after: str | None) -> Callable[[], Awaitable[Any]]:
        async def step() -> Any:
            # litellm sends no further headers here, so the login goes in the address.
            where = {"api_base": self.api_base} if self._login else {}
            return await self.litellm.alist_batches(
                after=after, limit=100, **{**self._given, **where}
            )

        return step

    async def _often(
        self, step: Callable[[], Awaitable[T]], unless: frozenset[str] = frozenset()
    ) -> T:
        """Do a step, and again where the failure is one of the moment."""
        attempts = 0
        while True:
            attempts += 1
            done, failure = await self._once(step)
            if failure is None:
                return done  # type: ignore[return-value]
            wait = self._retry.wait_before(attempts + 1, failure)
            if wait is None or failure.cause in unless:
                raise failure  # outside any except: no secret hides in its context
            await self._retry.sleep(wait)

    async def _once(
        self, step: Callable[[], Awaitable[T]]
    ) -> tuple[T | None, ModelCallError | None]:
        try:
            async with asyncio.timeout(TIMEOUT_S):
                return await step(), None
        except Exception as error:  # noqa: BLE001  (litellm raises whatever a provider's code raises)
            steps = list(chain(error))
            answered = any(hasattr(step, "response") for step in steps)
            if not answered and any(type(step).__name__ in NO_ANSWER for step in steps):
                return None, self._not_an_answer()
            return None, translate(error, self.model, self.secrets)

    def _not_an_answer(self) -> ModelCallError:
        """Return the failure of a step that was answered, but not as OpenAI answers it."""
        message = f"{self.model}: the endpoint's answer is not one about files and batches"
        return ModelCallError(message, cause="server", hint=ELSEWHERE)

    def _connection(self, litellm: Any) -> dict[str, Any]:
        """Return the arguments of every call: where, as whom, and how long."""
        named = named_key(self._key_env)
        if provider_of(self.model) is not None:  # OpenAI's format as it is, wherever it is
            provider, base = "openai", address_of(self.model, self.api_base)
            key: str | None = key_for(self.model, base, named)
        else:
            provider, base, key = self._native(litellm), self.api_base or "", named
        given: dict[str, Any] = {"custom_llm_provider": provider, "timeout": TIMEOUT_S}
        given |= {"max_retries": 0, "num_retries": 0}
        given |= {"api_base": without_credentials(base)} if base else {}
        given |= {"api_key": key} if key else {}
        # litellm makes a client for most calls and closes none; so connections close themselves.
        given["extra_headers"] = {"Connection": "close"}
        if self._login:
            token = b64encode(self._login.encode()).decode()
            given["extra_headers"]["Authorization"] = f"Basic {token}"
        self.secrets = Secrets([key or "", *credentials_of(base)])
        return given

    def _native(self, litellm: Any) -> str:
        """Return the provider of a model whose format litellm knows."""
        try:
            provider = str(litellm.get_llm_provider(self.model)[1])
        except Exception as error:  # noqa: BLE001  (as above)
            failure = translate(error, self.model, self.secrets)
        else:
            if provider not in PROVIDERS:
                raise InputError(f"{provider} has no batch API for {self.model!r}", hint=HINT)
            return provider
        raise failure


async def _close_client_of(page: Any) -> None:
    """Close the client that fetched a page: it is at hand here, and nobody else closes it."""
    close = getattr(getattr(page, "_client", None), "close", None)
    if inspect.iscoroutinefunction(close):
        await close()
