"""Asking an author, on a terminal, for what a rubric is made of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from judgekit.api.rubric_new import NewLevel, NewRubric, check_name, new_text
from judgekit.errors import InputError, suggest
from judgekit.rubric.criteria import PAIRWISE_INPUTS, POINTWISE_INPUTS
from judgekit.rubric.render import label_of

KINDS = ("ordinal", "binary", "nominal", "pairwise")
_FEWEST, _MOST = 2, 5
_PAIRWISE = ("A", "B", "tie")
_LATER = "(empty: later)"
_ANY = "any"
"""Stands for what has not been asked yet, where the parser looks at an answer."""

Told = TypeVar("Told")


@dataclass(frozen=True)
class Given:
    """What flags have said already; None or () is still to be asked."""

    name: str | None = None
    question: str | None = None
    scale: str | None = None
    levels: Sequence[NewLevel] = ()
    inputs: Sequence[str] = ()
    passes_at: str | None = None
    passing: Sequence[str] = ()
    not_applicable: str | None = None


class Asking:
    """Asks until the answer can be used.

    Args:
        ask: Shows a prompt and returns the line that is typed.
        tell: Shows a line.
    """

    def __init__(self, ask: Callable[[str], str], tell: Callable[[str], None]) -> None:
        self.ask, self.tell = ask, tell

    def line(self, prompt: str) -> str:
        """Return one line that is typed."""
        try:
            return check_text(self.ask(prompt))
        except UnicodeDecodeError:
            return check_text("\udcff")

    def text(
        self,
        prompt: str,
        *,
        default: str | None = None,
        check: Callable[[str], object] | None = None,
    ) -> str:
        """Return an answer; an empty one is the default, where there is one."""
        shown = prompt if not default else f"{prompt} [{default}]"
        while True:
            try:
                answer = self.line(f"{shown}: ").strip() or default
                if answer is not None and check is not None:
                    check(answer)
            except InputError as error:
                self.refuse(error)
                continue
            if answer is not None:
                return answer
            self.tell("  This one is needed.")

    def usable(self, given: Told, check: Callable[[Told], object]) -> Told | None:
        """Return what a flag has said; None (and why) where it cannot go with the answers."""
        try:
            if given:
                check(given)
        except InputError as error:
            self.refuse(error)
            return None
        return given

    def refuse(self, error: InputError) -> None:
        """Say why an answer cannot be used."""
        self.tell(f"  {error.message}{f'; {error.hint}' if error.hint else ''}")

    def maybe(self, prompt: str, *, check: Callable[[str], object] | None = None) -> str | None:
        """Return an answer, or None for none."""
        return self.text(f"{prompt} {_LATER}", default="", check=check) or None


def ask_rubric(given: Given, asking: Asking) -> NewRubric:
    """Return a rubric from what was given and what is answered."""
    name = given.name or asking.text("Name of the rubric", check=check_name)
    question = given.question or asking.text("The one question the judge answers")
    scale = given.scale or asking.text(
        f"Scale: {', '.join(KINDS)}", default="ordinal", check=_one_of(KINDS)
    )
    usual = PAIRWISE_INPUTS if scale == "pairwise" else POINTWISE_INPUTS
    inputs = asking.usable(given.inputs, partial(check_inputs, scale)) or names_in(
        asking.text(
            "Inputs the judge is shown",
            default=", ".join(usual),
            check=lambda answer: check_inputs(scale, names_in(answer)),
        )
    )
    levels = given.levels or _levels(asking, scale, inputs)
    so_far = partial(NewRubric, _ANY, _ANY, scale, levels)
    passes_at, passing = given.passes_at, given.passing
    if scale == "ordinal":
        passes_at = asking.usable(
            passes_at, lambda level: new_text(so_far(passes_at=level))
        ) or asking.text(
            "The lowest level that passes",
            default=levels[0].name,
            check=lambda answer: new_text(so_far(passes_at=answer)),
        )
    elif scale == "nominal":
        passing = asking.usable(passing, lambda names: new_text(so_far(passing=names))) or names_in(
            asking.maybe(
                "Levels that pass, with commas between",
                check=lambda answer: new_text(so_far(passing=names_in(answer))),
            )
            or ""
        )
    absent = given.not_applicable or asking.maybe("When does the question not apply, if ever")
    return NewRubric(name, question, scale, levels, inputs, passes_at, passing, absent)


def check_text(text: str) -> str:
    """Return a text that can be written to a file.

    Raises:
        InputError: it was typed in another encoding than UTF-8.
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        raise InputError("this is not UTF-8 text", hint="set the terminal to UTF-8") from None
    return text


def check_inputs(scale: str, inputs: Sequence[str]) -> None:
    """Refuse inputs that no rubric with such a scale can have.

    Raises:
        InputError: says which, and why.
    """
    names = _PAIRWISE if scale == "pairwise" else ("upper", "lower")
    values = ("1", "0") if scale in ("ordinal", "binary") else (None,) * len(names)
    levels = [NewLevel(name, _ANY, value) for name, value in zip(names, values, strict=True)]
    new_text(NewRubric(_ANY, _ANY, scale, levels, inputs))


def names_in(text: str) -> tuple[str, ...]:
    """Return the names in a list with commas."""
    return tuple(name.strip() for name in text.split(",") if name.strip())


def _levels(asking: Asking, scale: str, inputs: Sequence[str]) -> list[NewLevel]:
    """Ask for every level, the best first."""
    values: list[str | None]
    names: list[str | None] = [None, None]
    if scale == "ordinal":
        asked = f"How many levels ({_FEWEST} to {_MOST})"
        size = int(asking.text(asked, default="3", check=_is_size))
        values, names = [str(n) for n in range(size, 0, -1)], [None] * size
    elif scale == "binary":
        values = ["1", "0"]
    elif scale == "pairwise":
        values, names = [None] * 3, [*_PAIRWISE]
    else:
        size = int(asking.text(f"How many levels ({_FEWEST} or more)", check=_is_several))
        values, names = [None] * size, [None] * size
    found: list[NewLevel] = []
    for at, (value, name) in enumerate(zip(values, names, strict=True)):
        falls = scale in ("ordinal", "binary") and at < len(values) - 1
        what = f"level {value}" if value else f"verdict {name}" if name else f"level {at + 1}"
        asking.tell("")
        check = partial(_check_level, scale, values, found)
        called = name or asking.text(f"Name of {what}", check=check)
        found.append(_level(asking, value, called, inputs, falls=falls))
    return found


def _check_level(
    scale: str, values: Sequence[str | None], above: Sequence[NewLevel], name: str
) -> None:
    """Refuse a name that the next level of a scale cannot have."""
    if name.casefold() in {level.name.casefold() for level in above}:
        raise InputError(f"there is a level {name!r} already")
    named = [NewLevel(level.name, _ANY, level.value) for level in above]
    names = [name, *(f"{_ANY} {n}" for n in range(1, len(values) - len(above)))]
    rest = [NewLevel(n, _ANY, v) for n, v in zip(names, values[len(above) :], strict=True)]
    new_text(NewRubric(_ANY, _ANY, scale, [*named, *rest]))


def _level(
    asking: Asking, value: str | None, name: str, inputs: Sequence[str], *, falls: bool
) -> NewLevel:
    """Ask for all of a level but its name."""
    definition = asking.text(f"{name}: what a reader sees in such an output")
    drops = (
        asking.maybe(f"{name}: the one thing that makes it the next lower level") if falls else None
    )
    anchor: dict[str, str] = {}
    for field in inputs:
        text = asking.maybe(f"{name}: a worked example, its {label_of(field).lower()}")
        if text is None and not anchor:
            break
        anchor |= {} if text is None else {field: text}
    reason = asking.maybe(f"{name}: why that example is {name}") if anchor else None
    return NewLevel(name, definition, value, drops, anchor, reason)


def _one_of(names: Sequence[str]) -> Callable[[str], object]:
    def check(answer: str) -> None:
        if answer not in names:
            near = suggest(answer, names)
            hint = f"did you mean {near!r}?" if near else None
            raise InputError(f"it is one of {', '.join(names)}", hint=hint)

    return check


def _is_size(answer: str) -> None:
    if not (answer.isdecimal() and _FEWEST <= int(answer) <= _MOST):
        raise InputError(f"a number from {_FEWEST} to {_MOST}")


def _is_several(answer: str) -> None:
    if not (answer.isdecimal() and int(answer) >= _FEWEST):
        raise InputError(f"a number, {_FEWEST} or more")
