"""Addresses: what nobody can be asked at is told before anybody is asked."""

from __future__ import annotations

import pytest

from judgekit.errors import InputError
from judgekit.running.providers import address_of, address_problem


@pytest.mark.parametrize(
    "address",
    [
        "http://127.0.0.1:8000/v1",
        "https://api.openai.com/v1",
        "HTTPS://HOST",
        "http://[::1]:8000/v1",
        "http://me:pass%40word@host:65535/v1?deployment=x#y",
        "http://bücher.example/v1",
        "http://my_host.:1/",
        f"http://{'a' * 63}.{'b' * 63}/v1",
    ],
)
def test_an_address_where_somebody_may_be(address: str) -> None:
    """Whether somebody is, a call will tell."""
    assert address_problem(address) is None
    assert address_of("openai/x", address) == address


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("", "it is empty"),
        ("\t", "it is empty"),
        ("http://ho st/v1", "a blank"),
        ("http://host/v1\n", "a blank"),
        ("http://host/\0", "unprintable"),
        ("127.0.0.1:8000/v1", "does not begin with http"),
        ("ftp://host/v1", "does not begin with http"),
        ("http://", "names no host"),
        ("http:///v1", "names no host"),
        ("http://:80/v1", "names no host"),
        ("http://[::1", "IPv6"),
        ("http://[host]/v1", "IPv6"),
        ("http://host:99999/v1", "the port"),
        ("http://host:-1/v1", "the port"),
        ("http://host:0/v1", "the port"),
        ("http://host:port/v1", "the port"),
        (f"http://{'a' * 64}/v1", "longer than 63"),
        (f"http://{'.'.join(['a' * 50] * 6)}/v1", "longer than 63"),
        ("http://a..b/v1", "empty"),
        ("http://.a/v1", "empty"),
        ('http://h"q/v1', "no name of a machine"),
        ("http://*.example/v1", "no name of a machine"),
        ("http://a\u2100b/v1", "no name of a machine"),
        (f"http://{'ü' * 70}/v1", "no name of a machine"),
    ],
)
def test_an_address_where_nobody_can_be(address: str, told: str) -> None:
    """In words that do not repeat it; the lanes' own question gives the same."""
    problem = address_problem(address)

    assert problem is not None
    assert told in problem
    if address:
        with pytest.raises(InputError, match="api_base of 'openai/x' is no address") as caught:
            address_of("openai/x", address)
        assert caught.value.hint
