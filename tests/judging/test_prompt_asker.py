"""Asking many items: panels, both orders, where the rubric stands, and what stays the same."""

from dataclasses import replace
from typing import Any

import pytest

from judgekit.errors import InputError
from judgekit.judging import prompt
from judgekit.judging.item import Item
from judgekit.judging.judge import Judge
from judgekit.judging.prompt import Asker, build_request
from judgekit.judging.request import ModelRequest
from tests.judging.keycases import ITEM, OWN, PAIR, PAIRWISE, PANEL, PARAMETERS, POINTWISE, judge


def asked(one: Judge, fields: dict[str, Any], **told: Any) -> ModelRequest:
    """The request for an item, by an asker."""
    return Asker(one, one.rubric.criteria[0]).ask(Item(id="q", fields=fields), **told).build()


def test_what_is_asked_about_is_handed_on() -> None:
    """``place`` is no part of the request."""
    asker, item = Asker(judge(), POINTWISE.criteria[0]), Item(id="q", fields=ITEM)

    assert asker.ask(item, place=("q", 3)).place == ("q", 3)
    assert asker.ask(item).place is None
    assert asker.ask(item, place=1).key == asker.ask(item).key


def test_a_request_that_is_built_knows_its_key() -> None:
    """It is not worked out again for every item that is sent."""
    assert "key" in vars(asked(judge(), ITEM))


@pytest.mark.parametrize(("rubric", "fields"), [(POINTWISE, ITEM), (PAIRWISE, PAIR), (OWN, ITEM)])
def test_items_of_text_take_the_quick_way(
    rubric: Any, fields: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Chats of text as well: no template is run, for the key or for the request."""
    asker = Asker(judge(rubric, parameters={"stop": ['"']}), rubric.criteria[0])
    monkeypatch.delattr(prompt, "build_request")
    monkeypatch.delattr(prompt, "render_fenced")
    chat = [{"role": "user", "content": 'Say "hi"\n'}]

    for item in (fields, {**fields, "input": chat}):
        assert asker.ask(Item(id="q", fields=item), replicate=1).build().messages


@pytest.mark.parametrize("rubric", [POINTWISE, replace(OWN, body="{{ output|trim }}")])
def test_a_missing_input_is_told_as_by_build_request(rubric: Any) -> None:
    """Item, line and the way out; with a plan and without."""
    item, one = Item(id="q1", fields={"input": "a"}, line=7), judge(rubric)
    criterion = rubric.criteria[0]

    told = []
    for ask in (lambda i: build_request(one, criterion, i), Asker(one, criterion).ask):
        with pytest.raises(InputError, match="item 'q1' has no 'output'") as caught:
            ask(item)
        told.append((caught.value.message, caught.value.line, caught.value.hint))
    assert told[0] == told[1]
    assert told[0][1:] == (7, "inputs of this rubric: input, output")


def test_a_member_of_a_panel_is_asked_with_what_it_says_itself() -> None:
    """And with the judge's parameters and endpoint where it says nothing."""
    one = judge(panel=PANEL, parameters=PARAMETERS, api_base="http://own/v1")
    first, second = (asked(one, ITEM, member=n) for n in (0, 1))

    assert (first.model, first.api_base) == ("openai/gpt-4.1-mini", "http://own/v1")
    assert first.parameters == PARAMETERS
    assert (second.model, second.api_base) == ("m/2", "https://e.example/v1")
    assert second.parameters == {"temperature": 1, "max_tokens": 99, "seed": 3}
    assert second.messages == first.messages


@pytest.mark.parametrize(("panel", "member"), [((), 1), (PANEL, 2)])
def test_there_is_no_member_beyond_the_panel(panel: Any, member: int) -> None:
    """A slip of the caller's, never a request to another model."""
    with pytest.raises(IndexError):
        asked(judge(panel=panel), ITEM, member=member)


def test_a_turned_pair_is_the_pair_with_its_outputs_exchanged() -> None:
    """The judge sees B as A; nothing in the request says so."""
    turned = {**PAIR, "output_a": PAIR["output_b"], "output_b": PAIR["output_a"]}
    one = judge(PAIRWISE)

    assert asked(one, PAIR, order="BA") == asked(one, turned)
    assert asked(one, PAIR, order="AB") == asked(one, PAIR) != asked(one, turned)


def test_only_pairs_are_turned() -> None:
    """A slip of the caller's."""
    with pytest.raises(ValueError, match="shows no pairs"):
        asked(judge(), ITEM, order="BA")


# --- where the rubric stands ---------------------------------------------------------------------


def roles_and_texts(body: str) -> list[tuple[str, str]]:
    """The messages of a template for a model that takes no system message."""
    one = judge(replace(OWN, body=body), system_in_user=True)
    return [(m.role, m.text) for m in asked(one, ITEM).messages]


def test_the_system_message_is_put_in_front_of_the_user_s() -> None:
    """One message of the user, the rubric first."""
    system, user = asked(judge(), ITEM).messages
    (both,) = asked(judge(system_in_user=True), ITEM).messages

    assert (both.role, both.content) == ("user", f"{system.content}\n\n{user.content}")


@pytest.mark.parametrize(
    ("body", "messages"),
    [
        ("Hello.", [("user", "Hello.")]),
        (
            "A{{ next_message('assistant') }}B{{ next_message() }}C",
            [("assistant", "B"), ("user", "A\n\nC")],
        ),
        (
            "A{{ next_message() }}B{{ next_message('system') }}C{{ next_message() }}D",
            [("user", "A\n\nC\n\nB"), ("user", "D")],
        ),
        ("A{{ next_message('assistant') }}B", [("user", "A"), ("assistant", "B")]),
    ],
)
def test_no_message_is_the_system_s(body: str, messages: list[tuple[str, str]]) -> None:
    """Whatever a template does: every word is there, in front of the first user's message."""
    assert roles_and_texts(body) == messages


@pytest.mark.parametrize(("rubric", "fields"), [(POINTWISE, ITEM), (PAIRWISE, PAIR)])
def test_the_rubric_comes_first_and_is_the_same_for_every_item(rubric: Any, fields: Any) -> None:
    """So that a provider's own prompt cache holds it: nothing of an item stands before it."""
    others = [
        dict.fromkeys(fields, ""),
        dict.fromkeys(fields, "zebra " * 99),
        {name: [{"role": "user", "content": name}] for name in fields},
    ]
    system, user = asked(judge(rubric), fields).messages
    assert (system.role, user.role) == ("system", "user")
    assert all(level.definition in system.text for level in rubric.criteria[0].scale.levels)

    for other in others:
        found = asked(judge(rubric), other).messages
        assert found[0] == system
        joined = asked(judge(rubric, system_in_user=True), other).messages
        assert joined[0].text.startswith(f"{system.text}\n\n")


def test_what_stands_before_an_item_differs_in_its_mark_only() -> None:
    """Up to the first text of the item."""
    starts = set()
    for fields in (ITEM, dict.fromkeys(ITEM, "x")):
        text = asked(judge(), fields).messages[1].text
        start = text.split("<<<")[0]
        mark = text.split("<<<input ")[1][:12]
        assert mark in start
        starts.add(start.replace(mark, "MARK"))
    assert len(starts) == 1
