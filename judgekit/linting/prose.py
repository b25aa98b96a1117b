"""What a body says to the judge in words: sentences, and where they stand."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from judgekit.linting.finding import Finding
from judgekit.linting.remembered import remembered
from judgekit.linting.words import set_of
from judgekit.rubric.tags import tags_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from judgekit.linting.subject import Subject

_HOLE = "\ufffc"
"""Stands for each sign of a tag: it parts the words around it."""

_BLANK = f" \t\n{_HOLE}"
_END = re.compile(
    r"[.!?]+[\"'”»)]*(?=\s|\ufffc|$)|\n[ \t]*\n|\n(?=[ \t]*(?:[-*•]|\d{1,2}[.)])[ \t])"
)
_LONGEST = 600
_VERB = re.compile(
    r"(?i)(?:^|.*[,;:–—]|.*\b(?:please|and|then|or|always|only|just|finally|simply)"
    r"|.*\byou(?: must| should| will| have to| may)?|.*\b(?:now|lastly|instead|never))"
)
_OTHERS = set_of(
    "a all an any assistants assistant bots bot customer customers each every he her his it its "
    "model models no one outputs she some such that the their these they this those user users "
    "what whether which who whose"
)
"""A sentence that begins with one of these tells the judge nothing to do."""


class Sentence(NamedTuple):
    """A sentence.

    Attributes:
        start: Where it begins in the text it is from.
        text: What it says, in one line.
    """

    start: int
    text: str

    def orders_at(self, at: int) -> bool:
        """Return whether a verb that begins there is an order to whoever reads it.

        It stands first, behind a comma or an "and" of orders, or behind "you" and "please".
        """
        before = self.text[:at].strip(" \t\"'“”‘’(-*•#>\ufffc")
        if not before:
            return True
        words = before.split(None, 1)
        named = words[0].casefold() in _OTHERS and not re.search(r"(?i)\byou\b[^,;:]*$", before)
        return not named and _VERB.fullmatch(before) is not None


@remembered
def words_only(body: str) -> str:
    """Return a body with every tag, expression and comment blanked, each sign by one sign."""
    parts, at = [], 0
    for tag in tags_of(body):
        if tag.kind != "raw":
            lines = body[tag.start : tag.end].split("\n")
            parts += [body[at : tag.start], "\n".join(_HOLE * len(line) for line in lines)]
            at = tag.end
    return "".join((*parts, body[at:]))


@remembered
def sentences_of(text: str) -> tuple[Sentence, ...]:
    """Return the sentences of a text (cached: several rules read the same body)."""
    return tuple(_sentences(text))


def _sentences(text: str) -> Iterator[Sentence]:
    start = 0
    for end in (*(match.end() for match in _END.finditer(text)), len(text)):
        said = text[start:end]
        begin = start + len(said) - len(said.lstrip(_BLANK))
        if said.strip(_BLANK):
            yield Sentence(begin, re.sub(r"[\n\t]", " ", text[begin:end][:_LONGEST]).rstrip())
        start = end


def body_sentences(subject: Subject) -> tuple[Sentence, ...]:
    """Return the sentences that a body shows."""
    return sentences_of(words_only(subject.body))


def at_body(subject: Subject, start: int, message: str, say: str) -> Finding:
    """Return a finding at a position of the body."""
    line = subject.body_line + subject.body.count("\n", 0, start)
    return Finding(line, start - subject.body.rfind("\n", 0, start), message, say)
