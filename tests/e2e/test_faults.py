"""Endpoints that break in every way, and processes that are killed: nothing is lost or invented."""

from __future__ import annotations

import signal
import time

import pytest

from judgekit.testing import StubServer
from tests.e2e.house import House, echo, spread

LEVELS = ["rude", "cold", "polite", "friendly"]
BROKEN = (
    *("429", "500", "malformed", "bad_body", "half_body", "empty", "null_content", "no_choices"),
    *("truncated", "think_only", "refusal", "filter", "filter_finish", "out_of_scale"),
    *("contradictory", "reset"),
)


def test_every_fault_is_accounted_for(house: House) -> None:
    """A fifth of all replies broken in every way: the tally adds up, a second run asks the rest."""
    with StubServer(
        reply=echo(), faults=dict.fromkeys(BROKEN, 0.2 / len(BROKEN)), retry_after=0.1
    ) as server:
        house.server = server
        house.judge()
        house.labels(spread(LEVELS, 200))
        first = house.run("calibrate", "tone", "--json")
        tally = first.json["criteria"][0]["tally"]
        server.reset()
        server.configure(faults={})
        second = house.run("calibrate", "tone", "--json")
        asked_again = server.stats.requests

    assert tally["items"] == 200
    assert tally["judged"] + sum(tally["unjudged"].values()) == 200
    assert sum(tally["unjudged"].values()) > 0
    again = sum(
        tally["unjudged"].get(cause, 0) for cause in ("provider_error", "empty", "truncated")
    )
    after = second.json["criteria"][0]["tally"]
    assert asked_again == again
    assert not {"provider_error", "empty", "truncated"} & set(after["unjudged"])
    assert after["judged"] + sum(after["unjudged"].values()) == 200


def test_an_endpoint_that_is_down(house: House) -> None:
    """Without any answer there is no verdict: exit 4, and the message says to run it again."""
    house.judge(api_base="http://127.0.0.1:9/v1", timeout=2.0)
    house.labels(spread(LEVELS, 30))
    result = house.run("calibrate", "tone")

    assert result.code == 4
    assert "NO VERDICT" in result.out
    assert not list(house.root.glob("certificates/*.json"))
    assert not list(house.root.glob("certificates/looks/*.json"))


@pytest.mark.slow
def test_kill_and_go_on(house: House) -> None:
    """Kill during 500 items: what was answered before is not asked again."""
    with StubServer(reply=echo(), latency_ms=40) as server:
        house.server = server
        house.judge(concurrency=8)
        house.labels(spread(LEVELS, 500))
        process = house.spawn("calibrate", "tone", "--json")
        deadline = time.monotonic() + 90
        while server.stats.answered < 150 and time.monotonic() < deadline:
            time.sleep(0.02)
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=30)
        time.sleep(0.2)
        before = server.stats.requests
        result = house.run("calibrate", "tone", "--json")
        after = server.stats

    assert 150 <= before < 500
    assert result.code == 0
    assert result.json["criteria"][0]["tally"]["judged"] == 500
    # At most the eight calls that were in flight at the kill are asked a second time.
    assert after.requests <= 500 + 8
    assert after.duplicates <= 8


def test_interrupt(house: House) -> None:
    """Ctrl-C ends with a sentence, not a traceback, and loses nothing that was answered."""
    with StubServer(reply=echo(), latency_ms=100) as server:
        house.server = server
        house.judge(concurrency=4)
        house.labels(spread(LEVELS, 300))
        process = house.spawn("calibrate", "tone")
        deadline = time.monotonic() + 90
        while server.stats.answered < 20 and time.monotonic() < deadline:
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)

    assert process.returncode == 130
    assert "Traceback" not in out + err
    assert "run it again" in err


def test_budget(served: House) -> None:
    """A budget of nothing asks nothing: exit 4, and no verdict."""
    result = served.run("calibrate", "tone", "--max-cost", "0", "--json")

    assert result.code == 4
    assert result.json["verdict"] is None
    assert result.json["criteria"][0]["tally"]["unjudged"] == {"budget": 60}
    assert served.server.stats.requests == 0


def test_secrets_stay_out(served: House) -> None:
    """The key and credentials in an address are in no file of the project, cache included."""
    url = served.server.base_url.replace("http://", "http://user:hunter2@")
    served.judge(api_base=url + "?key=hunter3")
    served.run("calibrate", "tone", "--disagreements", "differ.jsonl")
    served.items(spread(LEVELS, 12))
    served.run("score", "tone", "items.jsonl", "--out", "out.jsonl")
    (served.root / "judgekit.toml").unlink()
    planted = (b"sk-of-the-test", b"hunter2", b"hunter3")

    for path in served.root.rglob("*"):
        if path.is_file():
            data = path.read_bytes()
            assert not any(secret in data for secret in planted), path


@pytest.mark.parametrize("limit", ["1", "40"])
def test_a_budget_needs_a_price(served: House, limit: str) -> None:
    """Complaint 54: an unknown price is not 0; it is told before anything is asked."""
    served.items(spread(LEVELS, 40))
    result = served.run("try", "tone", "items.jsonl", "--limit", limit, "--max-cost", "0.01")

    assert result.code == 2
    assert "the price of 'openai/stub" in result.err
    assert served.server.stats.requests == 0


@pytest.mark.parametrize("option", [("--concurrency", "2000"), ("--max-time", "inf")])
def test_a_setting_out_of_range_is_an_input_error(served: House, option: tuple[str, str]) -> None:
    """In one line, like one in judgekit.toml."""
    served.items(spread(LEVELS, 3))
    result = served.run("try", "tone", "items.jsonl", *option)

    assert result.code == 2
    assert "bug" not in result.err
    assert option[1] in result.err


def test_what_could_not_be_asked_is_told_with_the_way_out(served: House) -> None:
    """Complaint 19: why nothing was judged, once, beside the count."""
    served.items(spread(LEVELS, 6))
    served.server.configure(faults={"401": 1.0})
    result = served.run("try", "tone", "items.jsonl", "--out", "rows.jsonl")

    assert result.code == 4
    assert "6 not" in result.out
    assert "provider_error 6" in result.out
    assert "check the key" in result.err
