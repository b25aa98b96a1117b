"""pytest: judges in tests, through the fixture and the marker ``judge``.

::

    @pytest.mark.judge("tone", at_least=0.8)
    def test_replies_are_polite(judge):
        for question in QUESTIONS:
            judge.check(input=question, output=app(question))

It is imported in every run of pytest that finds judgekit installed, so nothing heavy is imported
here; what does the work is :mod:`judgekit.adapters.pytest_checks`, once a test asks.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Awaitable, Callable, Generator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from judgekit.adapters.pytest_checks import Checks

MARK = "judge"
MODES = ("error", "skip", "xfail", "warn")
_HELP = (
    "judge(name, criterion=None, replays=1, at_least=None, population='unknown', **how): the judge "
    "that the fixture `judge` asks. Every check must pass; with at_least, the low end of the 95% "
    "interval of the pass rate must reach it. The body runs `replays` times. Other names are "
    "those of judgekit.adapters.lent.lend."
)

CHECKS = pytest.StashKey["Checks"]()
"""What the judge of a test has been asked."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options of judges."""
    group = parser.getgroup("judgekit")
    group.addoption(
        "--judge-uncalibrated",
        choices=MODES,
        default=MODES[0],
        help="what a test does whose judge is not certified: error (default), skip, xfail, or "
        "warn and run without a value",
    )
    group.addoption(
        "--judge-project",
        metavar="FOLDER",
        default=None,
        help="the project that has the judges, or a folder in it; by default the one that a test's "
        "file is in",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Make the marker known."""
    config.addinivalue_line("markers", _HELP)


@pytest.fixture
def judge(request: pytest.FixtureRequest) -> Checks:
    """Ask the judge that the test is marked with: ``judge.check(input=..., output=...)``."""
    from judgekit.adapters.pytest_checks import begin

    checks = begin(request.node, MARK)
    request.node.stash[CHECKS] = checks
    return checks


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, object, object]:
    """Run the body of a marked test as often as its marker says."""
    checks = pyfuncitem.stash.get(CHECKS, None)
    if checks is None or checks.replays == 1:
        return (yield)
    body = pyfuncitem.obj
    pyfuncitem.obj = _repeated(body, checks)
    try:
        return (yield)
    finally:
        pyfuncitem.obj = body


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Decide on what a marked test has checked, once its body has passed."""
    try:
        result = yield
    except BaseException:
        if (checks := item.stash.get(CHECKS, None)) is not None:
            checks.record()
        raise
    if (checks := item.stash.get(CHECKS, None)) is not None:
        checks.decide()
    elif _never_asks(item):
        pytest.fail(
            "marked with a judge, and never asks it: take the fixture `judge`, and call "
            "judge.check(input=..., output=...)",
            pytrace=False,
        )
    return result


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say which judges gave how many values under which certificates, and what was refused."""
    told = {  # of a test that ran again, the last time
        report.nodeid: {name.removeprefix("judgekit."): v for name, v in report.user_properties}
        for reports in terminalreporter.stats.values()
        for report in reports
        if getattr(report, "when", None) == "teardown"
        and any(name == "judgekit.judge" for name, _ in report.user_properties)
    }
    if told:
        from judgekit.reports.tested import tested_lines

        terminalreporter.section("judges", "-")
        for line in tested_lines([*told.values()]):
            terminalreporter.line(line)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Finish the records of what was asked."""
    import sys

    checks = sys.modules.get("judgekit.adapters.pytest_checks")
    if checks is not None:
        checks.close(config)


def _never_asks(item: pytest.Item) -> bool:
    """Tell whether a test names a judge and has not taken the fixture.

    A bare marker of that name, or a fixture, may be another's in whose run this plugin only
    happens to be.
    """
    marker = item.get_closest_marker(MARK)
    taken = MARK in getattr(item, "fixturenames", ())
    return marker is not None and bool(marker.args) and not taken


def _repeated(body: Callable[..., Any], checks: Checks) -> Callable[..., Any]:
    """Return a function that runs a test's body once for each replay."""
    if inspect.iscoroutinefunction(body):  # a plugin for coroutines must know it for one

        @functools.wraps(body)
        async def replayed(**given: Any) -> None:
            for replay in range(checks.replays):
                checks.replay = replay
                await _awaited(body(**given))

        return replayed

    @functools.wraps(body)
    def repeated(**given: Any) -> Any:
        found = None
        for replay in range(checks.replays):
            checks.replay = replay
            found = body(**given)
        return found

    return repeated


async def _awaited(found: Awaitable[Any]) -> None:
    await found
