"""Where the environment says that a provider's models are."""

from __future__ import annotations

import os
import re

from judgekit.running.keys import read_env_file
from judgekit.running.prices import listed_provider
from judgekit.running.providers import provider_of


def stated_base(model: str) -> str | None:
    """Return the address that the environment names for a model's provider; None where it does not.

    A judge that is asked there is another judge than one asked at the provider's own place, so
    the address belongs to who it is, as if the project's file named it. The variables are those
    that litellm reads: ``OPENAI_BASE_URL``, ``AZURE_API_BASE``, ``OLLAMA_API_BASE`` and so on.
    """
    prefix, slash, _ = model.partition("/")
    if prefix == "local":
        return None
    read_env_file()
    provider = prefix if slash else listed_provider(model)
    if provider is None:
        return None
    known = provider_of(f"{provider}/model")
    name = re.sub(r"\W", "_", provider).upper()
    names = known.bases if known else (f"{name}_API_BASE", f"{name}_BASE_URL")
    return next(filter(None, map(os.environ.get, names)), None)
