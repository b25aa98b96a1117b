"""About how long and how dear a request is, from litellm's price list, without importing it."""

from __future__ import annotations

import json
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

REPLY_TOKENS = 120
"""What a reason and a level usually take."""
_LIST = "model_prices_and_context_window_backup.json"


def estimated_tokens(characters: int) -> int:
    """Return about how many tokens a text is: one for every four characters."""
    return -(-characters // 4)


def estimated_cost(model: str, tokens: int, reply_tokens: int = REPLY_TOKENS) -> float | None:
    """Return about what one call costs in US dollars; None when the price is not known.

    Models that run in this process cost nothing.
    """
    if model.startswith("local/"):
        return 0.0
    entry = _prices().get(model) or _prices().get(model.partition("/")[2])
    if not isinstance(entry, dict):
        return None
    price_in, price_out = entry.get("input_cost_per_token"), entry.get("output_cost_per_token")
    if not isinstance(price_in, int | float) or not isinstance(price_out, int | float):
        return None
    return float(tokens * price_in + reply_tokens * price_out)


@cache
def _prices() -> dict[str, Any]:
    spec = find_spec("litellm")
    for folder in (spec.submodule_search_locations or []) if spec else []:
        path = Path(folder) / _LIST
        if path.is_file():
            prices: dict[str, Any] = json.loads(path.read_bytes())
            return prices
    return {}
