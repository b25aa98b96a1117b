"""The content of a rubric while it is being written, and what is settled before anybody writes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from judgekit.rubric.scale import Kind, Value, spelling

if TYPE_CHECKING:
    from collections.abc import Mapping

    from judgekit.judging.judgment import Cause

POINTWISE = ("input", "output", "context", "reference")
"""The inputs a drafter may choose among where no items say what there is."""

CRITERION_NAME = re.compile(r"[^\W_][\w.-]{0,63}")
"""What a criterion may be called: its certificates are files of that name."""

# As the front matter of a rubric refuses them, and what ends a line to YAML alone.
_UNWRITABLE = re.compile(
    "[^\t\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)
_LONGEST_NAME = 40


class DraftAnchor(NamedTuple):
    """A worked example.

    Attributes:
        fields: Its text, by input.
        reason: Why it has its level.
        item: The labelled item that the drafter says it was taken from; "" for an invented one.
    """

    fields: Mapping[str, str]
    reason: str = ""
    item: str = ""


class DraftLevel(NamedTuple):
    """One level; what is not written yet is "".

    Attributes:
        name: Its name.
        value: Its value; None where the name is enough.
        definition: What an output of this level looks like.
        drops_when: What drops an output out of it.
        passes: Whether an output of this level passes.
        anchors: Worked examples.
    """

    name: str
    value: Value | None = None
    definition: str = ""
    drops_when: str = ""
    passes: bool = False
    anchors: tuple[DraftAnchor, ...] = ()


class Draft(NamedTuple):
    """The content of a rubric of one criterion.

    Attributes:
        name: The criterion's name, as a file name allows it.
        question: What the judge is asked.
        kind: The kind of scale.
        inputs: What the rubric shows of an item.
        levels: The levels, best first.
        task: One sentence that tells the judge what it grades.
        not_applicable: When the criterion does not apply; "" when it always does.
    """

    name: str
    question: str
    kind: Kind
    inputs: tuple[str, ...]
    levels: tuple[DraftLevel, ...]
    task: str = ""
    not_applicable: str = ""


class NoDraft(NamedTuple):
    """Why a reply is no draft; the cause in the words of unjudged items."""

    cause: Cause
    why: str


class Labelled(NamedTuple):
    """A labelled item that the drafter is shown: its text by input, and the level people gave."""

    item: str
    level: str
    fields: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Frame:
    """What is settled before a model is asked.

    Attributes:
        wish: What is to be measured, in the author's own words.
        name: The rubric's name; "" leaves it to the drafter.
        inputs: What items hold; () leaves it to the drafter.
        levels: The levels that labels use, as written; () leaves them to the drafter. Numbers
            come highest first.
        kinds: The kinds of scale that may be drafted.
        not_applicable: Raters have said that the criterion does not apply to some item.
        example: The text of a rubric to start from, or "".
        example_levels: The level names of that rubric, best first.
        labelled: Labelled items to learn from.
    """

    wish: str
    name: str = ""
    inputs: tuple[str, ...] = ()
    levels: tuple[str, ...] = ()
    kinds: tuple[Kind, ...] = ("ordinal", "binary", "nominal")
    not_applicable: bool = False
    example: str = ""
    example_levels: tuple[str, ...] = ()
    labelled: tuple[Labelled, ...] = ()

    @property
    def numbered(self) -> bool:
        """Whether the labels write levels as numbers, which need names."""
        return bool(self.levels) and all(number_of(level) is not None for level in self.levels)


def number_of(text: str) -> int | float | None:
    """Return the number that a written level is; None for a word."""
    try:
        number = float(spelling(text))
    except ValueError:
        return None
    return int(number) if number.is_integer() else number


def lines_of(text: str) -> str:
    """Return text that can stand in a rubric: other characters, such as escapes, become spaces."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return _UNWRITABLE.sub(" ", text).strip()


def line_of(text: str) -> str:
    """Return text on one line that can stand in a rubric."""
    return " ".join(lines_of(text).split())


def slug(text: str) -> str:
    """Return a name for a criterion and its file made of a text's words; "" where it has none."""
    words = re.findall(r"[^\W_]+", text.casefold())
    name = ""
    for word in words:
        longer = f"{name}-{word}" if name else word[:_LONGEST_NAME]
        if len(longer) > _LONGEST_NAME:
            break
        name = longer
    return name
