"""What runners hand over, as the inputs of a rubric."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import BaseModel

from judgekit.adapters.texts import make_item
from judgekit.errors import InputError

INPUTS = ("input", "output", "reference")
WHOLE = {"input": "Where?", "output": "There.", "reference": "Here."}


class NAType:
    """As pandas calls what is missing."""


@pytest.mark.parametrize(
    ("given", "fields"),
    [
        pytest.param(WHOLE, WHOLE, id="texts"),
        pytest.param(
            {
                "input": {"question": "Where?"},
                "output": {"answer": "There."},
                "reference": ["Here."],
            },
            WHOLE,
            id="mappings of one",
        ),
        pytest.param(
            {"input": {"input": "Where?", "user": 7, "output": "mine", "reference": "Here."}}
            | {"output": {"output": "There.", "input": "yours"}},
            WHOLE,
            id="named in mappings",
        ),
        pytest.param(
            {"output": WHOLE["output"], "context": WHOLE}, WHOLE, id="the rest in the context"
        ),
        pytest.param({**WHOLE, "context": {"reference": "else"}}, WHOLE, id="its own name stands"),
        pytest.param(
            {**WHOLE, "input": {"a": "é", "b": [1]}},
            {**WHOLE, "input": '{"a": "é", "b": [1]}'},
            id="JSON",
        ),
        pytest.param({**WHOLE, "output": ""}, {**WHOLE, "output": ""}, id="an empty text"),
        pytest.param({**WHOLE, "output": 0}, {**WHOLE, "output": "0"}, id="zero"),
        pytest.param({**WHOLE, "output": []}, {**WHOLE, "output": "[]"}, id="an empty list"),
        pytest.param(
            {**WHOLE, "output": ["one", "two"]}, {**WHOLE, "output": "one\n\ntwo"}, id="passages"
        ),
    ],
)
def test_what_becomes_of_it(given: dict[str, Any], fields: dict[str, str]) -> None:
    """Each input of the rubric is found where the runner put it."""
    assert make_item(INPUTS, **given).fields == fields


def test_messages_stay_messages() -> None:
    """A list of chat messages is no JSON text."""
    said = [{"role": "user", "content": "Where?"}, {"role": "assistant", "content": "Why?"}]

    assert make_item(INPUTS, **{**WHOLE, "input": {"messages": said}}).fields["input"] == said


@pytest.mark.parametrize(
    "nothing",
    [None, float("nan"), NAType(), {}, {"reference": None}, {"answer": float("nan")}],
    ids=["None", "NaN", "NA", "empty", "named", "one"],
)
def test_nothing_is_no_text(nothing: object) -> None:
    """The judge is never shown "null", "NaN" or "{}" for what is not there."""
    with pytest.raises(InputError, match="needs reference"):
        make_item(INPUTS, input="Where?", output="There.", reference=nothing)
    given = {**WHOLE, "reference": nothing}
    assert make_item(INPUTS, **{**given, "context": {"reference": "Here."}}).fields == WHOLE
    assert make_item(INPUTS, **{**given, "input": WHOLE}).fields == WHOLE


def test_pairs() -> None:
    """Two outputs are a pair, in a list or by name; one is not."""
    inputs = ("input", "output_a", "output_b")
    pair = {"input": "q", "output_a": "one", "output_b": "two"}

    assert make_item(inputs, input="q", output=["one", "two"]).fields == pair
    assert (
        make_item(inputs, input="q", output={"output_a": "one", "output_b": "two"}).fields == pair
    )
    assert make_item(inputs, context=pair).fields == pair
    with pytest.raises(InputError, match="needs output_a and output_b"):
        make_item(inputs, input="q", output="one")


def test_equal_texts_are_one_item() -> None:
    """The id is the text's, wherever it came from."""
    other = make_item(INPUTS, output=WHOLE["output"], context=WHOLE, case="a case")

    assert make_item(INPUTS, **WHOLE).id == other.id
    assert make_item(INPUTS, **{**WHOLE, "output": "There!"}).id != other.id


@pytest.mark.parametrize("nothing", [None, {}, {"answer": None}, float("nan")])
@pytest.mark.parametrize("place", ["input", "context", "reference"])
def test_an_earlier_output_is_none(nothing: object, place: str) -> None:
    """Where there is nothing to judge, what stands in metadata or in the row is not judged."""
    given = {**WHOLE, "output": nothing, place: WHOLE}
    with pytest.raises(InputError, match="the judge needs output"):
        make_item(INPUTS, **given)


def test_messages_of_a_client() -> None:
    """Parts of messages that are objects of a client library are shown as their JSON."""

    class Part(BaseModel):
        text: str = "Hello"

    found = make_item(INPUTS, **{**WHOLE, "input": [{"role": "user", "content": [Part()]}]})
    assert found.fields["input"] == [{"role": "user", "content": [{"text": "Hello"}]}]


def test_what_has_no_text() -> None:
    """A value without end is one clear error, not a failure somewhere inside."""
    endless: list[object] = []
    endless.append(endless)
    with pytest.raises(InputError, match="no text and has no JSON"):
        make_item(INPUTS, **{**WHOLE, "output": endless})
    deep: object = "text"
    for _ in range(5000):
        deep = {"one": deep}
    with pytest.raises(InputError, match="nested too deeply"):
        make_item(INPUTS, **{**WHOLE, "output": deep})
