"""A prompt, divided: what is asked, and the rest; what does not belong in a rubric is noted."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from judgekit.importers.graders.answering import answering, is_small
from judgekit.importers.graders.node import Place
from judgekit.importers.graders.notes import Notes
from judgekit.importers.graders.sentences import Piece, pieces, without
from judgekit.importers.graders.wording import Words

_POINT = re.compile(r"(?m)^[^\S\n]*(?:[-*•]|\d+[.)])\s+\S")
_SCALED = re.compile(
    r"(?i)\b(?:score|rate|grade)\b[^.\n]{0,20}?\d+(?:\.\d+)?[ \t]?(?:-|–|to)[ \t]?\d+"
)
"""One of several scores that a prompt asks for at once."""
_SHOWN = re.compile(
    r"[^\n:.!?]{1,40}:[ \t]*\[[^\]\n]*\]|\[[^\]\n]*\]|\*\*[^*\n]*\*\*|^#.*$|</?\w+>", re.MULTILINE
)
"""Fields, and the headings over them."""
_SAYS = re.compile(r"\w")
_CHAT = re.compile(r"(?i)\W*(?:(?:would|can|could|do|did|have|are) you|may i|shall i)\b")
"""How a question begins that an example asks its user."""
_ASKS = re.compile(
    r"(?i)\W*(?:(?:please|then|now|carefully|your (?:task|job|goal) is to"
    r"|you (?:are to|will|must|should|need to))\s+)*"
    r"(?:(?:examine|inspect|review|analy[sz]e|read|look at|consider|compare|given|based on|using)\b"
    r"[^.?!\n]{0,120}?(?:,| and| to)\s+)?"
    r"(?:evaluate|assess|determine|judge|decide|check|verify|rate|score|grade|classify|measure"
    r"|estimate|label|categorize|identify)\b(?!\s+only\b)"
)
"""How a sentence begins that asks a judge something without a question mark."""
_LEAD = re.compile(r"^[-*•\s]*(?:\d+[.)]\s+)?")
_SHORTEST, _LONGEST = 15, 300
_MOST_SHOWN = 100
_MOST_NOTES = 10


class Asked(NamedTuple):
    """A prompt, divided: what is asked, and the rest."""

    question: str
    task: str


def divided(
    words: Words, name: str, *, at: Place, notes: Notes, labels: Sequence[str] = ()
) -> Asked:
    """Divide a prompt into its question and the rest; note what does not belong in a rubric.

    What only says how to answer is taken out, and noted. The question is the only sentence that
    asks; where there is none, or several, a short prompt is the question as a whole, and for a
    long one it is made from the criterion's name; both are noted.

    Args:
        words: The prompt, of which the definitions of levels were read.
        name: The criterion.
        at: Where the prompt stands in the source.
        notes: Where it is noted.
        labels: The names of the levels, where they have some.
    """
    return asked(cleaned(words, at=at, notes=notes, labels=labels), name, at=at, notes=notes)


def cleaned(words: Words, *, at: Place, notes: Notes, labels: Sequence[str] = ()) -> str:
    """Return a prompt without what only says how to answer; note that, and what is unread in it."""
    note_unread(words, at, notes)
    answer = answering(words.rest, labels, frozenset(words.unread))
    size = len(words.rest)
    for said in answer.taken[:_MOST_NOTES]:
        message = f"the prompt says how to answer, which is left out: {_short(said)!r}"
        help_ = "the rubric's scale and its built-in template say that"
        notes.add("import-answer-form", notes.place(at, said, size), message, help_)
    more = max(0, len(answer.taken) - _MOST_NOTES) + max(0, len(answer.left) - _MOST_NOTES)
    if more:
        message = f"{more} more sentences say how to answer"
        notes.add("import-answer-form", at, message, "take out those that are left in the text")
    for said in answer.left[:_MOST_NOTES]:
        message = f"the prompt says how to answer: {_short(said)!r}"
        help_ = "take it out: the rubric's scale and its built-in template say that"
        notes.add("import-answer-form", notes.place(at, said, size), message, help_)
    return answer.rest


def note_unread(words: Words, at: Place, notes: Notes) -> None:
    """Note each line that seems to say what a level means, and is still text of the prompt."""
    for start, end in words.unread[:_MOST_NOTES]:
        said = " ".join(words.rest[start:end].split())
        message = f"this seems to say what a level means, and is left in the text: {_short(said)!r}"
        help_ = "write it as the definition of a level, and take it out of the text"
        notes.add("import-level-unread", notes.place(at, said, len(words.rest)), message, help_)
    more = len(words.unread) - _MOST_NOTES
    if more > 0:
        message = f"{more} more lines seem to say what levels mean, and are left in the text"
        notes.add("import-level-unread", at, message, "see the text of the question or the task")


def _short(text: str) -> str:
    return text if len(text) <= _MOST_SHOWN else f"{text[: _MOST_SHOWN - 1]}…"


def asked(text: str, name: str, *, at: Place, notes: Notes) -> Asked:
    """Divide a prompt that says nothing any more of its levels and of how to answer."""
    listed = note_points(text, name, at, notes)
    told = [piece for piece in pieces(text) if _tells(text[piece.start : piece.end])]
    asking = _asking(text, told)
    short = len(text) <= _LONGEST and "\n\n" not in text and not listed
    if asking is not None and (len(told) > 1 or not short):
        return Asked(_question(text, asking), without(text, [asking]).strip())
    if short and told:
        if len(told) > 1:
            message = (
                f"{name!r} asks no single question; its {len(told)} sentences are the question"
            )
            help_ = "ask in one sentence what the judge is to decide"
            notes.add("import-question-missing", at, message, help_)
        return Asked(" ".join(text.split()), "")
    question = f"Which level does the output have on {name.replace('_', ' ')}?"
    message = f"{name!r} asks no single question; one is made from its name: {question!r}"
    help_ = "ask in one sentence what the judge is to decide"
    notes.add("import-question-missing", at, message, help_)
    return Asked(question, without(text, []))


def note_points(text: str, name: str, at: Place, notes: Notes) -> int:
    """Return how many points a prompt lists; note it where there are several."""
    listed = max(len(_POINT.findall(text)), len(_SCALED.findall(text)))
    if listed > 1:
        message = f"the prompt of {name!r} lists {listed} points to look at"
        help_ = "make a criterion of each that can hold while another does not"
        notes.add("import-several-questions", at, message, help_)
    return listed


def asks(text: str) -> bool:
    """Return whether a text begins by telling a judge to look, and does not state what holds."""
    return _ASKS.match(text) is not None


def _tells(sentence: str) -> bool:
    """Return whether a sentence has words of its own: fields and headings have none."""
    own = _SHOWN.sub("", sentence)
    return bool(_SAYS.search(own)) and not is_small(own)


def _asking(text: str, told: Sequence[Piece]) -> Piece | None:
    """Return the only sentence that asks something: with a question mark, or else by its verb."""
    sentences = [(piece, " ".join(text[piece.start : piece.end].split())) for piece in told]
    fits = [(p, s) for p, s in sentences if _SHORTEST <= len(s) <= _LONGEST]
    found = [piece for piece, said in fits if said.endswith("?") and not _CHAT.match(said)]
    if not found and not any(said.endswith("?") for _, said in sentences):
        found = [p for p, said in fits if _ASKS.match(said) and not said.endswith(":")]
    return found[0] if len(found) == 1 else None


def _question(text: str, piece: Piece) -> str:
    return _LEAD.sub("", " ".join(text[piece.start : piece.end].split()))
