"""A stub that judges by what the rubric says, and proposes edits as a test says."""

from __future__ import annotations

import json
import re
from importlib import util
from typing import Any

import pytest

from judgekit.testing import StubServer
from tests.e2e.house import House, Result, spread

MODEL = "openai/gpt-4.1-mini"
"""A model whose price is listed."""

TELLING = "The reply states facts and holds no greeting and no thanks."
"""With these words in the rubric the judge sees what is cold; without them it calls it polite."""

LEVELS = ["rude", "cold", "polite", "friendly"]
FULL = ["train"] * 20 + ["dev"] * 60 + ["test"] * 20

needs_gepa = pytest.mark.skipif(
    util.find_spec("gepa") is None, reason="gepa is not installed (extra 'improve')"
)


def edit(what: str, text: str, level: str = "", item: str = "") -> dict[str, str]:
    """One edit as a reflector writes it."""
    return {"what": what, "level": level, "item": item, "text": text}


def proposal(*edits: dict[str, str]) -> str:
    """A reflector's reply."""
    return json.dumps({"why": "People look for thanks.", "edits": list(edits)})


GOOD = proposal(edit("definition", TELLING, "cold"))
WORTHLESS = proposal(edit("definition", "The reply is short of any kind word at all.", "cold"))


class Script:
    """Proposes in turn, the last for good; judges cold replies rightly by the right words only."""

    def __init__(self, *proposals: str, telling: str = TELLING) -> None:
        self.proposals, self.telling = list(proposals), telling
        self.reflected: list[str] = []

    def __call__(self, request: dict[str, Any]) -> str:
        """Return the reply to a request."""
        system, user = (message["content"] for message in request["messages"])
        if system.startswith("You improve rubrics"):
            self.reflected.append(user)
            return self.proposals.pop(0) if len(self.proposals) > 1 else self.proposals[0]
        level = re.findall(r"reply \d+ is (\w+)", user)[-1]
        if level == "cold" and self.telling not in system:
            level = "polite"
        return json.dumps({"reason": f"because of {level}", "level": level})


def improve(house: House, *arguments: str, judge: str = "tone") -> Result:
    """Run the command."""
    return house.run("rubric", "improve", judge, "--labels", "labels.csv", *arguments)


def serve(house: House, script: Any, **settings: Any) -> StubServer:
    """Return a server for a script, to be used as a context; the judge is asked there."""
    house.server = StubServer(reply=script, **settings)
    return house.server


def project(house: House, parts: list[str] | None = FULL, **more: Any) -> None:
    """Write a judge, and 100 labelled items, all four levels in every part.

    Lists are further columns of the labels, and all else are settings of the judge.
    """
    columns = {name: value for name, value in more.items() if isinstance(value, list)}
    settings = {name: value for name, value in more.items() if name not in columns}
    house.judge(**{"model": MODEL, **settings})
    house.labels(spread(LEVELS, 100), **({"split": parts} if parts else {}), **columns)


def sent(house: House) -> str:
    """Everything that any model was ever sent."""
    assert house.server is not None
    return "\n".join(r.body.decode() for r in house.server.received)
