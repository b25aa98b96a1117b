"""A grader in neutral form: what every tool's reader makes, and the writer writes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from judgekit.importers.graders.node import Place
from judgekit.importers.graders.notes import Notes
from judgekit.linting.words import set_of
from judgekit.rubric.scale import Kind, Value, fold, number_text

_NOT_A_NAME = re.compile(r"[^\w.-]+")
_LONGEST = 64
NOT_SO = "This is not so: "
NONE_FITS = "None of the other definitions fits."
"""What stands for the level of two that nobody described, and for the last of several."""
_UNSAID = set_of(
    "a an and are be been by can could did do does for from has have if in is it its may might "
    "must no not of on or output outputs response responses answer answers reply replies should "
    "shall so than that the their there these this those to was were when whether which will "
    "with would you your model assistant any all as at only also"
)
"""Words that name nothing."""
_MOST_WORDS = 4


class DraftLevel(NamedTuple):
    """One level as far as the source gives it; a definition nobody wrote is None."""

    value: Value | None
    name: str | None
    definition: str | None

    @property
    def said(self) -> str:
        """Return how people name it."""
        return self.name or ("" if self.value is None else number_text(self.value))


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """One criterion on its way from another tool.

    Attributes:
        name: A valid name of a criterion.
        at: Where the source defines it.
        question: What the judge is asked.
        kind: The kind of scale.
        levels: The levels, lowest first; none where the source states no scale.
        inputs: What the judge is shown.
        task: The rest of the prompt, as plain text.
        passes_at: Ordinal: the lowest level that passes.
        passing: Nominal: the names of the levels that pass.
        not_applicable: When the criterion does not apply.
        settings: Model and sampling, under the keys of ``judgekit.toml``.
    """

    name: str
    at: Place
    question: str
    kind: Kind
    levels: tuple[DraftLevel, ...]
    inputs: tuple[str, ...]
    task: str = ""
    passes_at: Value | None = None
    passing: tuple[str, ...] = ()
    not_applicable: str | None = None
    settings: dict[str, Any] = field(default_factory=dict)


def criterion_name(text: str) -> str:
    """Return text as the name of a criterion: letters, digits and ``_``, ``-``, ``.``."""
    name = _NOT_A_NAME.sub("_", text.strip()).strip("_.-")[:_LONGEST].rstrip("_.-")
    return name or "criterion"


def few_words(text: str) -> str:
    """Return the first words of a text that name something, as a name for what has none."""
    words = [word.lower() for word in re.findall(r"[^\W_]+", text)]
    told = [word for word in words if word not in _UNSAID] or words
    return criterion_name("_".join(told[:_MOST_WORDS])[:40])


def statement(text: str) -> tuple[str, tuple[DraftLevel, ...]]:
    """Return question and levels of a requirement that an output meets or does not meet."""
    text = " ".join(text.split())
    question = text if text.endswith("?") else f"Is this true of the output? {text}"
    met = None if text.endswith("?") else text
    return question, (
        DraftLevel(0, "no", None if met is None else f"{NOT_SO}{met}"),
        DraftLevel(1, "yes", met),
    )


def turned_round(levels: Sequence[DraftLevel]) -> tuple[DraftLevel, ...]:
    """Return a yes-or-no scale on which "no" passes: its words change places."""
    low, high = levels
    return (DraftLevel(0, "present", high.definition), DraftLevel(1, "absent", low.definition))


def compared(text: str) -> tuple[str, tuple[DraftLevel, ...]]:
    """Return question and levels of a comparison by what a text asks for."""
    text = " ".join(text.split())
    return f"Which of the two outputs is it by this: {text}", (
        DraftLevel(1, "A", f"Output A is the one, by this: {text}"),
        DraftLevel(2, "B", f"Output B is the one, by this: {text}"),
    )


def reviewed(drafts: Sequence[Draft], notes: Notes) -> list[Draft]:
    """Return the drafts, each with a name of its own, and note what every rubric has to say."""
    taken: set[str] = set()
    last: Counter[str] = Counter()
    found = []
    for draft in drafts:
        notes.begin(draft.at)
        own = _own_name(draft, taken, last, notes)
        taken.add(fold(own.name))
        _note_gaps(own, notes)
        found.append(own)
    notes.begin(None)
    return found


def _own_name(draft: Draft, taken: set[str], last: Counter[str], notes: Notes) -> Draft:
    """Return the draft under a name not taken; ``last`` has the last number a name was given."""
    name, stem = draft.name, draft.name[: _LONGEST - 5]
    while fold(name) in taken:
        last[fold(stem)] += 1
        name = f"{stem}_{last[fold(stem)] + 1}"
    if name == draft.name:
        return draft
    message = f"another criterion is called {draft.name!r} too; this one is written as {name!r}"
    help_ = "give it a name that says what it asks, in the labels as well"
    notes.add("import-renamed", draft.at, message, help_)
    return replace(draft, name=name)


def _note_gaps(draft: Draft, notes: Notes) -> None:
    bare = [level.said for level in draft.levels if not level.definition]
    if bare:
        levels = ", ".join(repr(name) for name in bare)
        message = f"{draft.name!r} says nowhere what an output of level {levels} looks like"
        say = "fill in the empty 'definition:' lines; until then the rubric cannot be used"
        notes.add("import-definition-missing", draft.at, message, say)
    for level in draft.levels:
        if (level.definition or "").startswith((NOT_SO, NONE_FITS)):
            message = (
                f"nobody wrote what an output of level {level.said!r} of {draft.name!r} looks like"
            )
            help_ = "its definition only says that the others do not hold: write what a reader sees"
            notes.add("import-definition-made", draft.at, message, help_)
    no_line = draft.passes_at is None and not draft.passing
    if draft.kind in ("ordinal", "nominal") and draft.levels and no_line:
        message = f"{draft.name!r} does not say which levels pass"
        key = "passes_at: LEVEL" if draft.kind == "ordinal" else "passing: [LEVELS]"
        notes.add("import-pass-line-missing", draft.at, message, f"add {key}")
