"""A stub that drafts, judges and checks as a test says; and the command that is tested."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from judgekit.testing import StubServer
from tests.e2e.house import House, Result

WISH = "how support replies treat customers"
MODEL = "openai/gpt-4.1-mini"
"""A model whose price is listed."""


class Script:
    """Answers by what is asked: drafts in turn, the last for good; levels from the item's text."""

    def __init__(self, *drafts: Any) -> None:
        self.drafts = [d if isinstance(d, str) else json.dumps(d) for d in drafts]
        self.check: Any = {"doubts": ["It says nothing of speed."], "measures": "partly"}
        self.judge: Callable[[str], str] | None = None
        self.asked: list[str] = []

    def __call__(self, request: dict[str, Any]) -> str:
        """Return the reply to a request."""
        system, user = (message["content"] for message in request["messages"])
        if system.startswith("You write rubrics"):
            self.asked.append(user)
            return self.drafts.pop(0) if len(self.drafts) > 1 else self.drafts[0]
        if system.startswith("You check"):
            return self.check if isinstance(self.check, str) else json.dumps(self.check)
        if self.judge is not None:
            return self.judge(user)
        found = re.search(r"(?:reply|answer) \d+ is (\w+)", user)
        return json.dumps({"reason": "as it says", "level": found[1] if found else "warm"})


def draft(house: House, *arguments: str, wish: str = WISH, model: str = MODEL) -> Result:
    """Run the command against the house's stub."""
    assert house.server is not None
    place = ["--model", model, "--api-base", house.server.base_url]
    return bare(house, "--from", wish, *place, *arguments)


def bare(house: House, *arguments: str) -> Result:
    """Run the command as it is."""
    return house.run("rubric", "draft", *arguments)


def serve(house: House, script: Script, **settings: Any) -> StubServer:
    """Return a server for a script, to be used as a context."""
    house.server = StubServer(reply=script, **settings)
    return house.server
