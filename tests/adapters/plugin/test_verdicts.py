"""One verdict over the checks of a test, with its interval, and none without a certificate."""

from __future__ import annotations

import shutil
from collections.abc import Callable

import pytest

from judgekit.stats import wilson
from tests.e2e.house import House

Run = Callable[..., pytest.RunResult]
Properties = Callable[..., dict[str, str]]
MANY = """
@pytest.mark.judge("tone"{how})
def test_many(judge):
    for i in range(40):
        level = "polite" if i % 8 else "cold"
        judge.check(input=f"q {{i}}", output=f"answer {{i}} is {{level}}")
"""
ONE = """
@pytest.mark.judge("tone")
def test_one(judge):
    judge.check(input="q", output="answer 1 is friendly")
"""


def certificate(house: House) -> str:
    """The id of the one certificate of the project."""
    found = house.run(
        "certificate", "show", *map(str, house.root.glob("certificates/*.json")), "--json"
    )
    return found.json["id"]


@pytest.mark.parametrize(
    ("at_least", "verdict"), [(0.7, "passes"), (0.8, "inconclusive"), (0.96, "falls_short")]
)
def test_the_low_end_of_the_interval_decides(
    run: Run, properties: Properties, at_least: float, verdict: str
) -> None:
    """35 of 40 checks pass: Wilson's interval against what is asked, once."""
    result = run(MANY.format(how=f", at_least={at_least}"))
    found, wanted = properties("test_many"), wilson(35, 40)

    passes = verdict == "passes"
    result.assert_outcomes(passed=int(passes), failed=int(not passes))
    assert found["verdict"] == verdict
    assert [float(found[n]) for n in ("rate", "low", "high")] == [
        wanted.value,
        wanted.low,
        wanted.high,
    ]
    assert (found["checks"], found["values"], found["unjudged"]) == ("40", "40", "0")
    if not passes:
        word = verdict.replace("_", " ").upper()
        result.stdout.fnmatch_lines([f"tone {word}: 87.5% pass, 95% interval 73.9% to 94.5%;*"])
        failure = result.stdout.str().split("short test summary")[0]
        assert failure.count("87.5% pass") == 1


def test_the_certificate_is_with_the_result(
    run: Run, properties: Properties, project: House
) -> None:
    """Value, level and certificate stand in the JUnit file, and in the last lines."""
    result = run(ONE)
    found = properties("test_one")

    assert found["certificate"] == certificate(project)
    assert (found["judge"], found["status"]) == ("tone", "scored")
    assert (found["value"], found["level"]) == ("4", "friendly")
    result.stdout.fnmatch_lines(
        [f"tone: 1 value in 1 test; certificate {found['certificate'][:6]},*"]
    )


def test_without_a_share_every_check_must_pass(run: Run) -> None:
    """One failure shows the checks that did not, their reasons and the certificate."""
    result = run(MANY.format(how=""))

    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            "tone FALLS SHORT: 5 of 40 checks did not pass; asked: that all do.",
            "*certificate ??????, valid until 20*",
            '  cold: "answer 0 is cold": as it says',
            "  and 2 more",
        ]
    )
    begins = next(i for i, line in enumerate(result.outlines) if line.startswith("tone FALLS"))
    assert max(map(len, result.outlines[begins : begins + 7])) <= 80


@pytest.mark.parametrize(
    ("mode", "outcome", "why"),
    [
        ("error", "errors", "rubric_changed"),
        ("skip", "skipped", "no_certificate"),
        ("xfail", "xfailed", "no_certificate"),
        ("warn", "passed", "rubric_changed"),
    ],
)
def test_a_judge_that_is_not_certified(
    run: Run, properties: Properties, project: House, mode: str, outcome: str, why: str
) -> None:
    """No number in any mode, no call, and the way out among the last lines."""
    if why == "no_certificate":
        shutil.rmtree(project.root / "certificates")
    else:
        path = project.root / "rubrics" / "tone.jinja"
        path.write_text(path.read_text().replace("says nothing kind", "says nothing nice"))
    before = project.server.stats.requests
    result = run(MANY.format(how=", at_least=0.5"), f"--judge-uncalibrated={mode}")
    found = properties("test_many")

    assert result.parseoutcomes().get(outcome) == 1, result.stdout.str()
    assert result.parseoutcomes().get("warnings", 0) == (mode == "warn")
    assert (found["status"], found["reason_code"]) == ("refused", why)
    assert {"value", "rate", "low", "high", "certificate"}.isdisjoint(found)
    assert project.server.stats.requests == before
    result.stdout.fnmatch_lines([f"tone: refused in 1 test: {why}", "  Next  judgekit *"])


def test_error_is_the_default(run: Run, project: House) -> None:
    """A run whose judge is not certified ends red."""
    shutil.rmtree(project.root / "certificates")
    result = run(ONE)

    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["Refused: nothing was scored.", "*no_certificate*"])
    result.stdout.no_fnmatch_line("*During handling*")


def test_run_again_it_is_refused_again(run: Run, pytester: pytest.Pytester, project: House) -> None:
    """Plugins that run a failed test once more get no pass the second time."""
    shutil.rmtree(project.root / "certificates")
    pytester.makeconftest(
        "from _pytest.runner import runtestprotocol\n"
        "def pytest_runtest_protocol(item, nextitem):\n"
        "    runtestprotocol(item, log=False, nextitem=None)\n"
        "    item._initrequest()\n"
        "    runtestprotocol(item, nextitem=nextitem)\n"
        "    return True\n"
    )
    result = run(ONE)

    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["tone: refused in 1 test: no_certificate"])


def test_another_model_behind_the_endpoint(run: Run, project: House) -> None:
    """What a model says that was never calibrated fails the test at once."""
    project.server.configure(served="stub-2026-02-02")
    result = run(ONE.replace("answer 1", "answer 77"))

    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*model_served_changed*"])


BODIES = """
@pytest.fixture
def anyio_backend():
    return "asyncio"

pytestmark = pytest.mark.judge("tone", replays=12, at_least=0.7)

def test_function(judge):
    judge.check(input="q", output=f"answer {judge.replay} is polite")

class TestIt:
    def test_method(self, judge):
        judge.check(input="q", output=f"answer {judge.replay} is polite")

@pytest.mark.anyio
async def test_coroutine(judge):
    await judge.check_async(input="q", output=f"answer {judge.replay} is polite")
"""


def test_replays_run_the_body_again(run: Run, properties: Properties) -> None:
    """Functions, methods and coroutines; the replays of one case are spoken for alone."""
    result = run(BODIES)

    result.assert_outcomes(passed=3)
    for name in ("test_function", "test_method", "test_coroutine"):
        found = properties(name)
        assert found["checks"] == "12"
        assert float(found["low"]) == pytest.approx(wilson(12, 12).low)


def test_replays_of_few_cases(run: Run) -> None:
    """The rate is one of these cases only, and says so."""
    result = run(
        """
@pytest.mark.judge("tone", replays=10, at_least=0.9)
def test_two(judge):
    for i in range(2):
        judge.check(input=f"q {i}", output=f"answer {judge.replay} is polite")
"""
    )
    result.stdout.fnmatch_lines(
        [
            "tone INCONCLUSIVE: 100% pass, 95% interval 83.9% to 100%; asked: a low end of",
            "  20 checks of 2 cases; a figure about these cases only; uncorrected; 35 are",
        ]
    )


def test_replays_of_many_cases_are_clustered(run: Run, properties: Properties) -> None:
    """Alike outputs tell less than independent ones: the interval is wider than Wilson's."""
    run(
        """
@pytest.mark.judge("tone", replays=4, at_least=0.2)
def test_alike(judge):
    for i in range(12):
        judge.check(input=f"q {i}", output=f"answer {i} is " + ("polite" if i % 2 else "rude"))
"""
    )
    found, plain = properties("test_alike"), wilson(24, 48)

    assert float(found["rate"]) == 0.5
    assert float(found["low"]) < plain.low - 0.1
    assert float(found["high"]) > plain.high + 0.1


def test_known_error_is_taken_off(run: Run, project: House, properties: Properties) -> None:
    """Told what the checks are, the corrected rate decides: the one that `score` gives."""
    run(MANY.format(how=', at_least=0.5, population="shifted"'))
    found = properties("test_many")
    levels = ["polite" if i % 8 else "cold" for i in range(40)]
    text = project.items(levels).read_text().replace("question", "q")
    project.write("items.jsonl", text)
    given = ("tone", "items.jsonl", "--out", "s.jsonl", "--population", "shifted", "--json")
    wanted = project.run("score", *given).json["criteria"][0]["corrected"]

    assert found["uncorrected"] == "False"
    assert [float(found[n]) for n in ("rate", "low", "high")] == [
        wanted[n] for n in ("value", "low", "high")
    ]


def test_a_refusal_in_a_thread_is_not_lost(
    run: Run, project: House, properties: Properties
) -> None:
    """Nobody looked at what the thread raised, and the test does not pass all the same."""
    project.server.configure(served="stub-2026-02-02")
    result = run("""
from concurrent.futures import ThreadPoolExecutor

@pytest.mark.judge("tone", at_least=0.5)
def test_it(judge):
    with ThreadPoolExecutor() as pool:
        for i in range(4):
            pool.submit(judge.check, input=f"q {i}", output=f"answer {i} is cold, new")
""")

    result.assert_outcomes(failed=1)
    assert properties("test_it")["status"] == "refused"
