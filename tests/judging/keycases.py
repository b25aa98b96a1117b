"""Requests whose keys are written down, byte for byte: every part of a request in one of them."""

from typing import Any, NamedTuple

from judgekit.judging.judge import Judge, Member
from tests.rubric.make import usable

FRONT = """\
---
rubric: golden
version: 3
inputs: [{inputs}]
criteria:
  - criterion: golden
    question: Is "it" räght — or \\not?
    scale: {scale}
    levels:
{levels}---
{body}"""
POINTS = """\
      - value: 1
        name: wröng
        definition: It is not.
        anchors: [{output: "It says \\"no\\".", reason: Said so.}, {output: Two.}]
      - value: 2
        name: right
        definition: It is.
        drops_when: Anything is missing.
        anchors: [{output: Three.}, {output: Four.}]
"""
PAIRS = "".join(
    f"      - value: {value}\n        definition: {words}\n"
    for value, words in (("A", "The first."), ("B", "The second."), ("tie", "Neither."))
)
OWN_BODY = "Judge. {{ next_message('user') }}{{ mark }}: {{ output }}{{ input }}"

POINTWISE = usable(FRONT.format(inputs="input, output", scale="ordinal", levels=POINTS, body=""))
PAIRWISE = usable(
    FRONT.format(inputs="input, output_a, output_b", scale="pairwise", levels=PAIRS, body="")
)
OWN = usable(FRONT.format(inputs="input, output", scale="ordinal", levels=POINTS, body=OWN_BODY))
LONE = usable(FRONT.format(inputs="output", scale="ordinal", levels=POINTS, body=""))

ITEM = {"input": "When?", "output": 'At "nine" \\ o\'clock\n\t\x07\x7f naïve 牛乳 🙂'}
CALLS = [{"function": {"name": "look", "arguments": '{"at": "sea"}'}}]
CHAT = [
    {"role": "user", "content": "When?"},
    {"role": "assistant", "content": [{"type": "text", "text": "At"}, "nine."]},
    {"role": "assistant", "content": None, "tool_calls": CALLS},
]
PAIR = {"input": "When?", "output_a": "At nine.", "output_b": "At ten."}


def judge(rubric: Any = POINTWISE, **given: Any) -> Judge:
    """A judge by one of the rubrics."""
    return Judge(**{"name": "j", "rubric": rubric, "model": "openai/gpt-4.1-mini", **given})


PARAMETERS = {"temperature": 0, "max_tokens": 99}
PANEL = (
    Member(model="openai/gpt-4.1-mini"),
    Member(model="m/2", api_base="https://e.example/v1", parameters={"temperature": 1, "seed": 3}),
)


class Case(NamedTuple):
    """A request: the judge, the item's fields, and what else ``build_request`` is told."""

    judge: Judge
    fields: dict[str, Any]
    told: dict[str, Any]


CASES = {
    "plain": Case(judge(), ITEM, {}),
    "replicate": Case(judge(), ITEM, {"replicate": 7}),
    "parameters": Case(
        judge(parameters={"top_p": 0.30000000000000004, "temperature": 0, "stop": ["é", None]}),
        ITEM,
        {},
    ),
    "endpoint": Case(judge(api_base="http://localhost:8000/v1?deployment=a%20b"), ITEM, {}),
    "text": Case(judge(structured=False), ITEM, {}),
    "model": Case(judge(model='hosted_vllm/"q"\\7b'), ITEM, {}),
    "surrogate": Case(judge(), {**ITEM, "output": "\ud83d|\ude00|\ud800"}, {}),
    "empty": Case(judge(), {"input": "", "output": ""}, {}),
    "chat": Case(judge(), {**ITEM, "input": CHAT}, {}),
    "own template": Case(judge(OWN), ITEM, {}),
    "anchor's double": Case(judge(LONE), {"output": "Three."}, {}),
    "likelihood": Case(judge(LONE, scoring="likelihood", model="local/m"), ITEM, {"replicate": 1}),
    "pair": Case(judge(PAIRWISE), PAIR, {}),
    "turned pair": Case(judge(PAIRWISE), PAIR, {"order": "BA"}),
    "panel member": Case(judge(parameters=PARAMETERS, panel=PANEL), ITEM, {"member": 1}),
}
