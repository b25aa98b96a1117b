"""What a prompt itself says of its levels: definitions in the author's own words."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Sequence
from typing import NamedTuple

from judgekit.importers.graders.answering import is_heading, is_small
from judgekit.importers.graders.clauses import OTHERWISE, clauses, otherwise
from judgekit.importers.graders.grader import NONE_FITS, NOT_SO
from judgekit.importers.graders.grammar import Grammar, Said, doubtful
from judgekit.importers.graders.listings import bare, lines, listed, named_first, tables
from judgekit.importers.graders.sentences import Piece, pieces, without
from judgekit.importers.graders.spans import Span
from judgekit.importers.graders.unread import unread
from judgekit.rubric.scale import fold, number_text

_DECIMAL = re.compile(r"(?<![\w.])\d\.\d+")
_RANGE = re.compile(
    r"(?i)\b(?:scale|score|rate|rating|from|between|of)\b[^.\n]{0,30}?(?<![\w.])"
    r"(\d+(?:\.\d+)?)(?:[ \t]*\([^()\n]*\))?[ \t]*(?:-|–|—|to|and|through)[ \t]*"
    r"(\d+(?:\.\d+)?)(?![\w%]|\.\d)"
)
_SPAN = re.compile(r"(?i)(?<![\w.])(\d+)[ \t]*(?:-|–|to)[ \t]*(\d+)[ \t]+(?:scale|rating)")
_PAIRS = (
    *(("fail", "pass"), ("no", "yes"), ("false", "true"), ("incorrect", "correct")),
    *(("nein", "ja"), ("falsch", "richtig"), ("non", "oui"), ("faux", "vrai"), ("no", "sí")),
    *(("falso", "verdadero"), ("não", "sim"), ("falso", "vero"), ("nee", "ja")),
    *(("hayır", "evet"), ("kalır", "geçer"), ("нет", "да"), ("否", "是"), ("いいえ", "はい")),
)
"""Words for no and yes."""


class Words(NamedTuple):
    """What was found.

    Attributes:
        said: Level -> its definition, "" where a level has none; a range is written ``1..3``.
        rest: The prompt without what only defines levels.
        unread: Sentences of the rest that seem to say what a level means, and were not read.
    """

    said: dict[str, str]
    rest: str
    unread: tuple[Piece, ...] = ()

    @property
    def spans(self) -> list[Span]:
        """Return scores and ranges of scores, lowest first."""
        ends = {level: level.split("..") for level in self.said}
        return sorted(
            Span(float(both[0]), float(both[-1]), self.said[level]) for level, both in ends.items()
        )

    @property
    def has_ranges(self) -> bool:
        """Return whether some of the levels are ranges of scores."""
        return any(".." in level for level in self.said)


def level_words(text: str, labels: Sequence[str] | None = None, ends: Sequence[str] = ()) -> Words:
    """Find the definitions of levels in a prompt.

    Tables, lines (``- correct: the answer ...``), lists in a line (``0 = none, 1 = all``) and
    clauses (``Return 'yes' if ...``, ``otherwise 0``) count. What can be meant in two ways is left.

    Args:
        text: The prompt.
        labels: The levels; None when they are numbers not known yet.
        ends: The numbers of both ends of the scale, where they are known.
    """
    grammar = Grammar(labels)
    names = labels or ()
    found = _Found({}, set(), text)
    for form, least in _LISTS:
        found = found.with_list(form(found.rest, grammar), least, names)
    found = found.with_list(named_first(found.rest, grammar, ends), 2, names)
    tied = clauses(found.rest, grammar)
    found = found.with_clauses(tied)
    sure = [one.piece for one in tied if one.level not in found.doubts]
    return _whole(found, sure, text, grammar, names, ends)


_LISTS: tuple[tuple[Callable[[str, Grammar], list[Said]], int], ...] = (
    (tables, 2),
    (lines, 1),
    (bare, 2),
    (listed, 1),
)
"""The forms of lists, the surest first, and how many levels there must be in one."""


class _Found(NamedTuple):
    """What was read so far, which levels were read in two ways, and what is left to read."""

    said: dict[str, str]
    doubts: set[str]
    rest: str

    def with_list(self, entries: Sequence[Said], least: int, names: Sequence[str]) -> _Found:
        """Return this with a list, which is taken as a whole or not at all."""
        levels = {one.level for one in entries}
        if doubtful(entries):
            return self._replace(doubts=self.doubts | levels)
        if len(levels) < least:
            return self
        new = {one.level: one.words for one in entries if one.level not in self.said}
        rest = _without(self.rest, [one.piece for one in entries], [*names, *levels])
        return _Found({**self.said, **new}, self.doubts, rest)

    def with_clauses(self, entries: Sequence[Said]) -> _Found:
        """Return this with those clauses that leave no doubt; the text is still whole."""
        doubts = self.doubts | doubtful(entries)
        new = {one.level: one.words for one in entries if one.level not in doubts}
        return _Found({**new, **self.said}, doubts, self.rest)


def _whole(
    found: _Found,
    tied: Sequence[Piece],
    text: str,
    grammar: Grammar,
    names: Sequence[str],
    ends: Sequence[str],
) -> Words:
    """Return what was read, with the one level that the prompt gives in all other cases.

    ``tied`` is where the clauses stand that were read.
    """
    said, doubts, rest = found
    other = _other(said, doubts, text, grammar, names, ends)
    left = [one.piece for one in otherwise(rest, grammar) if one.level == other]
    whole = [*said, *(() if other is None else (other,))]
    rest = _without(rest, [*tied, *left], [*names, *whole])
    still = unread(rest, grammar, whole)  # there may be levels in between
    if other is None:
        return Words(said, rest, still)
    words = f"{NOT_SO}{next(iter(said.values()))}" if len(said) == 1 else NONE_FITS
    return Words({**said, other: "" if still else words}, rest, still)


def _other(
    said: dict[str, str],
    doubts: Container[str],
    text: str,
    grammar: Grammar,
    names: Sequence[str],
    ends: Sequence[str],
) -> str | None:
    """Return the level that "otherwise" stands for, where that can only be one."""
    if not said:
        return None
    named = [one.level for one in otherwise(text, grammar) if one.level not in said]
    if not named and OTHERWISE.search(text):
        between = {number_text(float(n)) for n in _DECIMAL.findall(text)} - set(ends)
        whole = names or [*said, *(() if between else ends)]
        named = [level for level in dict.fromkeys(whole) if level not in said]
    return named[0] if len(named) == 1 and named[0] not in doubts else None


def yes_or_no(text: str) -> Words:
    """Find what a prompt says of yes and no, whatever pair of words it takes for them.

    The levels of the result are ``yes`` and ``no``.
    """
    known = fold(text)
    for pair in _PAIRS:
        words = level_words(text, pair) if any(name in known for name in pair) else None
        if words is not None and words.said:
            low, high = pair
            said = {"no": words.said.get(low, ""), "yes": words.said.get(high, "")}
            return words._replace(said={name: told for name, told in said.items() if told})
    return defined_elsewhere(text)


def defined_elsewhere(text: str) -> Words:
    """Return a prompt whose levels stand in another place; what it says of scores is unread."""
    return Words({}, text, unread(text, Grammar(None), ()))


def stated_range(text: str) -> tuple[float, float] | None:
    """Return the numbers a prompt says its scale runs over."""
    found = _RANGE.search(text) or _SPAN.search(text)
    if found is None:
        return None
    low, high = sorted((float(found[1]), float(found[2])))
    return low, high


def numbers(words: Words) -> dict[int | float, str]:
    """Return the definitions of levels that are single numbers."""
    return {float(level): text for level, text in words.said.items() if ".." not in level}


def _without(text: str, taken: Sequence[Piece], levels: Sequence[str]) -> str:
    """Return a text without the sentences of which nothing else is left, and their headings."""
    if not taken:
        return text
    gone: list[Piece] = []
    waiting = sorted(taken, reverse=True)
    for piece in pieces(text):
        inside: list[Piece] = []
        while waiting and waiting[-1].start < piece.end:
            inside.append(waiting.pop())
        own = [Piece(max(0, s - piece.start), e - piece.start) for s, e in inside]
        if own and is_small(without(text[piece.start : piece.end], own), levels):
            gone.append(piece)
        waiting += [one for one in reversed(inside) if one.end > piece.end]
    return without(text, [*gone, *_headings(text, gone, levels)])


def _headings(text: str, gone: Sequence[Piece], levels: Sequence[str]) -> list[Piece]:
    """Return the lines that only announce what is gone."""
    starts = {piece.start for piece in gone}
    waiting: list[Piece] = []
    found: list[Piece] = []
    for piece in pieces(text):
        said = text[piece.start : piece.end]
        if piece.start in starts:
            found += waiting
        if said.strip():
            is_head = piece.start not in starts and is_heading(said, levels)
            waiting = [piece] if is_head else []
    return found
