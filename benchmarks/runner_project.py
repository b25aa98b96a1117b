"""A small project to run judges in, and what a bare loop needs to ask the same."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from judgekit.api.setup import JudgeSetup, load_judge
from judgekit.importers.itemstream import ItemFile
from judgekit.judging.prompt import build_request
from judgekit.storage.project import open_project

RUBRIC = """---
rubric: usefulness
version: 1
inputs: [input, output]
criteria:
  - criterion: usefulness
    question: Does the answer help the person who asked?
    scale: ordinal
    passes_at: 2
    levels:
      - value: 3
        name: solves
        definition: The answer does what was asked and can be used as it stands.
        drops_when: One part of what was asked is missing or wrong.
      - value: 2
        name: helps
        definition: The answer does part of what was asked, and what it says is right.
        drops_when: What it says is wrong, or is about something else.
      - value: 1
        name: useless
        definition: The answer does nothing of what was asked.
---
"""


def make_project(folder: Path, base: str, *, transport: str, concurrency: int) -> JudgeSetup:
    """Write a project with one judge that asks the server at ``base``; return the judge."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "usefulness.jinja").write_text(RUBRIC)
    (folder / "judgekit.toml").write_text(
        f"""[judges.usefulness]
rubric = "usefulness.jinja"
model = "openai/gpt-4o-mini"
api_base = "{base}"
transport = "{transport}"
concurrency = {concurrency}
"""
    )
    return load_judge("usefulness", project=open_project(folder))


def write_items(path: Path, count: int, start: int = 0) -> None:
    """Write that many items, all different, with texts of everyday length."""
    with path.open("w") as out:
        for n in range(start, start + count):
            row = {
                "id": f"item-{n}",
                "input": f"Question {n}: how do I change the address of order {n * 7919 % 99991}?",
                "output": "Open your account, choose the order, and select Change address. "
                f"You can do so until the parcel leaves us; order {n} leaves on day {n % 28 + 1}.",
            }
            out.write(json.dumps(row) + "\n")


def bodies(setup: JudgeSetup, items: Path) -> list[dict[str, Any]]:
    """Return the request bodies that the judge sends for these items, for a bare loop to send."""
    (criterion,) = setup.judge.rubric.criteria
    found = []
    for item in ItemFile(items, inputs=setup.judge.rubric.inputs):
        request = build_request(setup.judge, criterion, item)
        form = {"name": "reply", "schema": request.schema, "strict": True}
        found.append(
            {
                "model": "gpt-4o-mini",
                "messages": [{"role": m.role, "content": m.content} for m in request.messages],
                **request.parameters,
                "response_format": {"type": "json_schema", "json_schema": form},
            }
        )
    return found
