"""A reply as text: every reply comes back as it went in, and nothing that is none comes back."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgekit.judging.request import ModelReply
from judgekit.running.stored import UnusableEntry, decode, encode
from judgekit.testing.checks import AWKWARD

TEXTS = st.text(st.characters(codec=None, exclude_categories=()), max_size=20)
COUNTS = st.none() | st.integers(0, 10**9)
AMOUNTS = st.none() | st.floats(0, 1e9)
NAMES = st.lists(TEXTS, max_size=2).map(tuple)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.floats(-1e9, 1e9) | TEXTS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(TEXTS, inner, max_size=2),
    max_leaves=4,
)
LIKELY = st.lists(st.tuples(TEXTS, st.floats(-100, 0)), max_size=2).map(tuple)
REPLIES = st.builds(
    ModelReply,
    text=TEXTS,
    **dict.fromkeys(("finish", "refusal", "reasoning", "served"), st.none() | TEXTS),
    **dict.fromkeys(("tokens_in", "tokens_out", "tokens_cached", "tokens_reasoning"), COUNTS),
    **dict.fromkeys(("cost_usd", "latency_s"), AMOUNTS),
    **dict.fromkeys(("left_out", "notes"), NAMES),
    adjusted=st.lists(st.tuples(TEXTS, VALUES), max_size=2).map(tuple),
    logprobs=st.none()
    | st.lists(st.tuples(TEXTS, st.floats(-100, 0), LIKELY), min_size=1, max_size=2).map(tuple),
)


@given(REPLIES)
def test_every_reply_comes_back_as_it_went_in(reply: ModelReply) -> None:
    """Half surrogates, control characters, huge and tiny numbers; as text that SQLite takes."""
    text = encode(reply)

    assert decode(text.encode()) == decode(text) == reply
    assert type(decode(text)) is ModelReply
    assert json.loads(text)["text"] == reply.text


@given(st.binary(max_size=30) | TEXTS.map(json.dumps) | VALUES.map(json.dumps))
def test_what_is_no_reply_is_said_to_be_none(raw: bytes | str) -> None:
    """Whatever stands there: a reply or UnusableEntry, nothing else."""
    try:
        found = decode(raw)
    except UnusableEntry as problem:
        assert str(problem)  # noqa: PT017
    else:
        assert type(found.text) is str


def test_what_says_nothing_is_left_out() -> None:
    """And half a surrogate pair is written as its escape, which UTF-8 can hold."""
    assert encode(ModelReply("é", tokens_in=0)) == '{"text":"é","tokens_in":0}'
    assert json.loads(encode(ModelReply(AWKWARD)).encode())["text"] == AWKWARD


@pytest.mark.parametrize(
    "reply",
    [
        ModelReply("x", cost_usd=math.nan),
        ModelReply("x", latency_s=math.inf),
        ModelReply("x", logprobs=(("a", -math.inf, ()),)),
        ModelReply("x", logprobs=(("a", -1.0, (("b", math.nan),)),)),
    ],
)
def test_a_number_that_is_none_is_not_written(reply: ModelReply) -> None:
    """The fast encoder would make it null, which reads as unknown."""
    with pytest.raises(ValueError, match="not finite"):
        encode(reply)


def test_a_field_of_a_later_version_does_no_harm() -> None:
    """Two versions may share a folder: the older one leaves out what it does not know."""
    assert decode('{"mood":["?"],"text":"x","tokens_in":1}') == ModelReply("x", tokens_in=1)


def test_a_cost_without_decimals_is_a_cost() -> None:
    """What the standard library wrote as an integer."""
    assert decode('{"text":"x","cost_usd":0}').cost_usd == 0
