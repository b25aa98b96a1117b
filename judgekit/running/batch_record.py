"""What is known of one batch: values that stand in files between one step and the next."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

from pydantic import Field

from judgekit.rubric.frozen import Frozen

FINAL = frozenset({"completed", "failed", "expired", "cancelled"})
"""What providers call a batch that they are done with."""
State = Literal["planned", "uploaded", "creating", "submitted", "collected", "withdrawn"]
Format = Literal["judgekit.batch/1"]
FORMAT: Format = "judgekit.batch/1"


class Place(NamedTuple):
    """What one request is about.

    Attributes:
        key: The key of the request.
        item: The item's id.
        criterion: The criterion's name.
        replicate: 0 for the first asking.
        member: Which member of a panel is asked.
        order: How a pair is shown, or None.
        notes: What else is to be known of how it was asked, as in ``ModelReply``.
    """

    key: str
    item: str
    criterion: str
    replicate: int = 0
    member: int = 0
    order: str | None = None
    notes: tuple[str, ...] = ()


class Trouble(NamedTuple):
    """Why one request has no reply.

    Attributes:
        key: The key of the request.
        cause: A cause of ``ModelCallError``, or ``empty``, ``truncated``, ``expired``,
            ``cancelled``, ``not_returned``.
        message: The same for people.
    """

    key: str
    cause: str
    message: str


class Seen(Frozen):
    """What the provider said of a batch when it was last looked at.

    Attributes:
        status: The provider's word for it.
        total: Requests in it; 0 while the provider does not say.
        completed: Requests answered.
        failed: Requests that failed.
        deadline: When it expires, in seconds since 1970, or None.
        output_file: The file of replies, or None.
        error_file: The file of failures, or None.
        errors: Code and message of what is wrong with the whole batch.
        at: When it was looked at, in seconds since 1970.
    """

    status: str
    total: int = 0
    completed: int = 0
    failed: int = 0
    deadline: float | None = None
    output_file: str | None = None
    error_file: str | None = None
    errors: tuple[tuple[str, str], ...] = ()
    at: float = 0.0

    @property
    def final(self) -> bool:
        """Whether the provider is done with it; its files may come a moment after the status."""
        if self.status == "completed" and self.output_file is None:
            return self.error_file is not None and self.completed == 0
        return self.status in FINAL


class BatchRecord(Frozen):
    """One batch.

    Attributes:
        format: The form of this file.
        id: Its name here, and its mark at the provider.
        judge: The judge asked.
        model: The model asked.
        api_base: Its endpoint as far as it holds no secret, or None.
        secret_base: Whether the address in use carries more than ``api_base`` says.
        api_key_env: Name of the environment variable that holds the key, or None.
        requests: Requests in it.
        left_out: Parameters that are not sent, since the model does not take them.
        adjusted: Parameters sent otherwise than asked for.
        tokens: Whether the probabilities of tokens are asked for.
        price: What the project says the model costs, in US dollars for a million tokens of the
            prompt and of the reply; or None.
        estimate_usd: About what it costs, at half price; None when that is not known.
        created_at: When it was planned, in seconds since 1970.
        state: ``planned``: only here; ``uploaded``: its file is there; ``creating``: it was asked
            for, with what outcome is not known yet; ``submitted``: it is there; ``collected``:
            its replies are in the cache; ``withdrawn``: given up before it was there.
        file_id: The uploaded file.
        creating_at: When it was asked for.
        batch_id: Its name at the provider.
        seen: What the provider last said of it.
        kept: Replies that went into the cache, once collected.
        lost: Requests without a reply, once collected.
        cost_usd: What the replies with a known price cost; None when none of them has one.
        unpriced: Replies without a known price.
    """

    format: Format = FORMAT
    id: str = Field(pattern=r"^[0-9a-z]+$")
    judge: str
    model: str
    api_base: str | None = None
    secret_base: bool = False
    api_key_env: str | None = None
    requests: int
    left_out: tuple[str, ...] = ()
    adjusted: tuple[tuple[str, Any], ...] = ()
    tokens: bool = False
    price: tuple[float, float] | None = None
    estimate_usd: float | None = None
    created_at: float
    state: State = "planned"
    file_id: str | None = None
    creating_at: float | None = None
    batch_id: str | None = None
    seen: Seen | None = None
    kept: int = 0
    lost: int = 0
    cost_usd: float | None = None
    unpriced: int = 0

    @property
    def over(self) -> bool:
        """Whether nothing more is to come: collected, or given up before it was there."""
        return self.state in ("collected", "withdrawn")

    @property
    def ended(self) -> bool:
        """Whether the provider is done with it, and it waits to be collected."""
        return self.state == "submitted" and self.seen is not None and self.seen.final

    @property
    def interrupted(self) -> bool:
        """Whether its submission was begun and not ended."""
        return self.state in ("planned", "uploaded", "creating")

    def but(self, **changes: Any) -> BatchRecord:
        """Return this record with some fields changed."""
        return self.model_copy(update=changes)
