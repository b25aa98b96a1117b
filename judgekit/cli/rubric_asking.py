"""Asking an author, on a terminal, for what a rubric is made of."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from judgekit.api.rubric_new import NewLevel, NewRubric, check_name, new_text
from judgekit.errors import InputError, suggest
from judgekit.reports.words import WIDTH, wrapped
from judgekit.rubric.criteria import PAIRWISE_INPUTS, POINTWISE_INPUTS
from judgekit.rubric.render import label_of

KINDS = ("ordinal", "binary", "nominal", "pairwise")
_FEWEST, _MOST, _MOST_KINDS = 2, 5, 20
_PAIRWISE = ("A", "B", "tie")
_LATER = "(empty: later)"
ANY = "any"
"""Stands for what has not been asked yet, where the parser looks at an answer."""

_UNTYPED = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""What the keys of a terminal send that are no letters: arrows, escape, and so on."""

_INTROS = {
    "ordinal": "Now each level, the best first. What may wait can be left empty.",
    "binary": "Now the two levels, the one that passes first. What may wait can be left empty.",
    "nominal": "Now each level, in any order. What may wait can be left empty.",
    "pairwise": "Now the three verdicts: A, B and tie. What may wait can be left empty.",
}
_FLAG_KINDS = {"--passes-at": ("ordinal",), "--passing": ("nominal", "pairwise")}

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
        """Return one line that is typed; a long prompt stands on several."""
        *above, last = wrapped(f"{prompt}:", width=WIDTH - 1, rest="    ")
        for line in above:
            self.tell(line)
        try:
            return check_text(self.ask(f"{last} "))
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
                answer = self.line(shown).strip() or default
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
        told = f"{error.message}{f'; {error.hint}' if error.hint else ''}"
        for line in wrapped(told, first="  ", rest="  "):
            self.tell(line)

    def maybe(
        self,
        prompt: str,
        *,
        empty: str = _LATER,
        check: Callable[[str], object] | None = None,
    ) -> str | None:
        """Return an answer, or None for none; ``empty`` says what that means."""
        return self.text(f"{prompt} {empty}", default="", check=check) or None


def ask_rubric(
    given: Given, asking: Asking, check_named: Callable[[str], object] = check_name
) -> NewRubric:
    """Return a rubric from what was given and what is answered.

    Args:
        given: What is not asked any more.
        asking: Asks.
        check_named: Refuses a name that the rubric cannot have.
    """
    name = given.name or asking.text("Name of the rubric", check=check_named)
    question = given.question or asking.text("The one question the judge answers")
    scale = given.scale or asking.text(
        f"Scale: {', '.join(KINDS)}", default="ordinal", check=partial(_check_kind, given)
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
    passes_at, passing = _pass_line(asking, given, scale, levels)
    absent = given.not_applicable or asking.maybe(
        "When does the question not apply, if ever", empty="(empty: never)"
    )
    return NewRubric(name, question, scale, levels, inputs, passes_at, passing, absent)


def check_text(text: str) -> str:
    """Return a text that can be written to a file and shown on a screen.

    Raises:
        InputError: it was typed in another encoding than UTF-8, or holds control characters.
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        raise InputError("this is not UTF-8 text", hint="set the terminal to UTF-8") from None
    if found := _UNTYPED.search(text):
        raise InputError(f"this holds a control character, {found[0]!r}", hint="type it anew")
    return text


def check_flags(given: Given, scale: str) -> None:
    """Refuse a kind of scale that a flag does not go with.

    Raises:
        InputError: says which flag.
    """
    for flag, said in (("--passes-at", given.passes_at), ("--passing", given.passing)):
        kinds = _FLAG_KINDS[flag]
        if said and scale not in kinds:
            raise InputError(f"{flag} goes with {' and '.join(kinds)} scales, not {scale} ones")


def check_inputs(scale: str, inputs: Sequence[str]) -> None:
    """Refuse inputs that no rubric with such a scale can have.

    Raises:
        InputError: says which, and why.
    """
    names = _PAIRWISE if scale == "pairwise" else ("upper", "lower")
    values = ("1", "0") if scale in ("ordinal", "binary") else (None,) * len(names)
    levels = [NewLevel(name, ANY, value) for name, value in zip(names, values, strict=True)]
    new_text(NewRubric(ANY, ANY, scale, levels, inputs))


def names_in(text: str) -> tuple[str, ...]:
    """Return the names in a list with commas."""
    return tuple(name.strip() for name in text.split(",") if name.strip())


def _pass_line(
    asking: Asking, given: Given, scale: str, levels: Sequence[NewLevel]
) -> tuple[str | None, Sequence[str]]:
    """Ask which levels pass, where the kind of scale does not say it."""
    so_far = partial(NewRubric, ANY, ANY, scale, levels)
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
    return passes_at, passing


def _levels(asking: Asking, scale: str, inputs: Sequence[str]) -> list[NewLevel]:
    """Ask for every level, of those with an order the best first."""
    values, names = _size(asking, scale)
    asking.tell(_INTROS[scale])
    found: list[NewLevel] = []
    for at, (value, name) in enumerate(zip(values, names, strict=True)):
        asking.tell("")
        asking.tell(_heading(scale, at, values, name))
        check = partial(_check_level, scale, values, found)
        called = name or asking.text("  Name", check=check)
        falls = scale in ("ordinal", "binary") and at < len(values) - 1
        found.append(_level(asking, value, called, inputs, falls=falls))
    asking.tell("")
    return found


def _size(asking: Asking, scale: str) -> tuple[Sequence[str | None], Sequence[str | None]]:
    """Return the values and the names of the levels, as far as the kind of scale settles them."""
    if scale == "pairwise":
        return (None,) * len(_PAIRWISE), _PAIRWISE
    if scale == "binary":
        return ("1", "0"), (None, None)
    most, usual = (_MOST, "3") if scale == "ordinal" else (_MOST_KINDS, None)
    asked = f"How many levels ({_FEWEST} to {most})"
    size = int(asking.text(asked, default=usual, check=partial(_check_size, most)))
    values = [str(n) for n in range(size, 0, -1)] if scale == "ordinal" else [None] * size
    return values, [None] * size


def _heading(scale: str, at: int, values: Sequence[str | None], name: str | None) -> str:
    """Return which level is asked for, and where on the scale it stands."""
    if name is not None:
        return f"Verdict {name}"
    last = at == len(values) - 1
    if scale == "ordinal":
        return f"Level {values[at]}{' (the best)' * (at == 0)}{' (the worst)' * last}"
    if scale == "binary":
        return f"Level {values[at]} ({'does not pass' if last else 'passes'})"
    return f"Level {at + 1} of {len(values)}"


def _check_level(
    scale: str, values: Sequence[str | None], above: Sequence[NewLevel], name: str
) -> None:
    """Refuse a name that the next level of a scale cannot have."""
    if name.casefold() in {level.name.casefold() for level in above}:
        raise InputError(f"there is a level {name!r} already")
    named = [NewLevel(level.name, ANY, level.value) for level in above]
    names = [name, *(f"{ANY} {n}" for n in range(1, len(values) - len(above)))]
    rest = [NewLevel(n, ANY, v) for n, v in zip(names, values[len(above) :], strict=True)]
    new_text(NewRubric(ANY, ANY, scale, [*named, *rest]))


def _level(
    asking: Asking, value: str | None, name: str, inputs: Sequence[str], *, falls: bool
) -> NewLevel:
    """Ask for all of a level but its name."""
    definition = asking.text("  What a reader sees in such an output")
    drops = asking.maybe("  The one thing that makes it the next lower level") if falls else None
    anchor = _example(asking, inputs)
    reason = asking.maybe(f"  Why that example is {name!r}") if anchor else None
    return NewLevel(name, definition, value, drops, anchor, reason)


def _example(asking: Asking, inputs: Sequence[str]) -> dict[str, str]:
    """Ask for a worked example; without what is judged there is none."""
    judged = [field for field in inputs if field.startswith("output")] or inputs
    anchor: dict[str, str] = {}
    for field in inputs:
        what = label_of(field).lower()
        text = asking.maybe(f"  A worked example, its {what}")
        if text is not None:
            anchor[field] = text
        elif not anchor:
            break
        elif field in judged:
            asking.tell(f"  Without its {what} it is no example, and left out.")
            return {}
    return anchor


def _check_kind(given: Given, answer: str) -> None:
    """Refuse what is no kind of scale, and one that a flag does not go with."""
    if answer not in KINDS:
        near = suggest(answer, KINDS)
        hint = f"did you mean {near!r}?" if near else None
        raise InputError(f"it is one of {', '.join(KINDS)}", hint=hint)
    check_flags(given, answer)


def _check_size(most: int, answer: str) -> None:
    if answer not in map(str, range(_FEWEST, most + 1)):
        raise InputError(f"a number from {_FEWEST} to {most}")
