"""Judging by likelihood: which level's name would the model write next?

A small model asked for a level in a chat rambles. Shown worked examples and stopped just before
the label, it still prefers one level's name over the others, and that preference can be read
without generating text. Two biases of few-shot prompts are taken off: that of the examples' order
(two prompts, each with one half of the anchors and an order of levels of its own) and that of the
examples themselves (what a prompt says of the half it does not show is, averaged over the levels,
no evidence for any).

Everything here is arithmetic and text; asking the model is the business of :mod:`judgekit.running`.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from judgekit.errors import InputError
from judgekit.judging.request import LikelihoodTask

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from judgekit.judging.item import Text
    from judgekit.judging.judgment import Cause
    from judgekit.rubric.model import Criterion

LIKELIHOOD_VERSION = 1
"""Part of every judge's identity; raised when a prompt, a score or the reading changes."""

MIN_ANCHORS = 2
"""Worked examples every level needs: one for each half."""

MIN_MASS = 0.5
"""Mean probability the level names must hold together; below it the item is unreadable."""

FLOOR = round(math.log(1e-6), 6)
"""Log-probability of a label that is not among the listed tokens, and the lowest there is."""

_SHORTEST = 2
"""Letters a token needs to count for a label: one letter begins too many words."""

_LARGEST = 1e6  # no log-probability is that far from 0

_TAGS = {"input": "Question", "output": "Answer", "output_a": "Answer A", "output_b": "Answer B"}
_THINGS = (({"output"}, "an answer"), ({"output_a", "output_b"}, "a pair of answers"))

# Spellings that tokenizers of common models turn into control tokens, which could end the prompt.
_CONTROL = re.compile(
    r"<(?=[|\uff5c]|/?(?:s|bos|eos|pad|unk|mask|filename|reponame|[a-z]+(?:_[a-z]+)+)>|<?/?SYS>)"
    r"|\[(?=/?(?:INST|[A-Z]+_[A-Z_]+)\])"
)


@dataclass(frozen=True, slots=True)
class LikelihoodReading:
    """What the scores of one item say.

    Attributes:
        level: Index of the level in scale order, or None when no level can be read.
        cause: Why there is no level (``empty``, ``unreadable``, ``contradictory``), else None.
        scores: Per level, mean over the prompts of log-probability less bias; () if unusable.
        mass: Mean probability of the level names together; 0.0 if unusable.
        detail: One sentence on the cause, else None.
    """

    level: int | None
    cause: Cause | None = None
    scores: tuple[float, ...] = ()
    mass: float = 0.0
    detail: str | None = None


class _Example(NamedTuple):
    level: int
    text: str


# --- the prompts -----------------------------------------------------------------------------


def build_task(
    criterion: Criterion, item_fields: Mapping[str, Text], inputs: Sequence[str]
) -> LikelihoodTask:
    """Return the two prompts for one item, and the held-out examples that calibrate each.

    The anchors of each level are split in file order into halves A and B (A takes the odd one).
    The prompts are: A, and B with the order of levels reversed. So every anchor is shown once
    and held out once, and each order is used once; all four combinations cost twice as much.
    Binary and ordinal scales are written highest level first, nominal ones as the rubric has them.

    Args:
        criterion: What is judged; every level needs ``MIN_ANCHORS`` anchors.
        item_fields: The item's fields by name.
        inputs: The fields the rubric shows.

    Raises:
        InputError: a level has too few anchors, a level name cannot be told from another by its
            first letters, or a field is missing.
    """
    labels = label_words(criterion)
    tags = _tags(inputs)
    order = list(range(len(labels)))
    if criterion.scale.kind in ("binary", "ordinal"):
        order.reverse()
    header = _header(criterion, labels, order, inputs)
    item = _fields_text(item_fields, tags, f"criterion {criterion.name!r}: the item")
    prompts, held_out = [], []
    halves = _halves(criterion, tags)
    for shown, other, turn in ((*halves, order), (*halves[::-1], order[::-1])):
        start = header + "".join(
            f"{example.text}\nLabel: {labels[example.level]}\n\n"
            for example in _alternate(shown, turn)
        )
        prompts.append(f"{start}{item}\nLabel:")
        rest = [example for level in other for example in level]
        held_out.append(tuple((f"{start}{e.text}\nLabel:", e.level) for e in rest))
    return LikelihoodTask(labels=labels, prompts=tuple(prompts), held_out=tuple(held_out))


def label_words(criterion: Criterion) -> tuple[str, ...]:
    """Return the label word of each level, in scale order.

    Raises:
        InputError: a name does not begin with two letters, or two names cannot be told apart by
            their first word.
    """
    labels = tuple(" ".join(name.split()) for name in criterion.scale.names)
    for label in labels:
        if len(label) < _SHORTEST or not label[:_SHORTEST].isalpha():
            raise InputError(
                f"criterion {criterion.name!r}: likelihood judging reads levels by name, and "
                f"{label!r} does not begin with two letters",
                hint="Give the level a name that is a word.",
            )
    for first, label in enumerate(labels):
        for other in labels[first + 1 :]:
            if _alike(label, other):
                raise InputError(
                    f"criterion {criterion.name!r}: likelihood judging cannot tell the level "
                    f"names {label!r} and {other!r} apart by how they begin",
                    hint="Give the levels names whose first words differ.",
                )
    return labels


def _alike(one: str, other: str) -> bool:
    """Return whether one name's first word begins the other's: their first token may be one."""
    first, second = (re.split(r"[\W_]", name.casefold())[0] for name in (one, other))
    return first.startswith(second) or second.startswith(first)


def _header(
    criterion: Criterion, labels: Sequence[str], order: Sequence[int], inputs: Sequence[str]
) -> str:
    """Return the task and the definition of every level, closed by an empty line."""
    thing = "a text"
    if len(inputs) > 1:
        thing = next((noun for need, noun in _THINGS if need <= set(inputs)), "a case")
    words = [labels[index] for index in order]
    choice = f"{', '.join(words[:-1])} or {words[-1]}"
    definitions = [
        f"{labels[index]}: {flat(criterion.scale.levels[index].definition).rstrip('.')}.\n"
        for index in order
    ]
    return f"You label {thing} as {choice}.\n{''.join(definitions)}\n"


def _tags(inputs: Sequence[str]) -> dict[str, str]:
    """Return each shown field's tag, what is judged last; a lone field is simply the text."""
    if not inputs:
        raise InputError("likelihood judging needs at least one input field in the rubric")
    if len(inputs) == 1:
        return {inputs[0]: "Text"}
    names = sorted(inputs, key=lambda name: name.startswith("output"))
    tags = {name: _TAGS.get(name, flat(name.replace("_", " ")).capitalize()) for name in names}
    if len(set(tags.values())) < len(tags):
        tags = {name: flat(name) for name in names}
    return {name: "Given label" if tag == "Label" else tag for name, tag in tags.items()}


def _fields_text(fields: Mapping[str, Any], tags: Mapping[str, str], whose: str) -> str:
    """Return the fields as tagged lines, one line each whatever their text holds."""
    for name in tags:
        if fields.get(name) is None:
            raise InputError(f"{whose} has no field {name!r}, which the rubric shows")
    return "\n".join(f"{tag}: {flat(fields[name])}" for name, tag in tags.items())


def flat(text: object) -> str:
    """Return ``text`` on one line, control tokens spelt apart.

    All line ends and runs of spaces become one space, so that no text can begin a line of its
    own and pass for another worked example. Chat messages become ``role: content``.
    """
    if isinstance(text, list):
        text = " ".join(_message(message) for message in text)
    return spell_apart(" ".join(str(text).split()))


def _message(message: object) -> str:
    """Return a chat message as ``role: content``; of content in parts, the text parts."""
    if not isinstance(message, dict):
        return str(message)
    content = message.get("content")
    if isinstance(content, list):
        content = " ".join(
            str(p.get("text", "")) if isinstance(p, dict) else str(p) for p in content
        )
    return f"{message.get('role', '')}: {'' if content is None else content}"


def spell_apart(text: str) -> str:
    """Return ``text`` with a space inside everything a tokenizer may take for a control token."""
    return _CONTROL.sub(lambda match: f"{match.group()} ", text)


def _halves(
    criterion: Criterion, tags: Mapping[str, str]
) -> tuple[list[list[_Example]], list[list[_Example]]]:
    """Return, for halves A and B, the examples of every level in file order."""
    first, second = [], []
    for index, level in enumerate(criterion.scale.levels):
        if len(level.anchors) < MIN_ANCHORS:
            raise InputError(
                f"criterion {criterion.name!r}: level {level.name!r} has {len(level.anchors)} "
                f"worked examples; likelihood judging needs at least {MIN_ANCHORS} per level",
                hint="Add anchors to the level; 4 are recommended.",
            )
        examples = [
            _Example(index, _fields_text(anchor.fields, tags, f"an anchor of {level.name!r}"))
            for anchor in level.anchors
        ]
        middle = (len(examples) + 1) // 2
        first.append(examples[:middle])
        second.append(examples[middle:])
    return first, second


def _alternate(levels: Sequence[Sequence[_Example]], order: Sequence[int]) -> list[_Example]:
    """Return the examples round by round, each round in the reverse order of the one before.

    For two levels this is p n n p p n n p: no level is always first, last or after the other.
    """
    rounds = max(len(examples) for examples in levels)
    return [
        levels[level][turn]
        for turn in range(rounds)
        for level in (order if turn % 2 == 0 else order[::-1])
        if turn < len(levels[level])
    ]


# --- the scores ------------------------------------------------------------------------------


def label_scores(
    tokens: Sequence[tuple[str, float]], labels: Sequence[str]
) -> tuple[tuple[float, ...], float]:
    """Return each label's log-probability as the next word, and the mass of all together.

    A token counts for a label when, stripped and with case ignored, it has two letters or more
    and begins that label and no other.

    Args:
        tokens: The likeliest next tokens, each with its log-probability.
        labels: The label words.
    """
    folded = [label.casefold() for label in labels]
    mass = [0.0] * len(labels)
    for token, logprob in tokens:
        word = token.strip().casefold()
        found = [index for index, label in enumerate(folded) if label.startswith(word)]
        if len(word) >= _SHORTEST and len(found) == 1:
            mass[found[0]] += math.exp(logprob)
    logs = (round(math.log(p), 6) if p > 0 else FLOOR for p in mass)
    return tuple(max(log, FLOOR) for log in logs), round(min(sum(mass), 1.0), 6)


def bias_of(scores: Sequence[Sequence[float]], levels: Sequence[int]) -> tuple[float, ...]:
    """Return what a prompt says of each label before it has seen an item.

    It is the mean over the levels of the mean over each level's held-out examples; for two
    levels, taking it off puts the zero of the logit midway between the two class means.

    Args:
        scores: Each held-out example's log-probability per label.
        levels: The level each of them has.
    """
    groups: dict[int, list[Sequence[float]]] = {}
    for row, level in zip(scores, levels, strict=True):
        groups.setdefault(level, []).append(row)
    return tuple(round(mean, 6) for mean in _means([_means(g) for g in groups.values()]))


def _means(rows: Sequence[Sequence[float]]) -> tuple[float, ...]:
    """Return the mean of every column."""
    return tuple(math.fsum(column) / len(rows) for column in zip(*rows, strict=True))


def read_scores(text: str, labels: Sequence[str]) -> LikelihoodReading:
    """Return the level that the scores of one item speak for, or why they speak for none.

    Too little mass on the level names is ``unreadable``: the model was about to write something
    that is no level, as a generating judge does when its answer names none. An exact tie is
    ``contradictory``. Nothing is guessed.

    Args:
        text: The reply: JSON with ``prompts`` and ``bias`` (log-probabilities, a row per prompt
            and a column per label) and ``mass`` (a number per prompt).
        labels: The label words, in scale order.
    """
    if not text.strip():
        return LikelihoodReading(None, "empty", detail="no scores came")
    try:
        prompts, bias, masses = _tables(json.loads(text), len(labels))
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        return LikelihoodReading(None, "unreadable", detail=f"not a table of scores: {error}")
    rows = [[p - b for p, b in zip(*pair, strict=True)] for pair in zip(prompts, bias, strict=True)]
    scores = _means(rows)
    mass = math.fsum(masses) / len(masses)
    if mass < MIN_MASS:
        said = f"the model would name a level {mass:.0%} of the time; {MIN_MASS:.0%} are asked"
        return LikelihoodReading(None, "unreadable", scores, mass, said)
    best = [index for index, score in enumerate(scores) if score == max(scores)]
    if len(best) > 1:
        tied = " and ".join(repr(labels[index]) for index in best)
        return LikelihoodReading(None, "contradictory", scores, mass, f"{tied} tie exactly")
    return LikelihoodReading(best[0], None, scores, mass)


def _tables(
    reply: dict[str, Any], columns: int
) -> tuple[list[list[float]], list[list[float]], list[float]]:
    """Return the three tables of a reply, checked for shape and finite numbers."""
    prompts, bias, mass = reply["prompts"], reply["bias"], reply["mass"]
    if not prompts or not len(prompts) == len(bias) == len(mass):
        raise ValueError("prompts, bias and mass are not of one length")
    if any(len(row) != columns for row in (*prompts, *bias)):
        raise ValueError(f"a row does not hold {columns} numbers")
    for number in (*mass, *(cell for row in (*prompts, *bias) for cell in row)):
        if isinstance(number, bool) or not isinstance(number, int | float):
            raise TypeError(f"{number!r} is no number")
        if not abs(number) < _LARGEST:  # NaN is not, either
            raise ValueError(f"{number!r} is no log-probability")
    return prompts, bias, mass
