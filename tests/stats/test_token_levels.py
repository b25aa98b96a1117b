import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgekit.stats import Undefined
from judgekit.stats.token_levels import (
    LEAST_MASS,
    TRUSTED_MASS,
    ExpectedLevel,
    expected_level,
    sequence_logprob,
)
from tests.stats.strategies import unhurried

NAMES = ["1", "2", "3"]
VALUES = [1.0, 2.0, 3.0]


def texts(**probabilities: float) -> list[tuple[str, float]]:
    """Texts with the logarithms of their probabilities; an underscore stands for nothing."""
    return [(text.strip("_"), math.log(p)) for text, p in probabilities.items()]


def test_by_hand() -> None:
    """0.6 and 0.2 on levels, scaled to 3/4 and 1/4."""
    found = expected_level(texts(_3=0.6, _1=0.2, no=0.2), NAMES, VALUES)

    assert found.value == pytest.approx(0.75 * 3 + 0.25)
    assert found.probabilities == pytest.approx((0.25, 0, 0.75))
    assert found.captured_mass == pytest.approx(0.8)
    assert found.flagged


def test_variants_of_one_level_are_one() -> None:
    """Spaces, the marks of tokenizers and case do not make another level."""
    variants = ["Good", " good", "\u0120GOOD", "\u2581good", "good\n"]
    found = expected_level(
        [*((v, math.log(0.1)) for v in variants), ("bad", math.log(0.5))], ["bad", "good"], [0, 1]
    )

    assert found.value == pytest.approx(0.5)
    assert found.captured_mass == pytest.approx(1)
    assert not found.flagged


def test_little_mass_is_flagged_and_less_has_no_value() -> None:
    """Below 0.9 a flag, below 0.5 no number; the mass is told anyway."""
    trusted = expected_level(texts(_1=TRUSTED_MASS + 0.001), NAMES, VALUES)
    doubtful = expected_level(texts(_1=LEAST_MASS + 0.001), NAMES, VALUES)
    refused = expected_level(texts(_1=LEAST_MASS - 0.001), NAMES, VALUES)

    assert (trusted.value, trusted.flagged) == (1, False)
    assert (doubtful.value, doubtful.flagged) == (1, True)
    assert refused.value == Undefined("uninformative", 1, "expected_level")
    assert refused.captured_mass == pytest.approx(LEAST_MASS - 0.001)
    assert refused.probabilities == (1, 0, 0)


def test_no_level_listed() -> None:
    """Nothing to scale; minus infinity is nothing, too."""
    nothing = ExpectedLevel(Undefined("empty", 0, "expected_level"), (0.0, 0.0, 0.0), 0.0)

    assert expected_level([], NAMES, VALUES) == nothing
    assert expected_level([("1", -math.inf), ("x", -0.1)], NAMES, VALUES) == nothing


def test_first_tokens_cannot_tell_1_from_10() -> None:
    """On 1 to 10 whole answers are needed: 0.3 * 0.5 for "1" and its end, 0.3 * 0.5 * 1 for 10."""
    names, values = [str(v) for v in range(1, 11)], list(range(1, 11))
    with pytest.raises(ValueError, match="'1' from '10'"):
        expected_level(texts(_1=0.3, _9=0.7), names, values)

    one = sequence_logprob([math.log(0.3), math.log(0.5)])
    ten = sequence_logprob([math.log(0.3), math.log(0.5), 0.0])
    found = expected_level(
        [("1", one), ("10", ten), ("9", math.log(0.7))], names, values, whole=True
    )
    assert found.value == pytest.approx(0.15 * 1 + 0.15 * 10 + 0.7 * 9)


def test_sequence_by_hand() -> None:
    """Log-probabilities add up; an empty answer is certain."""
    assert sequence_logprob([-0.5, -0.25]) == -0.75
    assert sequence_logprob([]) == 0
    with pytest.raises(ValueError, match="not above 0"):
        sequence_logprob([0.1])


def test_rounding_is_forgiven() -> None:
    """A total a little above 1 is 1."""
    found = expected_level([("1", 1e-7), ("2", math.log(0.004))], NAMES, VALUES)

    assert found.captured_mass == 1


@pytest.mark.parametrize(
    ("listed", "names", "values", "message"),
    [
        ([("1", 0.5)], NAMES, VALUES, "no log-probability"),
        ([("1", math.nan)], NAMES, VALUES, "no log-probability"),
        ([("1", -0.1), ("2", -0.1)], NAMES, VALUES, "add up to 1.8"),
        ([], ["a", " A", "b"], VALUES, "name of its own"),
        ([], ["", "a", "b"], VALUES, "name of its own"),
        ([], ["a", "b"], VALUES, "values must be"),
    ],
)
def test_misuse_is_an_error(
    listed: list[tuple[str, float]], names: list[str], values: list[float], message: str
) -> None:
    """What is no distribution over the levels is refused."""
    with pytest.raises(ValueError, match=message):
        expected_level(listed, names, values)


@given(
    st.lists(st.floats(0.01, 1), min_size=3, max_size=3), st.floats(0.5, 1), st.permutations(NAMES)
)
@unhurried
def test_it_is_a_mean(weights: list[float], mass: float, order: list[str]) -> None:
    """Within the scale; the order of the list does not matter; the mass does not move it."""
    listed = {n: math.log(w / sum(weights) * mass) for n, w in zip(NAMES, weights, strict=True)}
    found = expected_level(listed.items(), NAMES, VALUES)
    again = expected_level([(n, listed[n]) for n in order], NAMES, VALUES)
    expected = sum(w * v for w, v in zip(weights, VALUES, strict=True)) / sum(weights)

    if mass > 0.5 + 1e-9:
        assert found.value == pytest.approx(expected)
        assert again.value == pytest.approx(expected)
    assert sum(found.probabilities) == pytest.approx(1)
    assert found.captured_mass == pytest.approx(mass)
