"""A small project on disk, and a judge whose answers the test decides."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from judgekit.cli.run import run
from judgekit.testing import StubServer

RUBRIC = """---
rubric: tone
version: 1
inputs: [input, output]
criteria:
  - criterion: tone
    question: How friendly is the reply?
    scale: ordinal
    passes_at: 3
    levels:
      - value: 1
        name: rude
        definition: The reply insults or orders the customer about.
      - value: 2
        name: cold
        definition: The reply is correct and says nothing kind.
        drops_when: It insults or orders the customer about.
      - value: 3
        name: polite
        definition: The reply greets or thanks the customer.
        drops_when: It neither greets nor thanks.
      - value: 4
        name: friendly
        definition: The reply greets, thanks and offers further help.
        drops_when: It offers no further help.
        anchors:
          - input: Where is my parcel number nine?
            output: Hello and thank you for asking, it arrives tomorrow, may I do more for you?
            reason: It greets, thanks and offers help.
---
"""
BINARY = """---
rubric: grounded
version: 1
inputs: [input, output]
criteria:
  - criterion: grounded
    question: Is the answer supported?
    scale: binary
    levels:
      - value: 1
        name: supported
        definition: Every claim is supported by the input.
        drops_when: One claim is not supported.
      - value: 0
        name: unsupported
        definition: A claim is not supported by the input.
---
"""


@dataclass
class Result:
    """What a command did."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> dict:
        """Return the one JSON document on stdout."""
        return json.loads(self.out)


@dataclass
class House:
    """A project folder with one judge."""

    root: Path
    server: StubServer | None = None

    def run(self, *arguments: str) -> Result:
        """Run the command line in the project, in this process."""
        out, err = io.StringIO(), io.StringIO()
        with (
            contextlib.chdir(self.root),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
        ):
            code = run(list(arguments))
        assert "Traceback" not in err.getvalue() + out.getvalue()
        return Result(code, out.getvalue(), err.getvalue())

    def spawn(self, *arguments: str) -> subprocess.Popen[str]:
        """Start the command line in a process of its own."""
        env = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
        return subprocess.Popen(
            [sys.executable, "-m", "judgekit", *arguments],
            cwd=self.root,
            env=env | {"OPENAI_API_KEY": "sk-of-the-test", "COLUMNS": "80"},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def write(self, name: str, text: str) -> Path:
        """Write a file of the project."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def labels(self, levels: list, name: str = "labels.csv", **columns: list) -> Path:
        """Write labelled items: the level stands in the item's own text, for the stub to find."""
        path = self.root / name
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(["item_id", "input", "output", "rater", "level", *columns])
            for i, level in enumerate(levels):
                extra = [values[i] for values in columns.values()]
                writer.writerow(
                    [f"item-{i:03}", f"question {i}", f"reply {i} is {level}", "ann", level, *extra]
                )
        return path

    def items(self, levels: list, name: str = "items.jsonl") -> Path:
        """Write unlabelled items."""
        rows = [
            {"id": f"new-{i:03}", "input": f"question {i}", "output": f"answer {i} is {level}"}
            for i, level in enumerate(levels)
        ]
        return self.write(name, "".join(json.dumps(row) + "\n" for row in rows))

    def judge(self, rubric: str = RUBRIC, name: str = "tone", **settings: object) -> None:
        """Write the rubric and the configuration of one judge served by the stub."""
        self.write(f"rubrics/{name}.jinja", rubric)
        lines = [f"[judges.{name}]", f'rubric = "rubrics/{name}.jinja"', 'labels = "labels.csv"']
        if "panel" not in settings:
            settings = {"model": "openai/stub-2025-01-01"} | settings
        if self.server is not None:
            settings = {"api_base": self.server.base_url} | settings
        lines += [f"{key} = {json.dumps(value)}" for key, value in settings.items()]
        self.write("judgekit.toml", "\n".join(lines) + "\n")

    def files(self) -> dict[str, bytes]:
        """Return every file of the project but the cache."""
        return {
            str(p.relative_to(self.root)): p.read_bytes()
            for p in sorted(self.root.rglob("*"))
            if p.is_file() and not {".judgekit", "__pycache__"} & {*p.parts}
        }


def echo(names: dict[str, str] | None = None) -> Callable[[dict], str]:
    """Return a reply function that reads the item's own level, changed by ``names``."""

    def reply(request: dict) -> str:
        text = request["messages"][-1]["content"]
        level = re.search(r"(?:reply|answer) \d+ is (\w+)", text)[1]
        return json.dumps({"reason": "as it says", "level": (names or {}).get(level, level)})

    return reply


def spread(levels: list[str], n: int) -> list[str]:
    """Return n levels, taken in turn."""
    return [levels[i % len(levels)] for i in range(n)]
