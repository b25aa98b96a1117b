"""From the probabilities of a reply's tokens to a probability of each level.

Where the level begins, the model weighed several tokens. Each that begins the spelling of one level
and of no other adds to that level; what could still become two levels is followed only along the
tokens the reply has. The rest of the probability is on no level: with less than half on levels, or
with a hundredth that cannot be told apart, there are no probabilities. They are an addition: the
level itself is always what the reply says (Liu et al. 2023, G-Eval, arXiv:2303.16634).
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, NamedTuple

from judgekit.rubric.scale import NA, fold, number_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from judgekit.judging.request import TokenLogprobs
    from judgekit.rubric.scale import Scale

LEAST_MASS = 0.5
"""With less probability on levels than this, the model was about to say something else."""
MOST_UNCLEAR = 0.01
"""With more probability than this on tokens that could become either of two levels: none."""

_VALUE = re.compile(r'"level"\s*:\s*(?:"([^"\\]*)"|([^"\s{}\[\],]+))')
_CONTEXT = 12
_ROOM = " \t\n\r\"'*`:(["
"""What may stand in one token with the beginning of a level."""
_END = " \t\n\r\"'*`.,;)]}"
"""What ends a level."""
_SPACES = str.maketrans({"\u0120": " ", "\u2581": " ", "\u010a": "\n"})
"""Signs for spaces and line ends in the vocabularies of common tokenizers."""


class LevelProbabilities(NamedTuple):
    """What the tokens say of each level.

    Attributes:
        probabilities: Of each level in scale order, adding up to 1; in the order shown.
        mass: Probability of all levels together before that, in [0.5, 1].
    """

    probabilities: tuple[float, ...]
    mass: float


def expected_value(scale: Scale, probabilities: Sequence[float]) -> float | None:
    """Return the mean of the level values weighed by their probabilities.

    It lies between the lowest and the highest value; of a binary scale it is the probability of 1.
    None where levels have no order.
    """
    if scale.kind not in {"ordinal", "binary"}:
        return None
    pairs = zip(scale.values, probabilities, strict=True)
    return math.fsum(float(value) * chance for value, chance in pairs)


def level_probabilities(
    text: str, tokens: Sequence[TokenLogprobs], scale: Scale, level: int
) -> LevelProbabilities | None:
    """Return the probability of each level, or None where the tokens do not show it.

    They do not when the level stands in prose, when the tokens are not those of the text, when no
    alternatives are listed, or when levels cannot be told apart or hold too little probability.

    Args:
        text: The reply.
        tokens: Its tokens with their alternatives.
        scale: The scale.
        level: The level that was read from the reply, in the order shown.
    """
    start = _level_start(text, scale, level)
    at = None if start is None else _token_at(text, tokens, start)
    if at is None:
        return None
    mass, unclear = [0.0] * len(scale.levels), 0.0
    spellings, said, reach = _spellings(scale), "", 1.0
    for step, prefix in _steps(tokens, *at):
        options = _options(step)
        if options is None or prefix.strip(_ROOM):
            return None
        going_on = None
        for token, chance in options.items():
            meant = _meant(said, token, spellings)
            if len(meant) == 1 and (index := meant.pop()) is not None:
                mass[index] += reach * chance
            elif len(meant) > 1 and token == step[0]:
                going_on = chance
            elif len(meant) > 1:
                unclear += reach * chance
        if going_on is None:
            return _normalised(mass, unclear)
        said, reach = said + _plain(step[0], first=not said), reach * going_on
    return None


def _level_start(text: str, scale: Scale, level: int) -> int | None:
    """Return where in the text the level that was read begins, or None where that is unclear."""
    found = next(reversed(list(_VALUE.finditer(text))), None)
    if found is not None:
        group = 1 if found[1] is not None else 2
        return found.start(group) if scale.index(found[group]) == level else None
    for bare in (text.strip(), text.strip(_ROOM + _END)):
        if scale.index(bare) == level:
            return text.index(bare)
    return None


def _token_at(text: str, tokens: Sequence[TokenLogprobs], start: int) -> tuple[int, int] | None:
    """Return the token in which a place of the text lies, and how far into it.

    The tokens may hold more than the text (thinking, marks of turns), so the text around the place
    is looked for in them, from the end.
    """
    joined, context = "".join(token for token, _, _ in tokens), min(start, _CONTEXT)
    found = joined.translate(_SPACES).rfind(text[start - context :].rstrip())
    if found < 0:
        return None
    place, behind = found + context, 0
    for i, (token, _, _) in enumerate(tokens):
        if place < behind + len(token):
            return i, place - behind
        behind += len(token)
    return None


def _steps(
    tokens: Sequence[TokenLogprobs], first: int, inside: int
) -> Iterator[tuple[TokenLogprobs, str]]:
    """Yield the tokens from the level on, each with what stands in it before the level."""
    yield tokens[first], tokens[first][0][:inside]
    for token in tokens[first + 1 :]:
        yield token, ""


def _options(step: TokenLogprobs) -> dict[str, float] | None:
    """Return the probability of each token that was weighed here; None where one is not known."""
    token, logprob, others = step
    listed = {token: logprob, **dict(others)}
    if len(listed) < 2 or not all(value <= 1e-6 for value in listed.values()):  # nan is not
        return None
    return {text: math.exp(min(value, 0.0)) for text, value in listed.items()}


def _spellings(scale: Scale) -> list[tuple[str, int | None]]:
    """Return each way a level may be written, and "not applicable", which is none."""
    found: list[tuple[str, int | None]] = [(NA, None)]
    for index, one in enumerate(scale.levels):
        found += [(text, index) for text in {fold(one.name), fold(number_text(one.value))}]
    return found


def _meant(said: str, token: str, spellings: list[tuple[str, int | None]]) -> set[int | None]:
    """Return the levels that an answer may be which goes on with this token."""
    text = said + _plain(token, first=not said)
    whole = text.rstrip(_END)
    return {
        level
        for spelling, level in spellings
        if whole and (spelling.startswith(text) or (spelling == whole != text))
    }


def _plain(token: str, *, first: bool) -> str:
    """Return a token as spellings are written; of the first, what stands before is left out."""
    text = token.translate(_SPACES)
    return (text.lstrip(_ROOM) if first else text).casefold()


def _normalised(mass: list[float], unclear: float) -> LevelProbabilities | None:
    total = math.fsum(mass)
    if total < LEAST_MASS or unclear > MOST_UNCLEAR:
        return None
    return LevelProbabilities(tuple(share / total for share in mass), min(total, 1.0))
