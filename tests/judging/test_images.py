"""Images in items: named in the text, sent beside it, and never read from a disk."""

from dataclasses import replace
from typing import Any

import pytest

from judgekit.errors import InputError
from judgekit.judging.images import LARGEST, data_url, whole
from judgekit.judging.item import Item
from judgekit.judging.prompt import Asker, build_request
from judgekit.judging.request import ModelRequest
from tests.judging.keycases import ITEM, PAIR, PAIRWISE, POINTWISE, judge

PNG = "data:image/png;base64,iVBORw0KGgo="
HEIC = "data:image/heic;base64,AAAA"
WEB = "https://e.example/cat.jpg?a=b"


def openai(url: Any, **more: Any) -> dict[str, Any]:
    """An image as OpenAI writes it."""
    return {"type": "image_url", "image_url": {"url": url, **more}}


def chat(*parts: Any) -> list[dict[str, Any]]:
    """A chat of one message with these parts."""
    return [{"role": "user", "content": list(parts)}]


def request_of(fields: dict[str, Any], rubric: Any = POINTWISE, **of_judge: Any) -> ModelRequest:
    """The request for an item, which is the same however it is made."""
    one, item = judge(rubric, **of_judge), Item(id="q7", fields=fields, line=3)
    request = build_request(one, rubric.criteria[0], item)
    assert Asker(one, rubric.criteria[0]).ask(item).build() == request
    return request


def sent(request: ModelRequest) -> list[Any]:
    """The parts of the one message that has any."""
    (content,) = [m.content for m in request.messages if not isinstance(m.content, str)]
    return list(content)


def own(body: str) -> Any:
    """The rubric with another template."""
    return replace(POINTWISE, body=body)


def test_an_image_is_named_in_the_text_and_sent_behind_it() -> None:
    """The user's message that shows the item becomes parts; the rubric stays as it is."""
    fields = {**ITEM, "input": chat({"type": "text", "text": "See:"}, openai(PNG), "Well?")}
    request = request_of(fields)
    text, image = sent(request)

    assert [m.role for m in request.messages] == ["system", "user"]
    assert request.messages[0] == request_of(ITEM).messages[0]
    assert "See:\n[image 1]\nWell?\n" in text["text"]
    assert PNG not in text["text"]
    assert image == openai(PNG)
    assert request.messages[1].text == text["text"]


@pytest.mark.parametrize(
    ("part", "found"),
    [
        (openai(PNG), openai(PNG)),
        (openai(WEB, detail="low"), openai(WEB, detail="low")),
        (openai("HTTPS://e.example"), openai("HTTPS://e.example")),
        (openai(HEIC), openai(HEIC)),
        ({"type": "image_url", "image_url": WEB}, openai(WEB)),
        ({"type": "input_image", "image_url": WEB}, openai(WEB)),
        (
            {
                "type": "image",
                "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="},
            },
            openai(PNG),
        ),
        ({"type": "image", "source": {"type": "url", "url": WEB}}, openai(WEB)),
    ],
)
def test_every_way_to_write_an_image_is_sent_as_one(part: Any, found: Any) -> None:
    """OpenAI's two forms and Anthropic's two, all sent as OpenAI's."""
    assert sent(request_of({**ITEM, "output": chat(part)}))[1:] == [found]


def test_images_are_numbered_over_the_whole_item() -> None:
    """In the order of the rubric's inputs, and sent in that order; results of tools among them."""
    tool = {"type": "tool_result", "content": [openai(WEB + "2")]}
    fields = {"output": chat(openai(WEB + "3")), "input": chat(openai(WEB + "1"), tool)}
    text, *images = sent(request_of(fields))

    assert [image["image_url"]["url"][-1] for image in images] == ["1", "2", "3"]
    assert text["text"].index("[image 2]") < text["text"].index("Output:")
    assert text["text"].index("Output:") < text["text"].index("[image 3]")


def test_a_list_of_parts_is_an_item_as_well() -> None:
    """Without a message around it: its text and its images are shown, nobody says them."""
    parts = [{"type": "text", "text": "A cat."}, openai(WEB)]
    text, image = sent(request_of({**ITEM, "output": parts}))

    assert "\nA cat.\n[image 1]\n" in text["text"]
    assert image == openai(WEB)


def test_a_message_whose_content_is_one_part_shows_it() -> None:
    """A part that is not in a list."""
    message = {"role": "user", "content": openai(WEB)}

    assert sent(request_of({**ITEM, "output": [message]}))[1:] == [openai(WEB)]


def test_turned_pairs_turn_their_images() -> None:
    """The numbers follow what is shown."""
    fields = {**PAIR, "output_a": chat(openai(WEB + "a")), "output_b": chat(openai(WEB + "b"))}
    item, criterion = Item(id="q", fields=fields), PAIRWISE.criteria[0]
    request = build_request(judge(PAIRWISE), criterion, item, order="BA")

    assert sent(request)[1:] == [openai(WEB + "b"), openai(WEB + "a")]


def test_an_input_that_is_not_shown_sends_no_image() -> None:
    """The judge sees what the template shows."""
    fields = {"input": chat(openai(WEB + "1")), "output": chat(openai(WEB + "2"))}

    assert sent(request_of(fields, own("{{ output }}")))[1:] == [openai(WEB + "2")]
    assert all(isinstance(m.content, str) for m in request_of(fields, own("None.")).messages)


def test_images_go_with_the_message_that_shows_them() -> None:
    """Each with the first user's message in which its input stands."""
    user = "{{ next_message('user') }}"
    body = f"{{{{ input }}}}{user}{{{{ input }}}}{user}{{{{ input }}}}{{{{ output }}}}"
    fields = {"input": chat(openai(WEB + "1")), "output": chat(openai(WEB + "2"))}
    messages = request_of(fields, own(body)).messages

    assert [len(m.content) if isinstance(m.content, tuple) else 0 for m in messages] == [0, 2, 2]


def test_an_image_in_a_system_message_is_refused() -> None:
    """Providers refuse it there, or worse, leave it out."""
    rubric = own("{{ output }}{{ next_message() }}Go.")
    fields = {**ITEM, "output": chat(openai(WEB))}

    with pytest.raises(InputError, match=r"item 'q7' holds images in 'output'.*of the system"):
        request_of(fields, rubric)
    assert sent(request_of(fields, rubric, system_in_user=True))[1:] == [openai(WEB)]


REACH = ", which no model can reach"
UNUSABLE = [
    ("cat.png", f"is at 'cat.png'{REACH}"),
    ("./a/cat.png", f"is at './a/cat.png'{REACH}"),
    ("file:///etc/passwd", f"is at 'file:///etc/passwd'{REACH}"),
    ("C:\\cat.png", rf"is at 'C:\\cat.png'{REACH}"),
    ("javascript:alert(1)", f"is at 'javascript:alert(1)'{REACH}"),
    ("https://", f"is at 'https://'{REACH}"),
    ("https://e.example/a b", f"is at 'https://e.example/a b'{REACH}"),
    (
        "http://e.example/a.png",
        "is at 'http://e.example/a.png', and only https: addresses are sent",
    ),
    ("", "has no address"),
    (None, "has no address"),
    (7, f"is at 7{REACH}"),
    ([PNG], f"is at ['{PNG}']{REACH}"),
    ("x" * 5000, f"is at '{'x' * 59}…'{REACH}"),
    ("data:text/html,<b>", "is at 'data:text/html,<b>', which holds no image in base64"),
    ("data:image/png,abc", "is at 'data:image/png,abc', which holds no image in base64"),
    ("data:image/png;base64,!!!", "is at 'data:image/png;base64,!!!', whose base64 is broken"),
    ("data:image/png;base64,AAA", "is at 'data:image/png;base64,AAA', whose base64 is broken"),
    ("data:image/png;base64,", "is at 'data:image/png;base64,', which holds no such image"),
    ("data:image/png;base64,AAAA", "is at 'data:image/png;base64,AAAA', which holds no such image"),
]


@pytest.mark.parametrize(("url", "said"), UNUSABLE)
def test_an_image_that_no_model_can_reach_is_refused(url: Any, said: str) -> None:
    """Files are not read here: the error names item, line and image, and the way out."""
    fields = {"input": chat(openai(WEB)), "output": chat(openai(url, detail="low"))}
    item, one = Item(id="q7", fields=fields, line=3), judge()

    for ask in (
        lambda i: build_request(one, POINTWISE.criteria[0], i),
        Asker(one, POINTWISE.criteria[0]).ask,
    ):
        with pytest.raises(InputError) as caught:
            ask(item)
        assert caught.value.message == f"image 1 of 'output' of item 'q7' {said}"
        assert caught.value.line == 3
        assert "data:" in (caught.value.hint or "")


def test_an_image_too_large_for_providers_is_refused() -> None:
    """As one read from a file is."""
    url = data_url("image/png", b"\x89PNG\r\n\x1a\n" + bytes(LARGEST))

    with pytest.raises(InputError, match="has more than 20 MB"):
        request_of({**ITEM, "output": chat(openai(url))})


@pytest.mark.parametrize(
    "part", [{"type": "image"}, {"type": "image_url", "image_url": None}, {"type": "audio"}]
)
@pytest.mark.parametrize("scoring", ["generation", "likelihood"])
def test_an_item_is_never_judged_without_a_part_of_it(part: Any, scoring: str) -> None:
    """There is nothing to send: the item is refused before anything is asked about it."""
    with pytest.raises(InputError, match="of item 'q7'") as caught:
        request_of({**ITEM, "output": chat(part)}, scoring=scoring)
    assert (caught.value.line, bool(caught.value.hint)) == (3, True)


def test_a_model_read_by_likelihood_is_shown_no_images() -> None:
    """It would judge the item without them."""
    with pytest.raises(InputError, match="takes text only"):
        request_of({**ITEM, "output": chat(openai(PNG))}, scoring="likelihood")


def test_worked_examples_show_no_images() -> None:
    """They are part of the rubric, which is text."""
    criterion = POINTWISE.criteria[0]
    level = criterion.scale.levels[0]
    anchor = replace(level.anchors[0], fields={"output": chat(openai(WEB))})
    levels = (replace(level, anchors=(anchor,)), *criterion.scale.levels[1:])
    scale = replace(criterion.scale, levels=levels)
    changed = replace(criterion, scale=scale)
    request = build_request(judge(), changed, Item(id="q", fields=ITEM))

    assert "[image_url not shown]" in request.messages[0].text
    assert all(isinstance(m.content, str) for m in request.messages)


def test_a_file_s_content_becomes_an_address() -> None:
    """What importers put in the place of a path."""
    assert data_url("image/png", b"\x89PNG\r\n\x1a\n") == PNG


def test_text_whose_parts_can_all_be_shown_is_whole() -> None:
    """Text, images with an address, what tools were asked and what they said."""
    said = {"type": "tool_result", "content": ["plain", {"type": "text", "text": "x"}]}
    text = [
        {"role": "user", "content": [openai(PNG), {"type": "output_text", "text": "x"}]},
        {"role": "assistant", "content": None, "tool_calls": [{"function": {"name": "f"}}]},
        {"role": "assistant", "content": [{"type": "tool_use", "name": "f", "input": {}}, "words"]},
        {"role": "user", "content": [said, {"type": "tool_result"}]},
    ]

    assert whole(text, "it") == [*text[:3], {**text[3], "content": [said, whole_result()]}]
    assert whole("[audio not shown]", "it") == "[audio not shown]"


def whole_result() -> dict[str, Any]:
    """A tool that said nothing."""
    return {"type": "tool_result", "content": None}


@pytest.mark.parametrize(
    ("part", "said"),
    [
        ({"type": "image_url"}, "image 2 of it has no address"),
        ({"type": "image", "image_url": None}, "image 2 of it has no address"),
        ({"type": "image", "source": {"type": "file", "file_id": "f"}}, "image 2 of it has no add"),
        ({"type": "input_image", "file_id": "f"}, "image 2 of it has no address"),
        ({"type": "image_url", "text": "a cat"}, "image 2 of it has no address"),
        ({"type": "audio", "audio": {}}, "it holds a part of type 'audio', which no judge is"),
        ({"type": "file", "file": {}}, "it holds a part of type 'file', which no judge is shown"),
        ({"type": "thinking", "thinking": "hm"}, "it holds a part of type 'thinking'"),
        ({"type": "text", "text": None}, "it holds a part of type 'text'"),
        ({"text": 5}, "it holds a part of type None"),
    ],
)
def test_a_part_that_is_not_shown_is_refused(part: Any, said: str) -> None:
    """Wherever it stands: without it something else would be judged."""
    deep = {"type": "tool_result", "content": [part]}
    for text in ([openai(WEB), part], chat(openai(WEB), part), chat(openai(WEB), deep)):
        with pytest.raises(InputError) as caught:
            whole(text, "it")
        assert caught.value.message.startswith(said)
        assert caught.value.hint


def test_an_image_alone_is_a_content_too() -> None:
    """A part that is not in a list, as somebody's own program may write it."""
    with pytest.raises(InputError, match="image 1 of it has no address"):
        whole([{"role": "user", "content": {"type": "image_url"}}], "it")
