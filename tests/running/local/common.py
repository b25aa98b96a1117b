"""What the tests of local models share: one criterion, and a server that is no model."""

import math
import threading
import zlib
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from judgekit.judging.likelihood import build_task
from judgekit.judging.request import ModelRequest
from judgekit.rubric.model import Criterion
from judgekit.rubric.scale import Anchor, Level, Scale

MODEL = "local/smollm2-135m"

OTHER = (
    "Le train part à neuf heures du quai deux.",
    "Der Laden ist heute geschlossen.",
    "Mi hermana vive en una casa pequeña.",
    "La riunione è stata spostata a lunedì.",
)
ENGLISH = (
    "The train leaves at nine from platform two.",
    "Please send me the report before Friday.",
    "I forgot my umbrella at the office again.",
    "The recipe needs two eggs and some flour.",
)


def _level(value: int, name: str, language: str, texts: tuple[str, ...]) -> Level:
    anchors = tuple(Anchor(fields={"output": text}) for text in texts)
    definition = f"the text is written in {language}"
    return Level(value=value, name=name, definition=definition, anchors=anchors)


LEVELS = (_level(0, "other", "another language", OTHER), _level(1, "English", "English", ENGLISH))

LANGUAGE = Criterion(
    name="language", question="Is it in English?", scale=Scale(kind="binary", levels=LEVELS)
)
FLIPPED = Criterion(
    name="flipped",
    question="Is it in English?",
    scale=Scale(
        kind="nominal",
        levels=tuple(replace(lv, anchors=lv.anchors[1:3]) for lv in LEVELS),
    ),
)
"""The same levels the other way round, less anchors: prompts that begin like the first ones."""


def ask(text: str, criterion: Criterion = LANGUAGE) -> ModelRequest:
    """The request that judges one text."""
    task = build_task(criterion, {"output": text}, ["output"])
    return ModelRequest(model=MODEL, messages=(), likelihood=task)


class FakeServer:
    """Scores by a checksum of the prompt, remembers what it was asked, and by whom."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []
        self.threads: set[str] = set()
        self.before: Callable[[], None] = lambda: None
        self.answer: dict[str, Any] | None = None
        self.pieces: list[dict[str, Any]] = []

    def handle_completions(self, body: dict[str, Any]) -> dict[str, Any]:
        """Answer as llama.cpp does; ``answer``, where set, is the answer."""
        self.threads.add(threading.current_thread().name)
        self.asked.append(body)
        self.before()
        if self.answer is not None:
            return self.answer
        share = zlib.crc32(body["prompt"].encode()) % 80 / 100 + 0.05
        words = {" other": share, " English": 0.9 - share, " the": 0.1}
        listed = [{"token": word, "logprob": math.log(p)} for word, p in words.items()]
        content = [{"top_logprobs": listed}]
        return {"choices": [{"logprobs": {"content": content}}], "usage": {"prompt_tokens": 7}}

    def handle_chat_completions(
        self, body: dict[str, Any], callback: Callable[[dict[str, Any]], bool]
    ) -> None:
        """Hand over ``pieces`` until told to stop; a schema of type 'frob' is not understood."""
        self.asked.append(body)
        if "frob" in str(body.get("response_format")):
            raise ValueError("unrecognized type frob")
        for piece in self.pieces:
            self.before()
            if callback(piece):
                break
