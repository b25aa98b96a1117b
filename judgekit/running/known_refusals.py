"""Parameters that models are known not to take, before any of them is asked."""

from __future__ import annotations

import re

_REFUSED_THINKING = frozenset(
    {"max_tokens", "temperature", "top_p", "presence_penalty", "frequency_penalty"}
    | {"logprobs", "top_logprobs"}
)
_O_SERIES = re.compile(r"o[1-9](-|$)")
_FIRST_GPT_5 = re.compile(r"gpt-5(?!-chat)(-|$)")
_LATER_GPT = re.compile(r"gpt-[5-9](\.\d+)?(?!-chat)(-|$)")


def known_refusals(model: str) -> frozenset[str]:
    """Return what OpenAI's reasoning models are known to refuse, by the name of the model."""
    provider, _, name = model.partition("/")
    name = name.rpartition("/")[2]
    if provider != "openai":
        return frozenset()
    if _O_SERIES.match(name) or _FIRST_GPT_5.match(name):
        return _REFUSED_THINKING
    # Later ones take some of it, depending on how they are set to think.
    return frozenset({"max_tokens"} if _LATER_GPT.match(name) else ())
