"""Token probabilities, as chat endpoints list them."""

from __future__ import annotations

import math
from typing import Any

from judgekit.judging.request import TokenLogprobs

MOST_ALTERNATIVES = 20
"""What endpoints give at most."""


def token_logprobs(found: Any) -> tuple[TokenLogprobs, ...] | None:
    """Return the tokens with their log-probabilities; None unless every token has one.

    Args:
        found: The ``logprobs`` of a choice.
    """
    content = found.get("content") if isinstance(found, dict) else None
    if not isinstance(content, list) or not content:
        return None
    tokens = []
    for one in content:
        pair = _pair(one)
        if pair is None:
            return None
        others = one.get("top_logprobs") or ()
        listed = filter(None, map(_pair, others if isinstance(others, list) else ()))
        tokens.append((*pair, tuple(listed)[:MOST_ALTERNATIVES]))
    return tuple(tokens)


def _pair(one: Any) -> tuple[str, float] | None:
    if not isinstance(one, dict):
        return None
    token, logprob = one.get("token"), one.get("logprob")
    if not isinstance(token, str) or not isinstance(logprob, int | float):
        return None
    return (token, float(logprob)) if math.isfinite(logprob) else None
