import json
from collections.abc import Mapping
from math import inf, log, nan
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgekit.judging.judge import Judge
from judgekit.judging.judgment import Judgment
from judgekit.judging.reply import read_reply
from judgekit.judging.request import ModelReply, TokenLogprobs
from judgekit.judging.tokens import expected_value, level_probabilities
from judgekit.rubric.model import Criterion
from judgekit.rubric.scale import Scale
from tests.calibration.make import rubric

Options = Mapping[str, float]


def token(text: str, **others: float) -> TokenLogprobs:
    """A token that was certain, or one of several with their probabilities."""
    return step({text: 1.0, **others}, text)


def step(options: Options, said: str | None = None) -> TokenLogprobs:
    """A place where these tokens were weighed; the first one was said."""
    text = next(iter(options)) if said is None else said
    listed = tuple((t, log(p)) for t, p in options.items())
    return text, log(options[text]), listed


def scale(*names: str, kind: str = "ordinal") -> Scale:
    """A scale of levels 1, 2, ... with these names."""
    levels: list[dict[str, Any]] = [
        {"value": i, "name": name, "definition": "it is", "drops_when": "it is not"}
        for i, name in enumerate(names, start=1)
    ]
    if kind == "nominal":
        levels = [{"name": name, "definition": "it is"} for name in names]
    return rubric(kind, levels=levels).criteria[0].scale


QUALITY = scale("poor", "fair", "good")
TEN = scale(*(str(i) for i in range(1, 11)))
VERY = scale("very bad", "neutral", "very good")


def reply(*steps: TokenLogprobs) -> tuple[str, tuple[TokenLogprobs, ...]]:
    """The JSON of a reply whose level is these tokens, and all its tokens."""
    before = (token('{"'), token("reason"), token('":"'), token("fine"), token('","level":"'))
    tokens = (*before, *steps)
    return "".join(text for text, _, _ in tokens), tokens


def chances(of: Scale, level: int, *steps: TokenLogprobs) -> tuple[tuple[float, ...], float] | None:
    """Probabilities rounded to six digits, and the mass, of a reply of this level."""
    found = level_probabilities(*reply(*steps), of, level)
    return found and (tuple(round(p, 6) for p in found.probabilities), round(found.mass, 6))


def test_the_tokens_of_a_level() -> None:
    """By hand: 0.6 good, 0.2 fair, 0.1 poor and 0.1 elsewhere make 6/9, 2/9 and 1/9."""
    weighed = step({"good": 0.6, "fair": 0.2, "poor": 0.1, "great": 0.1})

    assert chances(QUALITY, 2, weighed, token('"}')) == ((0.111111, 0.222222, 0.666667), 0.9)


def test_spellings_of_one_level_add_up() -> None:
    """Case, leading space or quote, the level's number, and how much of the word one token holds.

    good 0.3 + Good 0.1 + " good" 0.05 + g 0.05 + good"} 0.1; 2 counts for fair, p for poor.
    """
    weighed = step(
        {
            "good": 0.3,
            "Good": 0.1,
            " good": 0.05,
            "g": 0.05,
            'good"}': 0.1,
            "2": 0.1,
            "fa": 0.1,
            "p": 0.1,
            "gone": 0.1,
        }
    )

    assert chances(QUALITY, 2, weighed, token('"}')) == (
        (round(0.1 / 0.9, 6), round(0.2 / 0.9, 6), round(0.6 / 0.9, 6)),
        0.9,
    )


def test_what_stands_in_the_same_token_before_the_level() -> None:
    """A quote or a space belongs to no level, in the token said and in the others."""
    text = '{"reason": "", "level": "fair"}'
    first = text[: text.index(' "fair')]
    tokens = (token(first), step({' "fair': 0.7, '"good': 0.2, ' "': 0.1}), token('"}'))

    found = level_probabilities(text, tokens, QUALITY, 1)

    assert found is not None
    assert found.probabilities == pytest.approx((0, 0.7 / 0.9, 0.2 / 0.9))
    assert found.mass == pytest.approx(0.9)


def test_levels_that_begin_alike_are_told_apart_by_what_follows() -> None:
    """By hand: "very" 0.8, then "good" 0.75 of it and "bad" 0.25; "neutral" 0.2."""
    first = step({"very": 0.8, "neutral": 0.2})
    second = step({" good": 0.75, " bad": 0.25})

    assert chances(VERY, 2, first, second, token('"}')) == ((0.2, 0.2, 0.6), 1.0)


def test_a_number_that_begins_another_is_told_by_what_ends_it() -> None:
    """On 1 to 10: "1" 0.5, then the end 0.9 of it and "0" 0.1; "7" 0.4 and "10" 0.1."""
    first, second = step({"1": 0.5, "7": 0.4, "10": 0.1}), step({'"}': 0.9, "0": 0.1})

    found = chances(TEN, 0, first, second)

    # the 0.1 of "10" is clear: no level goes on from there
    assert found == ((0.45, 0, 0, 0, 0, 0, 0.4, 0, 0, 0.15), 1.0)


def test_a_token_not_said_that_could_be_two_levels_leaves_none() -> None:
    """Half a hundredth of "1" on a scale to 10 is let go; a tenth is too much to guess."""
    little = step({"7": 0.95, "1": 0.005, "8": 0.045})
    much = step({"7": 0.8, "1": 0.1, "8": 0.1})

    assert chances(TEN, 6, little, token('"}')) is not None
    assert chances(TEN, 6, much, token('"}')) is None


def test_a_bare_level_that_could_go_on_leaves_none() -> None:
    """Nothing after "1" shows that it was not to be 10; "7" can only be 7."""
    assert level_probabilities("1", (step({"1": 0.9, "2": 0.1}),), TEN, 0) is None
    found = level_probabilities("7", (step({"7": 0.9, "2": 0.1}),), TEN, 6)
    assert found is not None
    assert found.probabilities[1] == pytest.approx(0.1)


@pytest.mark.parametrize("text", ["good", " good\n", "**good**", "Good.", "(good)"])
def test_a_bare_reply(text: str) -> None:
    """Whatever stands around the level."""
    at = text.lower().index("good")
    parts = [text[:at], text[at : at + 4], text[at + 4 :]]
    tokens = tuple(
        step({part: 0.6, "poor": 0.4}) if i == 1 else token(part)
        for i, part in enumerate(parts)
        if part
    )

    found = level_probabilities(text, tokens, QUALITY, 2)

    assert found is not None
    assert found.probabilities == pytest.approx((0.4, 0, 0.6))


@pytest.mark.parametrize(
    ("text", "level"),
    [
        ("I would call it good, all in all.", 2),  # prose: where the answer begins is unclear
        ('{"reason": "", "level": "fair"}', 2),  # not the level that was read
        ('{"reason": "", "verdict": "good"}', 2),
        ("", 2),
    ],
)
def test_where_the_level_does_not_show_there_are_none(text: str, level: int) -> None:
    """Never a guess at which token it was."""
    tokens = tuple(step({char: 0.6, "x": 0.3}) for char in text)

    assert level_probabilities(text, tokens, QUALITY, level) is None


def test_the_last_level_counts() -> None:
    """A draft is not the answer."""
    draft = '{"reason":"","level":"poor"} No: '
    text, tokens = reply(step({"good": 0.7, "fair": 0.3}), token('"}'))

    found = level_probabilities(draft + text, (step({draft: 0.5, "z": 0.5}), *tokens), QUALITY, 2)

    assert found is not None
    assert found.probabilities == pytest.approx((0, 0.3, 0.7))


def test_tokens_around_the_text_do_no_harm() -> None:
    """Thinking and marks of turns have tokens, and are not in the text."""
    text, tokens = reply(step({"good": 0.7, "fair": 0.3}), token('"}'))
    thinking = [token("<think>"), step({"poor": 0.9, "good": 0.1}), token("</think>")]

    found = level_probabilities(text, (*thinking, *tokens, token("<|end|>")), QUALITY, 2)

    assert found is not None
    assert found.probabilities == pytest.approx((0, 0.3, 0.7))


def test_a_reply_rehearsed_in_thought_is_not_the_reply() -> None:
    """Where the very text stands twice in the tokens, the last is the answer."""
    rehearsed = reply(step({"good": 0.9, "poor": 0.1}), token('"}'))[1]
    text, tokens = reply(step({"good": 0.7, "fair": 0.3}), token('"}'))

    found = level_probabilities(text, (*rehearsed, token("</think>"), *tokens), QUALITY, 2)

    assert found is not None
    assert found.probabilities == pytest.approx((0, 0.3, 0.7))


def test_signs_for_spaces_are_spaces() -> None:
    """As some endpoints list the tokens of their vocabulary."""
    text = '{"reason": "it is", "level": "very good"}'
    parts = ['{"reason":', '\u0120"it', '\u0120is",', '\u0120"level":', '\u0120"']
    weighed = [step({"very": 0.9, "neutral": 0.1}), step({"\u0120good": 0.6, "\u2581bad": 0.4})]

    found = level_probabilities(text, (*map(token, parts), *weighed, token('"}')), VERY, 2)

    assert found is not None
    assert found.probabilities == pytest.approx((0.36, 0.1, 0.54))


@pytest.mark.parametrize(
    "steps",
    [
        (("good", log(0.6), ()),),  # nothing to compare with
        (step({"good": 0.3, "fair": 0.1, "bananas": 0.6}),),  # little on levels
        (("good", nan, (("fair", log(0.1)),)),),
        (("good", 0.5, (("fair", log(0.1)),)),),
        (("good", inf, (("fair", log(0.1)),)),),
        (step({"very": 0.6, "good": 0.4}),),  # other tokens than the text's
    ],
)
def test_probabilities_that_tell_nothing_are_none(steps: tuple[TokenLogprobs, ...]) -> None:
    """Too little on levels, nothing beside the level, or no probability at all."""
    text = reply(token("good"), token('"}'))[0]
    tokens = reply(*steps, token('"}'))[1]

    assert level_probabilities(text, tokens, QUALITY, 2) is None


def test_not_applicable_is_no_level() -> None:
    """What was on it is not on a level; a token that begins both it and a level tells neither."""
    of = scale("naive", "sound")

    assert chances(of, 1, step({"sound": 0.7, "n/a": 0.2, "naive": 0.1}), token('"}')) == (
        (0.125, 0.875),
        0.8,
    )
    assert chances(of, 1, step({"sound": 0.7, "na": 0.3}), token('"}')) is None


def test_probability_0_is_listed_by_some_as_a_large_negative_number() -> None:
    """It is 0."""
    weighed = ("good", 0.0, (("fair", -9999.0), ("poor", -inf)))

    assert chances(QUALITY, 2, weighed, token('"}')) == ((0, 0, 1), 1.0)


@given(
    st.lists(st.floats(0.01, 1), min_size=4, max_size=4),
    st.lists(st.integers(1, 4), min_size=3, max_size=3),
)
def test_the_probabilities_are_those_of_the_words(weights: list[float], cut: list[int]) -> None:
    """However many letters of a word its token holds, they are its share of all words."""
    total = sum(weights)
    words = [w[:n] for w, n in zip(("poor", "fair", "good"), cut, strict=True)]
    options = dict(zip((*words, "?"), (w / total for w in weights), strict=True))
    rest = "good"[cut[2] :]
    steps = [step(options, said=words[2]), *([token(rest)] if rest else []), token('"}')]

    found = level_probabilities(*reply(*steps), QUALITY, 2)
    mass = 1 - weights[3] / total

    if mass < 0.4999:
        assert found is None
    elif mass > 0.5001:
        assert found is not None
        assert found.mass == pytest.approx(mass)
        assert sum(found.probabilities) == pytest.approx(1)
        assert found.probabilities == pytest.approx(
            [weight / sum(weights[:3]) for weight in weights[:3]]
        )


@pytest.mark.parametrize(
    ("of", "probabilities", "value"),
    [
        (QUALITY, (0.2, 0.3, 0.5), 2.3),  # 0.2 + 0.6 + 1.5
        (rubric("binary").criteria[0].scale, (0.25, 0.75), 0.75),
        (rubric("ordinal").criteria[0].scale, (0, 0, 0, 0, 1), 5),
        (scale("red", "green", kind="nominal"), (0.5, 0.5), None),
        (rubric("pairwise").criteria[0].scale, (0.5, 0.3, 0.2), None),
    ],
)
def test_the_expected_value(
    of: Scale, probabilities: tuple[float, ...], value: float | None
) -> None:
    """The mean of the values, where levels have an order."""
    found = expected_value(of, probabilities)

    assert found is None if value is None else found == pytest.approx(value)


def test_levels_of_any_range_have_an_expected_value() -> None:
    """Complaint 23: 0 to 100 and decimals, with text for each level."""
    levels: list[dict[str, Any]] = [
        {"value": v, "name": n, "definition": "it is", "drops_when": "it is not"}
        for v, n in ((0, "none"), (12.5, "some"), (100, "all"))
    ]
    of = rubric("ordinal", levels=levels).criteria[0].scale

    assert expected_value(of, (0.2, 0.4, 0.4)) == pytest.approx(45)


def answer(criterion: Criterion, logprobs: tuple[TokenLogprobs, ...] | None, text: str) -> Judgment:
    """What a judge's reply with these tokens is read as."""
    judge = Judge("tone", rubric(), "m")
    found = read_reply(judge, criterion, "a", ModelReply(text, finish="stop", logprobs=logprobs))
    assert isinstance(found, Judgment)
    return found


def test_a_model_that_gives_no_probabilities() -> None:
    """Complaint 16: none asked for, none given, an empty list: None and no error."""
    criterion = rubric().criteria[0]
    text = json.dumps({"reason": "", "level": "good"})

    for logprobs in (None, (), (("", 0.0, ()),), ((text, 0.0, ((text, 0.0),)),)):
        found = answer(criterion, logprobs, text)

        assert (found.level, found.probabilities) == (1, None)


def test_the_level_stays_what_the_reply_says() -> None:
    """Whatever the probabilities would have said."""
    criterion = rubric().criteria[0]
    text = '{"reason":"","level":"bad"}'
    tokens = (token('{"reason":"","level":"'), step({"bad": 0.2, "good": 0.8}), token('"}'))

    found = answer(criterion, tokens, text)

    assert found.level == 0
    assert found.probabilities == pytest.approx((0.2, 0.8))
