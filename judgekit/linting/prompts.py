"""What a rubric's prompts show, tried out with texts that could be nothing else."""

from __future__ import annotations

import re
from functools import lru_cache
from html import escape
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from jinja2 import nodes

from judgekit.errors import InputError
from judgekit.rubric.losses import block_lines, first_line, mentions
from judgekit.rubric.meaning import probes
from judgekit.rubric.model import Criterion
from judgekit.rubric.render import render
from judgekit.rubric.scale import Anchor, Level, Scale
from judgekit.rubric.templates import only_fills

if TYPE_CHECKING:
    from collections.abc import Sequence

    from judgekit.linting.subject import Subject
    from judgekit.rubric.model import Rubric

# Private-use characters, which no template has a reason to write: what it is, then of which level.
_KINDS = ("name", "definition", "drops_when", "reason", "anchors", "not_applicable", "value")
_FIRST, _FIRST_LEVEL = 0xF000, 0xF100
_VALUES = 900_000_001
_MOST_LEVELS = 99
_SIGN = re.compile(r"([\uf000-\uf00f])([\uf100-\uf8ff])|9000000(\d\d)")
_ESCAPED = re.compile(r"\\u[fF]|&#|%EF%8")

Levels = dict[tuple[str, int], str]
"""The texts of a criterion, by what they are and which level's they are."""


class Part(NamedTuple):
    """A text of the front matter as it stands in a prompt.

    Attributes:
        kind: What it is: ``name``, ``value``, ``definition``, ``drops_when``, ``reason``,
            ``anchors`` (text of a worked example) or ``not_applicable``.
        level: Which level's it is, from 0 in scale order.
        start: Where it begins.
        end: Where it ends.
    """

    kind: str
    level: int
    start: int
    end: int


class Prompt(NamedTuple):
    """The prompt of one criterion.

    Attributes:
        criterion: The criterion.
        text: All messages for a made-up item, blanks joined, without case.
        signs: The same with signs in the place of the levels' texts, as it stands; None where
            the template cannot do without the texts themselves.
        parts: The signs in it.
        picks: Whether the template compares something, perhaps those texts, so that signs need
            not be shown where they would be.
    """

    criterion: Criterion
    text: str
    signs: str | None
    parts: tuple[Part, ...]
    picks: bool

    def shows(self, kind: str, level: int, text: str) -> bool:
        """Return whether it shows a text of the front matter; True where that cannot be told."""
        if self.signs is None or _ESCAPED.search(self.signs):
            return True
        if not self.picks and not any((p.kind, p.level) == (kind, level) for p in self.parts):
            return False
        said = " ".join(text.split()).casefold()
        return said in self.text or escape(said) in self.text

    def names(self, level: int) -> bool:
        """Return whether it shows the name of a level, or its value."""
        if self.signs is None or _ESCAPED.search(self.signs):
            return True
        told = any(p.level == level and p.kind in ("name", "value") for p in self.parts)
        return told or self.picks


@lru_cache(maxsize=2)
def prompts_of(subject: Subject) -> tuple[Prompt, ...]:
    """Return the prompt of each criterion whose template says more than the built-in one.

    Several rules look at the same prompts, so those of the last file are kept.
    """
    rubric = subject.reading.draft
    if rubric is None or only_fills(subject.templates):
        return ()
    own = [t.tree for t in subject.templates if t.tree and not t.name.startswith("judgekit/")]
    picks = any(tree.find(nodes.Compare) is not None for tree in own)
    prompts = (_prompt(rubric, criterion, picks=picks) for criterion in rubric.criteria)
    return tuple(filter(None, prompts))


def _prompt(rubric: Rubric, criterion: Criterion, *, picks: bool) -> Prompt | None:
    text = _rendered(rubric, criterion)
    if text is None:
        return None
    few = len(criterion.scale.levels) < _MOST_LEVELS
    signs = _rendered(rubric, _signed(criterion)) if few else None
    found = _SIGN.finditer(signs or "")
    parts = tuple(_part(match) for match in found)
    return Prompt(criterion, " ".join(text.split()).casefold(), signs, parts, picks)


def _rendered(rubric: Rubric, criterion: Criterion) -> str | None:
    try:
        shown = render(rubric, criterion, probes(rubric.inputs)[0])
    except InputError:
        return None
    return "\n\n".join(content for _, content in shown)


def _part(match: re.Match[str]) -> Part:
    if match[3]:
        return Part("value", int(match[3]) - 1, *match.span())
    return Part(_KINDS[ord(match[1]) - _FIRST], ord(match[2]) - _FIRST_LEVEL, *match.span())


def _sign(kind: str, level: int) -> str:
    return chr(_FIRST + _KINDS.index(kind)) + chr(_FIRST_LEVEL + level)


def _signed(criterion: Criterion) -> Criterion:
    """Return a criterion of the same form whose texts are signs."""
    levels = tuple(_signed_level(level, n) for n, level in enumerate(criterion.scale.levels))
    return Criterion(
        name=criterion.name,
        question=criterion.question,
        scale=Scale(kind=criterion.scale.kind, levels=levels),
        not_applicable=criterion.not_applicable and _sign("not_applicable", 0),
    )


def _signed_level(level: Level, n: int) -> Level:
    numbered = not isinstance(level.value, str)
    return Level(
        value=_VALUES + n if numbered else _sign("value", n),
        name=_sign("name", n),
        definition=_sign("definition", n),
        drops_when=level.drops_when and _sign("drops_when", n),
        anchors=tuple(_signed_anchor(anchor, n) for anchor in level.anchors),
    )


def _signed_anchor(anchor: Anchor, n: int) -> Anchor:
    fields = dict.fromkeys(anchor.fields, _sign("anchors", n))
    return Anchor(fields=fields, reason=anchor.reason and _sign("reason", n))


def lost_at(subject: Subject, patterns: Sequence[str], blocks: Sequence[str]) -> tuple[int, str]:
    """Return the line of the body, and its word, that most likely keeps something from the judge.

    Args:
        subject: The file.
        patterns: How a template names what is kept, the surest first; a tag or a comment that
            does is the place.
        blocks: Else, the blocks that stand in the place of those that show it.
    """
    body = subject.templates[0]
    places = chain(
        *(mentions(body.source, pattern) for pattern in patterns),
        block_lines(body, blocks),
        [(first_line(body.source), "")],
    )
    return next(places)
