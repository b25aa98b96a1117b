"""Reading is cheap enough to read every stored reply again at any time."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import pytest

from judgekit.judging.reading import read, read_text
from judgekit.judging.request import ModelReply
from tests.judging.reading.cases import SCALES
from tests.timing import cpu_seconds

SCHEMA = ModelReply(
    '{"reason": "The answer states the refund window of 30 days, which the context supports, and '
    'adds nothing else of its own.", "level": "grounded"}',
    finish="stop",
)
REASONED = (
    "Output (a) lists three groups. Each of them is well known, and the instruction asks "
    "for groups that are extremely niche. It is well written, and it keeps to the number asked.\n\n"
    "Output (b), on the other hand, lists three groups that few people have heard of. It adds a "
    "sentence on each of them, which the instruction does not ask for, but which does no harm. "
    "While Output (a) is better in terms of style, the instruction is about the groups.\n\n"
) * 2 + "Therefore, Output (b) is better."

BUSY = 5
"""How much slower a machine that does other things may be."""

HOSTILE = [
    *("Output (a) is better than it looks, but the score: of 3 of 5 (see [1]) is {not} final. ",),
    *("{", '{"a":', '{"a":"', '{"a":"b",', '{"level": 4}', "{'a': 1, ", "[[", "[[a", "\\boxed{4}"),
    *(
        "\\",
        "&amp;",
        "\\u003c",
        "\x1b[",
        " ",
        "\t",
        "\n",
        " \n",
        "#",
        " #",
        "=",
        "-",
        "| a | 4 |\n",
    ),
    *(
        "<think>",
        "</think>",
        "<a>b</a>",
        "<score>4</score>",
        "<",
        "<!--",
        "<|",
        "<<<a 0123456789ab",
    ),
    *(
        "score: ",
        "score: 4\n",
        "Score: 4. ",
        "the rating is 4. ",
        "a: 1\n",
        "a: 1, b: 2, ",
        "a_",
        "1-",
    ),
    *(
        "(",
        '"',
        "'",
        '" ',
        "`",
        "**",
        "_",
        "★",
        "½",
        "。",
        "\u200b",
        "中 ",
        "As an AI ",
        "I'm sorry ",
    ),
    *(
        "B is better. ",
        "the response is valid. ",
        "correct: no\n",
        "yes ",
        "N/A ",
        "wait ",
        "good or ",
    ),
    *(
        "<think/>",
        "score: <5",
        "overall 4/5, ",
        "overall 4/5. ",
        "total ",
        "on a scale of 1 (a) to ",
        "On a scale of 1 to 5: 4. ",
    ),
    *(
        "I prefer A over ",
        "A is worse than ",
        "A is better. If A is better. B is better if ",
        "A is better, if B is better, ",
        "A is better. " + "if,,,,,,,B is worse, " * 60 + ". ",
        "Antwort A ist besser als ",
        "better" + " " * 1_400 + "x. ",
        "Ich bevorzuge Antwort A als ",
    ),
    *(
        "correct is too harsh. ",
        "incorrect would be a a ",
        "The answer is correct, the code is incorrect, ",
        "the answer is correct by the source, ",
        "is supported isn't correct ",
        "Correct. ",
    ),
    *("```thinking\nx", "analysisA", "assistantfinal", "Here is my response: ", "result = "),
]
"""What is repeated to 100,000 characters, in the hope that some pattern goes through it again."""


def fastest(call: Callable[[], object], times: int) -> float:
    """Return the CPU seconds of one call, in the best of seven rounds."""
    return cpu_seconds(call, times=times, rounds=7)


def test_a_schema_reply_takes_microseconds() -> None:
    """The reply nearly every judge gives costs at most 4 microseconds more than its JSON."""
    scale = SCALES["grounded"]
    parse = fastest(lambda: json.loads(SCHEMA.text), 3000)

    assert read(SCHEMA, scale).level == 2
    assert fastest(lambda: read(SCHEMA, scale), 3000) < parse + 4e-6 * BUSY


def test_a_schema_reply_is_read_for_less_than_a_few_parses() -> None:
    """However slow the machine: reading one costs at most three times its JSON."""
    scale = SCALES["grounded"]
    ratios = []
    for _ in range(7):
        parse = fastest(lambda: json.loads(SCHEMA.text), 500)
        ratios.append(fastest(lambda: read(SCHEMA, scale), 500) / parse)

    assert min(ratios) < 3


def test_a_reasoned_reply_takes_less_than_a_millisecond() -> None:
    """A page of prose is read in less than a millisecond."""
    assert read_text(REASONED, SCALES["pair"]).level == 1
    assert fastest(lambda: read_text(REASONED, SCALES["pair"]), 50) < 1e-3 * BUSY


@pytest.mark.parametrize("scale", ["pair_tie", "right"])
def test_a_hostile_reply_takes_no_longer_than_its_length(scale: str) -> None:
    """Text made to be slow is read in 0.2 seconds: no pattern grows with its square."""
    for piece in HOSTILE:
        text = piece * (100_000 // len(piece))
        seconds = cpu_seconds(lambda t=text: read_text(t, SCALES[scale]), rounds=1)  # type: ignore[misc]
        assert seconds < 0.2 * BUSY, piece


FRESH = """
import json, re, sys
import judgekit.judging.request, judgekit.rubric.scale

told = json.loads(sys.argv[1])
levels = tuple(judgekit.rubric.scale.Level(**level) for level in told["levels"])
scale = judgekit.rubric.scale.Scale(kind=told["kind"], levels=levels)
compiled, real = [], re._compiler.compile
re._compiler.compile = lambda source, flags=0: (compiled.append(source), real(source, flags))[1]

from judgekit.judging.reading import read
reply = judgekit.judging.request.ModelReply(sys.argv[2], finish="stop")
level = read(reply, scale).level
slow = sorted(name for name in sys.modules if name.startswith("judgekit.judging.reading."))
print(json.dumps([level, compiled, slow]))
"""


def test_a_schema_reply_compiles_no_patterns() -> None:
    """Importing the reader and reading what the schema asks for needs none of its patterns."""
    done = subprocess.run(
        [sys.executable, "-c", FRESH, json.dumps(asdict(SCALES["grounded"])), SCHEMA.text],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[3],
    )
    level, compiled, modules = json.loads(done.stdout)

    assert level == 2
    assert len(compiled) <= 1, compiled  # that of numbers, for the values of the scale
    assert "judgekit.judging.reading.reader" in modules
    assert "judgekit.judging.reading.loosely" not in modules
