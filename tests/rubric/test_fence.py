"""The fence: its mark, and chat messages as one transcript inside it."""

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from judgekit.rubric import fence
from judgekit.rubric.fence import MARK_LENGTH, content_text, fenced, mark_for

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3)
    ),
    max_leaves=8,
)
PARTS = st.lists(
    st.fixed_dictionaries(
        {"type": st.sampled_from(["text", "image_url", "tool_use", "tool_result"])},
        optional={
            "text": st.text(max_size=8),
            "content": JSON,
            "input": JSON,
            "name": st.text(max_size=5),
        },
    ),
    max_size=3,
)
MESSAGES = st.lists(
    st.fixed_dictionaries(
        {}, optional={"role": JSON, "content": st.text() | PARTS | JSON, "tool_calls": JSON}
    )
    | JSON,
    max_size=4,
)
ANY = st.text() | MESSAGES


@given(st.lists(ANY, min_size=1, max_size=3))
@example(["\x00", "\ud800", "\u2028"])
@example([[{"role": float("nan"), "content": {"a": float("inf")}}]])
def test_the_mark_occurs_in_no_text(texts: list[object]) -> None:
    """Whatever is to be shown, the mark is not in it, and is the same the next time."""
    mark = mark_for(texts)

    assert len(mark) == MARK_LENGTH
    assert all(mark not in fenced(text, "output", "") for text in texts)  # type: ignore[arg-type]
    assert mark_for(texts) == mark


def test_a_text_that_holds_its_mark_gets_another(monkeypatch: pytest.MonkeyPatch) -> None:
    """Even a text that had found the fixed point of the hash would not close its fence."""
    monkeypatch.setattr(fence, "sha256_text", lambda text: f"{text.split(':')[0]}" * 64)

    assert mark_for(["0" * 12 + " and " + "1" * 12]) == "2" * 12


def test_different_texts_have_different_marks() -> None:
    """No constant mark that an output could have learnt."""
    assert len({mark_for([str(n)]) for n in range(500)}) == 500


@given(ANY)
def test_a_fence_opens_and_closes_once(text: object) -> None:
    """The first line opens, the last closes, and no line between does either."""
    mark = mark_for([text])
    lines = fenced(text, "output", mark).split("\n")  # type: ignore[arg-type]

    assert (lines[0], lines[-1]) == (f"<<<output {mark}", f"{mark} output>>>")
    inner = [line for line in lines[1:-1] if mark in line]
    assert all(line.startswith("--- ") and line.endswith(f" {mark} ---") for line in inner)


@given(MESSAGES)
def test_every_message_has_one_line_that_says_who_speaks(messages: list[object]) -> None:
    """As many role lines as messages: no content and no role can fake another."""
    mark = mark_for([messages])
    lines = fenced(messages, "input", mark).split("\n")  # type: ignore[arg-type]

    assert sum(mark in line for line in lines[1:-1]) == len(messages)


@pytest.mark.parametrize(
    "role",
    ["user\nassistant", "user\u2028---", "a\r\nb", "\x85", "--- user ---", None, "", 7, ["user"]],
)
def test_a_role_stays_on_its_line(role: object) -> None:
    """A role with line ends in it is shown on one line."""
    mark = mark_for(["x"])
    text = fenced([{"role": role, "content": "hello"}], "input", mark)
    _, who, said, _ = text.split("\n")

    assert who.startswith("--- ")
    assert who.endswith(f" {mark} ---")
    assert not set(who) & set("\r\n\u2028\x85")
    assert said == "hello"


TOOL_CALL = {
    "id": "1",
    "type": "function",
    "function": {"name": "refund", "arguments": '{"id": 7}'},
}


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        ({"content": "plain"}, "plain"),
        ({"content": None}, ""),
        ({}, ""),
        ({"content": ["one", "two"]}, "one\ntwo"),
        (
            {"content": [{"type": "text", "text": "one"}, {"type": "image_url"}]},
            "one\n[image_url not shown]",
        ),
        ({"content": [{"text": "no type"}]}, "no type"),
        ({"content": [{}]}, "[part not shown]"),
        ({"content": [7]}, "7"),
        ({"content": {"answer": 42}}, '{"answer": 42}'),
        ({"content": float("nan")}, "NaN"),
        ({"content": None, "tool_calls": [TOOL_CALL]}, '[calls refund: {"id": 7}]'),
        (
            {"content": "One moment.", "tool_calls": [TOOL_CALL]},
            'One moment.\n[calls refund: {"id": 7}]',
        ),
        ({"content": "", "function_call": {"name": "look", "arguments": "{}"}}, "[calls look: {}]"),
        (
            {"tool_calls": [TOOL_CALL, TOOL_CALL]},
            '[calls refund: {"id": 7}]\n[calls refund: {"id": 7}]',
        ),
        ({"tool_calls": [{"odd": 1}]}, '[calls {"odd": 1}]'),
        ({"tool_calls": "odd"}, '[calls "odd"]'),
        (
            {"content": [{"type": "tool_use", "id": "1", "name": "look", "input": {"at": "sea"}}]},
            '[calls look: {"at": "sea"}]',
        ),
        ({"content": [{"type": "tool_result", "content": "found"}]}, "found"),
        ({"content": [{"type": "tool_result", "content": [{"type": "text", "text": "a"}]}]}, "a"),
    ],
    ids=lambda value: json.dumps(value)[:50],
)
def test_what_a_message_says_is_shown(message: dict[str, object], shown: str) -> None:
    """Text, calls and results are shown; what is no text is named; nothing is dropped silently."""
    text = fenced([{"role": "assistant", **message}], "output", "mark")

    assert text == f"<<<output mark\n--- assistant mark ---\n{shown}\nmark output>>>"


def test_a_list_of_parts_is_what_they_hold() -> None:
    """Nobody says them, so there is no line that says who; and nothing of them is dropped."""
    parts = [{"type": "text", "text": "one"}, {"type": "text", "text": "two"}, {"type": "audio"}]

    assert fenced(parts, "output", "m") == "<<<output m\none\ntwo\n[audio not shown]\nm output>>>"


def test_parts_among_messages_are_shown_where_they_stand() -> None:
    """A result of a tool has a content of its own and is shown like a message, as ever."""
    result = {"type": "tool_result", "content": "found"}
    text = fenced([{"type": "text", "text": "one"}, result, {"text": "no type"}], "output", "m")

    assert text == ("<<<output m\none\n--- unknown m ---\nfound\n--- unknown m ---\n\nm output>>>")


@pytest.mark.parametrize("key", ["image_url", "source"])
def test_an_image_is_named_by_its_number_and_handed_on(key: str) -> None:
    """Numbers go on from those that are there; without a place for images it is not shown."""
    part = {"type": "image", key: {"url": "https://e.example/a.png"}}
    message = {"role": "user", "content": ["See:", part]}
    images: list[Any] = [{}]

    assert "See:\n[image 2]\n" in fenced([message], "output", "m", images)
    assert images == [{}, part]
    assert "See:\n[image not shown]\n" in fenced([message], "output", "m")


def test_an_empty_transcript_is_an_empty_fence() -> None:
    """No messages, no lines; the fence stands."""
    assert fenced([], "output", "mark") == "<<<output mark\n\nmark output>>>"


@given(JSON)
def test_content_of_any_kind_becomes_text(content: object) -> None:
    """JSON of every shape, NaN and lone surrogates included, is text in the end."""
    assert isinstance(content_text(content), str)


def test_content_that_holds_itself_becomes_text() -> None:
    """What JSON cannot write is shown as Python writes it."""
    loop: dict[object, object] = {1: "a", "b": 2}
    loop["self"] = loop

    assert "..." in content_text(loop)
    assert content_text({1: "a", "b": 2}) == "{1: 'a', 'b': 2}"
