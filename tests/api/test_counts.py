"""What a run has come to: every request asked, cached or not asked, and what is not known."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from judgekit.api.counts import Counts, failed_cost
from judgekit.api.recording import lanes_of
from judgekit.api.setup import load_judge
from judgekit.errors import ModelCallError
from judgekit.judging.request import Ask, Message, ModelReply, ModelRequest
from judgekit.running.model import Transport, open_model
from judgekit.running.prices import NOTHING, Price
from judgekit.running.progress import Answer
from tests.e2e.house import RUBRIC

REQUEST = ModelRequest(model="openai/m", messages=(Message("user", "hi"),))
ASK = Ask(REQUEST.key, lambda: REQUEST)
REPLY = ModelReply("polite", finish="stop", cost_usd=0.5)


def failed(cause: str, attempts: int) -> Answer:
    """Return how a request without reply ended."""
    return Answer(ASK, failure=ModelCallError("no", cause=cause), attempts=attempts)


def counted(*answers: Answer, price: Any = lambda _: None) -> Counts:
    """Count answers about one criterion."""
    counts = Counts(replies={"tone": Counter()}, price=price)
    for answer in answers:
        counts.answer("tone", answer)
    return counts


def test_every_request_is_cached_asked_or_not_asked() -> None:
    """Failed is what failed after a call; what was never asked is neither asked nor failed."""
    answers = [
        Answer(ASK, REPLY, attempts=1),
        Answer(ASK, REPLY, cached=True),
        failed("server", 4),
        *(failed(cause, 0) for cause in ("budget", "timeout", "authentication", "offline")),
    ]
    counts = counted(*answers)

    assert (counts.asked, counts.failed, counts.cached, counts.not_asked) == (2, 1, 1, 4)
    assert counts.asked + counts.cached + counts.not_asked == len(answers)
    assert (counts.cost_usd, counts.unpriced) == (0.5, 0)


def test_complaint_54_a_call_that_timed_out_may_have_been_paid_for() -> None:
    """Its cost is unknown, unless the model is free; what was refused or not asked cost nothing."""
    priced = Price(1e-6, 1e-6)

    assert counted(failed("timeout", 1)).unpriced == 1
    assert counted(failed("timeout", 1), price=lambda _: priced).unpriced == 1
    assert counted(failed("timeout", 1), price=lambda _: NOTHING).unpriced == 0
    assert counted(failed("timeout", 0), failed("rate_limit", 8)).unpriced == 0
    assert failed_cost(failed("rate_limit", 8), lambda _: priced) == 0.0


@pytest.mark.parametrize("transport", ["auto", "litellm", "direct"])
@pytest.mark.parametrize(
    ("model", "api_base"),
    [
        ("openai/gpt-4.1-mini", None),
        ("openai/gpt-4.1-mini", "http://127.0.0.1:1/v1"),
        ("openai/o3-pro", "http://127.0.0.1:1/v1"),
        ("hosted_vllm/q", "http://127.0.0.1:1/v1"),
        ("local/smollm2-135m", None),
    ],
)
def test_the_lane_in_the_record_is_the_one_taken(
    tmp_path: Path, transport: Transport, model: str, api_base: str | None
) -> None:
    """The client that is opened is of the lane that is told."""
    base = "" if api_base is None else f'api_base = "{api_base}"'
    (tmp_path / "r.jinja").write_text(RUBRIC)
    (tmp_path / "judgekit.toml").write_text(
        f'[judges.tone]\nrubric = "r.jinja"\nmodel = "{model}"\ntransport = "{transport}"\n{base}\n'
    )
    client = type(open_model(model, api_base=api_base, transport=transport)).__name__
    (lane,) = lanes_of(load_judge("tone", project=tmp_path))

    assert (
        client == {"direct": "DirectModel", "litellm": "LiteLLMModel", "local": "LocalModel"}[lane]
    )


def test_lanes_of_a_panel_are_told_once_each(tmp_path: Path) -> None:
    """One member directly, two through litellm."""
    (tmp_path / "r.jinja").write_text(RUBRIC)
    (tmp_path / "judgekit.toml").write_text(
        '[judges.tone]\nrubric = "r.jinja"\npanel = ["anthropic/a", "anthropic/b", '
        '{ model = "hosted_vllm/q", api_base = "http://127.0.0.1:1/v1" }]\n'
    )

    assert lanes_of(load_judge("tone", project=tmp_path)) == ["litellm", "direct"]
