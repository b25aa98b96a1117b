"""The plugin is in every run of pytest: it costs nothing there, and works beside other plugins."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

import pytest

from tests.e2e.house import House
from tests.house.test_lazy_import import HEAVY

Run = Callable[..., pytest.RunResult]
Properties = Callable[..., dict[str, str]]
TWO = """
@pytest.mark.judge("tone", at_least=0.6)
def test_many(judge):
    for i in range(20):
        judge.check(input=f"q {i}", output=f"answer {i} is friendly")

@pytest.mark.judge("tone")
@pytest.mark.parametrize("i", range(3))
def test_each(judge, i):
    judge.check(input=f"q {i}", output=f"answer {i} is " + ("rude" if i == 2 else "polite"))
"""


def test_importing_it_loads_nothing() -> None:
    """Beside what pytest itself has loaded, only the plugin and the two packages it lies in."""
    code = (
        "import pytest, sys; before = {*sys.modules}\n"
        "import judgekit.adapters.pytest_plugin\n"
        "print(*sys.modules.keys() - before)"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )

    plugin = "judgekit.adapters.pytest_plugin"
    assert sorted(loaded.stdout.split()) == ["judgekit", "judgekit.adapters", plugin]


def test_a_run_without_judges_loads_nothing_heavy(pytester: pytest.Pytester) -> None:
    """Not even to say at the end that there is nothing to say."""
    pytester.makeconftest(
        "import sys\n"
        "def pytest_unconfigure():\n"
        "    ours = [name for name in sys.modules if name.startswith('judgekit')]\n"
        f"    heavy = {(*HEAVY, 'pydantic', 'yaml')!r}\n"
        "    print('loaded', *sorted(ours), *[name for name in heavy if name in sys.modules])\n"
    )
    pytester.makepyfile("def test_it():\n    pass\n")
    result = pytester.run(sys.executable, "-m", "pytest", "-p", "no:anyio", "-q")

    plugin = "judgekit.adapters.pytest_plugin"
    result.stdout.fnmatch_lines([f"loaded judgekit judgekit.adapters {plugin}"])


def test_the_last_lines_say_what_was_given(run: Run) -> None:
    """Values, tests, certificate and verdicts of each judge."""
    result = run(TWO)

    result.assert_outcomes(passed=3, failed=1)
    result.stdout.fnmatch_lines(
        [
            "*- judges -*",
            "tone: 23 values in 4 tests; certificate ??????, valid until 20??-??-??",
            "  passes 3, falls short 1",
        ]
    )


def test_what_was_asked_is_on_record(run: Run, project: House) -> None:
    """The run's record is whole when pytest has ended."""
    run(TWO)
    runs = project.run("runs", "list", "--json").json["runs"]

    assert any("lent to pytest" in str(one) for one in runs)


@pytest.mark.slow
def test_under_xdist(run: Run, pytester: pytest.Pytester, properties: Properties) -> None:
    """The same properties and last lines, whichever worker ran which test."""
    run(TWO)
    alone = {name: properties(name) for name in ("test_many", "test_each[0]", "test_each[2]")}
    result = pytester.runpytest_inprocess("-p", "no:cacheprovider", "--junitxml=j.xml", "-n", "2")

    result.assert_outcomes(passed=3, failed=1)
    result.stdout.fnmatch_lines(["tone: 23 values in 4 tests; certificate ??????,*"])
    assert {name: properties(name) for name in alone} == alone
