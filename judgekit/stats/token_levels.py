"""From the probabilities of the next token to a distribution over the levels.

A model asked for a level weighs several answers; the mean of the levels under these weights tells
more than the likeliest one alone (Liu et al. 2023, G-Eval, arXiv:2303.16634). What is listed are
log-probabilities of *texts*: variants of one level (" 4", "4") are added up, texts that are no
level are left out, and the rest is scaled to 1. How much probability the levels held before the
scaling is the *captured mass*: with little of it the model was about to say something else.

The first token of a name tells the name only if no other level begins with it: on a scale 1 to 10
the token "1" may be the start of "10". There the probabilities of whole answers are needed, the
product along the tokens (:func:`sequence_logprob`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from judgekit.stats.arrays import FloatArray
from judgekit.stats.estimate import Undefined
from judgekit.stats.moments import level_values

TRUSTED_MASS = 0.9
"""Below this captured mass the expected level is flagged."""
LEAST_MASS = 0.5
"""Below this captured mass there is no expected level."""

# Marks of a leading space or line end in the vocabularies of common tokenizers.
_SPACES = str.maketrans(dict.fromkeys("\u0120\u2581\u010a", " "))


@dataclass(frozen=True, slots=True)
class ExpectedLevel:
    """What the probabilities of one answer say.

    Attributes:
        value: The mean of the level values, or why there is none: ``empty`` when no level was
            listed, ``uninformative`` when the captured mass is below :data:`LEAST_MASS`.
        probabilities: The probability of each level, in scale order; they add up to 1 (all 0 when
            no level was listed).
        captured_mass: Probability of all levels together before scaling, in [0, 1].
    """

    value: float | Undefined
    probabilities: tuple[float, ...]
    captured_mass: float

    @property
    def flagged(self) -> bool:
        """Whether the levels held less than :data:`TRUSTED_MASS` of the probability."""
        return self.captured_mass < TRUSTED_MASS


def expected_level(
    texts: Iterable[tuple[str, float]],
    names: Sequence[str],
    values: Sequence[float] | FloatArray,
    *,
    whole: bool = False,
) -> ExpectedLevel:
    """Distribution over the levels and its mean, from texts with their log-probabilities.

    ``texts`` are next tokens, or whole answers if ``whole`` is true, each with its natural
    log-probability. A text stands for a level when it is the level's name, spaces around it and
    case ignored. ``names`` are the levels' names in scale order, ``values`` their numeric values.

    Log-probabilities come rounded, so a total slightly above 1 is taken for 1.

    Raises:
        ValueError: Names and values that do not fit together, two levels of one name, a
            log-probability above 0, a total well above 1, or tokens where one level's name begins
            another's.
    """
    v, keys = level_values(values, len(names)), [_plain(name) for name in names]
    if len(set(keys)) != len(keys) or "" in keys:
        raise ValueError("every level needs a name of its own")
    if not whole and (pair := _ambiguous(keys)):
        raise ValueError(
            f"the first token cannot tell {pair[0]!r} from {pair[1]!r}: give whole answers"
        )
    mass = np.zeros(len(keys))
    for text, logprob in texts:
        if not logprob <= 1e-6:
            raise ValueError(f"{logprob} is no log-probability")
        if (name := _plain(text)) in keys:
            mass[keys.index(name)] += math.exp(min(logprob, 0.0))
    total = float(mass.sum())
    if total > 1.01:
        raise ValueError(f"the probabilities of the levels add up to {total:.3f}")
    captured = min(total, 1.0)
    if total == 0:
        return ExpectedLevel(Undefined("empty", 0, "expected_level"), (0.0,) * len(keys), 0.0)
    probabilities = mass / total
    value: float | Undefined = float(probabilities @ v)
    if captured < LEAST_MASS:
        value = Undefined("uninformative", 1, "expected_level")
    return ExpectedLevel(value, tuple(map(float, probabilities)), captured)


def sequence_logprob(tokens: Iterable[float]) -> float:
    """Log-probability of a whole answer: the sum of those of its tokens, the end included.

    Raises:
        ValueError: A log-probability above 0.
    """
    logprobs = list(tokens)
    if not all(logprob <= 1e-6 for logprob in logprobs):
        raise ValueError("a log-probability is not above 0")
    return math.fsum(min(logprob, 0.0) for logprob in logprobs)


def _plain(text: str) -> str:
    return text.translate(_SPACES).strip().casefold()


def _ambiguous(keys: Sequence[str]) -> tuple[str, str] | None:
    for short in keys:
        for long in keys:
            if short != long and long.startswith(short):
                return short, long
    return None
