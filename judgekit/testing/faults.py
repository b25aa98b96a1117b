"""Everything that goes wrong with a model endpoint, by name, and when it happens.

Which call fails is decided by a hash of its messages and of how often they were asked, never by
dice: a run can be repeated to the letter, and a retry of the same question may succeed.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from judgekit.errors import InputError, UnknownName

if TYPE_CHECKING:
    from collections.abc import Mapping

FAULTS: dict[str, str] = {
    "400": "the request is not acceptable",
    "401": "the key is not valid",
    "403": "the key may not use this model",
    "404": "no such model",
    "429": "too many requests, with a Retry-After header",
    "500": "internal error",
    "503": "overloaded",
    "quota": "429 that means the account is out of credit",
    "context": "400: the prompt is longer than the model takes",
    "filter": "400: the content filter of the endpoint stepped in",
    "filter_finish": "200: no text, finish_reason content_filter",
    "refusal": "200: no text, the refusal in a field of its own",
    "empty": "200: the text is empty",
    "null_content": "200: the content is null",
    "no_choices": "200: the list of choices is empty",
    "truncated": "200: half the text, finish_reason length",
    "malformed": "200: the text is broken JSON",
    "think": "200: reasoning in <think> tags, then the answer",
    "think_only": "200: reasoning that never ends, and no answer",
    "out_of_scale": "200: a level that the scale does not have",
    "contradictory": "200: two different answers",
    "bad_body": "200: the body is not JSON",
    "half_body": "the connection is cut in the middle of the body",
    "reset": "the connection is cut before anything is sent",
    "hang": "no answer for hang_s seconds",
}


def check_faults(rates: Mapping[str, float]) -> dict[str, float]:
    """Return ``rates`` as a plain dict, or raise for a name or a rate that cannot be."""
    for name, rate in rates.items():
        if name not in FAULTS:
            raise UnknownName("fault", name, FAULTS)
        if not 0 <= rate <= 1:
            raise InputError(f"the rate of {name!r} is {rate!r}; it must lie between 0 and 1")
    if sum(rates.values()) > 1 + 1e-9:
        raise InputError(f"the rates add up to {sum(rates.values()):g}, more than 1")
    return dict(rates)


def parse_faults(text: str) -> dict[str, float]:
    """Read ``429=0.05,hang=0.01``, as given on the command line."""
    rates: dict[str, float] = {}
    for part in filter(None, (p.strip() for p in text.split(","))):
        name, _, rate = part.partition("=")
        try:
            rates[name.strip()] = float(rate)
        except ValueError:
            raise InputError(f"{part!r} is not NAME=RATE", hint="e.g. 429=0.05,hang=0.01") from None
    return check_faults(rates)


def choose_fault(digest: bytes, attempt: int, rates: Mapping[str, float]) -> str | None:
    """Return the fault that this attempt of this question meets, or None."""
    if not rates:
        return None
    draw = hashlib.blake2b(digest + attempt.to_bytes(4, "big"), digest_size=8).digest()
    left = int.from_bytes(draw, "big") / 2**64
    for name, rate in rates.items():
        if left < rate:
            return name
        left -= rate
    return None
