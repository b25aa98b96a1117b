"""The project whose judges the runners are lent, and what its judges are asked.

Everything is made here, in the runner's own environment: the labels, a model server in this
process that reads an item's level out of its text, and the certificates.
"""

from __future__ import annotations

import contextlib
import csv
import io
import json
import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeAlias

from judgekit.cli.run import run
from judgekit.testing import StubServer
from judgekit.testing.responses import completion
from judgekit.testing.wire import Sent

Row: TypeAlias = dict[str, Any]

TONES = ("rude", "cold", "polite", "friendly")
RIGHT = ("right", "wrong")
LANGUAGES = ("french", "german", "mixed")
BETTER = ("A", "B", "tie")
# Where each level stands between the lowest and the highest; a language stands nowhere.
SHARES = {"rude": 0, "cold": 1 / 3, "polite": 2 / 3, "friendly": 1, "wrong": 0, "right": 1}
SHARES |= {"B": 0, "tie": 0.5, "A": 1}

MODEL, TURNED = "openai/stub-2025-01-01", "stub-2026-02-02"
RUBRICS = Path(__file__).parent / "rubrics"

# What texts bring along that a template, a shell, a file or a page might not leave as it is.
ODD = (
    "",
    " naïve café, Ærøskøbing",
    "\n東京は晴れ\r\n\tдождь",
    " 🙂👩‍👩‍👧 e\u0301 \u00a0\u202eabc\u202c",
    " {{ input }} {% raw %} ${HOME} %s {0}",
    ' "quoted" <b>html</b> & \\back\\slash',
    " [judgekit {}] null NaN 4",
    "  ",
)


heard: list[str] = []
"""What the model server was asked, all of it."""


def item(i: int, level: str, word: str = "answer") -> Row:
    """Return the i-th item, in the words of an item file; its length says nothing of its level."""
    odd = ODD[i % len(ODD)]
    text = f"{word} {i} is {level}".ljust(30 + 7 * i % 23, ".") + odd
    asked = f"question {i}{odd.partition('{{')[0]}"  # in a question, a runner's template is one
    return {"id": f"{word}-{i:03}", "input": asked, "output": text}


def items(n: int = 40) -> list[Row]:
    """Return n items for the judge ``tone``."""
    return [item(i, TONES[i * 7 % 4]) for i in range(n)]


def referenced(n: int = 8, word: str = "answer") -> list[Row]:
    """Return n items for the judge ``answer``: one thing to be right in, and a language."""
    levels = [f"{RIGHT[i * 5 % 2]} and {LANGUAGES[i * 5 % 3]}" for i in range(n)]
    return [{**item(i, levels[i], word), "reference": f"truth {i}"} for i in range(n)]


def pairs(n: int = 8, word: str = "answer") -> list[Row]:
    """Return n items for the judge ``pair``."""
    rows = [item(i, BETTER[i * 5 % 3], word) for i in range(n)]
    return [
        {
            "id": row["id"],
            "input": row["input"],
            "output_a": row["output"],
            "output_b": f"other {i}",
        }
        for i, row in enumerate(rows)
    ]


def reply(request: Row) -> str | Sent:
    """Answer as a judge does that errs now and then; to ``turned`` items as another model."""
    asked, text = str(request["messages"]), request["messages"][-1]["content"]
    heard.append(asked)
    said = re.search(r"(?:labelled|answer|turned) (\d+) is (\w+)(?: and (\w+))?", text)
    assert said is not None, text
    number, level, second = said.groups()
    if second is not None and "Which language" in asked:
        level = second
    elif "other " in text and text.index("other ") < said.start():
        level = {"A": "B", "B": "A"}.get(level, level)
    elif int(number) % 11 == 0:
        level = {"polite": "cold", "rude": "polite"}.get(level, level)
    told = json.dumps({"reason": f"weil es „{level}“ ist", "level": level}, ensure_ascii=False)
    if not said[0].startswith("turned"):
        return told
    message = {"role": "assistant", "content": told}
    return Sent(200, json.dumps(completion(request, message, "stop", TURNED, None)).encode())


class World:
    """A project with the judges ``tone``, ``answer`` and ``pair``, and ``plain``, not certified.

    Args:
        root: Its folder.
        stub: Its model server.
    """

    def __init__(self, root: Path, stub: StubServer) -> None:
        self.root, self.stub = root, stub

    def build(self) -> None:
        """Write the project, and have its judges certified but for one."""
        shutil.copytree(RUBRICS, self.root / "rubrics")
        judges = {"tone": MODEL, "answer": MODEL, "pair": MODEL, "plain": "openai/stub-2024-12-01"}
        self.root.joinpath("judgekit.toml").write_text(
            "\n".join(
                f'[judges.{name}]\nrubric = "rubrics/{name.replace("plain", "tone")}.jinja"\n'
                f'model = "{model}"\napi_base = "{self.stub.base_url}"\n'
                f'labels = "labels/{name.replace("plain", "tone")}.csv"\n'
                for name, model in judges.items()
            )
        )
        tones = [{**item(i, TONES[i % 4], "labelled"), "level": TONES[i % 4]} for i in range(60)]
        answers = [
            {**row, "criterion": criterion, "level": levels[i * 5 % len(levels)]}
            for i, row in enumerate(referenced(60, "labelled"))
            for criterion, levels in (("correct", RIGHT), ("language", LANGUAGES))
        ]
        better = [{**r, "level": BETTER[i * 5 % 3]} for i, r in enumerate(pairs(60, "labelled"))]
        for name, labels in (("tone", tones), ("answer", answers), ("pair", better)):
            self._write_labels(name, labels)
            self.judgekit("calibrate", name, "--sampling", "random")

    def judgekit(self, *arguments: str) -> str:
        """Run a command of judgekit in the project, and return what it printed."""
        out, err = io.StringIO(), io.StringIO()
        with (
            contextlib.chdir(self.root),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
        ):
            code = run(list(arguments))
        assert code == 0, f"judgekit {' '.join(arguments)}\n{out.getvalue()}{err.getvalue()}"
        return out.getvalue()

    def score(self, judge: str, asked: Sequence[Row]) -> tuple[list[Row], Row]:
        """Return the rows that ``judgekit score`` writes of the items, and its figures."""
        source, out = self.root / "items.jsonl", self.root / "scores.jsonl"
        source.write_text("".join(json.dumps(row) + "\n" for row in asked), encoding="utf-8")
        told = ("--population", "same", "--json", "--out", str(out))
        figures = json.loads(self.judgekit("score", judge, str(source), *told))
        rows = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
        return rows, figures

    def figures(self, asked: Sequence[Row]) -> dict[str, float]:
        """Return what ``judgekit score`` says of the items as a whole, as adapters call it."""
        _, told = self.score("tone", asked)
        found = {
            f"{kind}{end}": told["criteria"][0][kind][field]
            for kind in ("corrected", "uncorrected")
            for end, field in (("", "value"), ("_low", "low"), ("_high", "high"))
        }
        assert found["corrected"] != found["uncorrected"]
        return found

    def corrected(self, kept: str) -> str:
        """Return what ``judgekit correct`` prints of what a runner has kept."""
        self.root.joinpath("kept.txt").write_text(kept, encoding="utf-8")
        out = io.StringIO()
        told = ["correct", "kept.txt", "--population", "same", "--json"]
        with (
            contextlib.chdir(self.root),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(out),
        ):
            run(told)
        return out.getvalue()

    def edit_rubric(self) -> None:
        """Change a word in the rubric of ``tone``."""
        path = self.root / "rubrics" / "tone.jinja"
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace("nothing kind", "nothing friendly"), encoding="utf-8")

    def _write_labels(self, name: str, rows: Sequence[Row]) -> None:
        path = self.root / "labels" / f"{name}.csv"
        path.parent.mkdir(exist_ok=True)
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
