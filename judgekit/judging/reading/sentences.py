"""Split a reply into sentences, and tell which of them conclude and which only suppose."""

from __future__ import annotations

import re
from typing import NamedTuple

from judgekit.judging.reading.pattern import pattern


class Sentence(NamedTuple):
    """One sentence of a reply.

    Attributes:
        text: Its words.
        at: Where it starts.
        edge: It opens or closes the reply, or has a line for itself.
        last: It closes the reply.
        alone: It is the whole reply.
    """

    text: str
    at: int
    edge: bool
    last: bool
    alone: bool


LONGEST = 1500
"""What runs on for longer is no sentence anybody wrote to give an answer."""

_SPLIT = pattern(r"(?<=[.!?])[\"')\]]*\s+(?=\S)|\n+")

CONCLUDES = pattern(
    r"\b(?:therefore|thus|hence|consequently|accordingly|overall|in (?:conclusion|summary|short)"
    r"|to (?:conclude|sum up)|finally|ultimately|as a result|all in all|all things considered"
    r"|on balance|in the end|so,|so the|based on|considering|given (?:the|this|these|that)"
    r"|for (?:this|these|that) reasons?"
    r"|my (?:final )?(?:verdict|decision|choice|answer|rating|score|judge?ment)"
    r"|i(?:'d| would| will|'ll)? (?:conclude|rate|choose|select|pick|prefer|give|assign"
    r"|score|grade))\b",
    re.IGNORECASE,
)
"""Marks a sentence that draws the conclusion of the reply."""

SUPPOSES = pattern(
    r"\b(?:if|unless|whether|would (?:need|have|require|be (?:given|awarded|assigned|needed|too))"
    r"|could|might|may|instead of|rather than|(?:lower|higher|less|more|greater) than|below|above"
    r"|at (?:least|most|first)|between|not|never|cannot|no|neither|nor|hardly|prevent(?:s|ed)?"
    r"|short of|nearly|almost|too (?:high|low|generous|harsh|strict)|requires?|required|reserved"
    r"|means|meaning|defin(?:ed|ition|es)|scale|rubric|ranges?|minimum|maximum|possible"
    r"|initial(?:ly)?|to (?:get|earn|reach|receive|deserve|achieve|merit)|previous(?:ly)?"
    r"|in terms of|regarding|when it comes to|as far as|for example|e\.g|hypothetical(?:ly)?"
    r"|suppose|imagine|depend(?:s|ing)|considered|hesitat\w+|tempted|leaning|torn|debat\w+"
    r"|hard to|difficult to|arguabl[ey]|some (?:may|might|people)|says|said"
    r"|claim(?:s|ed)? (?:that|to)|stat(?:es|ed) that|user|author|student)\b|n't\b|\?",
    re.IGNORECASE,
)
"""Marks a clause that supposes, compares, denies or quotes, and so gives no level."""

DENIES = pattern(
    r"\b(?:none|nothing|nobody|no\s?one|nowhere|no|not|neither|nor|never|cannot|few(?:er)?|little"
    r"|hardly|scarcely|barely|rarely|seldom|without|lacks?|lacking|fail(?:s|ed)?|far from|zero"
    r"|only|some|most|many|several|half|part(?:s|ly|ially)?|one of|two of|almost|nearly)\b|n't\b",
    re.IGNORECASE,
)
"""Marks a statement that denies the level it names, or grants it to a part only."""

_CLAUSE = pattern(
    r"[,;:(](?=\s)|\s-\s|\((?=\w)|\b(?:but|and|so|because|while|although)\s", re.IGNORECASE
)


def sentences(text: str) -> list[Sentence]:
    """Return the sentences of ``text``; the end of a line ends one."""
    cuts = [(match.start(), match.end()) for match in _SPLIT.finditer(text)]
    starts = [0, *(end for _, end in cuts)]
    stops = [*(start for start, _ in cuts), len(text)]
    spans = [(a, b) for a, b in zip(starts, stops, strict=True) if text[a:b].strip()]
    found: list[Sentence] = []
    for index, (start, stop) in enumerate(spans):
        first, last = index == 0, index == len(spans) - 1
        line = text[start - 1 : start] in {"", "\n"} and text[stop : stop + 1] in {"", "\n"}
        edge = first or last or line
        found.append(Sentence(text[start:stop], start, edge, last, alone=first and last))
    return found


def clause_before(text: str, at: int) -> str:
    """Return what stands between the start of the clause and ``at``."""
    start = 0
    for match in _CLAUSE.finditer(text, 0, at):
        start = match.end()
    return text[start:at]


def breaks_off(text: str) -> bool:
    """Return whether ``text`` ends in the middle of a sentence."""
    last = text.rsplit("\n", 1)[-1]
    return len(last.split()) > 6 and last.rstrip()[-1:] not in set(".!?\"')]}>")
