"""From the facts of a failed call to what it means, the same for every lane.

The litellm lane gathers the facts from exceptions (``litellm_errors``), the direct lane from the
answer as it came (``facts``); what follows from them is decided by one table
(``failure_rules``), so that a failure means the same whichever way it came.
"""

from __future__ import annotations

import re

from judgekit.errors import ModelCallError
from judgekit.judging.request import ModelReply
from judgekit.running.error_body import error_in
from judgekit.running.facts import Facts, facts_of_error
from judgekit.running.failure_rules import NO_IMAGES, RULES
from judgekit.running.secrets import Secrets

__all__ = ["Facts", "error_in", "facts_of_error", "failure_of", "reply_in"]

FILTER_CODES = frozenset(
    {"content_filter", "content_policy_violation", "ResponsibleAIPolicyViolation"}
)
_FILTERED = re.compile(
    r"content management policy|flagged as potentially violating|input was flagged"
    r"|blocked by (the |our )?(content|safety) (filter|system)",
    re.IGNORECASE,
)
_TRACE = "Traceback (most recent call last)"
_CUT = "could not finish the message because max_tokens or model output limit was reached"
"""OpenAI's 400 for a budget that thinking used up before the first word of an answer."""


def failure_of(
    facts: Facts, model: str, secrets: Secrets, *, images: bool = False
) -> ModelCallError:
    """Return what a failed call means, without any secret.

    Args:
        facts: What is known of it.
        model: The model string asked for.
        secrets: What must not be said.
        images: Whether the request held images.
    """
    if _TRACE in facts.message:  # hidden first: half a secret is not known
        facts = facts._replace(message=_without_traceback(secrets.hide(facts.message)))
    rules = (NO_IMAGES, *RULES) if images else RULES
    rule = next(rule for rule in rules if rule.applies(facts))
    message = secrets.brief(facts.message) or f"HTTP {facts.status}"
    return ModelCallError(
        secrets.hide(f"{model}: {rule.text.format(message=message)}"),
        cause=rule.cause,
        transient=rule.transient,
        retry_after=facts.retry_after if rule.transient else None,
        hint=rule.hint,
        asked=rule.asked or facts.answered,
    )


def reply_in(facts: Facts) -> ModelReply | None:
    """Return the reply that a refusal amounts to, or None where it is a failure.

    A prompt that the endpoint's content filter stopped is answered in a way, and a budget that
    thinking used up is an answer cut short.
    """
    if facts.kind == "said" and (facts.is_one_of(FILTER_CODES) or _is_filter_text(facts)):
        return ModelReply("", finish="content_filter")
    if facts.status == 400 and _CUT in facts.message.lower():
        return ModelReply("", finish="length")
    return None


def _without_traceback(text: str) -> str:
    """Return what was said before a traceback, and the error that the traceback ends with.

    litellm and some servers put a traceback behind their message, and litellm an advertisement
    behind that.
    """
    before = text.partition(_TRACE)[0].strip()
    _, *lines = text.rpartition(_TRACE)[2].split("\n")
    error = next((line.strip() for line in lines if line[:1].strip()), "")
    return before if before and before in error else f"{before} {error}".strip()


def _is_filter_text(facts: Facts) -> bool:
    return facts.status in (400, 403, 422) and _FILTERED.search(facts.message) is not None
