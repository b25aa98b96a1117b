"""Rubric text to :class:`Rubric`, or every problem in it at once."""

from __future__ import annotations

import keyword
import re
from typing import TYPE_CHECKING, NamedTuple

import yaml

from judgekit.errors import RubricError
from judgekit.rubric.altered import where_altered
from judgekit.rubric.checks import check_templates, place_of
from judgekit.rubric.criteria import PAIRWISE_INPUTS, POINTWISE_INPUTS, kind_of, read_criteria
from judgekit.rubric.front import compose
from judgekit.rubric.losses import odd_shown, where_lost
from judgekit.rubric.meaning import probes
from judgekit.rubric.model import Rubric
from judgekit.rubric.probing import shown_inputs
from judgekit.rubric.render import ItemTextChanged, TemplateFails, render
from judgekit.rubric.sandbox import GIVEN
from judgekit.rubric.source import Mapping, Problems, is_one_line, plain_text, scalar, split
from judgekit.rubric.templates import collect, only_fills

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from judgekit.errors import Problem
    from judgekit.rubric.model import Criterion
    from judgekit.rubric.source import Parts
    from judgekit.rubric.templates import Template

_KEYS = ("rubric", "version", "inputs", "criteria", "description")
_LONGEST_NAME = 100
_SHOWS = re.compile(r"it shows (?P<what>.+) where text belongs: (?P<way>.+)")
"""What is said of something that is shown and is no text; it has no name yet."""


RESERVED = frozenset({*GIVEN, "loop", "self", "super", "caller", "reason", "level", "none"})
"""Names the template, or an anchor, already has a meaning for."""


class Reading(NamedTuple):
    """A rubric file as it was read, as far as it could be.

    Attributes:
        parts: Front matter and body; None without front matter.
        front: The front matter's nodes; None when they cannot be read.
        inputs: The inputs it declares, or the usual ones.
        templates: The body first, then every template it reaches.
        rubric: The rubric; None when a fatal problem stands in its way.
        draft: The same where it can be rendered, whatever else is wrong with it: with the
            criteria that can be read, so that what is wrong with the prompt is said as well.
        problems: Everything that is wrong, by line.
    """

    parts: Parts | None
    front: yaml.MappingNode | None
    inputs: tuple[str, ...]
    templates: tuple[Template, ...]
    rubric: Rubric | None
    problems: tuple[Problem, ...]
    draft: Rubric | None = None


def parse(
    text: str, *, load: Callable[[str], str | None]
) -> tuple[Rubric | None, tuple[Problem, ...]]:
    """Read a rubric and report everything that is wrong with it.

    Args:
        text: The file's text.
        load: Returns the source of a template by name, or None; the core reads no disk. It may
            raise :class:`InputError` to say why a template cannot be had.

    Returns:
        The rubric, or None when a fatal problem stands in its way; and all problems by line.
    """
    reading = read(text, load=load)
    return reading.rubric, reading.problems


def parse_rubric(
    text: str, *, load: Callable[[str], str | None], file: str | None = None
) -> Rubric:
    """Return the rubric in ``text``.

    Raises:
        RubricError: with all its problems, each with its line.
    """
    rubric, problems = parse(text, load=load)
    if rubric is None:
        raise RubricError(problems, file=file)
    return rubric


def read(text: str, *, load: Callable[[str], str | None]) -> Reading:
    """Read a rubric as :func:`parse` does; return what was found on the way as well."""
    problems = Problems()
    reading = _read(text.removeprefix("\ufeff"), load, problems)
    rubric = None if problems.fatal else reading.rubric
    return reading._replace(rubric=rubric, problems=tuple(problems.found))


def _read(text: str, load: Callable[[str], str | None], problems: Problems) -> Reading:
    nothing = Reading(None, None, POINTWISE_INPUTS, (), None, ())
    parts = split(text, problems)
    if parts is None:
        return nothing
    node = compose(parts.front, problems)
    if node is None:  # the template is looked at all the same, to report what is wrong there too
        templates = collect(parts, pairwise=False, load=load, problems=problems)
        return nothing._replace(parts=parts, templates=tuple(templates))
    front = Mapping(node, problems, what="the rubric")
    front.known(_KEYS)
    name = _name(front, problems)
    version = _version(front, problems)
    inputs = _inputs(front, problems)
    criteria = read_criteria(front, inputs, problems)
    pairwise = _is_pairwise(front)
    if pairwise and inputs and not {"output_a", "output_b"} <= set(inputs):
        message = "a pairwise rubric shows output_a and output_b"
        problems.add(front.key_node("inputs"), "inputs-pairwise", "RB10", message)
    inputs = inputs or (PAIRWISE_INPUTS if pairwise else POINTWISE_INPUTS)
    templates = collect(parts, pairwise=pairwise, load=load, problems=problems)
    check_templates(templates, inputs, problems)
    reading = Reading(parts, node, inputs, tuple(templates), None, ())
    if not criteria or any(p.fatal and p.code.startswith("TP") for p in problems.found):
        return reading
    draft = _assembled(name or "rubric", version or 1, inputs, criteria, templates)
    if not _renders(draft, templates, problems):
        return reading
    rubric = draft if name and version and not problems.fatal else None
    return reading._replace(rubric=rubric, draft=draft)


def _assembled(
    name: str,
    version: int,
    inputs: tuple[str, ...],
    criteria: Sequence[Criterion],
    templates: Sequence[Template],
) -> Rubric:
    body, *others = templates
    return Rubric(
        name=name,
        version=version,
        inputs=inputs,
        criteria=tuple(criteria),
        body=body.source,
        templates={template.name: template.source for template in others},
    )


def _renders(rubric: Rubric, templates: Sequence[Template], problems: Problems) -> bool:
    """Render the probe items once, so that a broken template is found before any item is."""
    if only_fills(templates):
        return True
    shown, fails = set[str](), False
    for criterion in rubric.criteria:
        try:
            for probe in probes(rubric.inputs):
                render(rubric, criterion, probe)
            shown |= shown_inputs(rubric, criterion)
        except TemplateFails as error:
            _report(error, rubric, criterion, templates, problems)
            fails = True
    for name in () if fails else rubric.inputs:
        if name not in shown:
            template, lineno, word = where_lost(templates, name, rubric.inputs)
            line, column = template.place(lineno, word)
            problems.at(
                line,
                "input-not-shown",
                "TP11",
                f"the template never shows {name!r}, which is one of the rubric's inputs",
                column=column,
                help=f"show it with {{{{ {name} }}}}, or list in inputs only what is shown",
                fatal=False,
            )
    return not fails


def _report(
    error: TemplateFails,
    rubric: Rubric,
    criterion: Criterion,
    templates: Sequence[Template],
    problems: Problems,
) -> None:
    """Report where a template fails, and on what, as far as its syntax tells."""
    where = next((t for t in templates if t.name == error.template), templates[0])
    said, lineno, word = error.said, error.lineno, ""
    if isinstance(error, ItemTextChanged):
        where, lineno = where_altered(templates, rubric.inputs)
    shown = _SHOWS.match(said)
    if shown and (odd := odd_shown(where, lineno, criterion)):
        word, what = odd, shown["what"]
        way = f"guard it with {{% if {word} %}}" if "None" in what else shown["way"]
        said = f"it shows {word!r}, which is {what} here: {way}"
    line, column = place_of(where, lineno, word) if word else where.place(lineno)
    message = f"the template fails: {said}{where.inside(lineno)}"
    problems.at(line, error.rule, error.code, message, column=column)


def _name(front: Mapping, problems: Problems) -> str | None:
    name = front.text("rubric", needed=True, help="the rubric's name")
    if name is not None and not (is_one_line(name) and len(name) <= _LONGEST_NAME):
        message = f"the rubric's name is one line of at most {_LONGEST_NAME} characters"
        problems.add(front.get("rubric") or front.node, "rubric-name", "RB11", message)
    return name


def _version(front: Mapping, problems: Problems) -> int | None:
    node = front.get("version")
    if node is None:
        front.missing("version", "version-missing", "ID01", "begin with version: 1")
        return None
    value = scalar(node)
    if not isinstance(value, int) or value < 1:
        problems.add(node, "version-type", "ID02", "version is a whole number, 1 or more")
        return None
    return value


def _inputs(front: Mapping, problems: Problems) -> tuple[str, ...]:
    names: dict[str, None] = {}
    nodes = front.items("inputs")
    if (
        not nodes
        and "inputs" in front
        and isinstance(front.get("inputs"), yaml.SequenceNode | None)
    ):
        say = "leave inputs out for the usual ones, or list what the judge is shown"
        front.missing("inputs", "key-missing", "RB06", say)
    for node in nodes:
        if not isinstance(node, yaml.ScalarNode):
            message = "an input is one word, not a list or a mapping"
            problems.add(node, "value-type", "RB05", message, help="inputs: [input, output]")
            continue
        text = plain_text(node)
        if not text.isidentifier() or keyword.iskeyword(text) or text.casefold() in RESERVED:
            problems.add(
                node,
                "input-name",
                "RB07",
                f"{text!r} cannot be the name of an input",
                help="letters, digits and '_', and no word the template uses itself",
            )
        elif text in names:
            problems.add(node, "input-repeated", "RB08", f"input {text!r} is listed twice")
        else:
            names[text] = None
    return tuple(names)


def _is_pairwise(front: Mapping) -> bool:
    """Return whether any criterion says it is pairwise, readable otherwise or not."""
    nodes = front.get("criteria")
    for node in nodes.value if isinstance(nodes, yaml.SequenceNode) else ():
        for key, value in node.value if isinstance(node, yaml.MappingNode) else ():
            if plain_text(key) == "scale" and kind_of(plain_text(value).strip()) == "pairwise":
                return True
    return False
