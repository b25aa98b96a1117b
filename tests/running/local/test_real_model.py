import asyncio
import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from judgekit.errors import InputError, ModelCallError
from judgekit.judging.likelihood import read_scores
from judgekit.judging.request import Message, ModelReply, ModelRequest
from judgekit.running.local import LocalModel
from judgekit.running.weights import find_weights
from tests.running.local.common import FLIPPED, LANGUAGE, MODEL, ask

ENGLISH = (
    "We walked along the river until it got dark.",
    "Can you call me back tomorrow morning?",
    "We walked along the river until we were tired.",
    "The meeting was cancelled because nobody could come.",
)
FRENCH = (
    "Nous avons marché le long de la rivière jusqu'à la nuit.",
    "Peux-tu me rappeler demain matin ?",
    "Nous avons marché le long de la plage.",
    "La réunion a été annulée parce que personne ne pouvait venir.",
)


def replies(model: LocalModel, *requests: ModelRequest) -> list[ModelReply]:
    """The replies, asked all at once."""

    async def run() -> list[ModelReply]:
        return await asyncio.gather(*(model.complete(r, timeout=60) for r in requests))

    return asyncio.run(run())


def test_clear_texts_are_judged_right(model: LocalModel) -> None:
    """English or French: no text is in doubt for a person."""
    texts = [*ENGLISH, *FRENCH]

    answers = replies(model, *(ask(text) for text in texts))

    levels = [read_scores(answer.text, LANGUAGE.scale.names).level for answer in answers]
    assert levels == [1] * 4 + [0] * 4
    assert all(min(json.loads(answer.text)["mass"]) > 0.5 for answer in answers)
    assert answers[0].served == "smollm2-135m@sha256:b179c9523d0e"
    assert answers[0].cost_usd == 0.0


@pytest.mark.long
@pytest.mark.timeout(300)  # 13 s of computing, more on a busy machine
def test_history_order_and_lanes_change_no_digit(model: LocalModel) -> None:
    """Another instance, another order, other lanes, another criterion in between, shared words."""
    texts = [ENGLISH[0], ENGLISH[2], FRENCH[0], FRENCH[2]]
    known = [answer.text for answer in replies(model, *(ask(text) for text in texts))]

    other = LocalModel(MODEL, lanes=1)
    order = [3, 0, 2, 1, 0]
    mixed = [ask(texts[n]) for n in order]
    mixed.insert(3, ask("Guten Tag.", FLIPPED))
    answers = [answer.text for answer in replies(other, *mixed)]
    del answers[3]

    assert answers == [known[n] for n in order]


def test_generation_is_deterministic_and_keeps_to_the_schema(model: LocalModel) -> None:
    """Valid JSON with one of the words, and the same again after other work."""
    schema = {
        "type": "object",
        "properties": {"reason": {"type": "string"}, "level": {"enum": ["good", "bad"]}},
        "required": ["reason", "level"],
        "additionalProperties": False,
    }
    message = Message("user", "Is 'Thank you so much' polite? Answer good or bad.")
    request = ModelRequest(MODEL, (message,), {"max_tokens": 120}, schema)

    (first,) = replies(model, request)
    _, second = replies(model, ask(ENGLISH[0]), request)

    assert json.loads(first.text)["level"] in {"good", "bad"}
    assert first.text == second.text
    assert first.finish == "stop"
    assert (first.tokens_out or 0) > 5


def test_a_text_that_is_too_long_fails_by_itself(model: LocalModel) -> None:
    """Neither cut nor guessed; the next text is judged as ever."""
    with pytest.raises(ModelCallError, match="context") as caught:
        replies(model, ask("word " * 5000))

    assert caught.value.cause == "context_length"
    assert replies(model, ask(ENGLISH[0]))[0].finish == "stop"


@pytest.mark.parametrize("text", ["", "\x00", "\ud800", "\U0001f600" * 20, "<|endoftext|>"])
def test_odd_texts_are_scored_all_the_same(model: LocalModel, text: str) -> None:
    """Nothing, control characters, half a character, signs: a reply, with finite numbers."""
    (reply,) = replies(model, ask(text))

    assert read_scores(reply.text, LANGUAGE.scale.names).scores


def test_a_broken_file_cannot_be_loaded(real: None, tmp_path: Path) -> None:
    """It begins like weights and ends too soon: an error that names the file, and no noise."""
    path = tmp_path / "cut.gguf"
    with find_weights(MODEL).path.open("rb") as whole:
        path.write_bytes(whole.read(3_000_000))

    with pytest.raises(InputError, match="cannot load") as caught:
        asyncio.run(LocalModel(f"local/{path}", lanes=1).prepare())

    assert caught.value.file == str(path)


PROGRAM = """
    import asyncio, os, sys
    from pathlib import Path
    from judgekit.judging.request import LikelihoodTask, ModelRequest
    from judgekit.running.local import LocalModel

    async def main():
        model = LocalModel("local/smollm2-135m", lanes=2)
        task = LikelihoodTask(("red", "blue"), ("The sky is", "Blood is"), ((), ()))
        request = ModelRequest("local/smollm2-135m", (), likelihood=task)
        reply = await model.complete(request, timeout=60)
        print(reply.served, flush=True)
        own = [f"/proc/self/fd/{n}" for n in os.listdir("/proc/self/fd")]
        own = [os.readlink(link) for link in own if os.path.islink(link)]
        for name in ("tcp", "tcp6"):
            for line in Path(f"/proc/self/net/{name}").read_text().splitlines()[1:]:
                if f"socket:[{line.split()[9]}]" in own:
                    print("listens", line)
        MORE

    asyncio.run(main())
"""


def run(real: None, more: str = "pass", **how: object) -> subprocess.CompletedProcess[str]:
    """Run a small program that uses a model."""
    code = textwrap.dedent(PROGRAM).replace("MORE", more)
    command = [sys.executable, "-W", "default", "-c", code]
    return subprocess.run(  # type: ignore[call-overload,no-any-return]
        command, check=False, capture_output=True, text=True, timeout=60, **how
    )


@pytest.mark.skipif(not os.path.exists("/proc/self/net/tcp"), reason="needs /proc")  # noqa: PTH110
@pytest.mark.parametrize("more", ["pass", "await model.aclose()", "sys.exit(3)"])
def test_a_program_ends_in_silence(real: None, more: str) -> None:
    """No line of llama.cpp's, no open port, no crash: left open, closed, and left by an exit."""
    done = run(real, more)

    assert done.stderr == ""
    assert done.stdout == "smollm2-135m@sha256:b179c9523d0e\n"
    assert done.returncode == (3 if "exit" in more else 0)


@pytest.mark.skipif(os.name != "posix", reason="closes a file descriptor before the start")
def test_a_program_without_stderr_works(real: None) -> None:
    """File descriptor 2 is closed; nothing is written into a file that took its number."""
    done = run(real, preexec_fn=lambda: os.close(2))

    assert done.stdout == "smollm2-135m@sha256:b179c9523d0e\n"
    assert done.returncode == 0
