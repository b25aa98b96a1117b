"""Batches from submission to scores: real litellm against the stub's files and batches."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from judgekit.api import batch_steps, batch_submit
from judgekit.running.batch_files import in_files
from judgekit.running.prices import cost_of, price_of
from judgekit.testing import StubError
from tests.e2e.house import House, echo, spread

COLLECT = ("batch", "collect", "--wait", "--poll", "0.01", "--json")
LEVELS = ["rude", "cold", "polite", "friendly"]


@pytest.fixture
def items(served: House) -> House:
    """Return a project whose judge has a price, and 12 items to judge."""
    served.judge(model="openai/gpt-4.1-mini")
    served.items(spread(LEVELS, 12))
    return served


def submit(house: House, *more: str, code: int = 0) -> dict[str, Any]:
    """Submit the items and return what is said."""
    done = house.run("batch", "submit", "tone", "items.jsonl", "--json", *more)
    assert done.code == code, done.out + done.err
    return done.json


def collect(house: House, code: int = 0) -> dict[str, Any]:
    """Wait for all batches and return what is said."""
    done = house.run(*COLLECT)
    assert done.code == code, done.out + done.err
    return done.json


def failing(how: dict[str, StubError]) -> Callable[[dict[str, Any]], str]:
    """Return a reply function that fails for some items."""
    good = echo()

    def reply(request: dict[str, Any]) -> str:
        text = request["messages"][-1]["content"]
        found = re.search(r"answer (\d+) is", text)
        assert found is not None
        if found[1] in how:
            raise how[found[1]]
        return good(request)

    return reply


def answer_by(house: House, reply: Callable[[dict[str, Any]], str]) -> None:
    """Let the stub's batches answer otherwise."""
    house.server.batches._model._reply = reply


def test_what_a_batch_brought_is_not_asked_again(items: House) -> None:
    """Submitted, collected, and the run that follows makes no call; the cost was half."""
    sent = submit(items)
    assert (sent["requests"], sent["sent"], sent["cached"], sent["pending"]) == (12, 12, 0, 0)
    assert sent["estimate_usd"] > 0
    assert [batch["state"] for batch in sent["batches"]] == ["validating"]

    found = collect(items)
    (batch,) = found["batches"]
    assert (batch["kept"], batch["lost"], batch["failures"]) == (12, 0, [])
    tried = items.run("try", "tone", "items.jsonl", "--json")
    said = [row["level"] for row in tried.json["items"]]

    assert (tried.code, said) == (0, spread(LEVELS, 12))
    assert items.server.stats.requests == 0
    assert items.server.batches.stats[:4] == (1, 1, 12, 12)
    spent = sum(
        cost_of(price_of("openai/gpt-4.1-mini"), reply["prompt_tokens"], reply["completion_tokens"])
        for reply in usages(items)
    )
    assert batch["cost_usd"] == pytest.approx(spent / 2)


def usages(house: House) -> list[dict[str, int]]:
    """Return the usage that the stub stated, line by line, of the last output file."""
    content = list(house.server.batches._files.values())[-1]
    return [json.loads(line)["response"]["body"]["usage"] for line in content.splitlines()]


def test_a_calibration_is_served_by_its_batch(items: House) -> None:
    """``--labels`` submits exactly what the calibration asks."""
    done = items.run("batch", "submit", "tone", "--labels", "labels.csv", "--json")
    assert (done.code, done.json["sent"]) == (0, 60)
    collect(items)

    calibrated = items.run("calibrate", "tone", "--json")

    assert (calibrated.code, calibrated.json["verdict"]) == (0, "calibrated")
    assert calibrated.json["calls"] == {"asked": 0, "cached": 60, "failed": 0, "not_asked": 0}
    assert items.server.stats.requests == 0


def test_only_what_is_neither_cached_nor_pending_is_sent(items: House) -> None:
    """By an ordinary run, by an earlier batch, and the rest."""
    assert items.run("try", "tone", "items.jsonl", "--limit", "3").code == 0
    submit(items, "--limit", "7")
    third = submit(items)
    again = submit(items)

    assert (third["cached"], third["pending"], third["sent"]) == (3, 4, 5)
    assert (again["cached"], again["pending"], again["sent"]) == (3, 9, 0)
    stats = items.server.batches.stats
    assert (stats.batches, stats.requests, stats.distinct) == (2, 9, 9)


def test_large_submissions_are_several_batches(
    items: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A provider takes so many requests a file; each file is a batch, and all are collected."""
    monkeypatch.setattr(batch_submit, "in_files", partial(in_files, most_requests=5))
    sent = submit(items)
    found = collect(items)

    assert [batch["requests"] for batch in sent["batches"]] == [5, 5, 2]
    assert [batch["kept"] for batch in found["batches"]] == [5, 5, 2]
    assert sum(b["estimate_usd"] for b in sent["batches"]) == pytest.approx(sent["estimate_usd"])
    assert items.server.batches.stats[:4] == (3, 3, 12, 12)
    assert items.run("try", "tone", "items.jsonl").code == 0
    assert items.server.stats.requests == 0


def test_each_model_of_a_panel_is_a_batch_of_its_own(items: House) -> None:
    """With every replicate; the panel's run is then served from the cache."""
    items.judge(panel=["openai/one", "openai/two"], replicates=2)
    sent = submit(items, "--limit", "3")
    found = collect(items)
    tried = items.run("try", "tone", "items.jsonl", "--limit", "3", "--json")

    assert [(b["model"], b["requests"]) for b in sent["batches"]] == [
        ("openai/one", 6),
        ("openai/two", 6),
    ]
    assert [batch["kept"] for batch in found["batches"]] == [6, 6]
    assert [row["level"] for row in tried.json["items"]] == ["rude", "cold", "polite"]
    assert items.server.stats.requests == 0


def test_failed_requests_are_told_one_by_one_and_asked_by_the_next_run(items: House) -> None:
    """Causes as in single calls; what was answered is kept; the filter's answer is an answer."""
    answer_by(
        items,
        failing(
            {
                "1": StubError(400, message="no", code="content_filter"),
                "2": StubError(400, message="This model's maximum context length is 5 tokens"),
                "3": StubError(400, message="Unsupported parameter: 'seed'", param="seed"),
                "4": StubError(500, message="The server had an error"),
            }
        ),
    )
    submit(items)

    found = collect(items, code=4)
    (batch,) = found["batches"]
    causes = {row["item_id"]: row["cause"] for row in batch["failures"]}
    shown = items.run("batch", "collect", batch["id"])
    tried = items.run("try", "tone", "items.jsonl", "--json")
    rows = {row["item_id"]: row for row in tried.json["items"]}

    assert causes == {"new-002": "context_length", "new-003": "bad_request", "new-004": "server"}
    assert (batch["kept"], batch["lost"]) == (9, 3)
    assert "new-002: context_length" in shown.out
    assert "try JUDGE ITEMS --limit 1" in " ".join(shown.out.split())
    assert rows["new-001"]["cause"] == "filtered"
    assert items.server.stats.requests == 3


@pytest.mark.parametrize("fault", ["truncated", "empty", "half_body", "bad_body", "hang"])
def test_spoilt_replies_are_never_kept(items: House, fault: str) -> None:
    """Every request is accounted for: a reply in the cache, or told with its cause."""
    items.server.configure(faults={fault: 0.5}, hang_s=0.01)
    submit(items)

    (batch,) = collect(items, code=4)["batches"]
    items.server.configure(faults={})
    tried = items.run("try", "tone", "items.jsonl", "--json")

    cause = fault if fault in ("truncated", "empty") else "server"
    assert {row["cause"] for row in batch["failures"]} == {cause}
    assert 0 < batch["lost"] == len(batch["failures"]) < 12
    assert batch["kept"] + batch["lost"] == 12
    assert items.server.stats.requests == batch["lost"]
    assert [row["level"] for row in tried.json["items"]] == spread(LEVELS, 12)


def test_an_expired_batch_delivers_what_it_has(items: House) -> None:
    """And the rest is told as expired, and can be submitted again."""
    items.server.batches.configure(ends="expired", answered=5)
    submit(items)

    (batch,) = collect(items, code=4)["batches"]
    again = submit(items)

    assert (batch["state"], batch["kept"], batch["lost"]) == ("collected", 5, 7)
    assert {row["cause"] for row in batch["failures"]} == {"expired"}
    assert (again["cached"], again["sent"]) == (5, 7)


def test_a_cancelled_batch_delivers_what_it_has(items: House) -> None:
    """Cancelled at the provider, collected, and listed until it is forgotten."""
    items.server.batches.configure(answered=2)
    name = submit(items)["batches"][0]["id"]
    cancelled = items.run("batch", "cancel", name, "--json").json["batches"][0]
    kept = items.run("batch", "forget", name, "--json")
    (batch,) = collect(items, code=4)["batches"]
    listed = items.run("batch", "list")

    assert cancelled["state"] == "cancelling"
    assert (kept.code, kept.json["kind"]) == (2, "input")
    assert (batch["kept"], {row["cause"] for row in batch["failures"]}) == (2, {"cancelled"})
    assert "collected (cancelled): 2 replies, 10 without" in listed.out
    assert items.run("batch", "forget", "--json").json["forgotten"] == [name]
    assert [p.name for p in (items.root / ".judgekit/batches").iterdir()] == ["lock"]


def test_a_batch_the_provider_refuses_as_a_whole(items: House) -> None:
    """Every request of it has failed, with the provider's words."""
    items.server.batches.configure(ends="failed")
    submit(items)

    (batch,) = collect(items, code=4)["batches"]

    assert (batch["kept"], batch["lost"]) == (0, 12)
    assert {row["cause"] for row in batch["failures"]} == {"bad_request"}
    assert "the batch was refused: no such model" in batch["failures"][0]["message"]
    assert submit(items)["sent"] == 12


def test_not_finished_is_told_by_the_exit_code(items: House) -> None:
    """``status`` looks once and says how it stands; ``collect`` without ``--wait`` exits 4."""
    submit(items)
    status = items.run("batch", "status")
    early = items.run("batch", "collect")

    assert (status.code, early.code) == (0, 4)
    assert "in_progress: 0 answered, 0 failed" in status.out
    assert "expires in 24 h" in status.out
    assert "not finished yet: 1 batch" in early.err
    assert items.run("batch", "collect", "--json").json["waiting"] == 0
    assert items.run("batch", "collect").code == 0


def test_a_limit_is_kept_before_anything_is_sent(items: House) -> None:
    """What goes beyond it stays here, and is told; the estimate is at half price."""
    whole = submit(items, "--limit", "1")["estimate_usd"] * 12
    part = submit(items, "--max-cost", f"{whole / 2:.9f}", code=4)
    none = submit(items, "--max-cost", "0", code=4)

    assert 0 < part["over_budget"] < 11
    assert part["sent"] == 11 - part["over_budget"]
    assert part["estimate_usd"] <= whole / 2
    assert (none["sent"], none["batches"]) == (0, [])


def test_a_cost_that_is_not_known_stays_unknown(items: House) -> None:
    """Null, never 0; and no limit can be kept then."""
    more = ("--model", "openai/nobody-knows-me")
    refused = items.run("batch", "submit", "tone", "items.jsonl", *more, "--max-cost", "5")
    sent = submit(items, *more)
    (batch,) = collect(items)["batches"]

    assert (refused.code, "is not known" in refused.err) == (2, True)
    assert (sent["estimate_usd"], batch["cost_usd"], batch["unpriced"]) == (None, None, 12)
    assert "cost unknown" in items.run("batch", "list").out


@pytest.mark.parametrize(
    ("model", "says"),
    [("anthropic/claude-x", "no batch API"), ("local/smollm2-135m", "runs in this process")],
)
def test_models_without_batches_are_refused(items: House, model: str, says: str) -> None:
    """In one clear error, before anything is sent."""
    done = items.run("batch", "submit", "tone", "items.jsonl", "--model", model)

    assert done.code == 2
    assert says in done.err
    assert items.server.batches.stats.uploads == 0


@pytest.mark.parametrize(
    "more",
    [(), ("items.jsonl", "--labels", "labels.csv"), ("--labels", "labels.csv", "--limit", "3")],
)
def test_what_to_submit_has_to_be_clear(items: House, more: tuple[str, ...]) -> None:
    """Items or labels, not both and not neither."""
    assert items.run("batch", "submit", "tone", *more).code == 2
    assert items.run("batch", "status", "nobody").code == 2
    assert items.run("batch", "submit", "tone", "items.jsonl", "--max-cost", "nan").code == 2


def test_what_a_model_refuses_is_learnt_from_single_calls(items: House) -> None:
    """Every request fails; one single call learns why, and the next batch does without."""
    items.server.configure(refuses=("temperature",))
    submit(items)
    (batch,) = collect(items, code=4)["batches"]
    assert {row["cause"] for row in batch["failures"]} == {"bad_request"}

    assert items.run("try", "tone", "items.jsonl", "--limit", "1").code == 0
    sent = submit(items)
    collect(items)

    assert (sent["cached"], sent["sent"], sent["left_out"]) == (1, 11, ["temperature"])
    assert "temperature" not in items.server.batches.lines[-1]["body"]
    assert items.run("try", "tone", "items.jsonl", "--json").code == 0


def test_a_creation_whose_answer_was_lost_is_found_again(
    items: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The provider made the batch and the connection broke: it is not paid for twice."""
    items.server.batches.configure(lose=("create",))
    first = items.run("batch", "submit", "tone", "items.jsonl", "--json")
    listed = items.run("batch", "list").out
    items.server.batches.configure(lose=())
    seen = items.run("batch", "status", "--json").json["batches"][0]

    assert first.code == 4
    assert "judgekit batch resume" in first.json["hint"]
    assert "asked for; whether the provider has it is not known yet" in listed
    assert seen["state"] == "in_progress"
    assert submit(items)["pending"] == 12
    assert items.server.batches.stats.batches == 1


def test_a_batch_that_is_slow_to_appear_is_waited_for(
    items: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is in the provider's list only after a while: until then none is made anew."""
    monkeypatch.setattr(batch_steps, "SETTLE_S", 5.0)
    items.server.batches.configure(lose=("create",), unlisted_s=0.5)
    assert items.run("batch", "submit", "tone", "items.jsonl").code == 4
    items.server.batches.configure(lose=())
    early = items.run("batch", "collect")

    assert early.code == 4
    assert "submission interrupted" in early.err
    assert items.run("batch", "resume").code == 0
    assert items.server.batches.stats.batches == 1


def test_a_refused_creation_is_gone_on_with(items: House) -> None:
    """Refused is not made: the next submission uploads again, and makes one."""
    items.server.batches.configure(refuse={"create": 400})
    assert items.run("batch", "submit", "tone", "items.jsonl").code == 4
    items.server.batches.configure(refuse={})

    sent = submit(items)
    assert (sent["pending"], len(sent["batches"])) == (12, 1)
    assert items.server.batches.stats[:2] == (2, 1)
    assert collect(items)["batches"][0]["kept"] == 12


def test_an_interrupted_submission_can_be_withdrawn(items: House) -> None:
    """Nothing is asked of the provider; its requests are free again."""
    items.server.batches.configure(refuse={"upload": 400})
    assert items.run("batch", "submit", "tone", "items.jsonl").code == 4
    name = items.run("batch", "list", "--json").json["batches"][0]["id"]

    assert items.run("batch", "cancel", name, "--json").json["batches"][0]["state"] == "withdrawn"
    items.server.batches.configure(refuse={})
    assert submit(items)["sent"] == 12


def test_no_secret_is_in_any_file(items: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """A key, and a login in the address: neither in state, cache, messages nor requests."""
    monkeypatch.setenv("MY_KEY", "a-planted-key-123")
    base = items.server.base_url.replace("://", "://user:a-planted-word@")
    items.judge(model="openai/gpt-4.1-mini", api_base=base, api_key_env="MY_KEY")
    words = ("a-planted-key-123", "a-planted-word", "dXNlcjphLXBsYW50ZWQtd29yZA==")
    echoed = StubError(400, message=f"bad key {words[0]} of {base}")
    answer_by(items, failing({"1": echoed}))
    said = items.run("batch", "submit", "tone", "items.jsonl", "--json").out
    kept = planted(items.root / ".judgekit", words)
    said += items.run(*COLLECT).out + items.run("batch", "list").out
    kept += planted(items.root / ".judgekit", words)

    assert "new-001" in said
    assert [word for word in words if word in said] == []
    assert kept == []
    got = {r.headers["authorization"] for r in items.server.batches.received}
    assert got == {f"Basic {words[2]}"}


def planted(folder: Path, words: tuple[str, ...]) -> list[str]:
    """Return the files below a folder that hold one of the words."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert files
    return [p.name for p in files for word in words if word.encode() in p.read_bytes()]


def test_a_login_that_is_nowhere_kept_is_asked_for(items: House) -> None:
    """Without it in judgekit.toml the batch cannot be looked at, and that is said."""
    base = items.server.base_url.replace("://", "://user:a-planted-word@")
    submit(items, "--api-base", base)
    done = items.run("batch", "status")

    assert done.code == 2
    assert "has credentials, which are not kept" in done.err


def test_litellm_is_imported_for_a_step_at_the_provider_only(items: House) -> None:
    """Listing, forgetting, and submitting what is pending already need none of it."""
    submit(items)
    script = (
        "import sys; from judgekit.cli.run import run\n"
        "for line in (['batch', 'list'], ['batch', 'submit', 'tone', 'items.jsonl'],"
        " ['batch', 'forget']): assert run(line) == 0\n"
        "assert not {'litellm', 'openai', 'aiohttp'} & set(sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=items.root, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_a_list_that_cannot_be_read_makes_no_second_batch(items: House) -> None:
    """Where nobody can tell whether a batch is there, none is made, and the way out is named."""
    items.server.batches.configure(lose=("create",))
    assert items.run("batch", "submit", "tone", "items.jsonl").code == 4
    items.server.batches.configure(lose=(), refuse={"list": 404})
    process = items.spawn("batch", "submit", "tone", "items.jsonl")
    _, said = process.communicate(timeout=100)

    assert process.returncode == 4
    assert "cannot be told" in " ".join(said.split())
    assert "--force" in said
    assert items.server.batches.stats.batches == 1
