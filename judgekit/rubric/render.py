"""Rubric and item to the messages a model is shown."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar, cast, get_args

import jinja2

from judgekit.errors import InputError, suggest
from judgekit.rubric.fence import closing, fence, fenced, mark_for, opening
from judgekit.rubric.sandbox import Range, environment, limited_turns
from judgekit.rubric.scale import NA, number_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from judgekit.rubric.fence import Fences
    from judgekit.rubric.model import Criterion, Rubric
    from judgekit.rubric.scale import Anchor

T = TypeVar("T")

_LABELS = {"output_a": "Output A", "output_b": "Output B"}
_ENTRY = "(rubric body)"
_NO_ATTRIBUTE = re.compile(r"has no attribute '(.*)'")
_ATTRIBUTES = (
    *("name", "question", "kind", "not_applicable", "levels"),
    *("value", "value_text", "definition", "drops_when", "anchors"),
    *("reason", "fields", "label", "text", "example"),
)

Role = Literal["system", "user", "assistant"]
ROLES: tuple[Role, ...] = get_args(Role)
Shown = tuple[Role, str]


def label_of(field: str) -> str:
    """Return the heading a field is shown under: ``criterion_text`` as "Criterion text"."""
    return _LABELS.get(field) or field.replace("_", " ").capitalize()


def answers(criterion: Criterion) -> list[str]:
    """Return every answer the judge may give, in scale order, ``na`` last where allowed."""
    return [*criterion.scale.names, *([NA] if criterion.not_applicable else [])]


class TemplateFails(InputError):
    """A template that cannot be rendered.

    Attributes:
        said: What is wrong, without the rubric's name.
        template: The template it happens in; "" for the body of the rubric itself.
        lineno: 1-based line in that template.
        rule: The name of the rule it breaks.
        code: The code of that rule.
    """

    rule, code = "template-fails", "TP05"

    def __init__(self, rubric: Rubric, said: str, at: tuple[str, int] | None = None) -> None:
        self.said, (self.template, self.lineno) = said, at or ("", 1)
        where = ""
        if at:
            where = (
                f", line {self.lineno} of its {repr(self.template) if self.template else 'body'}"
            )
        super().__init__(f"the template of rubric {rubric.name!r} fails{where}: {said}")


class ItemTextChanged(TemplateFails):
    """A template that shows an item's text cut, changed or without its marks."""

    rule, code = "template-item-changed", "TP07"


def render(rubric: Rubric, criterion: Criterion, fields: Mapping[str, Any]) -> list[Shown]:
    """Return the chat messages for one criterion and one item, as (role, content) pairs.

    Item text is data: it is never read as a template, and it stands between marks derived from
    it (:mod:`judgekit.rubric.fence`).

    Args:
        rubric: The rubric; complete in itself.
        criterion: One of its criteria.
        fields: The item's texts by input name; every input of the rubric must be there.

    Raises:
        InputError: an input is missing, or the template fails on this item.
    """
    missing = [name for name in rubric.inputs if name not in fields]
    if missing:
        raise InputError(
            f"the item has no {missing[0]!r}, which rubric {rubric.name!r} shows",
            hint=f"inputs of this rubric: {', '.join(rubric.inputs)}",
        )
    return render_fenced(rubric, criterion, fence({name: fields[name] for name in rubric.inputs}))


def render_fenced(rubric: Rubric, criterion: Criterion, fences: Fences) -> list[Shown]:
    """Return the chat messages for one criterion and texts that stand between their marks.

    Messages in which nothing is said are left out.

    Args:
        rubric: The rubric.
        criterion: One of its criteria.
        fences: The text of every input of the rubric, in their order.

    Raises:
        TemplateFails: the template fails on these texts.
    """
    mark, shown = fences.mark, fences.blocks
    turn = _NextMessage(mark)
    variables = {
        **shown,
        **_constants(Same(criterion)),
        "item": [{"name": n, "label": label_of(n), "text": t} for n, t in shown.items()],
        "mark": mark,
        "next_message": turn,
        "range": Range(),
    }
    text = _rendered(rubric, variables)
    _check_whole(rubric, text, shown, mark)
    parts = turn.split(text)
    if any(role not in ROLES for role, _ in parts):
        said = "it writes the sign between messages itself; begin a message with next_message()"
        raise TemplateFails(rubric, said)
    messages = [(cast("Role", role), c) for role, part in parts if (c := part.strip())]
    if not messages:
        raise TemplateFails(rubric, "it shows nothing at all")
    return messages


class Same(Generic[T]):
    """A thing that is equal to itself only, so that what is worked out from it can be kept.

    Rubrics and criteria never change, but they hold what has no hash, and comparing them whole
    would take longer than what is saved.
    """

    __slots__ = ("value",)

    def __init__(self, value: T) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and self.value is other.value

    def __hash__(self) -> int:
        return id(self.value)


@lru_cache(maxsize=64)
def _template(rubric: Same[Rubric]) -> jinja2.Template:
    """Return the compiled template of a rubric."""
    sources = {**rubric.value.templates, _ENTRY: rubric.value.body}
    return environment(sources).get_template(_ENTRY)


@lru_cache(maxsize=64)
def _constants(criterion: Same[Criterion]) -> dict[str, Any]:
    """Return what a template is given that is the same for every item; it can change none of it."""
    return {"criterion": _criterion(criterion.value), "answer": _answer(criterion.value)}


def _rendered(rubric: Rubric, variables: dict[str, Any]) -> str:
    try:
        with limited_turns():
            return _template(Same(rubric)).render(variables)
    except Exception as error:  # a template is a program: it can fail in any way
        known = {**dict.fromkeys(rubric.templates), _ENTRY: None}
        raise TemplateFails(rubric, _said(error), _place(error, known)) from error


def _said(error: Exception) -> str:
    """Return what went wrong in the words of someone who writes templates."""
    message = str(getattr(error, "message", None) or error)
    if isinstance(error, jinja2.UndefinedError):
        lacking = _NO_ATTRIBUTE.search(message)
        if lacking:
            near = suggest(lacking.group(1), _ATTRIBUTES)
            say = f"; did you mean {near!r}?" if near else ""
            return f"nothing here has the part {lacking.group(1)!r}{say}"
    if isinstance(error, jinja2.TemplateNotFound):
        return f"no template named {error.name!r}"
    if isinstance(error, jinja2.TemplateError):
        return message
    if isinstance(error, RecursionError):
        return "it goes round in a circle"
    if isinstance(error, SyntaxError | MemoryError):  # what Python says of the program it becomes
        return "it is nested too deeply"
    return f"{type(error).__name__}: {message}"


def _place(error: Exception, known: Mapping[str, object]) -> tuple[str, int] | None:
    """Return the template and line an error comes from: the innermost that is a template's."""
    found = None
    trace = error.__traceback__
    while trace is not None:
        name = trace.tb_frame.f_code.co_filename
        if name in known:
            found = ("" if name == _ENTRY else name, trace.tb_lineno)
        trace = trace.tb_next
    if found is None and isinstance(error, jinja2.TemplateSyntaxError):
        found = ("" if error.name in (None, _ENTRY) else error.name, error.lineno)
    return found


def _check_whole(rubric: Rubric, text: str, shown: Mapping[str, str], mark: str) -> None:
    """Refuse a prompt that shows part of an item's text: the judge would judge something else."""
    for name, block in shown.items():
        whole = text.count(block)
        if {whole} != {text.count(opening(name, mark)), text.count(closing(name, mark))}:
            said = f"it cuts or changes the text of {name!r}; show it as it is: {{{{ {name} }}}}"
            raise ItemTextChanged(rubric, said)


class _NextMessage:
    """``next_message(role)`` in a template: what follows is a message of its own.

    The sign it leaves carries the item's mark, so that no item text can leave one.
    """

    def __init__(self, mark: str) -> None:
        self.sign = f"\x00{mark}\x00"

    def __call__(self, role: str = "user") -> str:
        if role not in ROLES:
            raise jinja2.TemplateRuntimeError(
                f"next_message takes {', '.join(map(repr, ROLES))}, not {role!r}"
            )
        return f"{self.sign}{role}\x00"

    def __repr__(self) -> str:
        return "next_message"

    def split(self, text: str) -> list[tuple[str, str]]:
        """Return the messages of a rendered prompt as they stand there, empty ones among them."""
        first, *rest = text.split(self.sign)
        parts = [("system" if rest else "user", first)]
        for part in rest:
            role, _, content = part.partition("\x00")
            parts.append((role, content))
        return parts


def _criterion(criterion: Criterion) -> dict[str, Any]:
    return {
        "name": criterion.name,
        "question": criterion.question,
        "kind": criterion.scale.kind,
        "not_applicable": criterion.not_applicable,
        "levels": [
            {
                "value": level.value,
                "value_text": number_text(level.value),
                "name": level.name,
                "definition": level.definition,
                "drops_when": level.drops_when,
                "anchors": [_anchor(anchor) for anchor in level.anchors],
            }
            for level in criterion.scale.levels
        ],
    }


def _anchor(anchor: Anchor) -> dict[str, Any]:
    mark = mark_for(anchor.fields.values())
    return {
        "reason": anchor.reason,
        "fields": [
            {"name": name, "label": label_of(name), "text": fenced(text, name, mark)}
            for name, text in anchor.fields.items()
        ],
    }


def _answer(criterion: Criterion) -> dict[str, Any]:
    # Reason before level: a level written first is a verdict looking for its excuse.
    return {"levels": answers(criterion), "example": '{"reason": "...", "level": "..."}'}
