"""What may stand in ``judgekit.toml``: its tables, their keys, and how they go together."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, field_validator, model_validator

from judgekit.calibration.policy import Policy
from judgekit.errors import InputError
from judgekit.rubric.frozen import Frozen
from judgekit.storage.configuration_measures import SIZES, measured
from judgekit.storage.configuration_values import (
    Inside,
    check_address,
    check_model,
    check_name,
    check_parameters,
    check_variable,
)

Name = Annotated[str, AfterValidator(check_name)]
Model = Annotated[str, AfterValidator(check_model)]
Address = Annotated[str, AfterValidator(check_address)]
Variable = Annotated[str, AfterValidator(check_variable)]
Count = Annotated[int, Field(ge=1, le=10**12)]
Parameters = Annotated[dict[str, Any], AfterValidator(check_parameters)]


class Price(Frozen):
    """What a model costs, in US dollars for a million tokens."""

    input: float = Field(ge=0)
    output: float = Field(ge=0)


class PanelEntry(Frozen):
    """One model of a panel; what it does not say is the judge's own.

    A ``price`` is that of the model: one that is named twice, at two addresses, has one.
    """

    model: Model
    api_base: Address | None = None
    api_key_env: Variable | None = None
    params: Parameters = Field(default_factory=dict)
    price: Price | None = None


def _members(said: Any) -> Any:
    """Return a panel with every member as a table."""
    if isinstance(said, list) and not said:
        hint = "name two models or more, or leave panel out and name one as model"
        raise InputError("there is nobody in it", hint=hint)
    if not isinstance(said, list):
        return said
    return [{"model": member} if isinstance(member, str) else member for member in said]


class JudgeEntry(Frozen):
    """One ``[judges.NAME]`` table.

    Attributes:
        rubric: The rubric file, relative to the project.
        model: Any litellm model string, ``local/smollm2-135m`` or ``local/PATH.gguf``. May be
            left out for judges that are only ever read from recorded judgments.
        temperature: Sampling temperature.
        max_tokens: Room for the reply, thinking included.
        replicates: How often each item is asked.
        labels: The labelled set, relative to the project.
        items: The labelled items, where the labels do not carry their text.
        api_base: Endpoint of an OpenAI-compatible server.
        api_key_env: Name of the environment variable that holds the key; never the key.
        transport: How the model is reached.
        concurrency: Calls in flight at once.
        timeout: Seconds one call may take.
        output: What is asked for: a reply that follows a schema, or free text.
        scoring: How a level is got; local models are read by likelihood unless this says other.
        slices: Columns of the items by which agreement is told apart, named before anybody looked.
        params: Any other model parameter.
        panel: Several models that judge as one, instead of ``model``.
        rule: How several levels for one item become one: by ``majority``, or their ``median``.
        orders: Pairs only: show them in ``both`` orders, or as ``given``.
        inconsistent: Pairs only: where the two orders disagree, a ``tie`` or ``unjudged``.
        system: Where the rubric stands: in a ``system`` message, or in front of the ``user``'s;
            ``auto`` moves it there for a model that takes no system message.
        probabilities: Ask for token probabilities, where the model gives them.
        requests_per_minute: Most requests sent in any minute.
        tokens_per_minute: Most tokens, prompt and reply room, in any minute.
        run_timeout: Seconds a whole run may take; what is not answered by then fails.
        price: What the model costs, where litellm's list does not know or is wrong.
        pinned: Refuse a model without a date in its name: a provider puts new models behind it.
    """

    rubric: Name
    model: Model | None = None
    temperature: float | None = 0.0
    max_tokens: Count = 4096
    replicates: int = Field(1, ge=1, le=99)
    labels: Name | None = None
    items: Name | None = None
    api_base: Address | None = None
    api_key_env: Variable | None = None
    transport: Literal["auto", "litellm", "direct"] = "auto"
    concurrency: int = Field(16, ge=1, le=1024)
    timeout: float = Field(120.0, gt=0)
    output: Literal["schema", "text"] = "schema"
    scoring: Literal["generation", "likelihood"] | None = None
    slices: list[Name] = Field(default_factory=list)
    params: Parameters = Field(default_factory=dict)
    panel: Annotated[list[PanelEntry], BeforeValidator(_members)] = Field(default_factory=list)
    rule: Literal["majority", "median"] = "majority"
    orders: Literal["both", "given"] = "both"
    inconsistent: Literal["tie", "unjudged"] = "tie"
    system: Literal["auto", "system", "user"] = "auto"
    probabilities: bool = False
    requests_per_minute: Count | None = None
    tokens_per_minute: Count | None = None
    run_timeout: float | None = Field(None, gt=0)
    price: Price | None = None
    pinned: bool = False

    @model_validator(mode="after")
    def _said_once(self) -> JudgeEntry:
        """Refuse what is said twice and not the same: one of the two would be lost unseen."""
        if self.model is not None and self.panel:
            raise Inside(
                "there is a model and a panel, and only one of the two can be asked",
                "panel",
                hint="leave out model, and name it in panel if it is to be a member",
            )
        for name in ("temperature", "max_tokens"):
            if name in self.model_fields_set and name in self.params:
                beside, under = getattr(self, name), self.params[name]
                if beside != under:
                    raise Inside(
                        f"{name} is {beside} beside params and {under!r} in it",
                        "params",
                        name,
                        hint=f"leave out one of the two; {name} is a key of its own",
                    )
        if self.probabilities and self.params.get("logprobs", True) is not True:
            raise Inside(
                "probabilities asks for logprobs, and params refuses them",
                "params",
                "logprobs",
                hint="leave out one of the two",
            )
        return self


class Paths(Frozen):
    """The ``[paths]`` table."""

    certificates: Name = "certificates"
    cache: Name = ".judgekit/cache"
    runs: Name = ".judgekit/runs"
    batches: Name = ".judgekit/batches"


class CacheSettings(Frozen):
    """The ``[cache]`` table.

    Attributes:
        max_bytes: The size above which the oldest replies are taken out after a run, in bytes or
            as text such as ``"500 MB"``; at least 1 MB. None keeps every reply for good.
    """

    max_bytes: int | None = None

    @field_validator("max_bytes", mode="before")
    @classmethod
    def _roomy(cls, said: Any) -> int | None:
        size = measured(said, SIZES) if isinstance(said, str) else said
        if isinstance(size, bool) or not isinstance(size, int | float) or not size == size // 1:
            raise InputError(f"{said!r} is no size", hint=_SIZE_HINT)
        if size < LEAST_CACHE:
            raise InputError(
                f"{said!r} is less than 1 MB: the cache would be emptied after every run",
                hint=_SIZE_HINT,
            )
        return int(size)


LEAST_CACHE = 1_000_000
"""Bytes; an empty database takes some 30,000 of them."""
_SIZE_HINT = 'write for example max_bytes = "500 MB", or leave it out to keep every reply'


class Configuration(Frozen):
    """The whole of ``judgekit.toml``."""

    judges: dict[Name, JudgeEntry] = Field(default_factory=dict)
    policy: Policy = Field(default_factory=Policy)
    paths: Paths = Field(default_factory=Paths)
    cache: CacheSettings = Field(default_factory=CacheSettings)

    @field_validator("policy")
    @classmethod
    def _datable(cls, policy: Policy) -> Policy:
        for name in ("dated_days", "alias_days", "local_days", "warn_days"):
            if getattr(policy, name) > MOST_DAYS:
                hint = f"write {MOST_DAYS} at most, which is a century"
                raise Inside(f"{name} leads beyond every calendar", name, hint=hint)
        return policy


MOST_DAYS = 36_525
"""Days that a certificate may hold; a date of the year 10,000 is none."""
