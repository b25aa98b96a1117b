"""What of a request a model does not take, read from its complaint."""

from __future__ import annotations

import re
from collections.abc import Collection

from judgekit.running.facts import Facts
from judgekit.running.litellm_errors import facts_of

FORMAT = "response_format"
_UNSUPPORTED = re.compile(
    r"unsupported|(not|n't) (be )?(support|permit|allow|accept)\w*|does not take|unrecogni[sz]ed"
    r"|unknown|unexpected|extra inputs|deprecated",
    re.IGNORECASE,
)
_LISTED = re.compile(r"parameters?: \[([^\]]*)\]")
_OTHER_NAMES = {
    FORMAT: (
        *("json_schema", "structured output", "structured outputs"),
        *("output_format", "output_config", "guided_json"),
    )
}
_ROLE = r"(system|developer)\W{0,3} ?(role|message|prompt|instruction)s?"
_NO_SYSTEM = re.compile(
    rf"{_ROLE}.{{0,40}}(not|n't|unsupported)|(not|n't|unsupported).{{0,30}}{_ROLE}"
    r"|does not support 'system'|unexpected role\W{1,3}system|only user and assistant roles"
    r"|roles must alternate",
    re.IGNORECASE,
)


def refused(facts: Facts, sent: Collection[str]) -> frozenset[str]:
    """Return those of ``sent`` that a complaint says the model does not take.

    A value that is wrong, unlike a parameter that is not taken, is an error for the user to see;
    only for the reply schema is any complaint enough, since a judge can do without it.
    """
    if facts.kind != "said" or facts.status not in (400, 403, 422):
        return frozenset()
    named = _named(facts, sent)
    if not (named and (_UNSUPPORTED.search(facts.message) or named == {FORMAT})):
        return frozenset()
    if "logprobs" in named:  # the one is nothing without the other
        named |= {"top_logprobs"} & set(sent)
    return named


def refused_parameters(error: BaseException, sent: Collection[str]) -> frozenset[str]:
    """Return those of ``sent`` that an exception of litellm's says the model does not take."""
    return refused(facts_of(error), sent)


def refuses_system(facts: Facts) -> bool:
    """Whether a complaint says that the model takes no system message.

    Templates that take none raise an error of their own, which some servers call theirs (500).
    """
    wrong = facts.kind == "said" and facts.status in (400, 422, 500)
    return wrong and _NO_SYSTEM.search(facts.message) is not None


def _named(facts: Facts, sent: Collection[str]) -> frozenset[str]:
    if facts.param is not None and (name := re.split(r"[.\[]", facts.param)[0]) in sent:
        return frozenset((name,))
    listed = _LISTED.search(facts.message)
    if listed:
        names = frozenset(re.findall(r"\w+", listed[1])) & frozenset(sent)
        if names:
            return names
    # The first one mentioned is the one complained about; others may stand in the explanation.
    places = {n: place for n in sent if (place := _place(n, facts.message)) is not None}
    return frozenset((min(places, key=lambda name: places[name]),)) if places else frozenset()


def _place(name: str, text: str) -> int | None:
    spellings = (name, *_OTHER_NAMES.get(name, ()))
    found = (re.search(rf"\b{re.escape(s)}\b", text, re.IGNORECASE) for s in spellings)
    return min((match.start() for match in found if match), default=None)
