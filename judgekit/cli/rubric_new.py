"""``judgekit rubric new``."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Annotated, Any, Literal

import typer

from judgekit.api.rubric_new import (
    NewLevel,
    NewRubric,
    Written,
    check_name,
    example_text,
    new_place,
    new_text,
    write_rubric,
)
from judgekit.cli import options as opt
from judgekit.cli.rubric_asking import (
    ANY,
    Asking,
    Given,
    ask_rubric,
    check_flags,
    check_inputs,
    check_text,
    names_in,
)
from judgekit.cli.run import FINE, Stopped
from judgekit.cli.screen import document_or_lines, show
from judgekit.errors import InputError, StorageError
from judgekit.importers.gallery import find_example, gallery
from judgekit.reports.rubric_new import list_lines, new_json, new_lines

_NUMBERED = ("ordinal", "binary")
_OTHER_SCALE = "; levels without an order: --scale nominal"


Name = Annotated[
    str | None, typer.Argument(metavar="NAME", help="What it is called, and its file.")
]
Question = Annotated[str | None, typer.Option(metavar="TEXT", help="What the judge is asked.")]
Scale = Annotated[
    Literal["ordinal", "binary", "nominal", "pairwise"] | None,
    typer.Option(help="The kind of scale; ordinal by default."),
]
Levels = Annotated[
    list[str] | None,
    typer.Option(
        metavar="LEVEL",
        help="VALUE:NAME:DEFINITION, or NAME:DEFINITION where levels have no order; repeatable.",
    ),
]
DropsWhen = Annotated[
    list[str] | None,
    typer.Option(metavar="LEVEL:TEXT", help="What drops an output out of it; repeatable."),
]
Inputs = Annotated[
    str | None, typer.Option(metavar="A,B", help="What it is shown; default: input,output.")
]
PassesAt = Annotated[
    str | None, typer.Option(metavar="LEVEL", help="Ordinal: this level and above pass.")
]
Passing = Annotated[str | None, typer.Option(metavar="A,B", help="Nominal: the levels that pass.")]
NotApplicable = Annotated[
    str | None, typer.Option(metavar="TEXT", help="When the question does not apply.")
]
FromExample = Annotated[
    str | None, typer.Option(metavar="EXAMPLE", help="Begin with this one of the gallery.")
]
ListExamples = Annotated[bool, typer.Option("--list", help="List the gallery; write nothing.")]
Out = Annotated[
    str | None, typer.Option(metavar="FILE", help="Where; default: rubrics/NAME.jinja.")
]


def new(
    name: Name = None,
    question: Question = None,
    scale: Scale = None,
    level: Levels = None,
    drops_when: DropsWhen = None,
    inputs: Inputs = None,
    passes_at: PassesAt = None,
    passing: Passing = None,
    not_applicable: NotApplicable = None,
    example: FromExample = None,
    list_examples: ListExamples = False,
    out: Out = None,
    as_json: opt.Json = False,
) -> int:
    """Write a rubric: from your answers, from flags, or from an example of the gallery.

    On a terminal it asks for what no flag gives. No file is ever replaced.
    """
    params = dict(locals())
    if list_examples:
        found = gallery()
        listed = [{"name": one.name, "description": one.description} for one in found]
        document = {"format": "judgekit.gallery/1", "examples": listed}
        document_or_lines(document, list_lines(listed), as_json=as_json)
        return FINE
    if example is not None:
        written = _of_example(example, params)
        labels = find_example(example).labels
    else:
        written, labels = _of_answers(params), None
    lines = new_lines(written.file, written.violations, labels)
    document_or_lines(new_json(written.file, written.violations), lines, as_json=as_json)
    return FINE


def _of_example(example: str, params: Mapping[str, Any]) -> Written:
    """Write an example of the gallery under a name of one's own."""
    said = [_flag(key) for key in _CONTENT if params[key]]
    if said:
        raise InputError(
            f"an example is taken as it is: --example cannot go with {', '.join(said)}",
            hint="leave them out, and edit the file that is written",
        )
    found = find_example(example)
    name = check_name(params["name"] or found.name)
    path = new_place(name, params["out"])
    return write_rubric(example_text(found, name), path)


_CONTENT = (
    *("question", "scale", "level", "drops_when", "inputs"),
    *("passes_at", "passing", "not_applicable"),
)


def _of_answers(params: Mapping[str, Any]) -> Written:
    """Write what the flags say, and what is answered to the questions they leave open."""
    name, out = params["name"], params["out"]
    _check_texts(params)
    if name is not None or out is not None:
        new_place(ANY if name is None else check_name(name), out)
    given = Given(
        name=name,
        question=params["question"],
        scale=params["scale"] or ("ordinal" if params["level"] else None),
        levels=_levels(params),
        inputs=names_in(params["inputs"] or ""),
        passes_at=params["passes_at"],
        passing=names_in(params["passing"] or ""),
        not_applicable=params["not_applicable"],
    )
    _check_together(given)
    made = _complete(given)
    if made is not None:
        return write_rubric(new_text(made), new_place(made.name, out))
    made = _asked(given, out, as_json=params["as_json"])
    text = new_text(made)
    try:
        return write_rubric(text, new_place(made.name, out))
    except (InputError, StorageError):
        show(["", *text.splitlines(), ""])  # else all that was answered would be lost
        raise


def _check_texts(params: Mapping[str, Any]) -> None:
    """Refuse what a flag says before anything is asked; later the answers would be lost."""
    for key in _CONTENT:
        said = params[key] or ()
        if params[key] == "":
            raise InputError(f"{_flag(key)} says nothing", hint="leave it out, or say it")
        for text in (said,) if isinstance(said, str) else said:
            with _about(_flag(key)):
                check_text(text)
            if not text.strip(" ,"):
                raise InputError(f"{_flag(key)} says nothing", hint="leave it out, or say it")


def _check_together(given: Given) -> None:
    """Refuse flags that do not go with each other, before anything is asked."""
    with _about("--inputs"):
        pairwise = given.scale == "pairwise" or "output_a" in given.inputs
        check_inputs(given.scale or ("pairwise" if pairwise else "ordinal"), given.inputs)
    if given.scale is not None:
        check_flags(given, given.scale)
    whole = _complete(replace(given, name=ANY, question=given.question or ANY))
    if whole is not None:
        new_text(whole)


@contextmanager
def _about(flag: str) -> Iterator[None]:
    """Name the flag that an error is about."""
    try:
        yield
    except InputError as error:
        raise InputError(f"{flag}: {error.message}", hint=error.hint) from None


def _complete(given: Given) -> NewRubric | None:
    """Return the rubric, where the flags say all that a rubric needs."""
    if given.name is None or given.question is None or not given.levels:
        return None
    return NewRubric(
        name=given.name,
        question=given.question,
        scale=given.scale or "ordinal",
        levels=given.levels,
        inputs=given.inputs,
        passes_at=given.passes_at,
        passing=given.passing,
        not_applicable=given.not_applicable,
    )


def _asked(given: Given, out: str | None, *, as_json: bool) -> NewRubric:
    """Ask for the rest, where there is somebody to ask."""
    if as_json or not (sys.stdin.isatty() and sys.stdout.isatty()):
        needed = {
            "NAME": given.name,
            "--question": given.question,
            '--level "3:NAME:DEFINITION" (two or more)': given.levels,
        }
        missing = ", ".join(flag for flag, value in needed.items() if not value)
        raise InputError(
            f"a rubric needs {missing}",
            hint="on a terminal they are asked for; or begin with --example, see --list",
        )
    with suppress(ImportError):
        import readline  # noqa: F401  (with it, what is typed can be edited)
    try:
        return ask_rubric(
            given, Asking(input, print), lambda name: new_place(check_name(name), out)
        )
    except EOFError:
        print()  # the line of the prompt is not ended
        raise InputError("the answers ended too early; nothing was written") from None
    except KeyboardInterrupt:
        raise Stopped("Stopped; nothing was written.") from None


def _levels(params: Mapping[str, Any]) -> list[NewLevel]:
    """Return the levels that flags describe."""
    numbered = (params["scale"] or "ordinal") in _NUMBERED
    found = [_level(text, numbered=numbered) for text in params["level"] or ()]
    for what in ("value", "name"):
        said = Counter(getattr(one, what) for one in found)
        twice = [one for one, times in said.items() if one is not None and times > 1]
        if twice:
            raise InputError(f"--level: two levels have the {what} {twice[0]!r}")
    for text in params["drops_when"] or ():
        name, _, said_of = (part.strip() for part in text.partition(":"))
        at = [i for i, one in enumerate(found) if name in (one.name, one.value)]
        if not at or not said_of:
            of = ", ".join(one.name for one in found)
            raise InputError(
                f"--drops-when {text!r} does not say what drops an output out of which level",
                hint=f"LEVEL:TEXT, with a level of: {of}" if of else "give each --level as well",
            )
        if found[at[0]].drops_when is not None:
            raise InputError(f"--drops-when is said twice of level {name!r}")
        found[at[0]] = replace(found[at[0]], drops_when=said_of)
    return found


def _level(text: str, *, numbered: bool) -> NewLevel:
    parts = [part.strip() for part in text.split(":", 2 if numbered else 1)]
    if len(parts) < (3 if numbered else 2) or not all(parts):
        form = "3:grounded:Every claim is in the context." if numbered else "rude:It insults."
        raise InputError(
            f"--level {text!r} is not {'VALUE:NAME' if numbered else 'NAME'}:DEFINITION",
            hint=f'for example: --level "{form}"{_OTHER_SCALE if numbered else ""}',
        )
    value, name, definition = parts if numbered else (None, *parts)
    return NewLevel(name=str(name), definition=str(definition), value=value)


def _flag(key: str) -> str:
    return f"--{key.replace('_', '-')}"
