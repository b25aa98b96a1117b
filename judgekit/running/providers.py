"""Providers whose endpoints take OpenAI's wire format as it is: their addresses and keys."""

from __future__ import annotations

import os
import re
from typing import NamedTuple
from urllib.parse import urlsplit

from judgekit.errors import InputError


class Provider(NamedTuple):
    """Where an endpoint is and who asks, when nobody says; as litellm has it.

    Attributes:
        key: The environment variable that holds the key.
        bases: Environment variables that may hold the address.
        base: The address where none does, or None.
        needs_key: Whether that address takes nobody without a key.
    """

    key: str
    bases: tuple[str, ...]
    base: str | None = None
    needs_key: bool = False


_OPENAI = "https://api.openai.com/v1"
PROVIDERS = {
    "openai": Provider(
        "OPENAI_API_KEY", ("OPENAI_BASE_URL", "OPENAI_API_BASE"), _OPENAI, needs_key=True
    ),
    "custom_openai": Provider("OPENAI_API_KEY", ()),
    "hosted_vllm": Provider("HOSTED_VLLM_API_KEY", ("HOSTED_VLLM_API_BASE",)),
    "litellm_proxy": Provider("LITELLM_PROXY_API_KEY", ("LITELLM_PROXY_API_BASE",)),
    "llamafile": Provider("LLAMAFILE_API_KEY", ("LLAMAFILE_API_BASE",), "http://127.0.0.1:8080/v1"),
    "lm_studio": Provider("LM_STUDIO_API_KEY", ("LM_STUDIO_API_BASE",)),
}
"""Prefixes of model strings; what follows is the model's name at the endpoint."""

_RESPONSES_ONLY = re.compile(
    r"responses/|gpt-daybreak|(gpt-\d[\d.]*|o\d)(-mini)?-(pro|codex|deep-research)(-|$)"
)
"""OpenAI's models that have no chat endpoint; litellm knows another way to ask them."""


def provider_of(model: str) -> Provider | None:
    """Return the provider of a model that can be asked in OpenAI's own format, or None."""
    prefix, slash, name = model.partition("/")
    return PROVIDERS.get(prefix) if slash and name else None


def has_chat(model: str) -> bool:
    """Whether a model that can be asked in OpenAI's format is asked by chat."""
    return _RESPONSES_ONLY.match(model.partition("/")[2]) is None


def address_of(model: str, api_base: str | None) -> str:
    """Return where the model is: as given, as the environment says, or its provider's own place.

    Raises:
        InputError: nobody says, or the address is none.
    """
    provider = provider_of(model)
    if provider is None:
        known = ", ".join(f"{prefix}/" for prefix in PROVIDERS)
        raise InputError(
            f"{model!r} cannot be asked directly: its provider's format is not OpenAI's",
            hint=f'transport = "litellm" reaches it; "direct" is for {known}',
        )
    found = (api_base, *(os.environ.get(name) for name in provider.bases), provider.base)
    address = next(filter(None, found), None)
    if address is None:
        raise InputError(
            f"the address of {model!r} is not known",
            hint="give it as api_base, for example http://127.0.0.1:8000/v1",
        )
    problem = address_problem(address)
    if problem is not None:
        raise InputError(f"api_base of {model!r} is no address: {problem}", hint=ADDRESS_HINT)
    return address


ADDRESS_HINT = "write one such as http://127.0.0.1:8000/v1"
"""What to do about an address that is none."""


def address_problem(address: str) -> str | None:
    """Return why nothing can be asked at an address, in words without it; None if something may."""
    if not address.strip():
        return "it is empty"
    if any(sign.isspace() or not sign.isprintable() for sign in address):
        return "there is a blank or an unprintable sign in it"
    try:
        parts = urlsplit(address)
    except ValueError:
        brackets = "[" in address or "]" in address
        return (
            "the brackets hold no IPv6 address" if brackets else "its host is no name of a machine"
        )
    if parts.scheme not in {"http", "https"}:
        return "it does not begin with http:// or https://"
    try:
        port = parts.port
    except ValueError:
        port = 0
    return "the port is not from 1 to 65535" if port == 0 else _host_problem(parts.hostname)


def _host_problem(host: str | None) -> str | None:
    """Return why no machine can have that name, or None."""
    if not host:
        return "it names no host"
    if ":" in host:  # in brackets, and looked at before
        return None
    try:
        known = host if host.isascii() else host.encode("idna").decode()
    except UnicodeError:
        known = ""
    if not re.fullmatch(r"[\w.-]+", known):
        return "its host is no name of a machine"
    labels = known.removesuffix(".").split(".")
    if len(known) > 253 or not all(0 < len(label) <= 63 for label in labels):
        return "a part of the host's name is empty, or longer than 63 signs"
    return None
