"""Batches as providers show them, and the providers that have them."""

from __future__ import annotations

from typing import Any, NamedTuple

from judgekit.errors import InputError

PROVIDERS = ("openai", "azure", "hosted_vllm", "litellm_proxy", "custom_openai")
"""Providers whose batches can be used: OpenAI's wire format, reached through litellm."""
MARK = "judgekit"
"""The name under which a batch's metadata carry our own id of it."""
HINT = (
    f"batches work with {', '.join(PROVIDERS)}; for another provider with an OpenAI-compatible "
    "batch API use openai/MODEL and its api_base"
)


class RemoteBatch(NamedTuple):
    """A batch as the provider shows it.

    Attributes:
        id: Its name there.
        status: ``validating``, ``in_progress``, ``finalizing``, ``cancelling``; or how it ended:
            ``completed``, ``failed``, ``expired``, ``cancelled``.
        input_file: The file it was made of.
        output_file: The file of replies, or None.
        error_file: The file of failures, or None.
        total: Requests in it; 0 while that is not known.
        completed: Requests answered so far.
        failed: Requests that failed so far.
        deadline: When it expires, in seconds since 1970, or None.
        created: When it was made, in seconds since 1970.
        mark: Our own id of it, or None.
        errors: Code and message of what is wrong with the whole batch.
    """

    id: str
    status: str
    input_file: str | None
    output_file: str | None
    error_file: str | None
    total: int
    completed: int
    failed: int
    deadline: float | None
    created: float
    mark: str | None
    errors: tuple[tuple[str, str], ...]


def check_provider(model: str) -> None:
    """Refuse a model whose name alone shows that it has no batches. Imports nothing.

    Raises:
        InputError: names the providers that have them.
    """
    provider, slash, _ = model.partition("/")
    if slash and provider not in PROVIDERS:
        raise InputError(f"there is no batch API to ask {model!r} through", hint=HINT)


def remote_batch(batch: Any) -> RemoteBatch:
    """Return a batch of litellm's as a plain value; what it does not say is None or 0."""
    counts = getattr(batch, "request_counts", None)
    metadata = getattr(batch, "metadata", None)
    errors = getattr(getattr(batch, "errors", None), "data", None) or ()
    return RemoteBatch(
        id=str(batch.id),
        status=str(batch.status),
        input_file=getattr(batch, "input_file_id", None),
        output_file=getattr(batch, "output_file_id", None),
        error_file=getattr(batch, "error_file_id", None),
        total=getattr(counts, "total", None) or 0,
        completed=getattr(counts, "completed", None) or 0,
        failed=getattr(counts, "failed", None) or 0,
        deadline=getattr(batch, "expires_at", None),
        created=getattr(batch, "created_at", None) or 0,
        mark=metadata.get(MARK) if isinstance(metadata, dict) else None,
        errors=tuple((str(e.code or ""), str(e.message or "")) for e in errors),
    )
