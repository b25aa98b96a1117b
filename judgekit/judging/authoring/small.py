"""Small questions for a small model: names first, then one sentence each, then examples.

A model that runs in this process writes no whole rubric, but it ends a short answer whose form is
held to a schema. What it writes is poor, and the linter says where.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from judgekit.judging.authoring.contents import level_values
from judgekit.judging.authoring.draft import Draft, DraftAnchor, DraftLevel, line_of, slug
from judgekit.judging.request import Message

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from judgekit.judging.authoring.draft import Frame, Labelled
    from judgekit.judging.authoring.writing import Field
    from judgekit.rubric.scale import Kind

FALLBACK = ("fulfilled", "missing")
"""Level names where the model gives no two that differ."""

ANCHORS = 2
"""Worked examples a level gets: the least that judging by likelihood takes."""

_LONGEST = {"text": 240, "name": 16, "question": 140}
_SMALL_WORDS = {
    *("a", "an", "the", "is", "are", "does", "do", "how", "what", "whether", "i", "want", "to"),
    *("of", "in", "on", "and", "or", "it", "its", "that", "this", "which", "measured", "measure"),
}


class Question(NamedTuple):
    """One small question.

    Attributes:
        field: What of the draft it asks for.
        key: The key of the answer in its JSON.
        messages: What is asked.
        schema: The form of the answer.
        room: Tokens the answer may take.
    """

    field: Field
    key: str
    messages: tuple[Message, ...]
    schema: dict[str, Any]
    room: int


def first_questions(frame: Frame) -> list[Question]:
    """Return the questions that come first: the criterion's, and the names of two levels."""
    questions = [] if frame.wish.rstrip().endswith("?") else [question_of(("question",), frame)]
    if not _named(frame):
        questions += [question_of(("levels", place, "name"), frame) for place in (0, 1)]
    return questions


def names_of(frame: Frame, answers: Mapping[Field, str]) -> tuple[str, ...]:
    """Return the names of the levels, best first: the labels', the example's, or the model's."""
    if _named(frame):
        return frame.levels or frame.example_levels
    best, worst = (_word(answers.get(("levels", place, "name"), "")) for place in (0, 1))
    apart = best and worst and not best.startswith(worst[:3])
    return (best, worst) if apart else FALLBACK


def _named(frame: Frame) -> bool:
    """Whether the levels have names; two numbers are given names, and more keep their numbers."""
    if frame.levels:
        return not (frame.numbered and len(frame.levels) == 2)
    return bool(frame.example_levels)


def more_questions(frame: Frame, names: Sequence[str]) -> list[Question]:
    """Return the questions about each level, its examples among them where labels give none."""
    fields: list[Field] = []
    for place, name in enumerate(names):
        fields.append(("levels", place, "definition"))
        if place < len(names) - 1:
            fields.append(("levels", place, "drops_when"))
        taken = len(_taken(frame, frame.levels[place] if frame.levels else name))
        fields += [("levels", place, "anchors", turn) for turn in range(taken, ANCHORS)]
    return [question_of(field, frame, names) for field in fields]


def question_of(
    field: Field, frame: Frame, names: Sequence[str] = (), complaint: str = ""
) -> Question:
    """Return the question that asks for one field.

    Args:
        field: The field.
        frame: What is settled.
        names: The level names.
        complaint: What was wrong with the last answer.
    """
    wish = line_of(frame.wish)
    about, key = f"We measure: {wish}", str(field[-1])
    name = names[field[1]] if names and len(field) > 1 and isinstance(field[1], int) else ""
    most = _LONGEST["text"]
    if key == "question":
        ask, most = f"Turn this into one question that ends with '?': {wish}", _LONGEST["question"]
    elif key == "name":
        which = "best" if field[1] == 0 else "worst"
        ask, most = f"{about}\nGive one adjective for the {which} output.", _LONGEST["name"]
    elif key == "definition":
        ask = f'{about}\nSay in one sentence what a reader sees in an output that is "{name}".'
    elif key == "drops_when":
        ask = f'{about}\nName one mistake that makes an output no longer "{name}".'
    else:
        key = "output"
        ask = f'{about}\nWrite a short output that is "{name}". Example {int(field[-1]) + 1}.'
    if complaint:
        ask += f"\nThe last answer was wrong: {line_of(complaint)[:200]}"
    schema = {
        "type": "object",
        "properties": {key: {"type": "string", "minLength": 2, "maxLength": most}},
        "required": [key],
        "additionalProperties": False,
    }
    messages = (Message("system", "You write short texts."), Message("user", ask))
    return Question(field, key, messages, schema, room=most // 2 + 40)


def assembled(frame: Frame, answers: Mapping[Field, str]) -> Draft:
    """Return the draft that the answers make."""
    names = names_of(frame, answers)
    inputs = tuple(n for n in frame.inputs if n.startswith("output")) or ("output",)
    kind: Kind = "binary" if len(names) == 2 else "ordinal"
    if frame.levels:
        kind = frame.kinds[0] if len(frame.kinds) == 1 else "nominal"
    levels = tuple(
        DraftLevel(
            name=name,
            value=value,
            definition=answers.get(("levels", place, "definition"), ""),
            drops_when=answers.get(("levels", place, "drops_when"), ""),
            passes=place < len(names) // 2 and kind != "nominal",
            anchors=_anchors(frame, answers, place, inputs),
        )
        for place, (name, value) in enumerate(
            zip(names, level_values(len(names), kind, frame), strict=True)
        )
    )
    wish = line_of(frame.wish)
    telling = [w for w in re.findall(r"[^\W_]+", wish) if w.casefold() not in _SMALL_WORDS]
    return Draft(
        name=frame.name or slug(" ".join(telling[:3])) or "criterion",
        question=wish if wish.endswith("?") else answers.get(("question",)) or wish,
        kind=kind,
        inputs=inputs,
        levels=levels,
    )


def _anchors(
    frame: Frame, answers: Mapping[Field, str], place: int, inputs: Sequence[str]
) -> tuple[DraftAnchor, ...]:
    """Return the examples of a level: labelled ones first, then what the model wrote."""
    name = names_of(frame, answers)[place]
    level = frame.levels[place] if frame.levels else name
    found = [
        DraftAnchor(
            {n: str(one.fields[n]) for n in inputs}, f'People called it "{level}".', one.item
        )
        for one in _taken(frame, level, inputs)
    ]
    if inputs == ("output",):
        texts = [answers.get(("levels", place, "anchors", turn), "") for turn in range(ANCHORS)]
        why = f'It was written as an example of "{name}".'
        found += [DraftAnchor({"output": text}, why) for text in texts if text]
    return tuple(found[:ANCHORS])


def _taken(frame: Frame, level: str, inputs: Sequence[str] = ("output",)) -> list[Labelled]:
    """Return the labelled items of a level that can be worked examples."""
    return [
        one
        for one in frame.labelled
        if one.level == level and all(isinstance(one.fields.get(n), str) for n in inputs)
    ]


def _word(text: str) -> str:
    """Return the first word of an answer; "" where there is none that could name a level."""
    found = re.search(r"[^\W\d_]{2,}", text.casefold())
    return found[0] if found else ""


def asked_field(field: Field) -> Field:
    """Return the field that was asked for, of the one that something is wrong with."""
    if field[2:] == ("value",):  # where a level begins: what it lacks is what drops an output
        return (*field[:2], "drops_when")
    return (*field, 0) if field[2:] == ("anchors",) else field
