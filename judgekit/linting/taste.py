"""Words by which a text leaves the yardstick to the taste of whoever judges, or of nobody known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judgekit.linting.late import Late
from judgekit.linting.remembered import remembered
from judgekit.linting.words import set_of, set_of_words, telling_words

if TYPE_CHECKING:
    from collections.abc import Iterator

_MARKS = set_of(
    "anyone bar customers discretion enough everyone expert experts fit gut instinct instincts "
    "intuition judgement judgment nobody people readers standards users you your "
    "ansprüchen bauch bauchgefühl belieben deinem dir du ermessen eigenem eigenen findest freiem "
    "gefällt gefühl genug geschmack gutdünken ihnen ihrem euch meisten ordnung reicht sie "
    "aimez appréciation discrétion jugement criterio gusta"
)
"""One of these is in every text that has such words: a quick look that misses nothing."""
_HANDED = Late(
    r"(?i)\b(?:(?:use|trust|rely on|go with|follow|depending on|according to|based on|at|in|by)"
    r" (?:your|the (?:judge|grader|rater|reader|annotator)['’]s)(?: own| best| good| personal)*"
    r" (?:judge?ment|discretion|feelings?|gut(?: feelings?)?|instincts?|intuition|taste|opinion"
    r"|impression|preferences?)"
    r"|(?:at|is left to|left to|up to) (?:your|the (?:judge|grader|rater|annotator)['’]s)"
    r" (?:own )?(?:judge?ment|discretion)"
    r"|as you (?:see fit|like|please|wish|prefer|think (?:best|fit|right))"
    r"|you (?:feel|think|believe) (?:that )?(?:it|this|the (?:output|answer|reply|response|person"
    r"|user|customer|reader))\b"
    r"|(?:nach|im) (?:eigenem|deinem|freiem|Ihrem|eigenen) (?:ermessen|gefühl|gutdünken|geschmack)"
    r"|nach (?:gefühl|gutdünken|belieben)|aus dem bauch|(?:dein(?:em)?|ihr(?:em)?) bauchgefühl"
    r"|wie (?:du|sie) (?:es )?(?:meinst|willst|möchtest|meinen|wollen|möchten)"
    r"|selon votre (?:propre )?jugement|à votre (?:discrétion|appréciation)"
    r"|según (?:tu|su) (?:propio )?criterio)\b"
)
"""Orders to make up the yardstick."""
_LIKED = Late(
    r"(?i)\b(?:(?:people|users|readers|customers|experts?|everyone|anyone|nobody)"
    r" (?:would|will|should) (?:not )?(?:like|love|enjoy|hate|dislike|appreciate|approve|accept"
    r"|agree|prefer|be (?:happy|satisfied|pleased|content|impressed|disappointed))"
    r"|(?:meets?|reach(?:es)?|satisf(?:y|ies)|below|above|up to|short of|fulfils?)"
    r" (?:(?:the|our|your|my|all|any|most|usual|expected|professional|high|highest|low|common)\s)+"
    r"(?:quality )?standards\b(?! (?:of|for|in|set|on)\b)|quality bar|(?:not )?good enough"
    r"|(?:hohe[nm]?|höchste[nm]?) (?:ansprüchen|standards)|(?:nicht )?gut genug"
    r"|(?:im großen und ganzen )?in ordnung|reicht nicht aus"
    r"|die meisten (?:leute|menschen|nutzer|leser) (?:würden|fänden|mögen))\b"
)
"""Praise by people who are not there to be asked."""
_ASKED = Late(
    r"(?i)^\W*(?:(?:do|would|did) you (?:personally )?(?:like|love|enjoy|approve|agree|think|feel"
    r"|find|believe)|(?:how|what) (?:do|would) you (?:feel|think|like)|are you (?:happy|satisfied"
    r"|pleased|convinced)|gefällt (?:dir|ihnen|euch)|(?:findest|magst|meinst) du|finden sie"
    r"|wie (?:findest du|gefällt)|was hältst du|aimez[- ]vous|(?:te|le) gusta)\b"
)
"""Questions of taste."""
_FEW = 5
"""Words of one's own that such a text may have and still rest on the taste of others."""


def _speaks(text: str) -> bool:
    return not _MARKS.isdisjoint(set_of_words(text))


@remembered
def handed_over(text: str) -> str | None:
    """Return the words by which a text leaves the yardstick to the judge, or None."""
    found = _HANDED.search(text) if _speaks(text) else None
    return found and found[0]


@remembered
def liked(text: str) -> str | None:
    """Return praise by people who are not there, in a text with few words of its own besides."""
    found = _LIKED.search(text) if _speaks(text) else None
    if found is None:
        return None
    besides = f"{text[: found.start()]} {text[found.end() :]}"
    return found[0] if len(telling_words(besides)) < _FEW else None


@remembered
def taste_asked(text: str) -> str | None:
    """Return the words by which a question asks for the judge's taste."""
    found = _ASKED.search(text) if _speaks(text) else None
    return found[0].strip() if found else handed_over(text)


def in_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield such words in a prompt, with the number of their line."""
    if _speaks(text):
        for number, line in enumerate(text.split("\n"), start=1):
            if said := handed_over(line):
                yield number, said
