from typing import Any

import pytest

from judgekit.calibration.voiding import judge_changes
from judgekit.judging.judge import Judge, Member, panel_model
from tests.calibration.make import certificate, rubric

A = Member(model="lab/a")
B = Member(model="lab/b")


def judge(*panel: Member, kind: str = "binary", **more: Any) -> Judge:
    """A judge, of several models where any are named."""
    model = panel_model(panel) if panel else "lab/a"
    return Judge("tone", rubric(kind), model, panel=panel, **more)


def told(before: Judge, after: Judge) -> str:
    """What a certificate of one judge says is changed of another."""
    was, now = (one.identity(one.rubric.criteria[0]) for one in (before, after))
    reasons = judge_changes(certificate().model_copy(update={"judge": was}), now)
    assert [reason.code for reason in reasons] in ([], ["judge_changed"])
    return reasons[0].message.split(", since")[0] if reasons else ""


def sent(member: Member, **parameters: Any) -> Member:
    """A member with parameters of its own."""
    return member.model_copy(update={"parameters": parameters})


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        (judge(A, B), judge(B, A), ""),
        (
            judge(A, B),
            judge(A, Member(model="lab/c")),
            "model was lab/a + lab/b, is lab/a + lab/c",
        ),
        (
            judge(),
            judge(A, B),
            "model was lab/a, is lab/a + lab/b; rule was not set, is majority",
        ),
        (
            judge(A, B, parameters={"temperature": 0}),
            judge(A, B, parameters={"temperature": 1}),
            "temperature was 0, is 1",
        ),
        (
            judge(A, B, parameters={"temperature": 0}),
            judge(A, sent(B, temperature=1), parameters={"temperature": 0}),
            "of lab/b temperature was 0, is 1",
        ),
        (
            judge(A, B),
            judge(sent(A, seed=1), B.model_copy(update={"api_base": "http://x"})),
            "of lab/a seed was not sent, is 1; of lab/b api_base was not set, is http://x",
        ),
        (
            judge(replicates=3, kind="ordinal"),
            judge(replicates=3, kind="ordinal", rule="median"),
            "rule was majority, is median",
        ),
        (
            judge(kind="pairwise"),
            judge(kind="pairwise", orders="given"),
            "orders was both, is given; inconsistent was tie, is not set",
        ),
        (
            judge(kind="pairwise"),
            judge(kind="pairwise", inconsistent="unjudged"),
            "inconsistent was tie, is unjudged",
        ),
        (judge(), judge(system_in_user=True), "system_in_user was off, is on"),
        (judge(), judge(api_base="http://x"), "api_base was not set, is http://x"),
    ],
)
def test_a_changed_protocol_is_named(before: Judge, after: Judge, message: str) -> None:
    """What changed, from what to what; of a panel, of which member."""
    assert told(before, after) == message
