"""Replies that give no answer on purpose: refused, unable to tell."""

from __future__ import annotations

import re

from judgekit.judging.reading.pattern import pattern
from judgekit.judging.reading.values import ABSTAINS

_OPENING = (
    r"^\W*(?:(?:unfortunately|sorry|i understand[^.\n]{0,80}|as an? (?:ai|language)[^.\n]{0,60}?)"
    r"[,.]?\s+(?:but\s+)?){0,3}"
)
_CANNOT = (
    r"(?:can(?:'t|not| not)|won't|will not|(?:am |'m )?(?:unable|not able) to|am not comfortable)"
)
_DECLINES = r"(?:must decline|have to decline|decline|refuse)"
_TASKS = (
    r"(?:assist|help|provide|comply|fulfil+|engage|answer|respond|complete|continue|participate"
    r"|do (?:that|this)|generate|create|process|support|discuss|promote|encourage"
    r"|(?:evaluate|judge|rate) (?:harmful|explicit|content|this content))"
)
_REFUSED = pattern(
    rf"{_OPENING}(?:"
    r"(?:i'?m|i am|we are|my apologies|apologies|i apologi[sz]e)\b[^.\n]{0,100}?"
    rf"\b(?:{_CANNOT}|unable|{_DECLINES})\b"
    rf"|i\s?{_CANNOT}(?=[^.\n]{{0,60}}?\b{_TASKS}\b)"
    rf"|i {_DECLINES}\b)",
    re.IGNORECASE,
)
_JUDGE = (
    r"(?:assess|grade|rate|judge|evaluate|score|(?:give|provide|assign) an? "
    r"(?:score|rating|grade|level|verdict|judg(?:e)?ment|assessment|evaluation))"
)
_JUDGING = r"(?:grading|rating|judging|scoring|evaluating|assessing)"
_ITEM = (
    r"(?:this|it|that|(?:this|that|the) (?:request|item|output|response|text|content|answer|reply"
    r"|conversation|submission|essay))"
)
_DECLINED = pattern(
    r"(?:^|[.!?\n])\W{0,6}(?:(?:unfortunately|(?:i'?m |i am )?(?:very |so )?sorry|(?:my )?apologies"
    r"|i apologi[sz]e|however|on (?:second thought|reflection)|actually|wait"
    r"|as an? (?:ai|language)[^.,\n]{0,60}(?=,))[,.;]?\s+(?:but\s+)?){0,4}"
    rf"i\s?(?:{_CANNOT}|{_DECLINES} to|am unable to)\s+"
    rf"(?:(?:help|assist|comply)(?: you)?(?: with)?(?: {_JUDGING})?|{_JUDGE})"
    rf"(?: (?:for )?{_ITEM})?\s*(?:$|[.!;\n]|,?\s*(?:because|since|as)\b)",
    re.IGNORECASE,
)
_APOLOGY = pattern(
    r"^\W*(?:i'?m|i am)?\s*(?:very |really |so )?sorry\b|^\W*i apologi[sz]e", re.IGNORECASE
)
_POLICY = pattern(
    r"\b(?:harmful|illegal|unethical|inappropriate|against my|policy|policies|guidelines|safety"
    r"|unsafe|explicit)\b",
    re.IGNORECASE,
)
_UNABLE = pattern(
    r"(?:^|[.!?\n]\s*)\W*"
    r"(?:(?:therefore|thus|so|overall|unfortunately|based on[^,\n]{0,60}|however),?\s+)*"
    rf"(?:it(?:'s| is) |i'?m |i am |i |we |this |the \w+ )?(?:{ABSTAINS})\b",
    re.IGNORECASE,
)


# "I am sorry" and "cannot" as refusals in other languages say them.
_ABROAD = pattern(
    r"^\W*(?:(?:es tut mir (?:sehr )?leid|entschuldig\w+)\b[^.\n]{0,60}\bkann\b[^.\n]{0,60}"
    r"\bnicht\b"
    r"|(?:je suis )?désolée?\b[^.\n]{0,60}\bpeux pas\b|mi dispiace\b[^.\n]{0,60}\bnon posso\b"
    r"|(?:lo siento|desculpe|lo lamento)\b[^.\n]{0,60}\b(?:no|não) (?:puedo|posso)\b"
    r"|(?:извините|простите|к сожалению)\b[^.\n]{0,60}\bне могу\b"
    r"|(?:很?抱歉|对不起|對不起)[^.\n]{0,40}(?:无法|不能|無法)"
    r"|(?:申し訳|すみません)[^.\n]{0,40}(?:できません|かねます)"
    r"|(?:죄송|미안)[^.\n]{0,40}(?:수 없|어렵))",
    re.IGNORECASE,
)


def refuses(text: str) -> bool:
    """Return whether the reply opens by declining to judge.

    Only its opening counts: further on, the words may be quoted from what is judged.
    """
    opening = text[:400]
    if _REFUSED.search(opening) or _ABROAD.search(opening):
        return True
    return bool(_APOLOGY.search(opening)) and bool(_POLICY.search(opening))


def declines(text: str) -> bool:
    """Return whether a sentence says outright that the judge does not judge.

    No level beside it is the judge's: it may be a default that had to be filled in.
    """
    return _DECLINED.search(text) is not None


def abstains(text: str) -> bool:
    """Return whether the reply says that it cannot tell, at the start of one of its sentences."""
    return len(text) <= 600 and _UNABLE.search(text) is not None
