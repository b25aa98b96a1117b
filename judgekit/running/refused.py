"""Which of the parameters that were sent a model does not take, read from its complaint."""

from __future__ import annotations

import re
from collections.abc import Collection

from judgekit.running.litellm_errors import chain

FORMAT = "response_format"
_UNSUPPORTED = re.compile(
    r"unsupported|(not|n't) (be )?(support|permit|allow|accept)\w*|does not take|unrecogni[sz]ed"
    r"|unknown|unexpected|extra inputs|deprecated",
    re.IGNORECASE,
)
_LISTED = re.compile(r"parameters?: \[([^\]]*)\]")
_OTHER_NAMES = {
    FORMAT: ("json_schema", "structured output", "output_format", "output_config", "guided_json")
}


def refused_parameters(error: BaseException, sent: Collection[str]) -> frozenset[str]:
    """Return those of ``sent`` that ``error`` says the model does not take.

    A value that is wrong, unlike a parameter that is not taken, is an error for the user to see;
    only for the reply schema is any complaint enough, since a judge can do without it.
    """
    if getattr(error, "status_code", None) not in (400, 403, 422):
        return frozenset()
    text = str(getattr(error, "message", "") or error)
    named = _named(error, text, sent)
    if named and (_UNSUPPORTED.search(text) or named == {FORMAT}):
        return named
    return frozenset()


def _named(error: BaseException, text: str, sent: Collection[str]) -> frozenset[str]:
    for step in chain(error):
        body = getattr(step, "body", None)
        param = body.get("param") if isinstance(body, dict) else getattr(step, "param", None)
        if isinstance(param, str) and (name := re.split(r"[.\[]", param)[0]) in sent:
            return frozenset((name,))
    listed = _LISTED.search(text)
    if listed:
        names = frozenset(re.findall(r"\w+", listed[1])) & frozenset(sent)
        if names:
            return names
    # The first one mentioned is the one complained about; others may stand in the explanation.
    places = {name: place for name in sent if (place := _place(name, text)) is not None}
    return frozenset((min(places, key=lambda name: places[name]),)) if places else frozenset()


def _place(name: str, text: str) -> int | None:
    spellings = (name, *_OTHER_NAMES.get(name, ()))
    found = (re.search(rf"\b{re.escape(s)}\b", text, re.IGNORECASE) for s in spellings)
    return min((match.start() for match in found if match), default=None)
