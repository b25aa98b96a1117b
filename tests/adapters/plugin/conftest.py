"""A project with a certified judge, and pytest run in it."""

from __future__ import annotations

import shutil
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from judgekit.testing import StubServer
from tests.e2e.house import House, echo, spread

LEVELS = ["rude", "cold", "polite", "friendly"]


@pytest.fixture(scope="module")
def server() -> Iterator[StubServer]:
    """What answers for the judge."""
    with StubServer(reply=echo()) as running:
        yield running


@pytest.fixture(scope="module")
def template(server: StubServer, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with a certified judge."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPENAI_API_KEY", "sk-of-the-test")
        house = House(tmp_path_factory.mktemp("certified"), server)
        house.judge()
        house.labels(spread(LEVELS, 60))
        assert house.run("calibrate", "tone", "--sampling", "random").code == 0
    return house.root


@pytest.fixture
def project(
    pytester: pytest.Pytester,
    template: Path,
    server: StubServer,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[House]:
    """The same project, where the inner pytest runs."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-test")
    shutil.copytree(template, pytester.path, dirs_exist_ok=True)
    server.configure(served=None)
    yield House(pytester.path, server)
    server.configure(served=None)


@pytest.fixture
def run(pytester: pytest.Pytester, project: House) -> Callable[..., pytest.RunResult]:
    """Run pytest over the given tests, in this process."""

    def inner(code: str, *options: str) -> pytest.RunResult:
        pytester.makepyfile("import pytest\n" + code)
        # The filters of this run hold in it too, and warnings would be errors.
        usual = ("-p", "no:cacheprovider", "-W", "default::pytest.PytestWarning")
        return pytester.runpytest_inprocess(*usual, "--junitxml=j.xml", *options)

    return inner


@pytest.fixture
def properties(pytester: pytest.Pytester) -> Callable[..., dict[str, str]]:
    """Return a function: the properties of a test in the JUnit file, without their prefix."""

    def found(test: str, file: str = "j.xml") -> dict[str, str]:
        cases = ET.parse(pytester.path / file).iter("testcase")  # noqa: S314  (our own)
        case = next(case for case in cases if case.get("name") == test)
        told = [(p.get("name", ""), p.get("value", "")) for p in case.iter("property")]
        return {name.removeprefix("judgekit."): value for name, value in told}

    return found
