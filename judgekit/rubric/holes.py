"""Texts with holes, which are filled more cheaply than a template is run."""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING, AnyStr, Generic

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


class Holed(Generic[AnyStr]):
    """A text with holes.

    Attributes:
        constants: The text before, between and after the holes; one more than there are holes.
        holes: What goes into each hole: a place in :data:`Values`.
    """

    __slots__ = ("_join", "_pick", "constants", "holes")

    def __init__(self, constants: Sequence[AnyStr], holes: Sequence[int], values: int) -> None:
        """Put together what a text is made of.

        Args:
            constants: As above.
            holes: As above.
            values: How many values there are.
        """
        self.constants: tuple[AnyStr, ...] = tuple(constants)
        self.holes = tuple(holes)
        order = [values]
        for at, hole in enumerate(holes, values + 1):
            order += [hole, at]
        self._pick: Callable[[tuple[AnyStr, ...]], tuple[AnyStr, ...]] = itemgetter(*order)
        self._join: Callable[[tuple[AnyStr, ...]], AnyStr] = constants[0][:0].join

    def fill(self, values: tuple[AnyStr, ...]) -> AnyStr:
        """Return the text with values in its holes."""
        if not self.holes:
            return self.constants[0]
        return self._join(self._pick(values + self.constants))
