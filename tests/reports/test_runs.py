"""Rows of run records, and what a person reads of them."""

from __future__ import annotations

import base64
import json
import re
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import orjson
import pytest

from judgekit.errors import ModelCallError
from judgekit.judging.item import Item
from judgekit.judging.judge import Judge, Member
from judgekit.judging.judgment import Judgment, Unjudged
from judgekit.judging.prompt import build_request
from judgekit.judging.request import Ask, Message, ModelReply, ModelRequest
from judgekit.reports.amounts import cost_text, duration
from judgekit.reports.runs import content_text, messages_json, run_row, shared_messages
from judgekit.reports.runs_listed import list_lines
from judgekit.reports.runs_story import prompt_of, row_line, story_lines
from judgekit.reports.runs_summary import summarise
from judgekit.reports.runs_told import summary_lines
from judgekit.running.progress import Answer
from tests.e2e.house import RUBRIC
from tests.rubric.make import usable

JUDGE = Judge("tone", usable(RUBRIC), "openai/m", {"temperature": 0, "seed": 7})
TONE = JUDGE.rubric.criteria[0]
REPLY = ModelReply(
    '{"reason": "it is", "level": "polite"}',
    finish="stop",
    served="m-2",
    tokens_in=40,
    tokens_out=8,
    latency_s=0.25,
)
JUDGED = Judgment("i1", "tone", 2, reason="it is")


def request_about(item: str = "i1") -> ModelRequest:
    """Return the request about an item."""
    return build_request(JUDGE, TONE, Item(id=item, fields={"input": "q", "output": item}))


def answer(reply: ModelReply | None = REPLY, **more: Any) -> Answer:
    """Return how a request ended."""
    request = request_about()
    return Answer(Ask(request.key, lambda: request), reply, **{"attempts": 1, **more})


def fresh(reply: ModelReply = REPLY, outcome: Any = JUDGED, **more: Any) -> dict[str, Any]:
    """Return the row of a call that was made."""
    shared = shared_messages(JUDGE, TONE)
    return run_row(JUDGE, TONE, outcome, answer(reply, **more), request_about(), shared)


def test_a_row_says_it_all() -> None:
    """How it was asked, what came, how it was read; what says nothing is left out."""
    request = request_about()

    assert fresh() == {
        "item": "i1",
        "criterion": "tone",
        "replicate": 0,
        "status": "judged",
        "level": "polite",
        "value": 3,
        "reason": "it is",
        "request": request.key,
        "model": "openai/m",
        "cached": False,
        "raw": REPLY.text,
        "served": "m-2",
        "finish": "stop",
        "schema": "enforced",
        "attempts": 1,
        "tokens_in": 40,
        "tokens_out": 8,
        "latency_s": 0.25,
        "sent": {"temperature": 0, "seed": 7},
        "prompt": [None, request.messages[1].content],
    }


def test_complaint_54_an_unknown_cost_is_no_zero() -> None:
    """Absent when unknown, 0.0 when free."""
    assert "cost_usd" not in fresh()
    assert fresh(REPLY._replace(cost_usd=0.0))["cost_usd"] == 0.0


def test_complaint_56_prompt_and_raw_reply_are_kept_and_linked() -> None:
    """The prompt as shown comes back from the row and what rows share; the raw text is whole."""
    about = {"shared": {"tone": messages_json(shared_messages(JUDGE, TONE))}}
    row = orjson.loads(orjson.dumps(fresh()))
    shown = prompt_of(row, about)

    assert shown == [{"role": m.role, "content": m.text} for m in request_about().messages]
    assert row["raw"] == REPLY.text
    assert row["request"] == request_about().key


def test_a_cached_answer_costs_nothing_and_was_not_sent() -> None:
    """So that the rows add up to the tally; the reply and its reading are there."""
    priced = REPLY._replace(cost_usd=0.5)
    row = run_row(JUDGE, TONE, JUDGED, answer(priced, cached=True, attempts=0))

    assert row["cached"] is True
    assert (row["raw"], row["level"], row["served"]) == (REPLY.text, "polite", "m-2")
    assert not {"cost_usd", "latency_s", "tokens_in", "attempts", "sent", "prompt"} & set(row)


def test_no_reply() -> None:
    """A failure has a cause and its words, and no reply that could be misread."""
    failure = ModelCallError("slow down", cause="rate_limit")
    lost = Unjudged("i1", "tone", "provider_error", detail="slow down")
    row = fresh(None, lost, failure=failure, attempts=4)

    assert (row["status"], row["cause"], row["detail"]) == (
        "unjudged",
        "provider_error",
        "slow down",
    )
    assert row["attempts"] == 4
    assert not {"raw", "level", "value", "schema", "served"} & set(row)
    never = fresh(None, lost._replace(cause="budget"), failure=failure, attempts=0)
    assert not {"prompt", "sent"} & set(never)


def test_not_applicable_and_an_empty_reply() -> None:
    """Neither has a level; an empty reply is a reply."""
    assert fresh(outcome=JUDGED._replace(level=None))["status"] == "not_applicable"
    empty = fresh(REPLY._replace(text=""), Unjudged("i1", "tone", "empty"))
    assert empty["raw"] == ""
    assert "schema" not in empty


@pytest.mark.parametrize(
    ("reply", "outcome", "said"),
    [
        (REPLY, JUDGED, "enforced"),
        (REPLY._replace(left_out=("response_format",)), JUDGED, "left_out"),
        (REPLY._replace(adjusted=(("response_format", "json"),)), JUDGED, "left_out"),
        (REPLY._replace(text="polite"), JUDGED, "not_followed"),
        (REPLY._replace(text='{"level": "polite"}'), JUDGED, "not_followed"),
        (REPLY._replace(text='{"level": "pol'), JUDGED, "not_followed"),
        (REPLY, Unjudged("i1", "tone", "out_of_scale"), "not_followed"),
        (REPLY._replace(finish="length"), Unjudged("i1", "tone", "truncated"), None),
    ],
)
def test_complaint_17_a_schema_not_enforced_is_said(
    reply: ModelReply, outcome: Any, said: str | None
) -> None:
    """Refused by the model, taken and not followed, or followed."""
    assert fresh(reply, outcome).get("schema") == said


def test_complaint_15_what_was_really_sent() -> None:
    """Without what was left out, and as adjusted."""
    row = fresh(REPLY._replace(left_out=("temperature",), adjusted=(("seed", 1),), notes=("x",)))

    assert row["sent"] == {"seed": 1}
    assert (row["left_out"], row["adjusted"], row["notes"]) == (
        ("temperature",),
        {"seed": 1},
        ("x",),
    )


def test_panels_pairs_and_probabilities() -> None:
    """Which member, shown in which order, how probable each level."""
    panel = replace(JUDGE, panel=(Member(model="a/x"), Member(model="b/y")))
    said = JUDGED._replace(member=1, order="BA", probabilities=(0.1, 0.2, 0.6, 0.1))
    row = run_row(panel, TONE, said, answer())

    assert (row["member"], row["model"], row["order"]) == (1, "b/y", "BA")
    assert row["probabilities"] == (0.1, 0.2, 0.6, 0.1)


def test_images_are_named_not_kept() -> None:
    """By digest, or by their address without the login."""
    data = "data:image/png;base64," + base64.b64encode(b"x" * 900).decode()
    parts = (
        {"type": "text", "text": "look"},
        {"type": "image_url", "image_url": {"url": data}},
        {"type": "image_url", "image_url": {"url": "https://me:hunter22@h/i.png?sig=secretsig"}},
    )
    text = content_text(parts)

    assert text.startswith("look\n[image image/png, 1,222 characters, sha256 ")
    assert text.endswith("[image https://h/i.png?sig=***]")
    assert len(text) < 200


def test_a_message_of_another_role_says_so() -> None:
    """Only the user's stand bare in a row."""
    request = replace(request_about(), messages=(Message("system", "s"), Message("user", "u")))
    row = run_row(JUDGE, TONE, JUDGED, answer(), request)

    assert row["prompt"] == [{"role": "system", "content": "s"}, "u"]
    assert prompt_of(row, {}) == [
        {"role": "system", "content": "s"},
        {"role": "user", "content": "u"},
    ]


def rows() -> list[dict[str, Any]]:
    """Return rows of every kind, as a file gives them back."""
    lost = Unjudged("i2", "tone", "provider_error", detail="down")
    odd = Unjudged("i3", "tone", "unreadable", detail="no level")
    told = [
        fresh(REPLY._replace(cost_usd=0.5, left_out=("seed",))),
        fresh(REPLY._replace(latency_s=9.0, text="dunno"), odd),
        fresh(None, lost, failure=ModelCallError("down", cause="server"), attempts=3),
        run_row(JUDGE, TONE, JUDGED, answer(cached=True, attempts=0)),
    ]
    return [json.loads(orjson.dumps(row)) for row in told]


def test_the_summary_adds_up() -> None:
    """Every answer is judged or not, and replied or failed; unknown is unknown."""
    summary = summarise(iter(rows()))
    said = summary.json()

    assert said["rows"] == said["judged"] + sum(said["unjudged"].values()) == 4
    assert said["unjudged"] == {"unreadable": 1, "provider_error": 1}
    assert (said["asked"], said["cached"], said["failed"]) == (3, 1, 1)
    assert (said["cost_usd"], said["unpriced"]) == (0.5, 1)
    assert (said["tokens_in"], said["tokens_out"]) == (80, 16)
    assert said["served"] == {"m-2": 3}
    assert said["left_out"] == {"seed": 1}
    assert said["schema"] == {"enforced": 1, "not_followed": 1}
    assert [call["item"] for call in said["slowest"]] == ["i3", "i1"]
    bare = summarise([{k: v for k, v in rows()[1].items() if k != "tokens_in"}]).json()
    assert (bare["cost_usd"], bare["tokens_in"], bare["unpriced"]) == (None, None, 1)
    assert summarise([]).json()["cost_usd"] == 0.0


def test_a_summary_survives_a_hand_in_the_file() -> None:
    """Fields of another kind than ours count for nothing."""
    odd = {"item": 1, "status": "judged", "raw": 3, "attempts": "x", "latency_s": None}
    odd |= {"cost_usd": True, "tokens_in": [], "left_out": ["a", 1], "notes": 5, "prompt": 7}

    assert summarise([odd]).json()["cost_usd"] == 0
    assert story_lines(odd, prompt_of(odd, {"shared": {}}), None)[0] == "1, None: None (None)"


ABOUT: dict[str, Any] = {
    "id": "2026-11-30T09-12-33",
    "command": "calibrate",
    "state": "done",
    "started_at": "2026-11-30T09:12:33+00:00",
    "ended_at": "2026-11-30T09:13:33+00:00",
    "judge": "a-judge-with-a-name-that-goes-on-and-on-and-on",
    "model": "openai/m",
    "parameters": {"temperature": 0},
    "fingerprints": {"tone": "f" * 64},
    "rubric": {"name": "tone", "version": 2, "sha256": {"tone": "a" * 64}},
    "tally": {
        "items": 1_000_000,
        "judged": 999_998,
        "unjudged": {"unreadable": 1, "provider_error": 1},
        "asked": 1_000_000,
        "cached": 999_999,
        "failed": 1,
        "cost_usd": 0.5,
        "unpriced": 1,
        "seconds": 60.0,
    },
}


def test_no_levels_in_lists_and_summaries() -> None:
    """Counts of answers only: no level, no value, no mean, on 80 columns."""
    told = [*summary_lines(ABOUT, summarise(rows())), *list_lines([ABOUT], {})]
    text = "\n".join(told) + json.dumps(summarise(rows()).json())

    assert max(map(len, told)) <= 80
    for name in (*TONE.scale.names, "level", "levels", "mean"):
        assert not re.search(rf"\b{name}\b", text)


def test_what_the_summary_says() -> None:
    """The outcome first, what it rests on, what to do next."""
    lines = summary_lines(ABOUT, summarise(rows()))

    assert lines[0].startswith("2026-11-30T09-12-33: calibrate, judge")
    assert "  1,000,000 items: 999,998 judged, 2 not (1 unreadable, 1 provider error)" in lines
    assert "began       2026-11-30 09:12:33 UTC, took 1 min 0 s" in lines
    assert "cost        0.50 USD and 1 of unknown cost" in lines
    assert lines[-1] == "Next        judgekit runs show 2026-11-30T09-12-33 --unjudged"
    killed = summary_lines({**ABOUT, "state": "killed", "tally": None}, summarise(rows()))
    assert any("4 answers recorded: 2 judged, 2 not" in line for line in killed)
    assert any("run it again" in line for line in killed)
    wrong = {**ABOUT, "tally": {**ABOUT["tally"], "items": 7}}
    assert any("do not add up" in line for line in summary_lines(wrong, summarise([])))
    assert summary_lines({"id": "x", "state": "unknown"}, summarise([]))[0] == "x: a run, unknown."


def test_lists() -> None:
    """Two lines a run; one without a tally says how many rows it recorded."""
    killed = {**ABOUT, "state": "killed", "tally": None}

    assert list_lines([], {}) == ["No record of any run."]
    assert "12 rows recorded" in list_lines([killed], {ABOUT["id"]: 12})[1]
    assert list_lines([ABOUT], {})[0].split()[-4:] == ["done", "1", "min", "0", "s"][1:]


def test_the_story_of_an_answer() -> None:
    """How it was read, asked and paid, the prompt and the reply; nothing acts on the terminal."""
    row = rows()[1] | {"raw": "red \x1b[31m\u202e dunno"}
    lines = story_lines(row, [{"role": "user", "content": "a\nb"}], None)
    text = "\n".join(lines)

    assert lines[0] == "i3, tone: unjudged (unreadable)"
    assert "call        1 attempt, 9.0 s, 40 tokens in, 8 out, cost unknown" in text
    assert lines[lines.index("--- user ---") :][:3] == ["--- user ---", "a", "b"]
    assert lines[-1] == r"red \x1b[31m\u202e dunno"
    assert row_line(row) == ["i3, tone: unjudged (unreadable): no level"]
    assert "in no record" in "\n".join(story_lines(row, None, None))
    assert "asked in run r7" in "\n".join(story_lines(rows()[3], [], "r7"))
    assert "in the cache" in "\n".join(story_lines(rows()[3], [], "r7"))


@pytest.mark.parametrize(
    ("cost", "unpriced", "asked", "said"),
    [
        (None, 0, 0, "no call, no cost"),
        (0.0, 0, 3, "0.00 USD"),
        (None, 3, 3, "cost unknown"),
        (0.0, 3, 3, "cost unknown"),
        (1.234, 0, 3, "1.23 USD"),
        (0.000123, 0, 3, "0.00012 USD"),
        (1.5, 2, 3, "1.50 USD and 2 of unknown cost"),
    ],
)
def test_costs(cost: float | None, unpriced: int, asked: int, said: str) -> None:
    """Known, partly known, unknown, none."""
    assert cost_text(cost, unpriced, asked) == said


def test_durations() -> None:
    """As people say them."""
    assert [duration(s) for s in (0.04, 9.96, 59, 61, 7201)] == [
        *("0.0 s", "10 s", "59 s", "1 min 1 s", "2 h 0 min"),
    ]


def test_a_row_is_cheap() -> None:
    """Making the row of a cached answer costs at most what it takes to read its JSON ten times."""
    ended = answer(cached=True, attempts=0)
    text = orjson.dumps(run_row(JUDGE, TONE, JUDGED, ended))

    def cpu(function: Callable[[], object]) -> float:
        times = []
        for _ in range(5):
            start = time.process_time()
            for _ in range(2000):
                function()
            times.append(time.process_time() - start)
        return min(times)

    assert cpu(lambda: run_row(JUDGE, TONE, JUDGED, ended)) < 10 * cpu(lambda: orjson.loads(text))
