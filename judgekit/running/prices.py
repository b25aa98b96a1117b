"""What models cost, from litellm's own list on disk, without importing litellm.

The list tells most prices as so much a token. Where it charges in another way (by the second, by
the character, by a table of tiers, for each search), and where it says 0 for a model that somebody
else runs, the price counts as unknown: no number is better than a wrong one.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import orjson

from judgekit.judging.request import ModelRequest

REPLY_TOKENS = 120
"""What a reason and a level usually take."""

IMAGE_TOKENS = 1000
"""What an image in a prompt usually takes."""

FREE = ("local/", "ollama/", "ollama_chat/")
"""Prefixes of models that run on a machine of one's own."""

_MESSAGE_TOKENS = 4
"""What stands around a message."""
_SCHEMA_SHARE = 0.25
"""Tokens of a reply schema for each of its characters."""
_LIST = "model_prices_and_context_window_backup.json"
_MODES = frozenset({"chat", "completion", "responses"})
_OTHERWISE = re.compile(
    r"tiered_pricing|per_second|per_character|^input_cost_per_(image|request|query)$"
)
"""Names of what the list charges otherwise than by the token."""
_FIREWORKS_CACHED = 0.5
"""What Fireworks charges for a cached token where the list does not say: a share of ``input``."""
_LONGER = re.compile(r"^input_cost_per_token_above_(\d+)(k?)_tokens$")


@dataclass(frozen=True, slots=True)
class Price:
    """What the tokens of one model cost, in US dollars for one token.

    Attributes:
        input: A token of the prompt.
        output: A token of the reply.
        cached: A token of the prompt that the provider had in its own cache; None as ``input``.
        written: A token of the prompt that the provider put into its cache; None as ``input``.
        reasoning: A token spent on thinking; None as ``output``.
        longer_than: The length of a prompt, in tokens, above which ``longer`` holds.
        longer: The price of all tokens of a call with a longer prompt.
        ceiling: True where the price changes with the hour: no call costs more, some cost less.
    """

    input: float
    output: float
    cached: float | None = None
    written: float | None = None
    reasoning: float | None = None
    longer_than: int = 0
    longer: Price | None = None
    ceiling: bool = False

    @property
    def free(self) -> bool:
        """Whether calls cost nothing."""
        return self.input == 0 == self.output

    def expected(self, tokens_in: float, tokens_out: float) -> float:
        """Return about what a call costs: at most that, for a price that changes with the hour."""
        price = self.at(tokens_in)
        return tokens_in * price.input + tokens_out * price.output

    def at(self, tokens_in: float) -> Price:
        """Return the price of a call whose prompt has so many tokens."""
        price = self
        while price.longer is not None and tokens_in > price.longer_than:
            price = price.longer
        return price


NOTHING = Price(0.0, 0.0)
"""The price of models that run in this process or on this machine."""


def price_per_million(input: float, output: float) -> Price:  # noqa: A002  (as in judgekit.toml)
    """Return the price written in a project's file, in US dollars for a million tokens."""
    return Price(input / 1e6, output / 1e6)


@lru_cache(maxsize=1024)
def price_of(model: str, served: str | None = None) -> Price | None:
    """Return what a model's tokens cost at the provider's ordinary rates; None when unknown.

    Batches and service tiers have other rates. The list (3 MB) is read at the first call, which
    takes some 30 ms; a name asked for before is answered at once.

    Args:
        model: The model string asked for, for example ``openai/gpt-4.1-mini``.
        served: The model that the endpoint says it used. Where the list has its price, that is
            it: a deployment has a name of its own, and an alias moves on to newer models.
    """
    if model.startswith(FREE):
        return NOTHING
    if served:
        provider, slash, _ = model.partition("/")
        whole = not slash or served.startswith(f"{provider}/")
        found = _find(served if whole else f"{provider}/{served}")
        if found is not None:
            return found
    return _find(model)


def cost_of(
    price: Price | None,
    tokens_in: int | None,
    tokens_out: int | None,
    tokens_cached: int | None = None,
    tokens_reasoning: int | None = None,
    tokens_written: int | None = None,
) -> float | None:
    """Return what a call cost in US dollars; None when the price or the usage is not known.

    Args:
        price: The model's price, or None.
        tokens_in: Tokens of the prompt, the cached and the written ones among them.
        tokens_out: Tokens of the reply, thinking included.
        tokens_cached: Those of the prompt that the provider had in its cache.
        tokens_reasoning: Those of the reply that were thinking.
        tokens_written: Those of the prompt that the provider put into its cache.
    """
    if price is None:
        return None
    if price.free:
        return 0.0
    if tokens_in is None or tokens_out is None or price.ceiling:
        return None
    price = price.at(tokens_in)
    cached = min(tokens_cached or 0, tokens_in)
    written = min(tokens_written or 0, tokens_in - cached)
    thinking = min(tokens_reasoning or 0, tokens_out)
    return (
        (tokens_in - cached - written) * price.input
        + cached * (price.input if price.cached is None else price.cached)
        + written * (price.input if price.written is None else price.written)
        + (tokens_out - thinking) * price.output
        + thinking * (price.output if price.reasoning is None else price.reasoning)
    )


def request_tokens(request: ModelRequest) -> int:
    """Return about how many tokens a request's prompt has, rather too many than too few.

    Tokens of plain English have 4.5 characters, of code 3.5; the length of other writing says
    less than the bytes it takes.
    """
    tokens = _SCHEMA_SHARE * len(str(request.schema)) if request.schema else 0.0
    for message in request.messages:
        text = message.text
        plain = len(text) if text.isascii() else len(text.encode("ascii", "ignore"))
        other = 0 if text.isascii() else len(text.encode("utf-8", "replace")) - plain
        tokens += plain / 3.6 + other / 2.5 + _MESSAGE_TOKENS
        if not isinstance(message.content, str):
            tokens += IMAGE_TOKENS * sum("text" not in part for part in message.content)
    return math.ceil(tokens)


def estimated_tokens(characters: int) -> int:
    """Return about how many tokens a text is: one for every four characters."""
    return -(-characters // 4)


def estimated_cost(model: str, tokens: int, reply_tokens: int = REPLY_TOKENS) -> float | None:
    """Return about what one call costs in US dollars; None when the price is not known."""
    price = price_of(model)
    return None if price is None else price.expected(tokens, reply_tokens)


def listed_provider(model: str) -> str | None:
    """Return whose model a bare name is, as litellm's list says; None where it is not listed."""
    provider = _listed().get(model, {}).get("litellm_provider")
    return provider if isinstance(provider, str) else None


def _find(model: str) -> Price | None:
    """Return the price listed under the whole name or, for that provider, under the bare one."""
    listed = _listed()
    if model in listed:
        return _read(listed[model])
    provider, slash, name = model.partition("/")
    entry = listed.get(name) if slash else None
    return _read(entry) if entry and _sells(provider, entry) else None


def _sells(provider: str, entry: dict[str, Any]) -> bool:
    """Whether a prefix stands for the provider an entry is of (the list knows several kinds)."""
    listed = entry.get("litellm_provider", "")
    several = provider in ("bedrock", "fireworks_ai", "vertex_ai")
    return bool(listed == provider or (several and listed.startswith(provider)))


@cache
def _listed() -> dict[str, dict[str, Any]]:
    spec = find_spec("litellm")
    for folder in (spec.submodule_search_locations or []) if spec else []:
        path = Path(folder) / _LIST
        if path.is_file():
            entries: dict[str, dict[str, Any]] = orjson.loads(path.read_bytes())
            return entries
    return {}


def _read(entry: dict[str, Any]) -> Price | None:
    """Return the price an entry of the list tells, or None where it tells none that can be used."""
    provider = entry.get("litellm_provider", "")
    # Perplexity charges for each request as well.
    if entry.get("mode") not in _MODES or provider == "perplexity":
        return None
    if any(map(_OTHERWISE.search, entry)):
        return None
    found = filter(None, map(_LONGER.match, entry))
    lengths = [(int(m[1]) * (1000 if m[2] else 1), f"_above_{m[1]}{m[2]}_tokens") for m in found]
    levels = [(0, ""), *sorted(lengths)]
    longer: Price | None = None
    longer_than = 0
    for number in reversed(range(len(levels))):
        rates = _rates(entry, [ending for _, ending in levels[number::-1]])
        if rates is None:
            return None
        longer = replace(rates, longer=longer, longer_than=longer_than)
        # For xAI, a prompt of just that length is already longer.
        longer_than = levels[number][0] - (provider == "xai")
    return longer


def _rates(entry: dict[str, Any], endings: list[str]) -> Price | None:
    """Return what an entry charges, from the first of the endings under which it says so."""

    def rate(name: str) -> float | None:
        told = (entry.get(name + ending) for ending in endings)
        return next((float(rate) for rate in told if isinstance(rate, int | float)), None)

    into, out = rate("input_cost_per_token"), rate("output_cost_per_token")
    if not into or not out:  # 0 is no price of a model that somebody else runs
        return None
    cached = rate("cache_read_input_token_cost")
    if cached is None and entry.get("litellm_provider", "").startswith("fireworks_ai"):
        cached = into * _FIREWORKS_CACHED
    return Price(
        into,
        out,
        cached=cached,
        written=rate("cache_creation_input_token_cost"),
        reasoning=rate("output_cost_per_reasoning_token"),
        ceiling="off_peak_pricing" in entry,
    )
