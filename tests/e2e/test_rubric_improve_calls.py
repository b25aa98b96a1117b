"""What improving costs: the cache first, one budget for all calls, failures that lose nothing."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from typing import Any

import pytest

from judgekit.api.rubric_improve import ImproveOptions, improve_rubric
from judgekit.api.setup import load_judge
from judgekit.importers.rubrics import load_rubric
from judgekit.testing import StubError
from tests.e2e.house import House, spread
from tests.e2e.improving import (
    FULL,
    GOOD,
    LEVELS,
    MODEL,
    TELLING,
    WORTHLESS,
    Script,
    edit,
    improve,
    needs_gepa,
    project,
    proposal,
    serve,
)

BEFORE = {"judgekit.toml", "labels.csv", "rubrics/tone.jinja"}


def words(text: str) -> str:
    """Return text on one line."""
    return " ".join(text.split())


@needs_gepa
def test_a_second_run_asks_nothing(house: House) -> None:
    """All of it is in the cache: no request, no cost, the same rubric under another name."""
    with serve(house, Script(WORTHLESS, GOOD)) as server:
        project(house)
        first = improve(house, "--json")
        asked = server.stats.requests
        second = improve(house, "--json", "--offline", "--max-cost", "0")
        assert server.stats.requests == asked

    assert second.code == 0, second.out
    told = second.json
    assert told["text"] == first.json["text"]
    assert told["rounds"] == first.json["rounds"]
    assert {one["asked"] for one in told["calls"].values()} == {0}
    assert sum(one["cached"] for one in told["calls"].values()) == asked


@needs_gepa
def test_more_rounds_go_on(house: House) -> None:
    """What the first rounds asked is not asked again when more are asked for."""
    with serve(house, Script(WORTHLESS, GOOD)) as server:
        project(house)
        assert improve(house, "--rounds", "1").code == 1
        first = server.stats.requests
        assert improve(house, "--rounds", "2").code == 0

        assert server.stats.duplicates == 0
        assert server.stats.requests == first + 1 + 8 + 60


@needs_gepa
def test_the_budget_is_one_for_all_calls(house: House) -> None:
    """Too little for the candidate's turn on dev: exit 4, nothing written; then it goes on."""
    with serve(house, Script(GOOD)) as server:
        # A prompt costs about half a dollar, and a reply nothing.
        project(house)
        with (house.root / "judgekit.toml").open("a", encoding="utf-8") as file:
            file.write("price = { input = 1000, output = 0 }\n")
        stopped = improve(house, "--rounds", "1", "--max-cost", "45")
        paid = server.stats.requests
        assert house.files().keys() == BEFORE
        again = improve(house, "--rounds", "1", "--json")
        whole = server.stats.requests
        assert server.stats.duplicates == 0

    assert stopped.code == 4
    assert "the next call could exceed the budget of 45 USD" in words(stopped.err)
    assert "what was answered is kept" in words(stopped.err)
    assert 81 < paid < whole == 80 + 1 + 8 + 60
    assert again.code == 0
    assert sum(one["cached"] for one in again.json["calls"].values()) == paid
    assert again.json["calls"]["judge"]["cost_usd"] > 0


@needs_gepa
def test_nothing_is_asked_that_the_budget_cannot_hold(house: House) -> None:
    """The estimate stands before the call; a price that nobody knows is refused: exit 2."""
    with serve(house, Script(GOOD)) as server:
        project(house)
        little = improve(house, "--max-cost", "0.00000001")
        house.judge(model="openai/nobody-knows")
        unknown = improve(house, "--max-cost", "1")

        assert server.stats.requests == 0
    assert (little.code, unknown.code) == (4, 2)
    assert "price" in unknown.err
    assert house.files().keys() == BEFORE


@needs_gepa
def test_an_unknown_cost_is_unknown(house: House) -> None:
    """It is never 0: neither on the screen nor in the document."""
    with serve(house, Script(GOOD)):
        project(house)
        house.judge(model="openai/nobody-knows")
        shown = improve(house, "--rounds", "1")
    assert shown.out.count("cost unknown") == 2

    with serve(house, Script(GOOD)):
        house.judge(model="openai/nobody-knows")
        told = improve(house, "--rounds", "1", "--json").json["calls"]
    assert (told["judge"]["cost_usd"], told["reflector"]["cost_usd"]) == (None, None)


@needs_gepa
def test_offline_without_a_cache(house: House) -> None:
    """Exit 4: it says that the reply is not in the cache, and asks nothing."""
    with serve(house, Script(GOOD)) as server:
        project(house)
        result = improve(house, "--offline")
        assert server.stats.requests == 0
        judged = house.run("try", "tone", "labels.csv")
        assert judged.code == 0, judged.err
        halfway = improve(house, "--offline", "--json")

    assert (result.code, halfway.code) == (4, 4)
    assert "cache" in result.err
    assert "the reflector did not answer" in halfway.json["message"]
    assert house.files().keys() == BEFORE


@needs_gepa
@pytest.mark.parametrize("who", ["judge", "reflector"])
def test_a_call_that_fails(house: House, who: str) -> None:
    """Exit 4 with what the provider said, nothing written; the next run goes on."""
    script = Script(GOOD)

    def failing(request: dict[str, Any]) -> str:
        system = request["messages"][0]["content"]
        if broken and system.startswith("You improve rubrics") is (who == "reflector"):
            raise StubError(401, message="the key has gone", code="invalid_api_key")
        return script(request)

    broken = True
    with serve(house, failing) as server:
        project(house)
        stopped = improve(house, "--json")
        assert house.files().keys() == BEFORE
        broken = False
        server.reset()
        again = improve(house, "--rounds", "1")
        asked = server.stats.requests

    assert stopped.code == 4
    assert stopped.json["format"] == "judgekit.error/1"
    assert again.code == 0, again.err
    assert asked == (80 if who == "judge" else 0) + 1 + 8 + 60


@needs_gepa
def test_a_busy_endpoint(house: House) -> None:
    """Rate limits and outages are waited out as in every run."""
    faults = {"429": 0.1, "500": 0.05}
    with serve(house, Script(GOOD), faults=faults, retry_after=0.01):
        project(house)
        result = improve(house, "--rounds", "1")

    assert result.code == 0, result.err


@needs_gepa
def test_a_refused_proposal_is_one_round(house: House) -> None:
    """A reflector that refuses is told, costs its call, and ends nothing."""

    def reply(request: dict[str, Any]) -> str:
        if request["messages"][0]["content"].startswith("You improve rubrics"):
            raise StubError(400, message="content policy", code="content_filter")
        return script(request)

    script = Script(GOOD)
    with serve(house, reply):
        project(house)
        result = improve(house, "--rounds", "2")

    assert result.code == 1, result.err
    assert result.out.count("thrown away: it is no proposal (filtered)") == 2
    assert house.files().keys() == BEFORE


@needs_gepa
def test_an_interruption_leaves_nothing(house: House) -> None:
    """Ctrl-C in the middle: nothing is written, and the library does not swallow it."""
    script = Script(GOOD)

    def interrupt(_: object) -> None:
        if script.reflected:  # a candidate is judged
            raise KeyboardInterrupt

    with serve(house, script):
        project(house)
        setup = load_judge("tone", project=house.root)
        with pytest.raises(KeyboardInterrupt):
            improve_rubric(setup, house.root / "labels.csv", ImproveOptions(progress=interrupt))
    assert house.files().keys() == BEFORE


@needs_gepa
@pytest.mark.slow
def test_killed_and_resumed(house: House) -> None:
    """Kill -9 while a candidate is judged: nothing half-written, and nothing is paid for twice."""
    with serve(house, Script(WORTHLESS, GOOD), latency_ms=15) as server:
        project(house, concurrency=4)
        process = house.spawn("rubric", "improve", "tone", "--labels", "labels.csv")
        deadline = time.monotonic() + 90
        while server.stats.answered < 110 and time.monotonic() < deadline:
            time.sleep(0.005)
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=30)
        time.sleep(0.2)
        paid = server.stats.requests
        assert 110 <= paid < 158
        assert house.files().keys() == BEFORE
        result = improve(house, "--rounds", "2")
        stats = server.stats

    assert result.code == 0, result.err
    assert stats.duplicates <= 4, "only what was in flight"
    assert stats.requests <= 80 + 2 + 8 + 8 + 60 + 4
    assert load_rubric(house.root / "rubrics/tone-v2.jinja").version == 2


@needs_gepa
def test_another_reflector(house: House) -> None:
    """It is asked for edits at the judge's place, and judges nothing."""
    models: dict[str, set[str]] = {"edits": set(), "levels": set()}
    script = Script(GOOD)

    def reply(request: dict[str, Any]) -> str:
        what = request["messages"][0]["content"].startswith("You improve rubrics")
        models["edits" if what else "levels"].add(request["model"])
        return script(request)

    with serve(house, reply):
        project(house)
        result = improve(house, "--rounds", "1", "--reflector", "openai/gpt-4.1", "--json")

    assert result.code == 0, result.err
    assert models == {"edits": {"gpt-4.1"}, "levels": {"gpt-4.1-mini"}}
    assert (result.json["model"], result.json["reflector"]) == (MODEL, "openai/gpt-4.1")


@needs_gepa
def test_a_panel_of_judges(house: House) -> None:
    """Improved as one judge, in one budget; its first member proposes."""
    with serve(house, Script(GOOD)) as server:
        house.judge(panel=[MODEL, "openai/gpt-4.1", "openai/gpt-4o-mini"])
        house.labels(spread(LEVELS, 100), split=FULL)
        result = improve(house, "--rounds", "1", "--max-cost", "5", "--json")
        asked = server.stats.requests

    assert result.code == 0, result.out + result.err
    assert asked == 3 * (80 + 8 + 60) + 1
    assert result.json["reflector"] == MODEL


@needs_gepa
@pytest.mark.slow
def test_through_litellm(house: House) -> None:
    """The real client reaches the same end."""
    with serve(house, Script(GOOD)):
        project(house)
        result = improve(house, "--transport", "litellm", "--rounds", "1")

    assert result.code == 0, result.err
    assert TELLING in (house.root / "rubrics/tone-v2.jinja").read_text("utf-8")


@needs_gepa
def test_documents_hold_nothing_secret(house: House) -> None:
    """A key that a model says back stands neither in the file nor on the screen."""
    said = proposal(edit("definition", TELLING, "cold"), edit("task", "You know sk-of-the-test."))
    with serve(house, Script(said)):
        project(house)
        result = improve(house, "--rounds", "1", "--json")
        shown = improve(house, "--rounds", "1")

    file = (house.root / result.json["file"]).read_text("utf-8")
    assert "sk-of-the-test" not in file + result.out + result.err + shown.out
    assert re.search(r"You know \*+", file)


@needs_gepa
@pytest.mark.slow
def test_to_standard_output(house: House) -> None:
    """A rubric that goes to a pipe is alone there: the report is for people, on stderr."""
    with serve(house, Script(GOOD)):
        project(house)
        process = house.spawn(
            *("rubric", "improve", "tone", "--labels", "labels.csv", "--rounds", "1"),
            *("--out", "/dev/stdout"),
        )
        out, err = process.communicate(timeout=60)

    assert process.returncode == 0, err
    assert out.startswith("---\nrubric: tone\nversion: 2\n")
    assert out.endswith("---\n")
    assert "Nothing is certified" in err


def test_without_the_library(house: House) -> None:
    """The extra by name and how to install it, before anything is read or asked: exit 2."""
    code = (
        "import sys; sys.modules['gepa'] = None\n"
        "from judgekit.cli.run import run\nsys.exit(run(sys.argv[1:]))"
    )
    with serve(house, Script(GOOD)) as server:
        project(house)
        command = ["rubric", "improve", "tone", "--labels", "labels.csv"]
        shown, told = (
            subprocess.run(
                [sys.executable, "-c", code, *command, *more],
                cwd=house.root,
                capture_output=True,
                text=True,
                check=False,
            )
            for more in ([], ["--json"])
        )
        assert server.stats.requests == 0

    assert (shown.returncode, told.returncode) == (2, 2)
    assert "pip install '.[improve]'" in words(shown.stderr)
    assert '"kind": "missing_extra"' in told.stdout
    assert house.files().keys() == BEFORE


@needs_gepa
def test_asked_anew(house: House) -> None:
    """--refresh goes past the cache, for judge and reflector; it cannot go with --offline."""
    with serve(house, Script(GOOD)) as server:
        project(house)
        first = improve(house, "--rounds", "1", "--json")
        asked = server.stats.requests
        again = improve(house, "--rounds", "1", "--json", "--refresh")
        assert server.stats.requests == 2 * asked
        both = improve(house, "--refresh", "--offline")

    assert {one["cached"] for one in again.json["calls"].values()} == {0}
    assert again.json["difference"] == first.json["difference"]
    assert (both.code, "leave one of the two out" in both.err) == (2, True)


@pytest.mark.parametrize(
    ("library", "code", "said"),
    [
        ("def optimize(**k): raise RuntimeError('boom ' * 99)\nEvaluationBatch = None", 4, "boom"),
        ("", 2, "is not the library that judgekit knows"),
    ],
)
def test_a_library_that_fails(house: House, library: str, code: int, said: str) -> None:
    """Told as its own failure, in a line or two; nothing is written."""
    house.write("other/gepa.py", library)
    with serve(house, Script(GOOD)):
        project(house)
        done = subprocess.run(
            [sys.executable, "-m", "judgekit", *("rubric", "improve", "tone")],
            cwd=house.root,
            env=os.environ | {"PYTHONPATH": str(house.root / "other")},
            capture_output=True,
            text=True,
            check=False,
        )

    assert done.returncode == code, done.stderr
    assert said in done.stderr
    assert "bug" not in done.stderr
    assert len(done.stderr) < 600
    assert house.files().keys() == BEFORE | {"other/gepa.py"}
