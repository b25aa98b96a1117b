"""Single values of a project's file, checked before anything is asked with them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from judgekit.errors import InputError
from judgekit.fingerprint import canonical_json
from judgekit.running.form import OURS
from judgekit.running.providers import ADDRESS_HINT, address_problem
from judgekit.running.secrets import Secrets, looks_secret

DEEPEST = 50
"""Levels of lists and tables in a parameter; those who write JSON further on bear some 250."""

_KEY_HINT = "name the variable that holds the key: api_key_env, beside params"
_KEPT = "parameters are kept in git"
_AGAIN = "failed calls are asked again by rules of judgekit's own"
_INSTEAD = {
    "api_base": "write api_base beside params",
    "base_url": "write api_base beside params",
    "extra_body": "write what it holds under params itself",
    "max_retries": _AGAIN,
    "messages": "the rubric says what is sent",
    "model": "write model beside params",
    "n": "write replicates beside params",
    "num_retries": _AGAIN,
    "request_timeout": "write timeout beside params",
    "response_format": 'write output = "schema" or output = "text" beside params',
    "timeout": "write timeout beside params",
}
"""What to write in the place of an argument that is no parameter."""


class Inside(InputError):
    """Something wrong inside a value.

    Attributes:
        at: Where, as keys from the value on.
    """

    def __init__(self, message: str, *at: str, hint: str | None = None) -> None:
        self.at = at
        super().__init__(message, hint=hint)


def check_parameters(params: dict[str, Any]) -> dict[str, Any]:
    """Return the parameters of a model; they are sent, recorded and certified as they are.

    Whatever way parameters come in, by a file or from a program, this is their one check.

    Raises:
        Inside: one is not plain JSON, is an argument of the call itself, or holds a secret.
    """
    secrets = Secrets()
    for name, value in params.items():
        told = secrets.hide(name)
        for key, leaf in _inside({name: value}, told):
            if looks_secret(key) or _is_secret(key, secrets):
                what = f"{secrets.hide(key)} looks like a secret"
                raise Inside(f"{what}, and {_KEPT}", name, hint=_KEY_HINT)
            if isinstance(leaf, str) and _is_secret(leaf, secrets):
                raise Inside(f"{told} holds a secret, and {_KEPT}", name, hint=_KEY_HINT)
            if isinstance(leaf, int) and not -(2**63) <= leaf < 2**63:
                raise Inside(f"{told} has more than 64 bits", name, hint="write a smaller number")
        if name in OURS:
            hint = _INSTEAD.get(name, "leave it out")
            raise Inside(f"{name} is no parameter of a model", name, hint=hint)
        try:
            canonical_json(value)
        except (TypeError, ValueError) as error:
            raise Inside(
                f"{told} must be plain JSON: no dates, no nan, no inf",
                name,
                hint="write text, a number, true or false, a list or a table",
            ) from error
    return params


def _inside(value: Any, told: str) -> Iterator[tuple[str, Any]]:
    """Yield every key of a value, with None, and whatever holds nothing more, with no key."""
    level = [value]
    for _ in range(DEEPEST):
        below: list[Any] = []
        for one in level:
            if isinstance(one, dict):
                yield from ((str(key), None) for key in one)
                below += one.values()
            elif isinstance(one, list | tuple):
                below += one
            else:
                yield "", one
        if not below:
            return
        level = below
    raise Inside(
        f"{told} is nested too deeply",
        told,
        hint=f"lists and tables may stand {DEEPEST} deep in each other at most",
    )


def _is_secret(text: str, secrets: Secrets) -> bool:
    """Whether a text holds a secret that is known, or has the form of one."""
    text = re.sub(r"(?i)\bbasic\s", "basic_", text)  # "basic research": only in a header a login
    return secrets.hide(text) != text


def check_address(address: str) -> str:
    """Return the address of an endpoint.

    Raises:
        InputError: there can be nobody there. The address may hold a login and is not repeated.
    """
    problem = address_problem(address)
    if problem is not None:
        raise InputError(
            f"this is no address: {problem}",
            hint=f"{ADDRESS_HINT}, or leave it out: the provider's own place is asked then",
        )
    return address


def check_place(address: str | None, kept: str | None) -> None:
    """Refuse a place that a judge cannot be asked at, or that cannot be told of.

    Args:
        address: The address, as a file, a program or the environment says; None is nobody's.
        kept: What records and certificates keep of it.

    Raises:
        InputError: it is no address, or what is kept of it holds a secret.
    """
    if address is None or kept is None:
        return
    check_address(address)
    if Secrets().hide_values(kept) != kept:
        raise InputError(
            "a secret of the environment stands in its address, which certificates keep",
            hint="a login before the host and what follows a ? are not kept; or use api_key_env",
        )


def check_model(model: str) -> str:
    """Return a model string.

    Raises:
        InputError: it names no model, or holds a secret.
    """
    hint = 'write one such as "openai/gpt-4.1-mini"'
    _check_text(model, hint)
    if model != model.strip() or "" in (model.partition("/")[0], model.rpartition("/")[2]):
        raise InputError("this names no model", hint=hint)
    if Secrets().hide_values(model) != model:
        raise InputError("a secret of the environment is in it", hint=hint)
    return model


def check_variable(name: str) -> str:
    """Return the name of an environment variable.

    Raises:
        InputError: no variable has that name; a key put in its place is not repeated.
    """
    hint = 'write the name of a variable, such as "MY_KEY"; leave it out for the provider\'s own'
    _check_text(name, hint)
    if re.search(r"[\s=]", name) or _is_secret(name, Secrets()):
        raise InputError("this is no name of a variable that holds the key", hint=hint)
    return name


def check_name(name: str) -> str:
    """Return the name of a file, a folder, a column or a judge.

    Raises:
        InputError: it is empty, or holds what no name can.
    """
    return _check_text(name, "write a name, or leave the key out")


def _check_text(text: str, hint: str) -> str:
    if not text.strip():
        raise InputError("it is empty", hint=hint)
    if any(sign < " " or sign == "\x7f" for sign in text):
        raise InputError("there is a control character in it", hint=hint)
    return text
