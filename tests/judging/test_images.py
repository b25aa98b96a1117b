"""Images in items: named in the text, sent beside it, and never read from a disk."""

from typing import Any

import pytest

from judgekit.errors import InputError
from judgekit.judging.images import data_url
from judgekit.judging.item import Item
from judgekit.judging.prompt import Asker, build_request
from judgekit.judging.request import ModelRequest
from tests.judging.keycases import ITEM, PAIR, PAIRWISE, POINTWISE, judge

PNG = "data:image/png;base64,iVBORw0KGgo="
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
    return POINTWISE.model_copy(update={"body": body})


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
        (openai("HTTP://localhost/a.png"), openai("HTTP://localhost/a.png")),
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


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("cat.png", "'cat.png'"),
        ("./a/cat.png", "'./a/cat.png'"),
        ("file:///etc/passwd", "'file:///etc/passwd'"),
        ("C:\\cat.png", r"'C:\\cat.png'"),
        ("", "''"),
        (None, "None"),
        (7, "7"),
        ("x" * 5000, f"'{'x' * 59}…'"),
    ],
)
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
        assert caught.value.message == (
            f"image 2 of item 'q7' is at {said}, which no model can reach"
        )
        assert caught.value.line == 3
        assert "data:" in (caught.value.hint or "")


@pytest.mark.parametrize("part", [{"type": "image"}, {"type": "image_url", "image_url": None}])
def test_an_image_without_an_address_is_named_as_before(part: Any) -> None:
    """There is nothing to send; the judge is told that something is not shown."""
    request = request_of({**ITEM, "output": chat(part)})

    assert f"[{part['type']} not shown]" in request.messages[1].text


def test_worked_examples_show_no_images() -> None:
    """They are part of the rubric, which is text."""
    criterion = POINTWISE.criteria[0]
    level = criterion.scale.levels[0]
    anchor = level.anchors[0].model_copy(update={"fields": {"output": chat(openai(WEB))}})
    scale = criterion.scale.model_copy(
        update={
            "levels": (level.model_copy(update={"anchors": (anchor,)}), *criterion.scale.levels[1:])
        }
    )
    changed = criterion.model_copy(update={"scale": scale})
    request = build_request(judge(), changed, Item(id="q", fields=ITEM))

    assert "[image_url not shown]" in request.messages[0].text
    assert all(isinstance(m.content, str) for m in request.messages)


def test_a_file_s_content_becomes_an_address() -> None:
    """What importers put in the place of a path."""
    assert data_url("image/png", b"\x89PNG\r\n\x1a\n") == PNG
