"""A lent judge: the same values as ``score``, and no number without a certificate."""

from __future__ import annotations

import asyncio
import contextlib
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from judgekit.adapters.figures import figures_of_items
from judgekit.adapters.lent import LentJudge, lend
from judgekit.adapters.outcome import Outcome
from judgekit.adapters.promptfoo import graded
from judgekit.errors import GateRefusal, InputError
from tests.e2e.house import BINARY, House

LEVELS = ("rude", "cold", "polite", "friendly")


@pytest.fixture
def certified(served: House) -> House:
    """A project whose judge is certified."""
    assert served.run("calibrate", "tone").code == 0
    return served


def rows_of(house: House) -> list[dict]:
    """What ``judgekit score`` says of 40 new items."""
    items = house.items([LEVELS[i * 7 % 4] for i in range(40)])
    assert house.run("score", "tone", str(items), "--out", "scores.jsonl").code == 0
    return [json.loads(line) for line in Path(house.root / "scores.jsonl").read_text().splitlines()]


def asked(judge: LentJudge, i: int) -> Outcome:
    """What the lent judge says of one of them."""
    return judge.score(input=f"question {i}", output=f"answer {i} is {LEVELS[i * 7 % 4]}")


def test_values_are_those_of_score(certified: House) -> None:
    """Level by level, from the same cache, with the certificate beside them."""
    rows = rows_of(certified)
    before = certified.server.stats.requests
    judge = lend("tone", project=certified.root)
    got = [asked(judge, i) for i in range(40)]

    assert [o.value for o in got] == [row["value"] for row in rows]
    assert [o.level for o in got] == [row["level"] for row in rows]
    assert [o.explanation for o in got] == [row["reason"] for row in rows]
    assert {o.metadata["judgekit_certificate"] for o in got} == {judge.version}
    assert {row["certificate"] for row in rows} == {judge.version}
    assert {o.passed for o in got if o.level in {"polite", "friendly"}} == {True}
    assert [o.share for o in got] == [(row["value"] - 1) / 3 for row in rows]
    assert certified.server.stats.requests == before


def test_no_number_without_a_certificate(served: House) -> None:
    """A refusal with its code and the way out, and no call is made."""
    judge = lend("tone", project=served.root)
    outcome = asked(judge, 1)

    assert (outcome.value, outcome.share, outcome.level) == (None, None, None)
    assert (outcome.status, outcome.reason_code) == ("refused", "no_certificate")
    assert "judgekit calibrate tone" in outcome.explanation
    assert judge.version is None
    with pytest.raises(GateRefusal, match="no_certificate"):
        judge.preflight()
    with pytest.raises(GateRefusal, match="no_certificate"):
        lend("tone", project=served.root, on_refused="raise")
    assert served.server.stats.requests == 0


def test_an_edited_rubric_is_refused(certified: House) -> None:
    """The certificate is of another rubric from then on."""
    path = certified.root / "rubrics" / "tone.jinja"
    path.write_text(path.read_text().replace("says nothing kind", "says nothing friendly"))
    outcome = asked(lend("tone", project=certified.root), 1)

    assert outcome.value is None
    assert outcome.reason_code == "rubric_changed"


def test_asked_from_everywhere_at_once(certified: House) -> None:
    """From threads, from a loop and inside a running loop: each question costs one call."""
    judge = lend("tone", project=certified.root)
    before = certified.server.stats.requests

    async def both() -> list[Outcome]:
        inside = asked(judge, 0)
        items = [{"input": "q", "output": f"answer {i % 4} is rude"} for i in range(16)]
        return [inside, *await asyncio.gather(*(judge.ascore(**item) for item in items))]

    with ThreadPoolExecutor(8) as pool:
        threads = list(pool.map(lambda i: asked(judge, i % 3), range(24)))
    got = [*threads, *asyncio.run(both())]

    assert {o.status for o in got} == {"scored"}
    assert certified.server.stats.requests - before == 3 + 4


def test_a_run_leaves_its_record(certified: House) -> None:
    """What was asked stands in a run record once the judge is closed."""
    judge = lend("tone", project=certified.root, runner="a test")
    asked(judge, 1)
    judge.close()
    runs = certified.run("runs", "list", "--json").json

    assert any("lent to a test" in json.dumps(run) for run in runs["runs"])


def test_an_item_without_an_input(certified: House) -> None:
    """It is unjudged, the message says what was handed over; the next is judged."""
    judge = lend("tone", project=certified.root)
    outcome = judge.score(input="question", output=None, context={"context": "text"})

    assert (outcome.status, outcome.value) == ("unjudged", None)
    assert "needs output" in outcome.explanation
    assert asked(judge, 1).status == "scored"


def test_another_model_behind_the_endpoint(certified: House) -> None:
    """What a model says that was never calibrated is no value, nor anything after it."""
    judge = lend("tone", project=certified.root)
    assert asked(judge, 0).status == "scored"
    certified.server.configure(served="stub-2026-02-02")
    got = [asked(judge, i) for i in (1, 2, 3)]

    assert {(o.value, o.status, o.reason_code) for o in got} == {
        (None, "refused", "model_served_changed")
    }


def test_unusable_replies_are_no_numbers(certified: House) -> None:
    """A reply without a level is unjudged with its cause."""
    judge = lend("tone", project=certified.root)
    outcome = judge.score(input="question 1", output="answer 1 is unheard_of")

    assert (outcome.status, outcome.value) == ("unjudged", None)
    assert outcome.reason_code == outcome.metadata["judgekit_reason_code"]


def test_names_of_columns_and_modes(certified: House) -> None:
    """Odd names become columns; unknown modes and criteria are refused by name."""
    with pytest.raises(InputError, match="on_refused"):
        lend("tone", project=certified.root, on_refused="skip")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="no criterion named 'tune'"):
        lend("tone", criterion="tune", project=certified.root)
    certified.judge(BINARY, name="is-grounded")
    assert lend("is-grounded", project=certified.root).name == "is_grounded"


def test_an_outcome_holds_to_its_status() -> None:
    """A value if and only if it is scored."""
    with pytest.raises(ValueError, match="status"):
        Outcome("tone", "tone", "refused", 0.0)
    with pytest.raises(ValueError, match="status"):
        Outcome("tone", "tone", "scored")


def test_each_asker_has_a_case_of_its_own(certified: House) -> None:
    """The same text asked twice at once is one question, and two answers."""
    judge = lend("tone", project=certified.root)

    async def both() -> list[Outcome]:
        asks = [judge.ascore(input="q", output="answer 1 is cold", case=c) for c in ("A", "B")]
        return await asyncio.gather(*asks)

    assert [one.metadata["judgekit_case"] for one in asyncio.run(both())] == ["A", "B"]
    assert certified.server.stats.requests == 61


def test_a_forked_child_asks_by_itself(certified: House) -> None:
    """Neither it nor its parent is hindered by what the parent has open."""
    code = """
import gc, os, sys
from judgekit.adapters.lent import lend
judge = lend("tone", project=sys.argv[1])
judge.score(input="q", output="answer 1 is cold")
child = os.fork()
if child:  # after the child is done, and has thrown away its copies of what is open
    ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
said = judge.score(input="q", output=f"answer {2 if child else 3} is polite").level
if child:
    print([said, ended], flush=True)
gc.collect()
os._exit(0 if said == "polite" else 1)
"""
    command = [sys.executable, "-W", "ignore", "-c", code, str(certified.root)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)

    assert done.stdout.strip() == "['polite', 0]", done.stderr


def test_what_nobody_waits_for_is_not_asked(certified: House) -> None:
    """Ctrl-C among many questions: those that were not sent yet cost nothing."""
    judge = lend("tone", project=certified.root)
    before = certified.server.stats.requests

    async def interrupted() -> None:
        asked = [
            judge.ascore(input=f"q {i}", output=f"answer {i + 500} is cold") for i in range(300)
        ]
        waiting = asyncio.gather(*asked)
        while certified.server.stats.requests == before:  # noqa: ASYNC110  (no event tells of it)
            await asyncio.sleep(0.001)
        waiting.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await waiting

    asyncio.run(interrupted())
    judge.close()

    assert 1 <= certified.server.stats.requests - before < 200


@pytest.mark.parametrize("amount", [-1.0, float("nan"), float("inf"), "1"])
def test_amounts_that_cannot_be(certified: House, amount: Any) -> None:
    """A budget is an amount of dollars."""
    with pytest.raises(InputError, match="max_cost_usd"):
        lend("tone", project=certified.root, max_cost_usd=amount)


def test_what_is_misspelt(certified: House) -> None:
    """The nearest name is offered; of lending and of the judge's table."""
    for said, meant in (("criteron", "criterion"), ("temprature", "temperature")):
        with pytest.raises(InputError, match=f"did you mean '{meant}'"):
            lend("tone", project=certified.root, **{said: "x"})


def test_a_certificate_by_its_short_id(certified: House) -> None:
    """As every command shows it; another one is refused."""
    known = lend("tone", project=certified.root).version
    assert known is not None
    lend("tone", project=certified.root, certificate=known[:6], on_refused="raise")
    for other in ("", known[:5], "f" + known[1:6] if known[0] != "f" else "0" + known[1:6]):
        with pytest.raises(GateRefusal, match="certificate_invalid"):
            lend("tone", project=certified.root, certificate=other, on_refused="raise")


@pytest.mark.parametrize("given", [{"criterion": 5}, {"criterion": [None]}, {"judge": None}])
def test_what_is_no_name(certified: House, given: dict[str, Any]) -> None:
    """One clear error; a criterion named twice is one."""
    with pytest.raises(InputError, match="name"):
        lend(**{"judge": "tone", "project": certified.root, **given})
    twice = lend("tone", criterion=["tone", "tone"], project=certified.root)
    assert len(twice.criteria) == 1


def test_equal_texts_of_two_cases(certified: House) -> None:
    """A figure over a run counts both, each in its case."""
    judge = lend("tone", project=certified.root)
    asked = [
        {"input": "q", "output": f"answer {i % 4} is {LEVELS[i % 4]}", "case": f"case {i}"}
        for i in range(40)
    ]
    for one in asked:
        judge.score(**one)
    found = figures_of_items(judge, "unknown", asked)
    whole = judge.corrected().criteria[0].uncorrected

    assert whole is not None
    assert found["tone_uncorrected_low"] == pytest.approx(whole.low)


def test_names_that_become_the_same(certified: House) -> None:
    """Criteria keep a column each where all letters of their names are replaced."""
    path = certified.root / "rubrics" / "tone.jinja"
    first = path.read_text().split("criteria:\n")[1].split("---")[0]
    twice = first.replace("criterion: tone", "criterion: вид") + first.replace(
        "criterion: tone", "criterion: тон"
    )
    path.write_text(path.read_text().replace(first, twice))
    columns = lend("tone", project=certified.root).columns

    assert [*columns.values()] == ["tone____", "tone_____2"]


def test_judges_whose_names_become_the_same(certified: House) -> None:
    """So do the judges of a project."""
    path = certified.root / "judgekit.toml"
    whole = path.read_text()
    table = whole.partition("[judges.tone]")[2].partition("\n[")[0]
    path.write_text(f'{whole}\n[judges."to-ne"]{table}\n[judges."to_ne"]{table}\n')

    names = [lend(name, project=certified.root).name for name in ("tone", "to-ne", "to_ne")]

    assert names == ["tone", "to_ne", "to_ne_2"]


def test_a_failure_that_promptfoo_would_turn_round(served: House) -> None:
    """``not-python`` makes a pass of what fails: what has no value is an error there."""
    judge = lend("tone", project=served.root)
    context = {"vars": {"input": "q"}, "test": {"assert": [{"type": "not-python"}]}}
    with pytest.raises(GateRefusal, match="no_certificate"):
        graded(judge, "answer 1 is cold", context)
    assert graded(judge, "answer 1 is cold", {"vars": {"input": "q"}})["pass"] is False


def test_a_mean_that_promptfoo_asks_for(served: House) -> None:
    """With a threshold the mean of scores decides: none with a refusal in it reaches one."""
    judge = lend("tone", project=served.root)
    test = {"threshold": 0.5, "assert": [{"type": "python"}]}
    found = graded(judge, "answer 1 is cold", {"vars": {"input": "q"}, "test": test})
    plain = graded(judge, "answer 1 is cold", {"vars": {"input": "q"}, "test": {}})

    assert (found["pass"], found["score"] <= -1e6, plain["score"]) == (False, True, 0)
