"""The prompt of a rubric worked out once, so that an item's text only has to be put in.

Running a template for every item costs more than all else that is done for an item that the cache
answers. Most templates show the items and do nothing else with them, and then all their prompts
are one text with holes. Plan and template give the same, byte for byte; where that is not certain,
for a rubric or for one item, there is no plan, and the template is run.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from judgekit.rubric.fence import MARK_LENGTH, closing, joined_texts, mark_in, opening, shown_text
from judgekit.rubric.holes import Holed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from judgekit.rubric.fence import Fences
    from judgekit.rubric.render import Shown

_LETTER = re.compile("[0-9a-f]")
_LIKE_A_MARK = re.compile(f"(?=({_LETTER.pattern}{{{MARK_LENGTH}}}))")

Values = tuple[str, ...]
"""What goes into the holes: the mark, then the text of every input, as it stands in its fence."""


class Plan:
    """The prompt of one criterion as texts with holes; made by ``planning.plan_of``.

    Attributes:
        inputs: The rubric's inputs; each has a hole.
        sample: The messages of an item made of nothing but signs for the holes.
    """

    def __init__(self, inputs: Sequence[str], sample: Fences, messages: Sequence[Shown]) -> None:
        self.inputs, self.sample = tuple(inputs), list(messages)
        signs = [sample.mark, *signs_of(self.inputs).values()]
        self._holes = {sign: place for place, sign in enumerate(signs)}
        self._split = re.compile(f"({'|'.join(map(re.escape, signs))})")
        self._messages = [(role, self.cut(content)) for role, content in messages]
        constants = [c for _, holed in self._messages for c in holed.constants]
        self._unsafe = {found for c in constants for found in _LIKE_A_MARK.findall(c)}

    def cut(self, text: str) -> Holed[str]:
        """Return a text made of the sample as one with holes."""
        pieces = self._split.split(text)
        return Holed(pieces[::2], [self._holes[sign] for sign in pieces[1::2]], len(self._holes))

    def values(self, fields: Mapping[str, Any]) -> Values | None:
        """Return what goes into the holes for an item; None when the template has to be run.

        Args:
            fields: The item's fields; every input must be there.
        """
        texts = [fields[name] for name in self.inputs]
        try:
            joined = "\x00".join(texts)
        except TypeError:
            return self._values(texts)
        mark = mark_in(joined)
        return None if mark in self._unsafe else (mark, *texts)

    def _values(self, texts: Sequence[object]) -> Values | None:
        """Return the values where some texts are chat messages, which carry the mark inside."""
        mark, images = mark_in(joined_texts(texts)), list[Any]()
        shown = [shown_text(text, mark, images) for text in texts]
        if images or mark in self._unsafe or self._speaks_up(shown, mark):
            return None
        return (mark, *shown)

    def _speaks_up(self, shown: Sequence[str], mark: str) -> bool:
        """Tell a chat in which a role is written like the first line of a fence."""
        lines = [line(name, mark) for name in self.inputs for line in (opening, closing)]
        return any(line in text for line in lines for text in shown)

    def fill(self, values: Values) -> list[Shown]:
        """Return the messages for an item whose values these are."""
        return [(role, holed.fill(values)) for role, holed in self._messages]

    def safe(self) -> bool:
        """Return whether marks stand apart from all that they could be taken for one mark with.

        A mark that touches another, or a letter that marks are made of, could be read elsewhere
        than where it stands.
        """
        return all(_parted(holed) for _, holed in self._messages)


def signs_of(inputs: Sequence[str]) -> dict[str, str]:
    """Return a text for each input that no rubric has a reason to hold."""
    return {name: f"\ue000{place}\ue001" for place, name in enumerate(inputs)}


def _parted(holed: Holed[str]) -> bool:
    texts, last = holed.constants, len(holed.holes)
    for at, hole in enumerate(holed.holes):
        before, after = texts[at][-1:], texts[at + 1][:1]
        touches = (at > 0 and not before) or (at + 1 < last and not after)
        if hole == 0 and (touches or _LETTER.match(before) or _LETTER.match(after)):
            return False
    return True
