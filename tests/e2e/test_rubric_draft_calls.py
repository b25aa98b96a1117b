"""What drafting costs: the cache first, one budget for all calls, failures that lose nothing."""

from __future__ import annotations

import pytest

from judgekit.testing import StubError, StubServer
from tests.e2e.drafting import MODEL, WISH, Script, bare, draft, serve
from tests.e2e.house import House, spread
from tests.judging.drafts import tone

LEVELS = ["warm", "flat", "rude"]


def test_a_second_run_asks_nothing(house: House) -> None:
    """All of it is in the cache: no request, no cost, the same rubric under another name."""
    house.items(spread(LEVELS, 5))
    with serve(house, Script(tone())) as server:
        first = draft(house, "--items", "items.jsonl", "--json")
        asked = server.stats.requests
        second = draft(house, "--items", "items.jsonl", "--json", "--offline", "--max-cost", "0")
        assert server.stats.requests == asked == 7

    assert second.code == 0, second.out
    assert second.json["text"] == first.json["text"]
    assert second.json["calls"]["asked"] == 0
    assert (second.json["calls"]["cached"], second.json["calls"]["cost_usd"]) == (7, 0)


def test_the_budget_is_one_for_all_calls(house: House) -> None:
    """Too little for the trial: exit 4, nothing written; with more it goes on where it was."""
    house.items(spread(LEVELS, 5))
    with serve(house, Script(tone())) as server:
        # A prompt costs about a dollar, and a reply nothing.
        house.write(
            "judgekit.toml",
            f'[judges.x]\nrubric = "x.jinja"\nmodel = "openai/m"\napi_base = "{server.base_url}"\n'
            "price = { input = 1000, output = 0 }\n",
        )
        stopped = bare(house, "--from", WISH, "--items", "items.jsonl", "--max-cost", "3.5")
        paid = server.stats.requests
        assert house.files().keys() == {"items.jsonl", "judgekit.toml"}
        again = bare(house, "--from", WISH, "--items", "items.jsonl", "--json")
        assert server.stats.requests == 7

    assert stopped.code == 4
    assert "could exceed the budget of 3.5 USD" in " ".join(stopped.err.split())
    assert "what was answered is kept" in " ".join(stopped.err.split())
    assert 2 <= paid < 5
    assert again.code == 0
    assert again.json["calls"]["cached"] == paid


def test_nothing_is_asked_that_the_budget_cannot_hold(house: House) -> None:
    """The estimate of a whole draft stands before its call: no request is made."""
    with serve(house, Script(tone())) as server:
        result = draft(house, "--max-cost", "0.002")

        assert server.stats.requests == 0
    assert result.code == 4
    assert house.files() == {}


def test_a_price_nobody_knows(house: House) -> None:
    """A budget for a model without a price is refused before anything is asked."""
    with serve(house, Script(tone())) as server:
        result = draft(house, "--max-cost", "1", model="openai/nobody-knows")

        assert server.stats.requests == 0
    assert result.code == 2
    assert "price" in result.err


def test_an_unknown_cost_is_unknown(house: House) -> None:
    """It is never 0: neither on the screen nor in the document."""
    with serve(house, Script(tone())):
        shown = draft(house, model="openai/nobody-knows")
        told = draft(house, "--json", "--refresh", model="openai/nobody-knows").json["calls"]

    assert "2 calls, cost unknown" in shown.out
    assert told["cost_usd"] is None


def test_offline_without_a_cache(house: House) -> None:
    """Exit 4: it says that the reply is not in the cache, and asks nothing."""
    with serve(house, Script(tone())) as server:
        result = draft(house, "--offline")

        assert server.stats.requests == 0
    assert result.code == 4
    assert "not in the cache" in result.err
    assert house.files() == {}


@pytest.mark.parametrize("fault", ["401", "404", "400"])
def test_a_call_that_fails(house: House, fault: str) -> None:
    """Exit 4, with what the provider said and without a file; --json has one document."""
    with StubServer(reply=Script(tone()), faults={fault: 1.0}) as house.server:
        shown = draft(house)
        told = draft(house, "--json")

    assert (shown.code, told.code) == (4, 4)
    assert shown.err.strip()
    assert told.json["format"] == "judgekit.error/1"
    assert house.files() == {}


def test_a_failure_in_the_trial_shows_the_steps_before(house: House) -> None:
    """What was done until then is told, and the run after it goes on."""
    house.items(spread(LEVELS, 3))
    script = Script(tone())

    def fail(_: str) -> str:
        raise StubError(401, message="the key has gone", code="invalid_api_key")

    with serve(house, script) as server:
        script.judge = fail
        stopped = draft(house, "--items", "items.jsonl")
        assert house.files().keys() == {"items.jsonl"}
        script.judge = None
        server.reset()
        again = draft(house, "--items", "items.jsonl")
        assert server.stats.requests == 3 + 1

    assert stopped.code == 4
    assert "ordinal: warm (3), flat (2), rude (1)" in stopped.err
    assert again.code == 0


def test_a_busy_endpoint(house: House) -> None:
    """Rate limits and outages are waited out as in every run."""
    house.items(spread(LEVELS, 5))
    faults = {"429": 0.2, "500": 0.1}
    with serve(house, Script(tone()), faults=faults, retry_after=0.01):
        result = draft(house, "--items", "items.jsonl")

    assert result.code == 0, result.err


@pytest.mark.slow
def test_through_litellm(house: House) -> None:
    """The real client reaches the same end."""
    with serve(house, Script(tone())) as server:
        result = draft(house, "--transport", "litellm")

        assert server.stats.requests == 2
    assert result.code == 0, result.err
    assert MODEL in result.out
