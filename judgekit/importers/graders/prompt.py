"""The prompt of another tool as plain text: what it shows becomes inputs, and nothing runs."""

from __future__ import annotations

import keyword
import re
from collections.abc import Callable, Iterable, Iterator

from judgekit.importers.graders.node import Place
from judgekit.importers.graders.notes import Notes
from judgekit.rubric.parse import RESERVED
from judgekit.rubric.render import label_of

_OPENS = re.compile(r"\{[{%#]")
_CLOSES = {"{{": "}}", "{%": "%}", "{#": "#}"}
_PATH = re.compile(r"[A-Za-z_]\w*(?:\.\w+|\[[\"']\w+[\"']\])*")
_ORDER = ("input", "output", "output_a", "output_b", "reference", "context")
_COMMON = {
    "input": "input inputs question query prompt instruction instructions request user_input "
    "user_message user_query input_text user_prompt problem",
    "output": "output outputs output_text response model_output actual_output model_response "
    "completion generated_output generated_answer candidate prediction model_answer submission",
    "reference": "reference reference_answer expected expected_output expected_answer "
    "expected_response expectations ground_truth groundtruth correct_answer ideal gold "
    "gold_answer target ideal_answer reference_output expected_outcome",
    "context": "context contexts retrieval_context retrieved_context documents passages "
    "source_text source document",
}
_MEANS = {name: kept for kept, names in _COMMON.items() for name in names.split()}


def common(name: str) -> str:
    """Return the input that other tools call by this name, or the name itself."""
    return _MEANS.get(name.lower(), name)


def in_order(names: Iterable[str]) -> tuple[str, ...]:
    """Return inputs in the usual order, those of the source's own last; each once."""
    given = list(dict.fromkeys(names))
    return (*(n for n in _ORDER if n in given), *(n for n in given if n not in _ORDER))


class Fields:
    """What the prompt of one grader shows.

    Args:
        notes: Where variables are noted that have no counterpart.
        name_of: Returns the input a variable of the tool stands for, or None when there is none.
        shown: Inputs the tool shows whatever its prompt says.
    """

    def __init__(
        self,
        notes: Notes,
        name_of: Callable[[str], str | None] = common,
        shown: Iterable[str] = (),
    ) -> None:
        self._notes, self._name_of = notes, name_of
        self._taken: dict[str, str | None] = dict.fromkeys(shown)

    @property
    def inputs(self) -> tuple[str, ...]:
        """Return the inputs met so far."""
        return in_order(self._taken)

    def add(self, variable: str, at: Place) -> str | None:
        """Return the input a variable becomes; None when nothing of an item stands for it."""
        wanted = self._name_of(variable)
        words = re.findall(r"\w+", variable)
        if wanted is None or not words:
            return None
        last = words[-1]
        if self._taken.setdefault(wanted, variable) not in (variable, None):
            wanted = last  # another variable is that input already
        if wanted not in _ORDER:
            wanted = self._own(wanted, variable, at)
        self._taken.setdefault(wanted, variable)
        return wanted

    def _own(self, name: str, variable: str, at: Place) -> str:
        fits = name.isidentifier() and not keyword.iskeyword(name)
        if not fits or name.casefold() in RESERVED:
            name = f"{name}_text" if fits or keyword.iskeyword(name) else f"field_{name}"
        message = f"{variable!r} is none of the usual inputs; it becomes the input {name!r}"
        help_ = f"give every item a column {name!r}, or rename the input"
        self._notes.add("import-input-added", at, message, help_)
        return name

    def read(self, text: str, at: Place) -> str:
        """Return a prompt in which each variable is the name of what is shown: ``[Output]``.

        What is no plain variable (a loop, a filter, a value the tool computes) stays as it is
        written, and is noted.
        """
        parts, done = [], 0
        for start, end in _tags(text):
            place = self._notes.place(at, text[start:end], len(text))
            parts += [text[done:start], self._one(text[start:end], place)]
            done = end
        return "".join([*parts, text[done:]])

    def _one(self, tag: str, at: Place) -> str:
        said = _variable(tag)
        name = self.add(said, at) if _PATH.fullmatch(said) else None
        if name is not None:
            return f"[{label_of(name)}]"
        message = f"{tag} stands for nothing an item has; it is plain text in the rubric"
        help_ = "say in words what it meant, or show it as an input"
        self._notes.add("import-variable-unknown", at, message, help_)
        return tag


def _tags(text: str) -> Iterator[tuple[int, int]]:
    """Yield where each tag of a template begins and ends; one that is left open is none."""
    left_open: set[str] = set()  # no need to look for their end again
    at = 0
    while found := _OPENS.search(text, at):
        at = found.start() + 1
        closes = _CLOSES[found[0]]
        end = -1 if closes in left_open else text.find(closes, found.end())
        if end < 0:
            left_open.add(closes)
        else:
            at = end + 2
            yield found.start(), at


def _variable(tag: str) -> str:
    """Return what ``{{ it }}`` shows, without the signs that trim blanks; "" for other tags."""
    inside = tag[2:-2] if tag.startswith("{{") else ""
    inside = inside[1:] if inside.startswith(("-", "~")) else inside
    inside = inside[:-1] if inside.endswith(("-", "~")) else inside
    return inside.strip()
