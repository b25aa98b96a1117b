"""pytest itself, beside the plugin that runs coroutines: a judge as a fixture."""

from __future__ import annotations

import json
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
from world import Row, World, items

OF_ALL = """
import json, pytest

with open("asked.json", encoding="utf-8") as file:
    ASKED = json.load(file)
TOLD = []

{marker}
{kind}def test_tone(judge):
    for row in ASKED:
        outcome = {call}(input=row["input"], output=row["output"])
        TOLD.append(outcome.value)
        with open("told.json", "w", encoding="utf-8") as file:
            json.dump(TOLD, file)
"""
CALLS = {"def": ("", "judge.check"), "async def": ("async ", "await judge.check_async")}


def ran(
    world: World, asked: list[Row], judge: str, kind: str = "def", *options: str
) -> tuple[int, list[Any], dict[str, str]]:
    """Return how pytest ended, what values a test was given, and what JUnit's file says."""
    told = Path("told.json")
    told.unlink(missing_ok=True)
    Path("asked.json").write_text(json.dumps(asked), encoding="utf-8")
    marker = f"@pytest.mark.judge({judge!r}, project={str(world.root)!r}, at_least=0.1)"
    prefix, call = CALLS[kind]
    if prefix:
        marker = f"@pytest.mark.asyncio\n{marker}"
    text = OF_ALL.format(marker=marker, kind=prefix, call=call)
    Path("test_of_user.py").write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "--junitxml=junit.xml", "test_of_user.py"]
    ended = subprocess.run([*command, *options], check=False)
    found = ET.parse("junit.xml").getroot().iter("property")  # noqa: S314 - our own file
    properties = {one.attrib["name"]: one.attrib["value"] for one in found}
    return ended.returncode, json.loads(told.read_text()) if told.exists() else [], properties


@pytest.mark.parametrize("kind", ["def", "async def"])
def test_values(world: World, kind: str) -> None:
    """The values are those of ``score``, in a coroutine as well; JUnit names the certificate."""
    code, values, properties = ran(world, items(), "tone", kind)
    calls = world.stub.stats.requests
    rows, _ = world.score("tone", items())

    assert (code, values) == (0, [row["value"] for row in rows])
    assert len(values) == 40
    assert rows[0]["certificate"] in properties.values()
    assert world.stub.stats.requests == calls


def test_no_certificate(world: World) -> None:
    """An error, no number and no call; the three other ways are asked for by name."""
    calls = world.stub.stats.requests
    code, values, properties = ran(world, items(3), "plain")

    assert (code, values) == (1, [])
    assert "no_certificate" in properties.values()
    for way in ("skip", "xfail"):
        assert ran(world, items(3), "plain", "def", f"--judge-uncalibrated={way}")[:2] == (0, [])
    assert world.stub.stats.requests == calls


def test_voided(world: World) -> None:
    """Once the rubric is edited there is no number."""
    assert ran(world, items(2), "tone")[0] == 0
    world.edit_rubric()
    calls = world.stub.stats.requests
    code, values, properties = ran(world, items(2), "tone")

    assert (code, values) == (1, [])
    assert "rubric_changed" in properties.values()
    assert world.stub.stats.requests == calls
