"""The keys of endpoints: in the variable that the user named, or the one usual for a provider."""

from __future__ import annotations

import contextlib
import os
from importlib import import_module
from pathlib import Path

from judgekit.errors import ModelCallError
from judgekit.running.failure_rules import KEY
from judgekit.running.providers import provider_of
from judgekit.running.secrets import remember, variable_words

NO_KEY = "none"
"""Sent where there is no key: servers of one's own ask for none, but clients insist on one."""


def read_env_file() -> None:
    """Take keys from a ``.env`` file in the current folder or above it; what is set stands.

    litellm does much the same when it is imported, and turns it off by the same variable.
    """
    here = Path.cwd()
    wanted = os.environ.get("LITELLM_MODE", "DEV") == "DEV"
    if wanted and any((folder / ".env").is_file() for folder in (here, *here.parents)):
        with contextlib.suppress(ImportError):  # it comes with litellm
            dotenv = import_module("dotenv")
            dotenv.load_dotenv(dotenv.find_dotenv(usecwd=True))


def named_key(variable: str | None) -> str | None:
    """Return the key in the variable that the user named, or None where none was named.

    Raises:
        ModelCallError: it is not set, or holds no key.
    """
    if variable is None:
        return None
    key = _key_in(variable)
    if key is None:
        raise ModelCallError(
            f"{variable_words(variable)} is not set",
            cause="authentication",
            hint="api_key_env names the variable that holds the key, not the key itself",
            asked=False,
        )
    return key


def _key_in(variable: str) -> str | None:
    """Return the key in a variable, without the line end that files leave behind it."""
    key = os.environ.get(variable, "").strip()
    if not (key.isascii() and key.isprintable()):
        raise ModelCallError(
            f"{variable_words(variable)} holds no key: no header can carry it",
            cause="authentication",
            asked=False,
        )
    remember(key)
    return key or None


def key_for(model: str, address: str, named: str | None) -> str:
    """Return the key to send: the one the user named, or the provider's own.

    Raises:
        ModelCallError: there is none, and the address takes nobody without.
    """
    provider = provider_of(model)
    if provider is None:
        return named or NO_KEY
    key = named or _key_in(provider.key)
    if not key and provider.needs_key and address == provider.base:
        raise ModelCallError(
            f"{model}: no API key is set ({provider.key})",
            cause="authentication",
            hint=KEY,
            asked=False,
        )
    return key or NO_KEY
